// Sections with figures: the threshold and costs, a plane of two columns, the front, importances.
import { decisions, scores, unpack, useModel } from "./model.js";
import { classExpressions, regions, TIE } from "./expressions.js";
import { cheapest, histogram, rangeOf, rocCurve, confusion, balancedAccuracy } from "./metrics.js";
import { axisMarks, backToBack, brief, colour, count, drawn, element, matrix, percent, replaced, rocFigure, shown, ticks } from "./charts.js";
import { cellsOf, cellText, probabilityText } from "./rowview.js";
import { columnsByWeight } from "./flips.js";

export function thresholdView(page, api) {
  const state = {};
  const holder = element("div", { class: "card" });
  const histogramHolder = element("div", { class: "card" });
  const text = element("p", { role: "status" });
  const slider = element("input", { type: "range", id: "threshold", min: 0, step: 1, oninput: () => pick(Number(slider.value)) });
  const number = element("input", { type: "number", step: "any", "aria-label": "threshold", onchange: () => {
    if (!Number.isNaN(number.valueAsNumber)) use(number.valueAsNumber);
  } });
  const cost = (id, value) => element("input", { type: "number", id, min: 0, step: "any", value, onchange: () => describe() });
  const [fn, fp] = [cost("fn", 1), cost("fp", 1)];
  const lowest = element("button", { onclick: () => state.best && use(state.best.threshold) }, "Take the cheapest");
  const normal = element("button", { onclick: () => use(page.defaultThreshold) }, "Back to the model's");

  const pick = (k) => use(k === 0 ? state.curve.points[1].threshold + (Math.abs(state.curve.points[1].threshold) || 1) : state.curve.points[k].threshold);
  function use(threshold) {
    page.threshold = threshold;
    api.decided(true);
  }

  const inWords = (threshold) => `${shown(threshold)}${probabilityText(page, threshold, " (probability ", ")")}`;

  function describe() {
    const { curve } = state;
    if (!curve) return;
    const costs = [fn, fp].map((input) => input.valueAsNumber);
    const isGood = costs.every((value) => value >= 0) && costs.some((value) => value > 0);
    state.best = isGood ? cheapest(curve, ...costs) : null;
    lowest.disabled = !isGood;
    const now = at(curve, page.threshold);
    const words = isGood
      ? `At threshold ${inWords(page.threshold)} these rows cost ${shown(costs[0] * (curve.positives - now.tp) + costs[1] * now.fp, 6)}, at ${inWords(state.best.threshold)} the least, ${shown(state.best.cost, 6)}. `
      : "Costs are 0 or more, and one of them is more than 0. ";
    replaced(text, words, `Found ${percent(now.tp / curve.positives)} of ${page.classes[1]}; ${percent(now.fp / curve.negatives)} of ${page.classes[0]} are called ${page.classes[1]}. Area below the curve ${curve.area.toFixed(3)}.`);
    number.value = String(Number(page.threshold.toPrecision(6)));
    slider.value = curve.points.indexOf(now);
    slider.setAttribute("aria-valuetext", `threshold ${shown(page.threshold)}`);
    draw(now);
  }

  function at(curve, threshold) {
    let found = curve.points[0];
    for (const point of curve.points) if (point.threshold >= threshold) found = point;
    return found;
  }

  function draw(now) {
    const { curve } = state;
    replaced(holder, element("h3", {}, "ROC curve"), rocFigure(page.classes, curve, [now]));
    const values = state.values;
    const width = state.range[1] - state.range[0] || 1;
    const threshold = Math.min(Math.max(page.threshold, state.range[0] - width), state.range[1] + width);
    const [low, high] = [Math.min(state.range[0], threshold), Math.max(state.range[1], threshold)];
    const scale = (u) => 10 + (300 * (u - low)) / (high - low || 1);
    const counts = histogram(values, page.y, 2, low, high, 60);
    const mark = scale(threshold);
    replaced(histogramHolder, element("h3", {}, `${page.payload.valuesAre} of the rows`),
      drawn("svg", { viewBox: "0 0 320 300", role: "img", "aria-label": "histogram of the decision values of both classes" },
        backToBack({ counts: counts[1], colour: colour(1) }, { counts: counts[0], colour: colour(0) }, (k) => scale(low + ((high - low) * k) / 60), 60, 140, 120),
        drawn("line", { class: "mark", x1: mark, x2: mark, y1: 12, y2: 268 }),
        drawn("text", { x: mark, y: 9, "text-anchor": mark > 230 ? "end" : mark < 90 ? "start" : "middle" }, `${brief(page.classes[1], 25)} from here →`),
        ...axisMarks(low, high, scale, 268, 5)));
  }

  function refresh() {
    state.values = scores(page);
    state.curve = rocCurve(state.values, page.y);
    if (!state.curve) {
      replaced(text, "The rows have one class only: there is no curve.");
      return;
    }
    state.range = rangeOf(state.values);
    slider.max = state.curve.points.length - 1;
    describe();
  }

  const node = element("div", {},
    element("p", {}, `A row is ${page.classes[1]} from the threshold on. Costs choose one: what does it cost to miss ${page.classes[1]}, and what to call ${page.classes[0]} so?`),
    element("div", { class: "row" }, element("label", { for: "fn" }, `a missed ${page.classes[1]} costs`), fn, element("label", { for: "fp" }, `a false ${page.classes[1]}`), fp, lowest),
    element("div", { class: "row" }, element("label", { for: "threshold" }, "Threshold"), number, normal), slider, text,
    element("div", { class: "two" }, holder, histogramHolder),
    element("p", { class: "note" }, "A threshold chosen on these rows looks better than it is, if the rows trained the model. It is not part of the saved edits."));
  return { node, refresh };
}

