"""Small tables with categories and gaps, and models of all kinds fitted on them."""

import warnings

import numpy as np
import pandas as pd

from rdep.tables import fit_table

KINDS = {
    "dep": ("dep", {}),
    "signed": ("rdep", {"ordering": "signed"}),
    "boxes": ("rdep", {"ordering": "boxes"}),
    "score": ("box_score", {"max_conditions": 8}),
    "competitive": ("competitive", {"max_boxes": 4}),
    "linear": ("linear_dep", {}),
}
HOSTILE = '<img src=x onerror="document.title=1">'


def table(seed=0, n_rows=240, classes=("no", "yes")):
    """Numbers, whole numbers and categories, with gaps; names and labels are hostile."""
    random = np.random.RandomState(seed)
    frame = pd.DataFrame(
        {
            "size": random.normal(10, 3, n_rows).round(2),
            f"age {HOSTILE}": random.randint(0, 80, n_rows),
            "weight": random.lognormal(0, 1, n_rows),
            "colour": random.choice(["red", "blue", "</script><b>green</b>"], n_rows),
        }
    )
    value = frame["size"] + 0.05 * frame.iloc[:, 1] + 3 * (frame.colour == "red")
    value += random.normal(0, 1, n_rows)
    ranks = (value.rank(pct=True) * len(classes)).clip(upper=len(classes) - 1e-9).astype(int)
    frame["bought"] = np.array(classes, dtype=object)[ranks]
    frame.loc[::17, "size"] = np.nan
    frame.loc[::19, "colour"] = np.nan
    return frame


def fitted(frame, kind, folder, target="bought", **options):
    path = folder / "table.csv"
    frame.to_csv(path, index=False)
    name, parameters = KINDS.get(kind, ("rdep", {}))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return fit_table(str(path), target, name, **parameters, **options)
