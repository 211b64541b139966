"""Run all measurements: print each result, then write JSON, a table and pictures.

``python -m benchmarks --only prediction --repeats 3`` measures a part. Peers need
``pip install 'rdep[bench]'``; a part whose peer is missing is refused. RDEP_DATA_DIR names the
folder of the paper's data sets.
"""

from __future__ import annotations

import argparse
import json
import warnings
from pathlib import Path

from rdep.exceptions import DegenerateFitWarning

from . import (
    compiled,
    dendrites,
    growth,
    images,
    many_rows,
    memories,
    orderings,
    passes,
    prediction,
    regression_speed,
    training,
)
from .measure import output
from .peers import require_peers, versions
from .report import write_report

COMPARISONS = {
    "compiled": compiled.both_forms,
    "subsample": compiled.from_a_subsample,
    "dccp": training.against_dccp,
    "highs": training.against_highs,
    "tied": training.on_tied_data,
    "morpho": training.against_morpho,
    "morpho-rdep": training.against_morphos_rdep,
    "fitting": orderings.fitting,
    "features": orderings.features,
    "prediction": orderings.prediction,
    "many-rows": many_rows.against_lightgbm,
    "passes": passes.against_arrays,
    "one-row": prediction.one_row,
    "onnx": prediction.onnx_batches,
    "regression-steps": regression_speed.against_clarabel,
    "regression-dep": regression_speed.against_the_classifier,
    "dendrites": dendrites.against_a_forest,
    "memories": memories.recall,
    "image-dilations": images.dilations,
    "image-disks": images.disks,
    "image-ranked": images.ranked,
    "image-ranking": images.ranking,
    "image-regions": images.regions,
    "image-irregularity": images.irregularity,
    "image-orderings": images.orderings,
}
OTHERS = ("growth", "million", "image-memory")
PARTS = (*COMPARISONS, *OTHERS)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", choices=PARTS)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--output", type=Path, help="default: results/bench")
    options = parser.parse_args(arguments)
    warnings.simplefilter("ignore", DegenerateFitWarning)
    chosen = options.only or PARTS
    require_peers(chosen)
    folder = options.output or output("bench")
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "results.json"
    # Parts that are not measured now stay as they were.
    results = json.loads(path.read_text()) if path.exists() else {}
    for part in chosen:
        print(f"\n{part}", flush=True)
        results[part] = _measure(part, options.repeats)
        results["versions"] = results.get("versions", {}) | versions(part)
        path.write_text(json.dumps(results, indent=1) + "\n")
    write_report(results, COMPARISONS, folder)
    print(f"\n{folder / 'table.md'}")


def _measure(part, repeats):
    if part == "growth":
        rows = []
        for row in growth.exponents(seeds=max(5, repeats)):
            print(f"  growth with {row['growth with']}: exponent {row['exponent']:.2f}", flush=True)
            rows.append(row)
        return rows
    if part == "million":
        result = growth.in_own_process("dep_on_a_million", threads=1)
        print(f"  {result}", flush=True)
        return result
    if part == "image-memory":
        return images.memory()
    rows = []
    for comparison in COMPARISONS[part](repeats):
        rows.append(comparison.record())
        low, high = comparison.range
        print(
            f"  {comparison.work} against {comparison.peer}: {comparison.ratio:.2f} times faster "
            f"({low:.2f} to {high:.2f}), answers agree: {comparison.answers_agree}",
            flush=True,
        )
    return rows


if __name__ == "__main__":
    main()