export function planeView(page, api) {
  const choices = () => columnsByWeight(page).filter((column) => !column.categories);
  if (choices().length < 2) return null;
  const select = (id, k) => element("select", { id, onchange: () => refresh() },
    ...choices().map((column, j) => element("option", { value: column.index, selected: j === k }, column.name)));
  const [across, up] = [select("across", 0), select("up", 1)];
  const figure = element("div", { class: "card" });
  const note = element("p", { class: "note" });

  function refresh() {
    const [a, b] = [across, up].map((menu) => page.columns[Number(menu.value)]);
    if (a === b) {
      replaced(note, "Choose two different columns.");
      return;
    }
    const i = page.chosen;
    const cells = cellsOf(page, i);
    const spread = (column) => {
      const [low, high] = (column.range ??= rangeOf(column.values));
      const margin = (high - low || 1) * 0.06;
      return [low - margin, high + margin];
    };
    const [[left, right], [bottom, top]] = [spread(a), spread(b)];
    const x = (u) => 44 + (546 * (u - left)) / (right - left);
    const y = (v) => 380 - (370 * (v - bottom)) / (top - bottom);
    const corners = [[left, bottom], [right, bottom], [right, top], [left, top]];
    const found = regions(classExpressions(page, cells, a.index, b.index), corners);
    const drawing = drawn("svg", { viewBox: "0 0 600 420", role: "img", "aria-label": `decisions by ${a.name} and ${b.name}` });
    const paths = new Map();
    for (const { label, cell } of found ?? []) {
      if (label === TIE) continue;
      paths.set(label, `${paths.get(label) ?? ""}M${cell.map(([u, v]) => `${x(u).toFixed(2)} ${y(v).toFixed(2)}`).join("L")}Z`);
    }
    for (const [label, d] of paths) drawing.append(drawn("path", { d, class: `region ${colour(label)}`, "shape-rendering": "crispEdges" }));
    const every = Math.max(1, Math.ceil(page.n / 1500));
    for (let k = 0; k < page.n; k += every) {
      const [u, v] = [a.values[k], b.values[k]];
      if (Number.isNaN(u) || Number.isNaN(v)) continue;
      const code = page.y && page.y[k] >= 0 ? page.y[k] : page.codes[k];
      drawing.append(drawn("circle", { class: `point ${colour(code)}`, cx: x(u).toFixed(1), cy: y(v).toFixed(1), r: 3, onclick: () => api.choose(k) },
        drawn("title", {}, `row ${api.numberOf(k)}`)));
    }
    const here = [cells[a.index], cells[b.index]];
    if (!here.some(Number.isNaN)) drawing.append(drawn("circle", { class: "here", cx: x(here[0]), cy: y(here[1]), r: 7 }));
    drawing.append(...axisMarks(left, right, x, 382, 6),
      ...upMarks(bottom, top, y),
      drawn("text", { x: 317, y: 414, "text-anchor": "middle" }, brief(a.name, 60)),
      drawn("text", { transform: "translate(11 195) rotate(-90)", "text-anchor": "middle" }, brief(b.name, 50)));
    replaced(figure, drawing);
    replaced(note, !found ? "The boundary has too many pieces to be drawn here. "
      : found.some(({ label }) => label === TIE) ? "Where there is no colour, two classes are equally deep, and the distances to all faces decide. " : "",
      `The coloured regions are exact for rows that equal row ${api.numberOf(i)} (circled) in all other columns. Points are rows${every > 1 ? `, one in ${every}` : ""}, coloured by ${page.y ? "class" : "decision"}; choose one to look at it. `,
      ...columnsByWeight(page).filter((c) => c !== a && c !== b).slice(0, 6).map((c, k) => `${k ? ", " : "There: "}${c.name} ${cellText(c, cells[c.index])}`));
  }

  const node = element("div", {},
    element("div", { class: "row" }, element("label", { for: "across" }, "Across"), across, element("label", { for: "up" }, "up"), up), figure, note);
  return { node, refresh };
}

