// The model and the rows of the page: unpacking, decision values, decisions, edits.
// Every operation is the one of the Python package, in the same order, so that decisions are equal.

const TINY = 2.2250738585072014e-308;
const RELATIVE_ROUNDING = 1e-12;
const SHARE_ROUNDING = 1e-9;
const NO_BOX = -1.7976931348623157e308 / 4;
const LARGEST_EXPONENT = 500;

export function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed.data), (letter) => letter.charCodeAt(0));
  if (packed.type === "f8") return new Float64Array(bytes.buffer);
  const size = Number(packed.type[1]);
  const kind = { 1: Int8Array, 2: Int16Array, 4: Int32Array }[size];
  const gap = -(2 ** (8 * size - 1));
  return Float64Array.from(new kind(bytes.buffer), (v) => (v === gap ? NaN : v / packed.by));
}

// A column's value as a feature of the classifier, by the steps of the pipeline.
export function throughSteps(value, steps) {
  for (const [shift, divisor] of steps) value = (value - shift) / divisor;
  return value;
}

export function backThroughSteps(value, steps) {
  for (let k = steps.length - 1; k >= 0; k--) value = value * steps[k][1] + steps[k][0];
  return value;
}

export function featureValue(input, value) {
  if (input.category !== undefined) value = value === input.category ? 1 : 0;
  else if (input.fill !== undefined && Number.isNaN(value)) value = input.fill;
  return throughSteps(value, input.steps);
}

export function openPayload(payload) {
  const columns = payload.columns.map((column, index) => ({
    ...column,
    index,
    values: unpack(column.values),
  }));
  const predicted = Int32Array.from(unpack(payload.predicted));
  const page = {
    payload,
    classes: payload.classes,
    n: predicted.length,
    columns,
    predicted,
    y: payload.y ? Int32Array.from(unpack(payload.y)) : null,
    numbers: payload.rows ? unpack(payload.rows) : null,
    inputs: payload.inputs,
    threshold: payload.threshold,
    defaultThreshold: payload.threshold,
    edits: new Map(),
  };
  if (payload.model) {
    page.features = payload.inputs.map((input) =>
      columns[input.column].values.map((value) => featureValue(input, value)),
    );
    useModel(page, payload.model);
  } else {
    page.values = payload.values.map(unpack);
  }
  return page;
}

// Evaluate another model of the same kind, without edits.
export function useModel(page, form) {
  page.original = form;
  page.form = structuredClone(form);
  page.edits.clear();
  page.parts = makeParts(page);
  page.values = page.parts.map((part) => part.values);
}

function makeParts(page) {
  const { form, features, n } = page;
  if (form.kind === "boxes") return form.boxes.map((boxes) => new Competitor(boxes, features, n));
  const kinds = { operators: Operators, pieces: Pieces, score: Score };
  return form.parts.map((part) => new kinds[form.kind](part, features, n));
}

class Operators {
  constructor(form, features, n) {
    this.form = form;
    this.coordinates = form.coordinates.map(({ feature, steps }) =>
      steps.length ? features[feature].map((x) => throughSteps(x, steps)) : features[feature],
    );
    this.values = new Float64Array(n);
    this.dilated = form.dilation && new Float64Array(n);
    this.eroded = form.erosion && new Float64Array(n);
    this.update();
  }

  update(name) {
    const { form, values, dilated, eroded } = this;
    if (dilated && name !== "erosion" && name !== "beta") this.extreme(dilated, form.dilation, true);
    if (eroded && name !== "dilation" && name !== "beta") this.extreme(eroded, form.erosion, false);
    if (!dilated || !eroded) {
      values.set(dilated || eroded);
      return;
    }
    const beta = form.beta;
    const rest = 1 - beta;
    for (let i = 0; i < values.length; i++) values[i] = beta * dilated[i] + rest * eroded[i];
  }

