// The section on one row: its decision, what decided, the smallest change, what-if.
import { decideOne, featuresOf, probabilityOf, scores } from "./model.js";
import { columnsByWeight, flips } from "./flips.js";
import { colour, count, element, replaced, shown, signed } from "./charts.js";
import { rangeOf } from "./metrics.js";

const SHOWN = 8;
const CONTROLS = 24;

export const cellsOf = (page, i) => page.columns.map((column) => column.values[i]);

export function cellText(column, value) {
  if (!column.categories) return Number.isNaN(value) ? "missing" : shown(value, 6);
  if (value === -1) return "missing";
  return value < 0 ? "a new category" : column.categories[value];
}

// The probability of the second class, between two texts; nothing if the model has none.
export function probabilityText(page, value, before, after = "") {
  const probability = value === null ? null : probabilityOf(page, value);
  return probability === null ? "" : `${before}${shown(probability, 3)}${after}`;
}

// Distance from the decision, the same for all kinds of models.
function margins(page) {
  const values = scores(page);
  if (values) return values.map((v) => Math.abs(v - page.threshold));
  return Float64Array.from({ length: page.n }, (_, i) => {
    const sorted = page.values.map((v) => v[i]).sort((a, b) => b - a);
    return sorted[0] - sorted[1];
  });
}

export function rowView(page, api) {
  let start = 0;
  let found = [];
  const filters = [["near", "nearest to the boundary"], ["all", "all rows"]];
  if (page.y) filters.push(["errors", "errors"], ["sure", "errors, the surest first"]);
  page.classes.forEach((name, k) => filters.push([`is${k}`, `decided ${name}`]));
  const filter = element("select", { id: "filter", onchange: () => list(0) },
    ...filters.map(([value, text]) => element("option", { value }, text)));
  const number = element("input", { type: "number", id: "number", min: 1, step: 1, onchange: () => {
    const wanted = number.valueAsNumber;
    const index = page.numbers ? page.numbers.indexOf(wanted) : wanted - 1;
    if (index >= 0 && index < page.n) api.choose(index);
    else replaced(message, `There is no row ${shown(wanted, 9)} in this page.`);
  } });
  const message = element("p", { class: "note", role: "status" });
  const table = element("table");
  const place = element("span", { class: "note" });
  const back = element("button", { onclick: () => list(start - SHOWN), "aria-label": "earlier rows" }, "←");
  const next = element("button", { onclick: () => list(start + SHOWN), "aria-label": "later rows" }, "→");
  const detail = element("div", { "aria-live": "polite" });
  const shownColumns = () => (page.form ? columnsByWeight(page) : page.columns).slice(0, 4);

  function list(from) {
    const codes = page.codes;
    const margin = ["near", "sure"].includes(filter.value) && margins(page);
    found = [];
    for (let i = 0; i < page.n; i++) {
      const isError = page.y && page.y[i] >= 0 && page.y[i] !== codes[i];
      if (["errors", "sure"].includes(filter.value) && !isError) continue;
      if (filter.value.startsWith("is") && codes[i] !== Number(filter.value.slice(2))) continue;
      found.push(i);
    }
    if (filter.value === "near") found.sort((a, b) => margin[a] - margin[b]);
    if (filter.value === "sure") found.sort((a, b) => margin[b] - margin[a]);
    start = Math.max(0, Math.min(from, found.length - 1));
    showList();
  }

  function showList() {
    const columns = shownColumns();
    const values = scores(page);
    replaced(table,
      element("thead", {}, element("tr", {}, element("th", { class: "n" }, "row"),
        page.y && element("th", {}, "class"), element("th", {}, "decided"),
        values && element("th", { class: "n" }, "value"),
        ...columns.map((column) => element("th", { class: "n" }, column.name)))),
      element("tbody", {}, ...found.slice(start, start + SHOWN).map((i) =>
        element("tr", { class: `pick ${i === page.chosen ? "chosen" : ""}`, onclick: () => api.choose(i) },
          element("td", { class: "n" }, element("button", { "aria-label": `look at row ${api.numberOf(i)}` }, String(api.numberOf(i)))),
          page.y && element("td", {}, page.y[i] < 0 ? "–" : page.classes[page.y[i]]),
          element("td", {}, element("span", { class: `swatch ${colour(page.codes[i])}`, "aria-hidden": "true" }), page.classes[page.codes[i]],
            page.y && page.y[i] >= 0 && page.y[i] !== page.codes[i] ? " ✗" : ""),
          values && element("td", { class: "n" }, shown(values[i])),
          ...columns.map((column) => element("td", { class: "n" }, cellText(column, column.values[i])))))));
    replaced(place, found.length ? `${count(start + 1)}–${count(Math.min(start + SHOWN, found.length))} of ${count(found.length)}` : "no such row");
    back.disabled = start === 0;
    next.disabled = start + SHOWN >= found.length;
  }

  function choose(i) {
    number.value = api.numberOf(i);
    replaced(message);
    showList();
    replaced(detail, ...describe(page, i, api));
  }

  const node = element("div", {},
    element("div", { class: "row" }, element("label", { for: "filter" }, "Show"), filter,
      element("label", { for: "number" }, "or row number"), number, back, next, place),
    message, element("div", { class: "wide" }, table), detail);
  const first = () => {
    list(0);
    return found[0] ?? 0;
  };
  return { node, choose, first, refresh: () => { list(start); if (page.chosen !== undefined) choose(page.chosen); } };
}

