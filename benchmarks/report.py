"""Report of the results as a table and pictures."""

from __future__ import annotations

import statistics

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from rdep_experiment.report._figures import with_palette

OURS, OUTSIDE = "#0072B2", "#D55E00"  # Okabe and Ito's blue and vermilion


def write_report(results, compared, folder) -> None:
    """``compared`` names the parts that have a peer, in the order in which they are shown."""
    comparisons = [row for part in compared for row in results.get(part, [])]
    (folder / "table.md").write_text(_table(results, comparisons))
    if comparisons:
        save(_draw_ratios(comparisons), folder / "ratios.png")
    if "growth" in results:
        save(_draw_growth(results["growth"]), folder / "growth.png")
    plt.close("all")


def save(figure, path) -> None:
    figure.savefig(path, dpi=110)
    path.write_bytes(with_palette(path.read_bytes()))


def _table(results, comparisons) -> str:
    lines = [
        "# Benchmarks",
        "",
        "CPU seconds, one thread, both run in turn in one process; median of the turns, and the "
        "range of the ratios of single turns. Versions: "
        + ", ".join(f"{name} {number}" for name, number in results["versions"].items())
        + ".",
        "",
        "| work | peer | ours | theirs | times faster | range | bound | answers |",
        "|---|---|---|---|---|---|---|---|",
    ]
    lines += [_line(row) for row in comparisons]
    if "growth" in results:
        lines += ["", "| growth of DEP training with | sizes | median seconds | exponent |"]
        lines += ["|---|---|---|---|"]
        for row in results["growth"]:
            seconds = ", ".join(f"{statistics.median(s):.3g}" for s in row["seconds"])
            sizes = ", ".join(f"{size:,}" for size in row["sizes"])
            lines.append(
                f"| {row['growth with']} | {sizes} | {seconds} | {row['exponent']:.2f} "
                f"(bound: at most {row['at most']}) |"
            )
    if "million" in results:
        million = results["million"]
        lines += [
            "",
            f"A DEP on 1,000,000 x 10: {million['wall seconds']:.0f} s, "
            f"{million['GiB at the peak']:.2f} GiB at the peak.",
        ]
    if "image-memory" in results:
        lines += ["", "| images of several channels | megabytes at the peak |", "|---|---|"]
        lines += [f"| {name} | {value:.0f} |" for name, value in results["image-memory"].items()]
    return "\n".join(lines) + "\n"


def _line(row) -> str:
    bound, met = "", "" if row["met"] else " **outside**"
    if row["at_least"]:
        bound = f"at least {row['at_least']:g}{met}"
    if row["at_most"]:
        share = statistics.median(row["ours"]) / statistics.median(row["theirs"])
        bound = f"at most {row['at_most']:g} times their time: {share:.2f}{met}"
    answers = "; ".join(f"{name}: {_number(value)}" for name, value in row["answers"].items())
    if row["remark"].startswith("agree"):
        answers = ("yes" if row["answers_agree"] else "**no**") + f" ({row['remark']}). {answers}"
    low, high = row["range"]
    ours, theirs = statistics.median(row["ours"]), statistics.median(row["theirs"])
    return (
        f"| {row['work']} | {row['peer']} | {ours:.3g} | {theirs:.3g} | {row['ratio']:.3g} "
        f"| {low:.3g} to {high:.3g} | {bound} | {answers} |"
    )


def _number(value) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(_number(v) for v in value)
    return f"{value:.6g}"


def _draw_ratios(comparisons):
    figure, ax = plt.subplots(figsize=(10, 0.26 * len(comparisons) + 1.2), layout="constrained")
    positions = np.arange(len(comparisons))[::-1]
    for position, row in zip(positions, comparisons, strict=True):
        colour = OURS if row["met"] else OUTSIDE
        low, high = row["range"]
        ax.plot([low, high], [position, position], color=colour, linewidth=1.5)
        ax.plot(row["ratio"], position, "o" if row["met"] else "s", color=colour, markersize=5)
        bound = row["at_least"] or (1 / row["at_most"] if row["at_most"] else None)
        if bound:
            ax.plot(bound, position, "|", color="black", markersize=11)
    ax.axvline(1, color="0.6", linewidth=0.8, linestyle="--")
    ax.set(
        xscale="log",
        yticks=positions,
        yticklabels=[f"{row['work']}  ·  {row['peer']}" for row in comparisons],
        xlabel="times faster than the peer",
        ylim=(-0.7, len(comparisons) - 0.3),
    )
    ax.set_title("median and range; | is the bound", fontsize=9)
    ax.tick_params(axis="y", labelsize=7)
    ax.grid(axis="x", alpha=0.3)
    return figure


def _draw_growth(rows):
    figure, axes = plt.subplots(1, len(rows), figsize=(4 * len(rows), 3.4), layout="constrained")
    for ax, row in zip(np.atleast_1d(axes), rows, strict=True):
        sizes = np.array(row["sizes"])
        for size, seconds in zip(sizes, row["seconds"], strict=True):
            ax.plot(np.full(len(seconds), size), seconds, ".", color="0.6", markersize=5)
        medians = np.array([np.median(seconds) for seconds in row["seconds"]])
        ax.plot(sizes, medians, "o-", color=OURS, label=f"median, exponent {row['exponent']:.2f}")
        ax.plot(
            sizes,
            medians[0] * (sizes / sizes[0]) ** row["at most"],
            "--",
            color="black",
            linewidth=0.8,
            label=f"exponent {row['at most']}",
        )
        ax.set(xscale="log", yscale="log", ylabel="CPU seconds", xlabel=row["growth with"])
        ax.legend(fontsize=8)
        ax.grid(alpha=0.3)
    return figure