  extreme(result, weights, isMaximum) {
    result.fill(isMaximum ? -Infinity : Infinity);
    weights.forEach((weight, j) => {
      if (weight === null) return;
      const x = this.coordinates[j];
      if (isMaximum) {
        for (let i = 0; i < x.length; i++) {
          const v = x[i] + weight;
          if (v > result[i]) result[i] = v;
        }
      } else {
        for (let i = 0; i < x.length; i++) {
          const v = x[i] + weight;
          if (v < result[i]) result[i] = v;
        }
      }
    });
  }
}

class Pieces {
  constructor(form, features, n) {
    this.form = form;
    this.features = features;
    this.values = new Float64Array(n);
    this.of = {};
    for (const side of ["dilation", "erosion"]) {
      this.of[side] = form[`${side}_intercept`].map(() => new Float64Array(n));
    }
    this.update();
  }

  update(name, index) {
    const { form, features, values, of } = this;
    for (const side of ["dilation", "erosion"]) {
      of[side].forEach((result, p) => {
        if (name !== undefined && !(name.startsWith(side) && index[0] === p)) return;
        result.fill(0);
        form[`${side}_coef`][p].forEach((coef, j) => {
          if (coef === 0) return;
          const x = features[j];
          for (let i = 0; i < x.length; i++) result[i] += coef * x[i];
        });
        const intercept = form[`${side}_intercept`][p];
        for (let i = 0; i < result.length; i++) result[i] += intercept;
      });
    }
    for (let i = 0; i < values.length; i++) {
      let above = -Infinity;
      let below = Infinity;
      for (const piece of of.dilation) if (piece[i] > above) above = piece[i];
      for (const piece of of.erosion) if (piece[i] < below) below = piece[i];
      values[i] = above + below;
    }
  }
}

// The finite faces of a box: the feature, whether the face is the upper one, and its place.
export function facesOf(box) {
  const faces = [];
  box[0].forEach((_, feature) => {
    for (const side of [0, 1]) {
      if (box[side][feature] !== null) faces.push({ feature, side, bound: box[side][feature] });
    }
  });
  return faces;
}

class Score {
  constructor(form, features, n) {
    this.form = form;
    this.features = features;
    this.values = new Float64Array(n);
    this.linear = new Float64Array(n);
    // One bit for each box, eight in a byte: sums of points are then looked up.
    this.bits = [];
    for (let k = 0; k < form.boxes.length; k += 8) this.bits.push(new Uint8Array(n));
    this.faces = form.boxes.map((box) => [...new Set(facesOf(box).map((face) => face.feature))]);
    this.update();
  }

  update(name, index) {
    const { form } = this;
    if (name === undefined || name === "coef" || name === "intercept") this.addFeatures();
    if (name === "boxes") this.markInside(index[0]);
    if (name === undefined) form.boxes.forEach((_, k) => this.markInside(k));
    this.addPoints();
  }

  addFeatures() {
    const { form, features, linear } = this;
    linear.fill(0);
    form.coef.forEach((coef, j) => {
      if (coef === 0) return;
      const x = features[j];
      for (let i = 0; i < x.length; i++) linear[i] += coef * x[i];
    });
    for (let i = 0; i < linear.length; i++) linear[i] = form.intercept + linear[i];
  }

  markInside(k) {
    const bits = this.bits[k >> 3];
    const bit = 1 << (k & 7);
    const [lower, upper] = this.form.boxes[k];
    const n = bits.length;
    for (let i = 0; i < n; i++) bits[i] |= bit;
    for (const j of this.faces[k]) {
      const x = this.features[j];
      const low = lower[j] ?? -Infinity;
      const high = upper[j] ?? Infinity;
      // Without branches, which cost most in these loops.
      for (let i = 0; i < n; i++) bits[i] &= ~(bit & -((x[i] < low) | (x[i] > high)));
    }
  }

  addPoints() {
    const { form, linear, values } = this;
    const n = values.length;
    if (!this.bits.length) values.set(linear);
    this.bits.forEach((bits, group) => {
      const points = form.points.slice(8 * group, 8 * group + 8);
      const sums = new Float64Array(256);
      for (let mask = 0; mask < 256; mask++) {
        points.forEach((p, k) => {
          if (mask & (1 << k)) sums[mask] += p;
        });
      }
      const before = group ? values : linear;
      for (let i = 0; i < n; i++) values[i] = before[i] + sums[bits[i]];
    });
  }
}

