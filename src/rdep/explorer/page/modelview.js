// The section on the model: intervals, a score sheet, or a table of pieces.
import { axisOf, boxesOf, conditionText, excluded, rowsText } from "./boxes.js";
import { setNumber } from "./model.js";
import { coverage, rangeOf } from "./metrics.js";
import { panel } from "./panels.js";
import { colour, count, element, percent, replaced, shown, showIn } from "./charts.js";

const FIRST = 12;

export function modelView(page, part, changed) {
  const view = { draws: [] };
  const redraw = () => view.draws.forEach((draw) => draw());
  const edited = (isFinal) => {
    redraw();
    changed(isFinal);
  };
  const make = { operators: operatorsView, boxes: competingView, score: scoreView, pieces: piecesView };
  view.node = element("div", {}, ...make[page.form.kind](page, part, view, edited));
  redraw();
  view.redraw = redraw;
  return view;
}

const positiveOf = (page, part) => (page.classes.length === 2 ? 1 : part);
const nameOf = (page, code) => (code < 0 ? "all others" : page.classes[code]);

function className(page, code) {
  const kind = code < 0 ? "c7" : colour(code);
  return element("span", {}, element("span", { class: `swatch ${kind}`, "aria-hidden": "true" }),
    element("b", {}, nameOf(page, code)));
}

// "12 of 100 rows inside, 90 % of them yes", kept up to date.
function coverageLine(page, view, box, ...before) {
  const line = element("p", { class: "note" });
  let last = null;
  view.draws.push(() => {
    // Rows inside change with the bounds of this box only.
    const bounds = box.faces.map((face) => face.number).join();
    if (bounds === last) return;
    last = bounds;
    const code = box.code;
    const against = code < 0 ? page.y?.map((y) => (y < 0 ? -1 : Number(y !== view.part))) : page.y;
    const found = coverage(box.inside(), against, code < 0 ? 1 : code, box.bit);
    const pure = page.y ? `, ${percent(found.purity)} of them ${nameOf(page, code)}` : "";
    replaced(line, ...before, `${rowsText(found.inside, page.n)} inside (${percent(found.share)})${pure}`);
  });
  return line;
}

// Panels of the features of some boxes: those first whose bounds exclude most rows.
function panelsOf(page, boxes, positive, view, edited) {
  const features = new Map();
  for (const box of boxes) {
    for (const face of box.faces) {
      const known = features.get(face.feature) ?? { feature: face.feature, cut: 0 };
      known.cut += excluded(face);
      features.set(face.feature, known);
    }
  }
  const sorted = [...features.values()].sort((a, b) => b.cut - a.cut);
  const cutting = sorted.filter(({ cut }) => cut > 0);
  const grid = element("div", { class: "grid" });
  const add = (some) => {
    for (const { feature } of some) {
      const tracks = boxes
        .map((box) => ({
          code: box.code,
          label: `${box.title} ${nameOf(page, box.code)}`,
          faces: box.faces.filter((face) => face.feature === feature),
        }))
        .filter((track) => track.faces.length);
      const made = panel(page, axisOf(page, feature), tracks, positive, (face, isFinal) => edited(isFinal));
      view.draws.push(made.draw);
      grid.append(made.node);
    }
  };
  add(cutting.slice(0, FIRST));
  const rest = [...cutting.slice(FIRST), ...sorted.filter(({ cut }) => cut === 0)];
  if (!rest.length) return [grid];
  const note = element("p", { class: "note" },
    `${count(rest.length)} more: ${count(rest.length - Math.max(0, cutting.length - FIRST))} of them have bounds that every row satisfies. `);
  const more = element("button", { onclick: () => {
    const some = rest.splice(0, 48);
    add(some);
    if (!rest.length) note.remove();
  } }, "Show more");
  note.append(more);
  return [grid, note];
}

