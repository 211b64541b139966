// Decision values as functions of one or two columns while the others stay, and the exact regions
// of each class: convex cells are split along the lines on which a maximum or minimum changes.
//
// An expression is {op: "line", a, b, c}: a·u + b·v + c; {op: "max" | "min" | "sum", of: [...]}; or
// {op: "box", faces: [lines], points}: the points where all lines are at least 0, else 0.

import { featuresOf } from "./model.js";

const LARGEST_WORK = 40000;

export const line = (a, b, c) => ({ op: "line", a, b, c });
const constant = (c) => line(0, 0, c);

function shifted({ a, b, c }, factor, shift) {
  return line(a * factor, b * factor, c * factor + shift);
}

// One expression for each class; the largest decides. `u` and `v` are the columns that change.
export function classExpressions(page, cells, u, v) {
  const inputs = page.inputs.map((input) => {
    if (input.category !== undefined || (input.column !== u && input.column !== v)) {
      return null;
    }
    let [slope, shift] = [1, 0];
    for (const [s, d] of input.steps) [slope, shift] = [slope / d, (shift - s) / d];
    return line(input.column === u ? slope : 0, input.column === u ? 0 : slope, shift);
  });
  const fixed = featuresOf(page, cells);
  const features = inputs.map((moving, j) => moving ?? constant(fixed[j]));
  const { form, threshold } = page;
  if (form.kind === "boxes") {
    const depths = form.boxes.map((boxes) => depthOf(boxes, features));
    if (depths.length === 2 && threshold) {
      return [{ op: "sum", of: [depths[0], constant(threshold)] }, depths[1]];
    }
    return depths;
  }
  const make = { operators: ofOperators, pieces: ofPieces, score: ofScore }[form.kind];
  const values = form.parts.map((part) => make(part, features));
  if (values.length === 1) return [constant(threshold), values[0]];
  const lines = page.payload.classLines;
  return lines ? values.map((value, k) => stretched(value, ...lines[k])) : values;
}

// An expression times a positive factor, and a shift.
function stretched(expression, factor, shift) {
  const times = (part) => {
    if (part.op === "line") return shifted(part, factor, 0);
    if (part.op === "box") return { ...part, points: part.points * factor };
    return { ...part, of: part.of.map(times) };
  };
  return { op: "sum", of: [times(expression), constant(shift)] };
}

function ofOperators(form, features) {
  const coordinates = form.coordinates.map(({ feature, steps }) =>
    steps.reduce((x, [s, d]) => shifted(x, 1 / d, -s / d), features[feature]),
  );
  const terms = [];
  const both = form.dilation && form.erosion;
  const add = (op, weights, share) => {
    if (!weights || share === 0) return;
    const of = coordinates
      .map((x, j) => weights[j] !== null && shifted(x, share, share * weights[j]))
      .filter(Boolean);
    terms.push({ op, of });
  };
  add("max", form.dilation, both ? form.beta : 1);
  add("min", form.erosion, both ? 1 - form.beta : 1);
  return { op: "sum", of: terms };
}

function weighted(coef, features, intercept) {
  const sum = line(0, 0, intercept);
  coef.forEach((factor, j) => {
    if (factor === 0) return;
    sum.a += factor * features[j].a;
    sum.b += factor * features[j].b;
    sum.c += factor * features[j].c;
  });
  return sum;
}

function ofPieces(form, features) {
  const pieces = (side) =>
    form[`${side}_coef`].map((coef, p) => weighted(coef, features, form[`${side}_intercept`][p]));
  return {
    op: "sum",
    of: [{ op: "max", of: pieces("dilation") }, { op: "min", of: pieces("erosion") }],
  };
}

function facesAsLines([lower, upper], features) {
  const faces = [];
  features.forEach((x, j) => {
    if (lower[j] !== null) faces.push(shifted(x, 1, -lower[j]));
    if (upper[j] !== null) faces.push(shifted(x, -1, upper[j]));
  });
  return faces;
}

function ofScore(form, features) {
  const boxes = form.boxes.map((box, k) => ({
    op: "box",
    faces: facesAsLines(box, features),
    points: form.points[k],
  }));
  return { op: "sum", of: [weighted(form.coef, features, form.intercept), ...boxes] };
}

function depthOf(boxes, features) {
  if (!boxes.length) return constant(-1e300);
  return { op: "max", of: boxes.map((box) => ({ op: "min", of: facesAsLines(box, features) })) };
}

const at = ({ a, b, c }, [u, v]) => a * u + b * v + c;

// The same expression on a convex cell, with what cannot decide there left out, and its bounds.
function simplified(expression, cell) {
  const { op } = expression;
  if (op === "line") {
    const values = cell.map((point) => at(expression, point));
    return { ...expression, low: Math.min(...values), high: Math.max(...values), values };
  }
  if (op === "box") {
    const faces = [];
    for (const face of expression.faces) {
      const found = simplified(face, cell);
      const slack = 1e-12 * (Math.abs(face.c) + Math.abs(found.high) + Math.abs(found.low));
      if (found.high <= slack && found.low < -slack) return simplified(constant(0), cell);
      if (found.high < 0) return simplified(constant(0), cell);
      if (found.low < -slack) faces.push(face);
    }
    const { points } = expression;
    if (!faces.length) return simplified(constant(points), cell);
    return { op, faces, points, low: Math.min(0, points), high: Math.max(0, points) };
  }
  let of = expression.of.map((part) => simplified(part, cell));
  if (op === "sum") {
    const lines = of.filter((part) => part.op === "line");
    const others = of.filter((part) => part.op !== "line");
    const sum = lines.reduce((s, l) => line(s.a + l.a, s.b + l.b, s.c + l.c), constant(0));
    const whole = simplified(sum, cell);
    if (!others.length) return whole;
    of = [whole, ...others];
    return {
      op,
      of,
      low: of.reduce((s, part) => s + part.low, 0),
      high: of.reduce((s, part) => s + part.high, 0),
    };
  }
  const sign = op === "max" ? 1 : -1;
  of = undominated(of, sign);
  if (of.length === 1) return of[0];
  const lows = of.map((part) => part.low);
  const highs = of.map((part) => part.high);
  const extreme = sign > 0 ? Math.max : Math.min;
  return { op, of, low: extreme(...lows), high: extreme(...highs) };
}

