"""Reads the texts of rules as a person would, and knows nothing of the models behind them."""

import re

import numpy as np

RELATIONS = {"<": np.less, "≤": np.less_equal, ">": np.greater, "≥": np.greater_equal}
NUMBER = r"-?(?:\d[\d.]*(?:e[+-]?\d+)?|inf)"


class Table:
    """Columns of numbers and of texts by name; ``colour=red`` is 1 where colour is red."""

    def __init__(self, columns):
        self.columns = {name: np.asarray(values) for name, values in columns.items()}
        self.n_rows = len(next(iter(self.columns.values())))

    def __getitem__(self, name):
        if name in self.columns:
            return self.columns[name].astype(float)
        column, _, category = name.partition("=")
        return (self.columns[column] == category).astype(float)

    def category(self, text):
        """The column and the category of ``colour is red``, and whether it is denied."""
        column, _, category = text.partition(" is ")
        denied = category.startswith("not ")
        return f"{column}={category.removeprefix('not ')}", denied


def labels_of(text, table):
    """The label, as it is printed, of each row."""
    if "\nOtherwise: " in text or "\nβ = " in text:
        return _of_rule(text, table)
    if "against the rest, value" in text:
        return _of_several_rules(text, table)
    if "The class with the most points" in text:
        return _of_several_scores(text, table)
    if "\nPredict " in text:
        return _of_score(text, table)
    return _of_boxes(text, table)


def bounds(line, table):
    """A condition as (name, low, relation, relation, high)."""
    found = re.fullmatch(rf"({NUMBER}) ([<≤]) (.+) ([<≤]) ({NUMBER})", line)
    if found:
        low, at_low, name, at_high, high = found.groups()
        return name, float(low), at_low, at_high, float(high)
    found = re.fullmatch(rf"(.+) ([<≤>≥]) ({NUMBER})", line)
    if found:
        name, relation, bound = found.groups()
        if relation in "<≤":
            return name, -np.inf, "≤", relation, float(bound)
        return name, float(bound), {">": "<", "≥": "≤"}[relation], "≤", np.inf
    if line.endswith((" or not", " and not")):
        name, _ = table.category(line.rpartition(" ")[0].rpartition(" ")[0])
        return (name, 0.0, "≤", "≤", 1.0) if line.endswith("or not") else (name, 1.0, "≤", "≤", 0.0)
    name, denied = table.category(line)
    value = 0.0 if denied else 1.0
    return name, value, "≤", "≤", value


def holds(line, table):
    name, low, at_low, at_high, high = bounds(line, table)
    return RELATIONS[at_low](low, table[name]) & RELATIONS[at_high](table[name], high)


def inside(lines, table):
    return np.logical_and.reduce([np.ones(table.n_rows, bool), *(holds(x, table) for x in lines)])


def indented(part):
    assert "more:" not in part, "the text is cut"
    lines = [line[2:] for line in part.split("\n") if line.startswith("  ")]
    return [line for line in lines if not line.startswith("(left out")]


def formula(line, table):
    found = re.fullmatch(rf"\((.+)\) / ({NUMBER})", line)
    line, unit = (found[1], float(found[2])) if found else (line, 1.0)
    found = re.fullmatch(rf"({NUMBER}) − (.+)", line)
    if found:
        return (float(found[1]) - table[found[2]]) / unit
    name, sign, bound = re.fullmatch(rf"(.+) ([−+]) ({NUMBER})", line).groups()
    return (table[name] - (float(bound) if sign == "−" else -float(bound))) / unit


def largest(part, table):
    return np.max([formula(line, table) for line in indented(part)], axis=0)


def value(text, parts, table):
    excess, shortfall = (
        next((largest(p, table) for p in parts if p.startswith(name)), 0.0)
        for name in ("excess", "shortfall")
    )
    if text == "excess":
        return excess
    if text == "−shortfall":
        return -shortfall
    shares = re.fullmatch(rf"({NUMBER}) × excess [−≥] ({NUMBER}) × shortfall", text)
    return float(shares[1]) * excess - float(shares[2]) * shortfall


def _of_rule(text, table):
    parts = text.split("\n\n")
    boxes = {}
    for part in parts:
        if part.startswith("Box of "):
            label = re.match(r"Box of (.+?)(?:, where|, which|: every)", part)[1]
            boxes[label] = inside(indented(part), table)
    (end,) = (p for p in parts if p.startswith(("In the box", "β = ")))
    end = end.replace("\n", " ")
    one = re.fullmatch(r"β = [01]: (.+) inside the box, (.+) outside\.", end)
    if one:
        return np.where(boxes[one[1]], one[1], one[2])
    found = re.search(r"Otherwise: (.+) if (.+ shortfall)(?: ≥ (\S+))?, else (.+), where", end)
    positive, formula_text, least, negative = found.groups()
    assert ("≥" in formula_text) == (least is None)
    decided = np.where(value(formula_text, parts, table) >= float(least or 0), positive, negative)
    decided = np.where(boxes[positive] & ~boxes[negative], positive, decided)
    return np.where(boxes[negative] & ~boxes[positive], negative, decided)


