// Confusion matrix, balanced accuracy, the ROC curve, costs.

export function confusion(codes, y, k) {
  const counts = Array.from({ length: k }, () => new Array(k).fill(0));
  const flat = new Int32Array(k * k);
  const n = codes.length;
  for (let i = 0; i < n; i++) if (y[i] >= 0) flat[y[i] * k + codes[i]]++;
  for (let a = 0; a < k; a++) for (let b = 0; b < k; b++) counts[a][b] = flat[a * k + b];
  return counts;
}

// Mean recall of the classes that have rows; NaN if there are none.
export function balancedAccuracy(counts) {
  const recalls = counts
    .map((row, k) => row[k] / row.reduce((a, b) => a + b, 0))
    .filter((recall) => !Number.isNaN(recall));
  return recalls.reduce((a, b) => a + b, 0) / recalls.length;
}

export function accuracy(counts) {
  const total = counts.flat().reduce((a, b) => a + b, 0);
  return counts.reduce((sum, row, k) => sum + row[k], 0) / total;
}

// Points of the ROC curve from the largest threshold down, and the area below; null without both
// classes.
export function rocCurve(values, y) {
  const kept = [];
  for (let i = 0; i < values.length; i++) if (y[i] >= 0) kept.push(i);
  const order = Int32Array.from(kept).sort((a, b) => values[b] - values[a]);
  const positives = order.reduce((sum, i) => sum + (y[i] === 1), 0);
  const negatives = order.length - positives;
  if (!positives || !negatives) return null;
  const points = [{ threshold: Infinity, fp: 0, tp: 0 }];
  let [fp, tp, area] = [0, 0, 0];
  for (let start = 0; start < order.length; ) {
    const value = values[order[start]];
    const [fp0, tp0] = [fp, tp];
    while (start < order.length && values[order[start]] === value) {
      if (y[order[start++]] === 1) tp++;
      else fp++;
    }
    area += ((fp - fp0) * (tp + tp0)) / 2;
    points.push({ threshold: value, fp, tp });
  }
  return { points, positives, negatives, area: area / positives / negatives };
}

// The point of the curve with the lowest cost on these rows.
export function cheapest(curve, costFn, costFp) {
  let best = null;
  for (const point of curve.points) {
    const cost = costFn * (curve.positives - point.tp) + costFp * point.fp;
    if (!best || cost < best.cost) best = { ...point, cost };
  }
  return best;
}

// Rows in a box, and the share of a class among them; `bit` is the bit that says "inside".
export function coverage(marks, y, code, bit = 1) {
  const n = marks.length;
  const shift = Math.log2(bit);
  let [inside, labelled, own] = [0, 0, 0];
  for (let i = 0; i < n; i++) inside += (marks[i] >> shift) & 1;
  if (y) {
    for (let i = 0; i < n; i++) {
      const mark = (marks[i] >> shift) & 1;
      labelled += mark & (y[i] >= 0);
      own += mark & (y[i] === code);
    }
  }
  return { inside, share: inside / n, purity: labelled ? own / labelled : NaN };
}

// How many rows have each class.
export function tally(codes, k) {
  const counts = new Int32Array(k);
  for (let i = 0; i < codes.length; i++) if (codes[i] >= 0) counts[codes[i]]++;
  return [...counts];
}

export function histogram(values, y, k, low, high, bins) {
  const counts = Array.from({ length: k }, () => new Array(bins).fill(0));
  const width = (high - low) / bins || 1;
  for (let i = 0; i < values.length; i++) {
    if (Number.isNaN(values[i])) continue;
    const bin = Math.max(0, Math.min(bins - 1, Math.floor((values[i] - low) / width)));
    const code = y ? y[i] : 0;
    if (code >= 0) counts[code][bin]++;
  }
  return counts;
}

export function rangeOf(values) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : [0, 1];
}
