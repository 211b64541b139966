"""Names of the classifiers in suites, by group: a table of columns imports no estimator.

``PAPER`` are the paper's eight, ``RIVALS`` common alternatives, ``BETTER`` the r-DEPs beyond the
paper. ``STEPS`` lead from the paper's r-DEP to the one of mixed members, each adding one change;
``VARIANTS`` are that one with one change. ``FAMILY`` are other morphological models, by the names
of published tables; ``NETWORKS`` are trained by gradients; ``READABLE`` are models to be read, each
at several sizes.
"""

from __future__ import annotations

PAPER = (
    *("linear_svc", "rbf_svc", "poly_svc", "svc_ensemble", "svc_bagging"),
    *("dep", "ensemble_rdep", "bagging_rdep"),
)
RIVALS = (
    *("linear_svc_balanced", "rbf_svc_balanced", "rbf_svc_tuned", "rbf_svc_threshold"),
    *("logistic_regression", "random_forest", "gradient_boosting", "svc_stack", "mixed_stack"),
)
BETTER = ("signed_rdep", "boxes_rdep", "svc_rdep", "oob_rdep", "mixed_rdep", "recommended_rdep")
# As much work as the recommended r-DEP itself; compared on data that took part in no choice.
OWN_STACK = ("recommended_stack",)
STEPS = (
    *("balanced_members", "cross_fitted", "balanced_beta"),
    *("wide_margin", "even_weights", "mixed_members"),
)
VARIANTS = ("with_joint", "with_choice", "with_escape", "with_bags")
FAMILY = ("slmp", "slmp_box", "mpc_published", "mpc_ccp", "dendrites_divide", "hlm_elm")
# Of the registry, with parameters of their own in suites whose rows are committed.
MEASURED = ("perceptron", "dep_cv", "linear_dep", "rdep", "competitive", "dendrites", "elm")
NETWORKS = ("min_max_plus_correlational", "min_max_plus_adam", "dense_network", "mlp")

# Packages of others, each at its defaults and tuned.
BOOSTING = {
    "lightgbm": "lightgbm",
    "xgboost": "xgboost",
    "catboost": "catboost",
    "explainable_boosting": "interpret",
}
INSTALLABLE = tuple(f"{name}{tuned}" for name in BOOSTING for tuned in ("", "_tuned"))
MORPHO = ("morpho_rdep",)

# Models to be read. "Best tree" is the best of TREES, size by size, "best rule list" that of RULES.
SIZES = (4, 8, 16, 32)
NAMED_OURS = "score"
OURS = (NAMED_OURS, "signed_dep", "boxes_dep", "mpc", "sparse_linear_dep")
TREES = ("tree", "tree_large_leaves", "tree_depth")
OTHERS = ("sparse_logistic", "monotone_boosting")
RULES = ("figs", "rule_list", "boosted_rules")
# On one or two features a class may have fewer distinct samples than pieces.
SMALLEST = {"sparse_linear_dep": 16}
# Models of a size of their own.
DENDRITES, EBM = "dendrites_few", "ebm"
READABLE = (
    *(
        f"{name}_{k}"
        for k in SIZES
        for name in (*OURS, *TREES, *OTHERS, *RULES)
        if k >= SMALLEST.get(name, 0)
    ),
    *(DENDRITES, EBM),
)

# Makers by module; all names besides those of the registry.
MODULES = {
    "_paper": PAPER,
    "_beyond": (*RIVALS, *BETTER, *OWN_STACK, *STEPS, *VARIANTS, *MORPHO),
    "_rivals": INSTALLABLE,
    "_family": FAMILY,
    "_networks": NETWORKS,
    "_readable": READABLE,
}
# Packages without which a classifier is left out, and the extra that installs each of them.
NEEDS = {
    **{f"{name}{tuned}": BOOSTING[name] for name in BOOSTING for tuned in ("", "_tuned")},
    **{name: "imodels" for name in READABLE if name.rpartition("_")[0] in RULES},
    **{EBM: "interpret", "morpho_rdep": "sklearn_morpho"},
}
EXTRAS = {"sklearn_morpho": "bench-morpho"}
USUAL_EXTRA = "rivals"
# Known, and not offered: help and completion are long enough without them, and the recommended
# r-DEP is `rdep` to users.
UNLISTED = {*STEPS, *VARIANTS, *READABLE, *INSTALLABLE, *MORPHO, *OWN_STACK, "recommended_rdep"}


def model_and_size(name: str) -> tuple[str, int | None]:
    """The model and the size behind a readable classifier; None for a model of its own size."""
    model, _, size = name.rpartition("_")
    return (model, int(size)) if size.isdigit() else (name, None)