const ofSecond = (page, value) => probabilityText(page, value, `, probability of ${page.classes[1]} `);

function decisionLine(page, code) {
  return [element("span", { class: `swatch ${colour(code)}`, "aria-hidden": "true" }), page.classes[code]];
}

function describe(page, i, api) {
  const cells = cellsOf(page, i);
  const label = page.y && page.y[i] >= 0 ? page.y[i] : null;
  const values = scores(page);
  const heading = element("p", { class: "decision" }, `Row ${api.numberOf(i)}: `, ...decisionLine(page, page.codes[i]),
    values ? ` (value ${shown(values[i])}${ofSecond(page, values[i])})` : "",
    label === null ? "" : label === page.codes[i] ? ", which is right" : `, but its class is ${page.classes[label]}`);
  const isDerived = page.columns.some((column) => column.derived);
  const facts = page.columns.filter((column) => !column.derived).slice(0, 60).map((column) =>
    element("tr", {}, element("th", { scope: "row" }, column.name), element("td", {}, cellText(column, cells[column.index]))));
  const wholeRow = element("details", { open: !page.form }, element("summary", {}, "The row"), element("div", { class: "wide" }, element("table", {}, element("tbody", {}, ...facts))));
  if (!page.form) return [heading, wholeRow];
  const parts = [heading, isDerived && wholeRow, element("h3", {}, "What decides"), reasons(page, i)];
  parts.push(element("h3", {}, "What would change it"));
  const flipping = flips(page, cells);
  const what = whatIf(page, cells, i);
  if (flipping.length) {
    parts.push(element("p", {}, isDerived ? "One of these values changed alone:" : "One column changed alone, the smallest change first, as a share of the column's range:"));
    parts.push(element("div", { class: "wide" }, element("table", { class: "flips" }, element("tbody", {}, ...flipping.slice(0, 5).map((flip) => element("tr", {},
      element("th", { scope: "row" }, flip.column.name),
      element("td", {}, `${cellText(flip.column, cells[flip.column.index])} → ${cellText(flip.column, flip.value)}`),
      element("td", {}, flip.column.categories ? "" : `${shown(100 * flip.size, 2)} %`),
      element("td", {}, ...decisionLine(page, flip.code)),
      element("td", {}, element("button", { onclick: () => what.set(flip.column, flip.value) }, "Try"))))))));
  } else parts.push(element("p", {}, "No change of a single column, up to a quarter beyond its range, changes the decision."));
  parts.push(allAtOnce(page, i), element("h3", { class: "screen" }, "What if"), what.node);
  return parts.filter(Boolean);
}

