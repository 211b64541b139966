// The smallest change of one column that changes the decision of a row.
import { decideOne, featuresOf } from "./model.js";
import { classExpressions, regions, TIE } from "./expressions.js";
import { boxesOf, excluded } from "./boxes.js";
import { rangeOf } from "./metrics.js";

// Columns on which the decision may depend.
export function usedColumns(page) {
  const { form } = page;
  const used = new Set();
  const use = (j) => used.add(page.inputs[j].column);
  const parts = form.kind === "boxes" ? form.boxes.map((boxes) => ({ boxes })) : form.parts;
  for (const part of parts) {
    part.coordinates?.forEach(({ feature }, j) => {
      if ((part.dilation?.[j] ?? null) !== null || (part.erosion?.[j] ?? null) !== null) {
        use(feature);
      }
    });
    part.boxes?.forEach(([lower, upper]) =>
      lower.forEach((low, j) => (low !== null || upper[j] !== null) && use(j)),
    );
    part.coef?.forEach((value, j) => value !== 0 && use(j));
    for (const side of ["dilation_coef", "erosion_coef"]) {
      part[side]?.forEach((coef) => coef.forEach((value, j) => value !== 0 && use(j)));
    }
  }
  return [...used].sort((a, b) => a - b).map((index) => page.columns[index]);
}

// The same columns, those first whose bounds exclude the most rows, or whose coefficients are largest.
export function columnsByWeight(page) {
  const { form } = page;
  if (page.weights?.form === form) return page.weights.columns;
  const weight = new Map();
  const add = (j, value) => weight.set(page.inputs[j].column, (weight.get(page.inputs[j].column) ?? 0) + value);
  const parts = form.kind === "boxes" ? form.boxes.map((_, k) => k) : form.parts.map((_, k) => k);
  for (const part of parts) {
    const own = form.kind === "boxes" ? null : form.parts[part];
    if (form.kind !== "pieces") {
      for (const box of boxesOf(page, part)) {
        const factor = own?.points ? Math.abs(own.points[box.k]) : 1;
        for (const face of box.faces) add(face.feature, (factor * excluded(face)) / page.n);
      }
    }
    const reach = (j) => {
      const [low, high] = rangeOf(page.features[j]);
      return high - low;
    };
    own?.coef?.forEach((value, j) => value !== 0 && add(j, Math.abs(value) * reach(j)));
    for (const side of ["dilation_coef", "erosion_coef"]) {
      own?.[side]?.forEach((coef) => coef.forEach((value, j) => value !== 0 && add(j, Math.abs(value) * reach(j))));
    }
  }
  const columns = usedColumns(page).sort((a, b) => weight.get(b.index) - weight.get(a.index));
  page.weights = { form, columns };
  return columns;
}

// One change for each column that can flip the decision, the smallest first. The size is a share
// of the range of the column; a change of category is larger than any of them.
export function flips(page, cells) {
  const code = decideOne(page, featuresOf(page, cells)).code;
  const found = [];
  for (const column of usedColumns(page)) {
    const flip = column.categories
      ? categoryFlip(page, cells, column, code)
      : numberFlip(page, cells, column, code);
    if (flip) found.push({ column, ...flip });
  }
  return found.sort((a, b) => a.size - b.size);
}

function codeWith(page, cells, column, value) {
  const changed = cells.slice();
  changed[column.index] = value;
  return decideOne(page, featuresOf(page, changed)).code;
}

function categoryFlip(page, cells, column, code) {
  for (let k = 0; k < column.categories.length; k++) {
    const to = codeWith(page, cells, column, k);
    if (to !== code) return { value: k, code: to, size: 1 };
  }
  return null;
}

function numberFlip(page, cells, column, code) {
  const [low, high] = (column.range ??= rangeOf(column.values));
  const width = high - low || 1;
  const input = page.inputs.find((item) => item.column === column.index);
  const gap = Number.isNaN(cells[column.index]);
  const from = gap ? (input.fill ?? 0) : cells[column.index];
  const ends = [Math.min(low, from) - width / 4, Math.max(high, from) + width / 4];
  const expressions = classExpressions(page, cells, column.index, -1);
  const cellsOf = regions(expressions, ends.map((u) => [u, 0]));
  if (!cellsOf) return null;
  const starts = [];
  const at = (u) => codeWith(page, cells, column, u);
  for (const { label, cell } of cellsOf.flatMap((each) => (each.label === TIE ? resolved(each.cell, at) : each))) {
    if (label === code) continue;
    const [a, b] = cell.map(([u]) => u).sort((p, q) => p - q);
    const near = Math.min(Math.max(from, a), b);
    starts.push({ near, towards: near <= a ? 1 : -1, room: b - a });
  }
  starts.sort((p, q) => Math.abs(p.near - from) - Math.abs(q.near - from));
  for (const { near, towards, room } of starts.slice(0, 8)) {
    // The boundary itself may belong to either side: step over it, by as little as shows.
    for (let step = 1e-12; step <= 1; step *= 10) {
      const beyond = near + towards * Math.min(step * width, room);
      const to = codeWith(page, cells, column, beyond);
      if (to === code) continue;
      const value = rounded(beyond, (number) => {
        const isNear = Math.abs(number - beyond) <= width / 200;
        return isNear && codeWith(page, cells, column, number) === to;
      });
      return { value, code: codeWith(page, cells, column, value), size: Math.abs(value - from) / width };
    }
  }
  return null;
}

// Where classes are equal, the model decides by other means: find where the decision changes.
function resolved(cell, at) {
  const [[p], [q]] = cell;
  const points = Array.from({ length: 65 }, (_, k) => p + ((q - p) * (k + 0.5)) / 65);
  const found = [];
  let [start, label] = [p, at(points[0])];
  for (let k = 1; k < points.length; k++) {
    const next = at(points[k]);
    if (next === label) continue;
    let [a, b] = [points[k - 1], points[k]];
    for (let step = 0; step < 40; step++) {
      const middle = (a + b) / 2;
      if (at(middle) === label) a = middle;
      else b = middle;
    }
    found.push({ label, cell: [[start, 0], [a, 0]] });
    [start, label] = [b, next];
  }
  return [...found, { label, cell: [[start, 0], [q, 0]] }];
}

// The number with the fewest digits that is good.
export function rounded(number, isGood) {
  for (let digits = 1; digits < 16; digits++) {
    for (const step of [0, 1, -1]) {
      const short = Number(number.toPrecision(digits));
      const unit = short === 0 ? 0 : 10 ** (Math.floor(Math.log10(Math.abs(short))) - digits + 1);
      const candidate = Number((short + step * unit).toPrecision(digits));
      if (isGood(candidate)) return candidate;
    }
  }
  return number;
}