// Without the parts that cannot be the largest (sign 1) or smallest (sign −1); of two lines that
// agree up to rounding, the first stays.
function undominated(parts, sign) {
  const worst = (part) => (sign > 0 ? part.low : -part.high);
  const best = (part) => (sign > 0 ? part.high : -part.low);
  const floor = Math.max(...parts.map(worst));
  const size = (part) => Math.max(...part.values.map(Math.abs), Math.abs(part.c));
  const loses = (part, other) => {
    if (worst(other) >= best(part)) return true;
    if (part.op !== "line" || other.op !== "line") return false;
    const slack = 1e-12 * Math.max(size(part), size(other));
    return other.values.every((value, k) => sign * (value - part.values[k]) >= -slack);
  };
  let kept = [];
  for (const part of parts) {
    if (best(part) < floor || kept.some((other) => loses(part, other))) continue;
    kept = kept.filter((other) => !loses(other, part));
    kept.push(part);
  }
  return kept;
}

// A line that splits a cell, because an expression changes there.
function changing(expression) {
  if (expression.op === "line") return null;
  if (expression.op === "box") return expression.faces[0];
  const inner = expression.of.map(changing).find(Boolean);
  if (inner || expression.op === "sum") return inner ?? null;
  const [first, second] = expression.of;
  return line(first.a - second.a, first.b - second.b, first.c - second.c);
}

// Both sides of a line: a cell is a polygon, or an interval of two points.
function splitCell(cell, by) {
  const values = cell.map((point) => at(by, point));
  const sides = [[], []];
  const n = cell.length;
  for (let k = 0; k < n; k++) {
    const [p, q, f, g] = [cell[k], cell[(k + 1) % n], values[k], values[(k + 1) % n]];
    if (f >= 0) sides[0].push(p);
    if (f <= 0) sides[1].push(p);
    if ((f < 0 && g > 0) || (f > 0 && g < 0)) {
      const share = f / (f - g);
      const between = [p[0] + share * (q[0] - p[0]), p[1] + share * (q[1] - p[1])];
      if (n > 2 || k === 0) {
        sides[0].push(between);
        sides[1].push(between);
      }
    }
  }
  return sides.filter((side) => side.length >= Math.min(n, 3));
}

export const TIE = -1;

// Whether another class is equal to the best one in the whole cell.
function isTie(best, all) {
  if (best.op !== "line") return false;
  return all.some((other) => {
    if (other === best || other.op !== "line") return false;
    const slack = 1e-12 * Math.max(...best.values.map(Math.abs), Math.abs(best.c));
    return other.values.every((value, k) => Math.abs(value - best.values[k]) <= slack);
  });
}

// The cells of each class; those where two classes are equal have the label TIE. Null if there
// would be too many.
export function regions(expressions, cell) {
  const waiting = [[expressions.map((expression, label) => ({ expression, label })), cell, 0]];
  const found = [];
  let work = 0;
  while (waiting.length) {
    if (++work > LARGEST_WORK) return null;
    const [classes, here, depth] = waiting.pop();
    let left = classes.map(({ expression, label }) => ({
      expression: simplified(expression, here),
      label,
    }));
    const floor = Math.max(...left.map(({ expression }) => expression.low));
    left = left.filter(({ expression }) => expression.high >= floor);
    const sure = left.find(({ expression: a }) =>
      left.every(({ expression: b }) =>
        a === b || a.low > b.high || (a.op === "line" && a.low >= b.high)),
    );
    if (left.length === 1 || sure || depth > 200) {
      const { expression, label } = sure ?? left[0];
      const tied = isTie(expression, left.map((each) => each.expression));
      found.push({ label: tied ? TIE : label, cell: here });
      continue;
    }
    let by = left.map(({ expression }) => changing(expression)).find(Boolean);
    if (!by) {
      const lines = left.map(({ expression }) => expression);
      const best = undominated(lines, 1);
      if (best.length === 1) {
        const { label } = left[lines.indexOf(best[0])];
        found.push({ label: isTie(best[0], lines) ? TIE : label, cell: here });
        continue;
      }
      by = line(best[0].a - best[1].a, best[0].b - best[1].b, best[0].c - best[1].c);
    }
    const sides = splitCell(here, by);
    if (sides.length < 2) {
      // Rounding: the line touches the cell only.
      const middle = here.reduce((s, p) => [s[0] + p[0], s[1] + p[1]], [0, 0]);
      const centre = middle.map((sum) => sum / here.length);
      const values = left.map(({ expression }) => simplified(expression, [centre]).low);
      found.push({ label: left[values.indexOf(Math.max(...values))].label, cell: here });
      continue;
    }
    for (const side of sides) waiting.push([left, side, depth + 1]);
  }
  return found;
}