// The depth of rows in the boxes of one class.
class Competitor {
  constructor(boxes, features, n) {
    this.boxes = boxes;
    this.features = features;
    this.values = new Float64Array(n);
    this.update();
  }

  update(name, index) {
    const { boxes, values } = this;
    if (name === undefined) {
      this.others = null;
      values.fill(boxes.length ? -Infinity : NO_BOX);
      boxes.forEach((box) => this.deepen(values, box));
      return;
    }
    // While one box changes, the depth in the others stays.
    const [, changed] = index;
    if (this.others?.box !== changed) {
      const depth = new Float64Array(values.length).fill(-Infinity);
      boxes.forEach((box, k) => k !== changed && this.deepen(depth, box));
      this.others = { box: changed, depth };
    }
    values.set(this.others.depth);
    this.deepen(values, boxes[changed]);
  }

  deepen(depth, [lower, upper]) {
    const inside = new Float64Array(depth.length).fill(Infinity);
    this.features.forEach((x, j) => {
      const low = lower[j];
      const high = upper[j];
      if (low !== null) {
        for (let i = 0; i < x.length; i++) if (x[i] - low < inside[i]) inside[i] = x[i] - low;
      }
      if (high !== null) {
        for (let i = 0; i < x.length; i++) if (high - x[i] < inside[i]) inside[i] = high - x[i];
      }
    });
    for (let i = 0; i < depth.length; i++) if (inside[i] > depth[i]) depth[i] = inside[i];
  }
}

function faceNearness(boxes, scale, x) {
  let total = 0;
  for (const [lower, upper] of boxes) {
    let sum = 0;
    for (const [bounds, sign] of [[lower, 1], [upper, -1]]) {
      bounds.forEach((bound, j) => {
        if (bound === null) return;
        const beyond = (sign * (bound - x[j])) / scale[j];
        sum += Math.exp(Math.min(beyond, LARGEST_EXPONENT));
      });
    }
    total += 1 / Math.max(sum, TINY);
  }
  return 1 / Math.max(total, TINY);
}

// The class of each row. `row` returns the features of a row; it is called for ties only.
export function decisions(page, values = page.values, row = (i) => page.features.map((f) => f[i])) {
  const { form, threshold } = page;
  const n = values[0].length;
  const codes = new Int32Array(n);
  if (!form) {
    if (threshold === page.defaultThreshold) return page.predicted.slice();
    for (let i = 0; i < n; i++) codes[i] = values[0][i] >= threshold ? 1 : 0;
    return codes;
  }
  if (form.kind === "boxes") {
    for (let i = 0; i < n; i++) codes[i] = competed(page, values.map((v) => v[i]), () => row(i));
  } else if (values.length === 1) {
    const [v] = values;
    const rounding = form.rounding[0];
    const zero = form.zeroIsPositive ? TINY : -TINY;
    if (threshold !== 0) for (let i = 0; i < n; i++) codes[i] = +((Math.abs(v[i]) <= rounding ? zero : v[i]) >= threshold);
    else if (form.zeroIsPositive) for (let i = 0; i < n; i++) codes[i] = +(v[i] >= -rounding);
    else for (let i = 0; i < n; i++) codes[i] = +(v[i] > rounding);
  } else {
    const largestRounding = Math.max(...form.rounding);
    const zero = form.zeroIsPositive ? TINY : -TINY;
    const lines = page.payload.classLines;
    for (let i = 0; i < n; i++) {
      const rounded = values.map((v, k) => (Math.abs(v[i]) <= form.rounding[k] ? zero : v[i]));
      codes[i] = lines ? firstOfLines(rounded, largestRounding, lines) : firstLargest(rounded, largestRounding);
    }
  }
  return codes;
}

function firstLargest(values, rounding) {
  const largest = Math.max(...values);
  const near = Math.max(rounding, RELATIVE_ROUNDING * Math.abs(largest));
  return values.findIndex((value) => value >= largest - near);
}

