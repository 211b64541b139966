// Elements and small figures. Texts are set as text, never as HTML.

export function element(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

export function drawn(tag, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

export function replaced(node, ...children) {
  node.replaceChildren(...children.filter((child) => child !== null && child !== false));
}

// A text that fits into a figure.
export const brief = (text, most = 40) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

// Show a number in a field, with the next frame: a browser lays out the page to set its text.
export function showIn(input, value) {
  const text = String(Number(value.toPrecision(5)));
  const isFirst = input.dataset.shown === undefined;
  if (text === input.dataset.shown) return;
  input.dataset.shown = text;
  if (isFirst) input.value = text;
  else requestAnimationFrame(() => (input.value = input.dataset.shown));
}

export function shown(value, digits = 4) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (Math.abs(value) > 1e300) return value > 0 ? "∞" : "−∞";
  const short = Number(value.toPrecision(digits));
  const size = Math.abs(short);
  const text = size !== 0 && (size < 1e-4 || size >= 1e7) ? short.toExponential() : String(short);
  return text.replace("-", "−");
}

export const count = (n) => n.toLocaleString("en-US");
export const percent = (share) => (Number.isNaN(share) ? "–" : `${(100 * share).toFixed(1)} %`);
export const signed = (value, digits) => (value >= 0 ? "+" : "") + shown(value, digits);

export function niceStep(width, isWhole) {
  const step = 10 ** Math.floor(Math.log10(width / 150 || 1));
  return isWhole ? Math.max(step, 0.5) : step;
}

// Ticks at round numbers.
export function ticks(low, high, most = 4) {
  const width = high - low || 1;
  let step = 10 ** Math.floor(Math.log10(width / most));
  for (const factor of [1, 2, 5, 10]) {
    if (width / (factor * step) <= most) {
      step *= factor;
      break;
    }
  }
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * width; k++) {
    found.push(Number((k * step).toPrecision(12)));
  }
  return found;
}

export function axisMarks(low, high, x, y, most) {
  return ticks(low, high, most).map((tick) =>
    drawn("g", { class: "tick", transform: `translate(${x(tick)} ${y})` },
      drawn("line", { y2: 3 }), drawn("text", { y: 13, "text-anchor": "middle" }, shown(tick))),
  );
}

// Two histograms back to back: the class above the line, all others below.
export function backToBack(above, below, x, bins, base, height) {
  const width = x(1) - x(0);
  const group = drawn("g", { "aria-hidden": "true" });
  const largest = Math.max(1e-9, ...[above, below].map(({ counts }) => {
    const total = counts.reduce((a, b) => a + b, 0) || 1;
    return Math.max(...counts) / total;
  }));
  for (const [{ counts, colour }, sign] of [[above, -1], [below, 1]]) {
    const total = counts.reduce((a, b) => a + b, 0) || 1;
    let path = `M${x(0)} ${base}`;
    counts.forEach((value, k) => {
      const y = base + (sign * height * value) / total / largest;
      path += `L${x(k).toFixed(1)} ${y.toFixed(1)}L${(x(k) + width).toFixed(1)} ${y.toFixed(1)}`;
    });
    group.append(drawn("path", { d: `${path}L${x(bins)} ${base}Z`, class: `area ${colour}` }));
  }
  group.append(drawn("line", { class: "base", x1: x(0), x2: x(bins), y1: base, y2: base }));
  return group;
}

export const colour = (code) => `c${code % 8}`;

// Rows by class, columns by decision.
export function matrix(page, counts) {
  const head = element("tr", {}, element("td"), ...page.classes.map((name) => element("th", { scope: "col" }, `decided ${name}`)));
  const rows = counts.map((row, a) => {
    const total = row.reduce((x, y) => x + y, 0);
    const cells = row.map((n) => {
      const cell = element("td", {}, count(n));
      cell.style.setProperty("--share", total ? n / total : 0);
      return cell;
    });
    return element("tr", {}, element("th", { scope: "row" }, page.classes[a]), ...cells);
  });
  return element("table", { class: "matrix" }, element("thead", {}, head), element("tbody", {}, ...rows));
}

// The square of a ROC curve; `dots` are points of the curve to mark.
export function rocFigure(classes, curve, dots) {
  const x = (share) => 34 + 256 * share;
  const y = (share) => 266 - 256 * share;
  const every = Math.max(1, Math.floor(curve.points.length / 600));
  const path = curve.points.filter((_, k) => k % every === 0 || k === curve.points.length - 1)
    .map((p) => `${x(p.fp / curve.negatives).toFixed(1)} ${y(p.tp / curve.positives).toFixed(1)}`).join("L");
  return drawn("svg", { viewBox: "0 0 300 300", role: "img", "aria-label": `ROC curve, area ${curve.area.toFixed(3)}` },
    drawn("rect", { class: "frame", x: x(0), y: y(1), width: 256, height: 256 }),
    drawn("line", { class: "chance", x1: x(0), y1: y(0), x2: x(1), y2: y(1) }),
    drawn("path", { class: "curve", d: `M${path}` }),
    ...dots.map((p) => drawn("circle", { class: "dot", cx: x(p.fp / curve.negatives), cy: y(p.tp / curve.positives), r: 6 })),
    ...[0, 0.5, 1].flatMap((tick) => [
      drawn("text", { x: x(tick), y: 279, "text-anchor": "middle" }, String(tick)),
      drawn("text", { x: 29, y: y(tick) + 4, "text-anchor": "end" }, String(tick))]),
    drawn("text", { x: x(0.5), y: 294, "text-anchor": "middle" }, `share of ${brief(classes[0], 14)} called ${brief(classes[1], 14)}`),
    drawn("text", { transform: `translate(6 ${y(0.5)}) rotate(-90)`, "text-anchor": "middle" }, `share of ${brief(classes[1], 30)} found`));
}