// Several columns at once, as Python computed it for some rows of the model before any edit.
function allAtOnce(page, i) {
  const { radii } = page.payload;
  const k = radii ? radii.rows.indexOf(i) : -1;
  if (k < 0 || page.edits.size || page.isOther || page.threshold !== page.defaultThreshold) return null;
  const radius = radii.radius[k];
  const text = radius === null ? "No change of all numbers at once changes the decision."
    : `All numbers may change at once, each by less than ${shown(100 * radius, 3)} % of its range, and the decision stays${radii.exact[k] ? "; from there on some change alters it" : ""}.`;
  const change = radii.counterfactual[k];
  return element("p", { class: "radius" }, text, change ? ` A change of few columns that alters it: ${change}.` : "");
}

// What decided: the coordinates of both operators, the points, the pieces or the boxes.
function reasons(page, i) {
  const { form } = page;
  const x = page.features.map((feature) => feature[i]);
  const part = page.classes.length === 2 || form.kind === "boxes" ? 0 : page.codes[i];
  const raw = (j) => {
    const input = page.inputs[j];
    return input.category !== undefined ? "" : ` = ${cellText(page.columns[input.column], page.columns[input.column].values[i])}`;
  };
  const items = { operators: ofOperators, pieces: ofPieces, score: ofScore, boxes: ofBoxes }[form.kind](page, part, x, raw, i);
  return element("ul", {}, ...items.map((item) => element("li", {}, item)));
}

function ofOperators(page, part, x, raw, i) {
  const form = page.form.parts[part];
  const evaluator = page.parts[part];
  const found = [];
  for (const [name, isMaximum, what] of [["dilation", true, "maximum"], ["erosion", false, "minimum"]]) {
    if (!form[name]) continue;
    let best = -1;
    let value = isMaximum ? -Infinity : Infinity;
    form[name].forEach((weight, j) => {
      if (weight === null) return;
      const v = evaluator.coordinates[j][i] + weight;
      if (isMaximum ? v > value : v < value) [best, value] = [j, v];
    });
    const share = form.dilation && form.erosion ? (isMaximum ? form.beta : 1 - form.beta) : 1;
    if (share === 0) continue;
    const j = form.coordinates[best].feature;
    found.push(`the ${what} is that of ${page.inputs[j].name}${raw(j)}: it gives ${signed(share * value, 4)}`);
  }
  return found;
}

function ofPieces(page, part, x) {
  const form = page.form.parts[part];
  const total = x.map(() => 0);
  const found = [];
  for (const [side, sign, word] of [["dilation", 1, "maximum"], ["erosion", -1, "minimum"]]) {
    const sums = form[`${side}_coef`].map((coef, p) => coef.reduce((s, c, j) => s + c * x[j], form[`${side}_intercept`][p]));
    const p = sums.indexOf(sign > 0 ? Math.max(...sums) : Math.min(...sums));
    form[`${side}_coef`][p].forEach((c, j) => (total[j] += c * x[j]));
    found.push(`the ${word} is piece ${p + 1}: it gives ${signed(sums[p], 4)}`);
  }
  const order = total.map((_, j) => j).sort((a, b) => Math.abs(total[b]) - Math.abs(total[a]));
  const most = order.slice(0, 5).map((j) => `${page.inputs[j].name} ${signed(total[j], 3)}`);
  return [...found, `the features that contribute most: ${most.join(", ")}`];
}