def first_of_largest(values, labels, equal):
    values = np.column_stack(values)
    near = values >= values.max(axis=1, keepdims=True) - equal
    return np.array(labels)[near.argmax(axis=1)]


def equal_up_to(text):
    return float(re.search(r"differ by no more than\s+(\S+)", text)[1])


def _of_several_rules(text, table):
    labels, values = [], []
    for part in text.split("\n\n\n")[:-1]:
        heading, *parts = part.split("\n\n")
        label, formula_text = re.fullmatch(r"(.+) against the rest, value (.+)", heading).groups()
        labels.append(label)
        values.append(value(formula_text, parts, table) + np.zeros(table.n_rows))
    return first_of_largest(values, labels, equal_up_to(text))


def points(part, table):
    total = np.zeros(table.n_rows)
    for line in indented(part):
        if line.endswith("  always"):
            total += float(line.split()[0])
        elif "  if " in line:
            number, _, conditions = line.partition("  if ")
            total += float(number) * inside(conditions.split(" and "), table)
        else:
            number, _, factor = line.partition(" × ")
            shifted = re.fullmatch(rf"\((.+) ([−+]) ({NUMBER})\)", factor)
            if shifted:
                name, sign, shift = shifted.groups()
                total += float(number) * (
                    table[name] - (float(shift) if sign == "−" else -float(shift))
                )
            else:
                total += float(number) * table[factor]
    return total


def _of_score(text, table):
    found = re.search(r"Predict (.+) if the sum is at least (\S+), else (.+)\.", text)
    positive, least, negative = found.groups()
    return np.where(points(text, table) >= float(least), positive, negative)


def _of_several_scores(text, table):
    parts = [part for part in text.split("\n\n") if "always" in part]
    labels = re.findall(r"Points for (.+), \d+ conditions:", text)
    assert len(labels) == len(parts)
    values = [points(part, table) for part in parts]
    return first_of_largest(values, labels, equal_up_to(text))


def numbers_after(title, text):
    text = text.replace("\n", " ")
    if title not in text:
        return {}
    found = text.partition(title)[2].strip()
    numbers = {}
    for item in re.split(rf"(?<=[\d.]),? (?!{NUMBER}(?:,|$))", found):
        match = re.fullmatch(rf"(.+?) ({NUMBER}),?", item)
        if match is None:
            break
        numbers[match[1]] = float(match[2])
    return numbers


def distances(lines, table, units):
    """To all faces of a box, as columns."""
    columns, names = [], []
    for line in lines:
        name, low, _, _, high = bounds(line, table)
        for bound, sign in ((low, 1.0), (high, -1.0)):
            if np.isfinite(bound):
                columns.append(sign * (table[name] - bound) / units.get(name, 1.0))
                names.append(name)
    return np.column_stack(columns), names


def _of_boxes(text, table):
    boxes, excluded, labels, current = {}, {}, [], None
    for part in text.split("\n\n"):
        if found := re.fullmatch(r"(.+): (?:\d+ box(?:es)?|no box, never predicted)", part):
            current = boxes.setdefault(found[1], [])
            labels.append(found[1])
        elif found := re.fullmatch(r"(.+), except in \d+ box(?:es)?", part):
            current = excluded.setdefault(found[1], [])
        elif part.startswith("Box "):
            current.append(indented(part))
    end = text.split("\n\n")[-1]
    alone = re.fullmatch(
        r"(.+) is predicted in (?:a box, and in none of the exceptions|one of the boxes); "
        r"(.+) everywhere else\.",
        end,
    )
    if alone:
        is_in = np.any([inside(lines, table) for lines in boxes[alone[1]]], axis=0)
        for lines in excluded.get(alone[1], []):
            is_in &= ~inside(lines, table)
        return np.where(is_in, *alone.groups())
    divided, _, rest = end.partition("Scales:")
    scales = numbers_after("Scales:", f"Scales:{rest.partition('A category')[0]}")
    units = numbers_after("Distances are divided by", divided)
    depths, sums = [], []
    for label in labels:
        depth, total = np.full(table.n_rows, -1e308), np.zeros(table.n_rows)
        for lines in boxes[label]:
            of_box, names = distances(lines, table, units)
            depth = np.maximum(depth, of_box.min(axis=1))
            scale = np.array([scales[name] for name in names])
            total += 1 / np.exp(np.minimum(-of_box / scale, 500)).sum(axis=1)
        for lines in excluded.get(label, []):
            depth = np.minimum(depth, -distances(lines, table, units)[0].min(axis=1))
        depths.append(depth)
        sums.append(total)
    depths, sums = np.column_stack(depths), np.column_stack(sums)
    largest_depth = depths.max(axis=1, keepdims=True)
    tied = depths >= largest_depth - 1e-12 * np.abs(largest_depth)
    sums = np.where(tied, sums, -1.0)
    best = sums >= sums.max(axis=1, keepdims=True) * (1 - 1e-9)
    if "the second class" in end.replace("\n", " "):
        return np.array(labels)[best.shape[1] - 1 - best[:, ::-1].argmax(axis=1)]
    return np.array(labels)[best.argmax(axis=1)]