// Of a calibrated model, the largest line of a class decides.
function firstOfLines(values, rounding, lines) {
  const largest = Math.max(...values);
  const near = Math.max(rounding, RELATIVE_ROUNDING * Math.abs(largest));
  const heights = values.map((v, k) => lines[k][0] * (v >= largest - near ? largest : v) + lines[k][1]);
  return heights.indexOf(Math.max(...heights));
}

function competed(page, depths, row) {
  const { form, threshold } = page;
  const largest = Math.max(...depths);
  const near = Math.max(RELATIVE_ROUNDING * Math.abs(largest), TINY);
  const isBinary = depths.length === 2;
  const difference = isBinary ? depths[1] - depths[0] : 0;
  if (isBinary && threshold !== 0) return difference >= threshold ? 1 : 0;
  if (form.ties === "first") {
    if (isBinary) return difference > 0 ? 1 : 0;
    return depths.indexOf(largest);
  }
  const tied = depths.map((depth) => depth >= largest - near && largest > NO_BOX);
  if (tied.filter(Boolean).length < 2) {
    return isBinary ? (difference >= 0 ? 1 : 0) : firstLargest(depths, 0);
  }
  const x = row();
  const nearness = form.boxes.map((boxes, k) => (tied[k] ? faceNearness(boxes, form.scale, x) : 0));
  const total = nearness.reduce((a, b) => a + b, 0);
  const shares = nearness.map((value, k) => (tied[k] ? value / total : 1));
  if (isBinary) return shares[0] - shares[1] >= -SHARE_ROUNDING ? 1 : 0;
  const least = Math.min(...shares.filter((_, k) => tied[k]));
  return shares.findIndex((share, k) => tied[k] && share <= least + SHARE_ROUNDING);
}

// One decision value for two classes, for the threshold.
export function scores(page) {
  if (page.classes.length !== 2) return null;
  if (page.values.length === 1) return page.values[0];
  const [first, second] = page.values;
  return second.map((value, i) => value - first[i]);
}

// Probability of the second of two classes, if the model has one.
export function probabilityOf(page, value) {
  const known = page.payload.probability;
  if (!known) return null;
  if (known.slope !== undefined) return 1 / (1 + Math.exp(-(known.slope * value + known.intercept)));
  const { values, probabilities } = known;
  const k = values.findIndex((end) => end >= value);
  if (k < 0) return probabilities[probabilities.length - 1];
  if (k === 0) return probabilities[0];
  const share = (value - values[k - 1]) / (values[k] - values[k - 1]);
  return probabilities[k - 1] + share * (probabilities[k] - probabilities[k - 1]);
}

// Features of a row given as values of columns.
export function featuresOf(page, cells) {
  return page.inputs.map((input) => featureValue(input, cells[input.column]));
}

// Decision values and class of one row of features.
export function decideOne(page, x) {
  const features = x.map((value) => Float64Array.of(value));
  const values = makeParts({ ...page, features, n: 1 }).map((part) => part.values);
  const [code] = decisions(page, values, () => x);
  return { values: values.map((v) => v[0]), code };
}

// Change a number of the model, and everything that follows from it.
export function setNumber(page, part, name, index, value, text = "") {
  const isBoxes = page.form.kind === "boxes";
  const numbers = (form) => (isBoxes ? form : form.parts[part]);
  const holder = (form) => {
    let found = numbers(form);
    const path = [name, ...index];
    for (const key of path.slice(0, -1)) found = found[key];
    return [found, path[path.length - 1]];
  };
  const [now, key] = holder(page.form);
  const [before] = holder(page.original);
  now[key] = value;
  const place = [part, name, ...index].join("/");
  if (value === before[key]) page.edits.delete(place);
  else page.edits.set(place, { part, name, index, old: before[key], new: value, text });
  page.parts[isBoxes ? index[0] : part].update(name, index);
}

export function savedEdits(page) {
  const { checksum, kind } = page.payload;
  return { format: "rdep-edits-1", model: kind, checksum, edits: [...page.edits.values()] };
}