function operatorsView(page, part, view, edited) {
  view.part = part;
  const positive = positiveOf(page, part);
  const form = page.form.parts[part];
  const boxes = boxesOf(page, part);
  const both = form.dilation && form.erosion;
  const [inner, outer] = [boxes.find((b) => b.code === positive), boxes.find((b) => b.code !== positive)];
  const parts = [];
  if (both) {
    const text = element("p");
    parts.push(text);
    view.draws.push(() => {
      const [yes, no] = [className(page, positive), className(page, outer.code)];
      const alone = form.beta === 0 ? yes : form.beta === 1 ? no : null;
      if (alone) replaced(text, `β is ${form.beta}: the box of `, alone, " alone decides. A row inside is of this class, a row outside is not.");
      else replaced(text, "The model is two boxes. A row only in the box of ", yes, " is ",
        nameOf(page, positive), "; a row only in the box of ", no, " is ", nameOf(page, outer.code),
        ". In both or in neither, a weighted sum decides: how far the row is inside the first box, and how far beyond the second.");
    });
    const slider = element("input", { type: "range", min: 0, max: 1, step: 0.001, id: "beta", disabled: !page.form.editable,
      oninput: () => set(slider.valueAsNumber, false), onchange: () => set(slider.valueAsNumber, true) });
    const set = (value, isFinal) => {
      setNumber(page, part, "beta", [], value, `β ${shown(form.beta)} → ${shown(value)}`);
      edited(isFinal);
    };
    const weight = element("output", { for: "beta" });
    view.draws.push(() => {
      slider.value = form.beta;
      replaced(weight, shown(form.beta));
    });
    parts.push(element("div", { class: "row" },
      element("label", { for: "beta" }, `Weight β of the box of ${nameOf(page, outer.code)}`),
      element("span", {}, slider), weight));
  } else {
    parts.push(element("p", {}, "The model is one box: inside, a row is ", className(page, boxes[0].code), "."));
  }
  for (const box of [inner, outer].filter(Boolean)) {
    parts.push(coverageLine(page, view, box, "Box of ", className(page, box.code), ": "));
  }
  parts.push(element("p", { class: "note" },
    `Above the line: rows of ${nameOf(page, positive)}; below: the others. Drag a bound, type a number, or use the arrow keys.`));
  return [...parts, ...panelsOf(page, boxes, positive, view, edited)];
}

function competingView(page, part, view, edited) {
  const boxes = boxesOf(page, part);
  const facts = boxes.map((box) => ({ box, ...coverage(box.inside(), page.y, part) }));
  facts.sort((a, b) => b.inside - a.inside);
  const detail = element("div");
  const list = element("select", { id: "box", onchange: () => open(Number(list.value)) },
    ...facts.map(({ box, inside }, k) => element("option", { value: k }, `Box ${box.k + 1}: ${rowsText(inside, page.n)}, ${box.faces.length} bounds`)));
  const open = (k) => {
    view.draws.length = 0;
    if (!facts.length) return;
    const { box } = facts[k];
    const line = coverageLine(page, view, box);
    replaced(detail, line, ...panelsOf(page, [box], part, view, edited));
    view.draws.forEach((draw) => draw());
  };
  open(0);
  return [
    element("p", {}, "Each class has boxes, and a row belongs to the class whose box it is deepest in: the distance to the nearest bound counts, negative outside."),
    element("div", { class: "row" }, className(page, part), element("label", { for: "box" }, `has ${count(boxes.length)} boxes. Look at`), list),
    detail,
  ];
}

function pointsInput(page, part, name, index, label, edited, words) {
  const input = element("input", { type: "number", step: "any", "aria-label": label, disabled: !page.form.editable,
    onchange: () => {
      const value = input.valueAsNumber;
      const now = get();
      input.dataset.shown = "";
      if (!Number.isNaN(value)) setNumber(page, part, name, index, value, `${words}: ${shown(now)} → ${shown(value)}`);
      edited(true);
    } });
  const get = () => index.reduce((found, key) => found[key], page.form.parts[part][name]);
  const draw = () => {
    showIn(input, get());
  };
  return { input, get, draw };
}

function bar(value, largest, positive, negative) {
  const width = `${Math.min(100, (100 * Math.abs(value)) / largest)}%`;
  const node = element("div", { class: `bar ${value >= 0 ? colour(positive) : negative}` });
  node.style.width = width;
  return node;
}

