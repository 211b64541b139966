// The model as boxes that a person reads: their faces in units of the table, and rows inside.
import { backThroughSteps, facesOf, setNumber, throughSteps } from "./model.js";
import { count, niceStep, shown } from "./charts.js";
import { rangeOf } from "./metrics.js";

// The axis of a feature: the values of its column, or 0 and 1 for a category.
export function axisOf(page, feature) {
  page.axes ??= new Map();
  if (page.axes.has(feature)) return page.axes.get(feature);
  const input = page.inputs[feature];
  const column = page.columns[input.column];
  const isCategory = input.category !== undefined;
  const values = isCategory ? column.values.map((v) => Number(v === input.category)) : column.values;
  const [low, high] = isCategory ? [0, 1] : rangeOf(values);
  let isWhole = true;
  for (let i = 0; i < values.length && isWhole; i++) {
    isWhole = Number.isNaN(values[i]) || Number.isInteger(values[i]);
  }
  const axis = { input, name: input.name, values, low, high, isWhole, isCategory, steps: input.steps };
  axis.step = isCategory ? 0.5 : niceStep(high - low, isWhole);
  page.axes.set(feature, axis);
  return axis;
}

function face(page, part, name, index, feature, side, toNumber, fromNumber) {
  const axis = axisOf(page, feature);
  return {
    axis, feature, side, part, name, index,
    get number() {
      let found = page.form.kind === "boxes" ? page.form : page.form.parts[part];
      for (const key of [name, ...index]) found = found[key];
      return found;
    },
    get bound() {
      return fromNumber(this.number);
    },
    move(bound) {
      const words = `${axis.name}: bound ${shown(this.bound, 6)} → ${shown(bound, 6)}`;
      setNumber(page, part, name, index, toNumber(bound), words);
    },
    get isEdited() {
      return page.edits.has([part, name, ...index].join("/"));
    },
  };
}

// Boxes of a part, each with the class it stands for.
export function boxesOf(page, part) {
  const { form } = page;
  const positive = page.classes.length === 2 ? 1 : part;
  if (form.kind === "operators") return boxesOfOperators(page, part, positive);
  const isScore = form.kind === "score";
  const held = isScore ? form.parts[part].boxes : form.boxes[part];
  return held.map((box, k) => {
    const faces = facesOf(box).map(({ feature, side }) => {
      const { steps } = page.inputs[feature];
      const index = isScore ? [k, side, feature] : [part, k, side, feature];
      return face(page, isScore ? part : 0, "boxes", index, feature, side,
        (bound) => throughSteps(bound, steps), (number) => backThroughSteps(number, steps));
    });
    const evaluator = page.parts[part];
    const inside = () => (isScore ? evaluator.bits[k >> 3] : insideBox(page, page.form.boxes[part][k]));
    const bit = isScore ? 1 << (k & 7) : 1;
    return { title: `Box ${k + 1}`, k, code: isScore ? positive : part, faces, inside, bit };
  });
}

function insideBox(page, [lower, upper]) {
  const inside = new Uint8Array(page.n).fill(1);
  page.features.forEach((x, j) => {
    const [low, high] = [lower[j] ?? -Infinity, upper[j] ?? Infinity];
    if (low === -Infinity && high === Infinity) return;
    for (let i = 0; i < x.length; i++) if (x[i] < low || x[i] > high) inside[i] = 0;
  });
  return inside;
}

function boxesOfOperators(page, part, positive) {
  const form = page.form.parts[part];
  const evaluator = page.parts[part];
  const negative = page.classes.length === 2 ? 0 : -1;
  const rounding = page.form.rounding[part];
  const made = [];
  const faces = (name) =>
    form.coordinates.flatMap(({ feature, steps }, j) => {
      if (form[name][j] === null) return [];
      const all = [...page.inputs[feature].steps, ...steps];
      const rises = all.reduce((sign, [, divisor]) => sign * Math.sign(divisor), 1) > 0;
      const side = (name === "erosion") === rises ? 0 : 1;
      return face(page, part, name, [j], feature, side,
        (bound) => -throughSteps(bound, all), (number) => backThroughSteps(-number, all));
    });
  if (form.erosion) {
    const inside = () => Uint8Array.from(evaluator.eroded, (v) => Number(v >= -rounding));
    made.push({ title: "inside", code: positive, faces: faces("erosion"), inside });
  }
  if (form.dilation) {
    const inside = () => Uint8Array.from(evaluator.dilated, (v) => Number(v < -rounding));
    made.push({ title: "inside", code: negative, faces: faces("dilation"), inside });
  }
  return made;
}

// How many rows a face excludes.
export function excluded({ axis, bound, side }) {
  let found = 0;
  for (const value of axis.values) if (side ? value > bound : value < bound) found++;
  return found;
}

// A box in words.
export function conditionText(faces) {
  const by = new Map();
  for (const each of faces) by.set(each.axis, [...(by.get(each.axis) ?? []), each]);
  const words = [...by].map(([axis, own]) => {
    if (axis.isCategory && own.length === 1) {
      const holds = own[0].side === 0;
      return holds ? axis.name : `not ${axis.name}`;
    }
    const low = own.find((f) => f.side === 0);
    const high = own.find((f) => f.side === 1);
    if (low && high) return `${shown(low.bound)} ≤ ${axis.name} ≤ ${shown(high.bound)}`;
    return low ? `${axis.name} ≥ ${shown(low.bound)}` : `${axis.name} ≤ ${shown(high.bound)}`;
  });
  return words.join(" and ") || "always";
}

export const rowsText = (n, of) => `${count(n)} of ${count(of)} rows`;
