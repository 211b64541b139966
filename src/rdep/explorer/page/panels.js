// A panel: one feature, histograms of the classes, and intervals with handles.
import { axisMarks, backToBack, colour, drawn, element, shown, showIn } from "./charts.js";
import { histogram } from "./metrics.js";

const [WIDTH, LEFT, RIGHT] = [320, 8, 312];
const BASE = 46;
const HEIGHT = 38;

// `tracks`: [{code, label, faces}], one interval each; `positive`: the class drawn above the line.
export function panel(page, axis, tracks, positive, changed) {
  const margin = (axis.high - axis.low || 1) * 0.05;
  const [low, high] = [axis.low - margin, axis.high + margin];
  const x = (u) => LEFT + ((RIGHT - LEFT) * (Math.min(Math.max(u, low), high) - low)) / (high - low);
  const back = (at) => low + ((at - LEFT) / (RIGHT - LEFT)) * (high - low);
  const bins = axis.isCategory ? 9 : axis.isWhole ? Math.min(40, Math.max(2, axis.high - axis.low + 1)) : 32;
  const centred = axis.isWhole && axis.high - axis.low < 40 && !axis.isCategory;
  const from = centred ? axis.low - 0.5 : axis.low;
  const to = centred ? axis.high + 0.5 : axis.high + (axis.high > axis.low ? 0 : 1);
  const counts = histogram(axis.values, page.y, page.y ? page.classes.length : 1, from, to, bins);
  const sum = (codes) => counts[0].map((_, b) => codes.reduce((s, k) => s + counts[k][b], 0));
  const codes = counts.map((_, k) => k);
  const others = codes.filter((k) => k !== positive);
  const place = (bin) => x(from + ((to - from) * bin) / bins);
  const bottom = BASE + HEIGHT + 6 + 13 * tracks.length;
  const figure = drawn("svg", { viewBox: `0 0 ${WIDTH} ${bottom + 18}`, role: "group", "aria-label": axis.name });
  if (page.y) {
    figure.append(backToBack(
      { counts: sum([positive]), colour: colour(positive) },
      { counts: sum(others), colour: others.length === 1 ? colour(others[0]) : "c7" },
      place, bins, BASE, HEIGHT,
    ));
  } else {
    figure.append(backToBack({ counts: sum([0]), colour: "c7" }, { counts: [0], colour: "c7" }, place, bins, BASE, HEIGHT));
  }
  figure.append(...(axis.isCategory
    ? [[0, "no"], [1, "yes"]].map(([u, text]) => drawn("text", { x: x(u), y: bottom + 13, "text-anchor": u ? "end" : "start" }, text))
    : axisMarks(low, high, x, bottom, 4)));
  const draws = tracks.map((track, k) => interval(page, figure, axis, track, k, x, back, changed));
  const inputs = tracks.flatMap((track) =>
    track.faces.map((face) => boundInput(page, axis, track, face, changed, draws)));
  const draw = () => [...draws, ...inputs.map((input) => input.draw)].forEach((each) => each());
  draw();
  const node = element("div", { class: "card" }, element("h3", {}, axis.name), figure,
    element("div", { class: "bounds" }, ...inputs.map((input) => input.node)));
  return { node, draw };
}

function limited(face, track, bound) {
  const other = track.faces.find((each) => each !== face && each.feature === face.feature && each.side !== face.side);
  if (!other || face.name !== "boxes") return bound;
  return face.side ? Math.max(bound, other.bound) : Math.min(bound, other.bound);
}

function moved(face, track, bound, changed, isFinal) {
  const { axis } = face;
  const stepped = Math.round(bound / axis.step) * axis.step;
  const number = Number(limited(face, track, Number(stepped.toPrecision(12))).toPrecision(15));
  if (number !== face.bound) face.move(number);
  changed(face, isFinal);
}

function interval(page, figure, axis, track, k, x, back, changed) {
  const y = BASE + HEIGHT + 8 + 13 * k;
  const kind = track.code < 0 ? "c7" : colour(track.code);
  const bar = drawn("rect", { y, height: 8, rx: 2, class: `track ${kind}` });
  figure.append(bar);
  const handles = track.faces.map((face) => {
    const stem = drawn("line", { y1: 4, y2: y });
    const grip = drawn("rect", { class: `grip ${kind}`, width: 9, height: 14, y: y - 3, rx: 3 });
    const reach = drawn("rect", { class: "reach", width: 28, height: 28, y: y - 10 });
    const isEditable = page.form.editable;
    const handle = drawn("g", {
      class: "handle",
      role: "slider",
      tabindex: isEditable ? 0 : null,
      "aria-label": `${track.label}: ${face.side ? "upper" : "lower"} bound of ${axis.name}`,
      "aria-valuemin": axis.low,
      "aria-valuemax": axis.high,
    }, stem, reach, grip);
    if (isEditable) drags(handle, figure, axis, face, track, back, changed);
    figure.append(handle);
    return { face, draw: () => {
      const at = x(face.bound);
      stem.setAttribute("x1", at);
      stem.setAttribute("x2", at);
      grip.setAttribute("x", at - 4.5);
      reach.setAttribute("x", at - 14);
      handle.setAttribute("aria-valuenow", face.bound);
      handle.setAttribute("aria-valuetext", shown(face.bound, 6));
    } };
  });
  return () => {
    const bound = (side, end) => track.faces.find((face) => face.side === side)?.bound ?? end;
    const [from, to] = [x(bound(0, -Infinity)), x(bound(1, Infinity))];
    bar.setAttribute("x", from);
    bar.setAttribute("width", Math.max(0, to - from));
    handles.forEach((handle) => handle.draw());
  };
}

function drags(handle, figure, axis, face, track, back, changed) {
  const place = (event) => {
    const box = figure.getBoundingClientRect();
    return back(((event.clientX - box.left) / box.width) * WIDTH);
  };
  handle.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    handle.focus({ preventScroll: true });
    if (event.isTrusted) handle.setPointerCapture(event.pointerId);
    handle.dataset.dragged = "1";
  });
  handle.addEventListener("pointermove", (event) => {
    if (handle.dataset.dragged) moved(face, track, place(event), changed, false);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    handle.addEventListener(end, () => {
      if (!handle.dataset.dragged) return;
      delete handle.dataset.dragged;
      changed(face, true);
    });
  }
  handle.addEventListener("keydown", (event) => {
    const way = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: 10, PageDown: -10 }[event.key];
    if (!way) return;
    event.preventDefault();
    moved(face, track, face.bound + way * (event.shiftKey ? 10 : 1) * axis.step, changed, true);
  });
}

function boundInput(page, axis, track, face, changed, draws) {
  const input = element("input", {
    type: "number", step: "any", disabled: !page.form.editable,
    "aria-label": `${track.label}: ${face.side ? "upper" : "lower"} bound of ${axis.name}`,
    onchange: () => {
      const bound = input.valueAsNumber;
      input.dataset.shown = "";
      if (!Number.isNaN(bound)) face.move(limited(face, track, bound));
      changed(face, true);
      draws.forEach((draw) => draw());
    },
  });
  const kind = track.code < 0 ? "c7" : colour(track.code);
  const node = element("label", {}, element("span", { class: `swatch ${kind}`, "aria-hidden": "true" }), face.side ? "≤" : "≥", input);
  const draw = () => {
    showIn(input, face.bound);
    node.classList.toggle("edited", face.isEdited);
  };
  return { node, draw };
}