function upMarks(low, high, y) {
  return ticks(low, high, 6).map((tick) =>
    drawn("text", { x: 40, y: y(tick) + 4, "text-anchor": "end" }, shown(tick)));
}

// Other fits of the same kind, by their number of conditions.
export function frontView(page, api) {
  const { front } = page.payload;
  const own = page.payload.model;
  const points = front.map(({ conditions, heldOut, model }) => {
    const other = { ...page, edits: new Map() };
    useModel(other, model);
    other.threshold = 0;
    const codes = decisions(other);
    return { conditions, heldOut, model, share: page.y ? balancedAccuracy(confusion(codes, page.y, page.classes.length)) : NaN };
  });
  const slider = element("input", { type: "range", id: "front", min: 0, max: points.length, step: 1, value: points.length,
    oninput: () => take(Number(slider.value)) });
  const text = element("output", { for: "front" });
  const figure = element("div", { class: "card" });
  const take = (k) => {
    page.axes = null;
    useModel(page, k < points.length ? points[k].model : own);
    page.isOther = k < points.length;
    api.remade();
    show(k);
  };
  const show = (k) => {
    const most = points[points.length - 1].conditions;
    const x = (n) => 44 + (540 * n) / most;
    const y = (share) => 190 - 340 * (share - 0.5);
    replaced(text, k < points.length
      ? `at most ${points[k].conditions} conditions: balanced accuracy ${shown(points[k].heldOut, 3)} held out, ${shown(points[k].share, 3)} on these rows. The page shows this other model now; edits cannot be saved.`
      : "the model of this page");
    replaced(figure, drawn("svg", { viewBox: "0 0 600 215", role: "img", "aria-label": "balanced accuracy by number of conditions" },
      ...[0.5, 0.75, 1].flatMap((share) => [drawn("line", { class: "base", x1: 44, x2: 584, y1: y(share), y2: y(share) }), drawn("text", { x: 39, y: y(share) + 4, "text-anchor": "end" }, String(share))]),
      drawn("path", { class: "curve", d: `M${points.map((p) => `${x(p.conditions)} ${y(p.heldOut)}`).join("L")}` }),
      ...points.map((p, j) => drawn("circle", { class: "dot", cx: x(p.conditions), cy: y(p.heldOut), r: j === k ? 7 : 4 })),
      ...points.map((p) => drawn("text", { x: x(p.conditions), y: 207, "text-anchor": "middle" }, String(p.conditions)))));
  };
  show(points.length);
  return { node: element("div", {}, element("p", {}, "Fewer conditions are easier to read, more may decide better. These models were fitted to the rows of this page; the curve is their balanced accuracy in three folds held out, by the maximum number of conditions."),
    element("div", { class: "row" }, element("label", { for: "front" }, "Show"), text), slider, figure) };
}

export function importanceView(page) {
  const given = page.payload.importance.slice().sort((a, b) => b[1] - a[1]).slice(0, 30);
  const largest = Math.max(...given.map(([, mean]) => Math.abs(mean)), 1e-300);
  const rows = given.map(([name, mean, spread]) => {
    const bar = element("span", { class: "hbar" });
    bar.style.width = `min(${(12 * Math.abs(mean)) / largest}rem, ${(24 * Math.abs(mean)) / largest}vw)`;
    return element("tr", {}, element("th", { scope: "row" }, name), element("td", { class: "n" }, shown(mean, 3) + (spread === null ? "" : ` ± ${shown(spread, 2)}`)), element("td", {}, bar));
  });
  const { score } = page.payload;
  const text = score ? `How much the ${score.replaceAll("_", " ")} falls if a column is shuffled, mean and standard deviation.` : "Importance of columns, as it was given to this page.";
  return element("div", {}, element("p", {}, text),
    element("div", { class: "wide" }, element("table", {}, element("tbody", {}, ...rows))), ...dependences(page));
}