function scoreView(page, part, view, edited) {
  const positive = positiveOf(page, part);
  const form = page.form.parts[part];
  const negative = page.classes.length === 2 ? colour(0) : "c7";
  const boxes = boxesOf(page, part);
  // A feature counts by its coefficient times its range.
  const reach = form.coef.map((coef, j) => {
    if (coef === 0) return 0;
    const [low, high] = rangeOf(page.features[j]);
    return high - low;
  });
  const largest = Math.max(...form.points.map(Math.abs), ...form.coef.map((c, j) => Math.abs(c * reach[j])), 1e-300);
  const lines = [];
  const term = (points, words, more, unit = 1) => {
    const holder = element("div");
    view.draws.push(() => {
      points.draw();
      if (unit) replaced(holder, bar(points.get() * unit, largest, positive, negative));
    });
    lines.push(element("div", { class: "term" },
      element("div", { class: "points" }, points.input),
      element("div", {}, ...words, holder), ...(more ?? [])));
  };
  term(pointsInput(page, part, "intercept", [], "points of every row", edited, "points of every row"), ["always"], [], 0);
  const order = boxes.map((_, k) => k).sort((a, b) => form.points[b] - form.points[a]);
  for (const k of order) {
    const box = boxes[k];
    const condition = element("span", { class: "name" });
    view.draws.push(() => replaced(condition, conditionText(box.faces)));
    const features = [...new Set(box.faces.map((face) => face.feature))];
    const panels = features.filter((feature) => !axisOf(page, feature).isCategory).map((feature) => {
      const track = { code: positive, label: `Box ${k + 1}`, faces: box.faces.filter((f) => f.feature === feature) };
      const made = panel(page, axisOf(page, feature), [track], positive, (face, isFinal) => edited(isFinal));
      view.draws.push(made.draw);
      return made.node;
    });
    const words = `points of box ${k + 1}`;
    term(pointsInput(page, part, "points", [k], words, edited, words),
      ["if ", condition, coverageLine(page, view, { ...box, code: positive })],
      panels.length ? [element("div", { class: "grid" }, ...panels)] : []);
  }
  form.coef.forEach((coef, j) => {
    if (coef === 0) return;
    const { name } = page.inputs[j];
    term(pointsInput(page, part, "coef", [j], `points for each unit of ${name}`, edited, `points for each unit of ${name}`),
      ["× ", element("span", { class: "name" }, name)], [], reach[j]);
  });
  return [
    element("p", {}, "The model is a score sheet: add the points of every line that holds. From 0 on the row is ",
      className(page, positive), "."),
    element("p", { class: "note" }, "Change points, drag a bound, or type one."),
    ...lines,
  ];
}

function piecesView(page, part, view, edited) {
  const form = page.form.parts[part];
  const sides = [["dilation", "maximum"], ["erosion", "minimum"]];
  const pieces = sides.flatMap(([side, word]) => form[`${side}_intercept`].map((_, p) => ({ side, word, p })));
  const size = page.inputs.map((_, j) => Math.max(...pieces.map(({ side, p }) => Math.abs(form[`${side}_coef`][p][j]))));
  const order = page.inputs.map((_, j) => j).sort((a, b) => size[b] - size[a]).slice(0, 40);
  const head = element("tr", {}, element("th", {}, "for each unit of"),
    ...pieces.map(({ word, p }) => element("th", { scope: "col" }, `${word} ${p + 1}`)));
  const cell = ({ side, p }, name, index, words) => {
    const points = pointsInput(page, part, `${side}_${name}`, index, words, edited, words);
    view.draws.push(points.draw);
    return element("td", {}, points.input);
  };
  const rows = [
    element("tr", {}, element("th", { scope: "row" }, "constant"),
      ...pieces.map((piece) => cell(piece, "intercept", [piece.p], `constant of ${piece.side} ${piece.p + 1}`))),
    ...order.map((j) => element("tr", {}, element("th", { scope: "row" }, page.inputs[j].name),
      ...pieces.map((piece) => cell(piece, "coef", [piece.p, j], `${piece.side} ${piece.p + 1}: ${page.inputs[j].name}`)))),
  ];
  const decided = element("tr");
  view.draws.push(() => {
    const { of } = page.parts[part];
    const tallies = Object.fromEntries(sides.map(([side]) => {
      const tally = of[side].map(() => 0);
      for (let i = 0; i < page.n; i++) {
        let best = 0;
        of[side].forEach((values, p) => {
          if (side === "dilation" ? values[i] > of[side][best][i] : values[i] < of[side][best][i]) best = p;
        });
        tally[best]++;
      }
      return [side, tally];
    }));
    replaced(decided, element("th", { scope: "row" }, "decides in"),
      ...pieces.map(({ side, p }) => element("td", {}, percent(tallies[side][p] / page.n))));
  });
  const scaled = page.inputs.some((input) => input.steps.length);
  return [
    element("p", {}, "The model adds the largest of its maximum pieces and the smallest of its minimum pieces. From 0 on the row is ",
      className(page, positiveOf(page, part)), "."),
    element("p", { class: "note" }, scaled ? "Units are standard deviations." : "Units are those of the table.",
      order.length < page.inputs.length ? ` The ${order.length} features with the largest coefficients are shown.` : ""),
    element("div", { class: "wide" }, element("table", {}, element("thead", {}, head), element("tbody", {}, decided, ...rows))),
  ];
}