function ofScore(page, part, x, raw) {
  const form = page.form.parts[part];
  const found = [`${signed(form.intercept, 4)} always`];
  form.boxes.forEach(([lower, upper], k) => {
    const used = lower.map((_, j) => j).filter((j) => lower[j] !== null || upper[j] !== null);
    const holds = used.every((j) => x[j] >= (lower[j] ?? -Infinity) && x[j] <= (upper[j] ?? Infinity));
    if (holds) found.push(`${signed(form.points[k], 4)} by ${used.map((j) => `${page.inputs[j].name}${raw(j)}`).join(" and ")}`);
  });
  form.coef.forEach((c, j) => {
    if (c !== 0) found.push(`${signed(c * x[j], 4)} by ${page.inputs[j].name}${raw(j)}`);
  });
  return found;
}

function ofBoxes(page, part, x, raw) {
  return page.form.boxes.map((boxes, code) => {
    let best = null;
    boxes.forEach(([lower, upper], k) => {
      let [depth, face] = [Infinity, 0];
      x.forEach((value, j) => {
        if (lower[j] !== null && value - lower[j] < depth) [depth, face] = [value - lower[j], j];
        if (upper[j] !== null && upper[j] - value < depth) [depth, face] = [upper[j] - value, j];
      });
      if (!best || depth > best.depth) best = { depth, face, k };
    });
    if (!best) return `${page.classes[code]} has no box`;
    const where = best.depth >= 0 ? "inside" : "outside";
    return `${page.classes[code]}: ${shown(Math.abs(best.depth))} ${where} box ${best.k + 1}, by ${page.inputs[best.face].name}${raw(best.face)}`;
  });
}

function whatIf(page, given, i) {
  const cells = given.slice();
  const columns = columnsByWeight(page);
  const controls = new Map();
  const result = element("p", { class: "decision", role: "status" });
  const show = () => {
    const { values, code } = decideOne(page, featuresOf(page, cells));
    const value = values.length === 1 ? values[0] : values.length === 2 ? values[1] - values[0] : null;
    const isSame = cells.every((cell, k) => Object.is(cell, given[k]));
    replaced(result, isSame ? "As it is: " : "With these changes: ", ...decisionLine(page, code), value === null ? "" : ` (value ${shown(value)}${ofSecond(page, value)})`);
  };
  const set = (column, value) => {
    cells[column.index] = value;
    controls.get(column.index)?.(value);
    show();
  };
  const control = (column) => {
    if (column.categories) {
      const select = element("select", { "aria-label": column.name, onchange: () => set(column, Number(select.value)) },
        ...column.categories.map((name, k) => element("option", { value: k }, name)), element("option", { value: -1 }, "missing"));
      controls.set(column.index, (value) => (select.value = value));
      return element("div", {}, element("div", { class: "name" }, column.name), select);
    }
    const [low, high] = (column.range ??= rangeOf(column.values));
    const slider = element("input", { type: "range", min: low, max: high, step: "any", "aria-label": column.name, oninput: () => set(column, slider.valueAsNumber) });
    const number = element("input", { type: "number", step: "any", "aria-label": `${column.name}, as a number`, onchange: () => set(column, number.value === "" ? NaN : number.valueAsNumber) });
    controls.set(column.index, (value) => {
      const fill = page.inputs.find((item) => item.column === column.index).fill ?? 0;
      if (document.activeElement !== slider) slider.value = Number.isNaN(value) ? fill : value;
      number.value = Number.isNaN(value) ? "" : String(Number(value.toPrecision(8)));
    });
    return element("div", {}, element("div", { class: "name" }, element("span", {}, column.name), number), slider);
  };
  const grid = element("div", { class: "whatif" });
  const add = (some) => some.forEach((column) => {
    grid.append(control(column));
    controls.get(column.index)(cells[column.index]);
  });
  add(columns.slice(0, CONTROLS));
  const more = columns.length > CONTROLS && element("button", { onclick: () => { add(columns.slice(CONTROLS)); more.remove(); } }, `Show ${columns.length - CONTROLS} more`);
  const reset = element("button", { onclick: () => columns.forEach((column) => set(column, given[column.index])) }, "Back to the row");
  show();
  return { node: element("div", { id: "whatif" }, result, grid, element("div", { class: "row" }, more, reset)), set };
}