// The mean answer if all rows had one value in a column, as a line or as bars.
function dependences(page) {
  const found = page.payload.dependence ?? [];
  if (!found.length) return [];
  const k = page.classes.length;
  const what = found[0].ofProbabilities ? "Mean probability" : "Share of the rows that are decided so";
  const codes = k === 2 ? [1] : page.classes.map((_, code) => code).slice(0, 8);
  return [
    element("h3", {}, "What one column does"),
    element("p", {}, `${what}, if all rows had the same value in this column and kept their others: `,
      ...codes.map((code) => element("span", { class: "key" }, element("span", { class: `swatch ${colour(code)}`, "aria-hidden": "true" }), page.classes[code])), ". ",
      "Python computed it for the model before any edit; combinations may arise that never occur."),
    element("div", { class: "grid" }, ...found.map((each) => element("div", { class: "card" }, element("h3", {}, each.name), dependence(each, codes)))),
  ];
}

function dependence({ name, values, mean }, codes) {
  const isNumber = typeof values[0] === "number";
  const [low, high] = isNumber ? rangeOf(values) : [0, values.length];
  const x = (u) => 34 + (276 * (u - low)) / (high - low || 1);
  const y = (share) => 130 - 120 * share;
  const words = values.map((value, v) => `${value}: ${codes.map((code) => shown(mean[v][code], 2)).join(", ")}`).join("; ");
  const figure = drawn("svg", { viewBox: "0 0 320 150", role: "img", "aria-label": `${name}: ${brief(words, 400)}` },
    ...[0, 0.5, 1].flatMap((tick) => [drawn("line", { class: "base", x1: 34, x2: 310, y1: y(tick), y2: y(tick) }),
      drawn("text", { x: 29, y: y(tick) + 4, "text-anchor": "end" }, String(tick))]));
  for (const code of codes) {
    if (isNumber) {
      const path = values.map((value, v) => `${x(value).toFixed(1)} ${y(mean[v][code]).toFixed(1)}`).join("L");
      figure.append(drawn("path", { d: `M${path}`, class: `line s${code % 8}` }));
    } else {
      const width = 276 / values.length / codes.length;
      values.forEach((_, v) => figure.append(drawn("rect", { class: colour(code), x: x(v) + codes.indexOf(code) * width + 1, width: Math.max(1, width - 2), y: y(mean[v][code]), height: 120 * mean[v][code] })));
    }
  }
  figure.append(...(isNumber ? axisMarks(low, high, x, 130, 4)
    : values.slice(0, 12).map((value, v) => drawn("text", { x: x(v + 0.5), y: 144, "text-anchor": "middle" }, brief(value, Math.max(2, Math.floor(42 / values.length)))))));
  return figure;
}

// Rows that copies of the model were not fitted on.
export function heldOutView(page) {
  const { heldOut, remarks } = page.payload;
  const k = page.classes.length;
  const [value, error] = heldOut.balancedAccuracy;
  const n = heldOut.confusion.flat().reduce((a, b) => a + b, 0);
  const curve = heldOut.scores && rocCurve(unpack(heldOut.scores), unpack(heldOut.y));
  return element("div", {},
    element("p", {}, `Copies of the model decided ${count(n)} rows that they were not fitted on: balanced accuracy ${value.toFixed(3)} ± ${error.toFixed(3)} (standard error). To call all rows the same gives ${(1 / k).toFixed(3)}.`,
      curve ? ` The area below the ROC curve is ${curve.area.toFixed(3)}.` : ""),
    element("div", { class: "two" },
      element("div", { class: "wide" }, matrix(page, heldOut.confusion)),
      curve && element("div", { class: "card" }, element("h3", {}, "ROC curve of rows held out"), rocFigure(page.classes, curve, []))),
    ...remarks.map((text) => element("p", { class: "alarm" }, text)),
    element("p", { class: "note" }, "Importance is of these rows as well. All other figures are of rows that trained the model, which flatter it."));
}
