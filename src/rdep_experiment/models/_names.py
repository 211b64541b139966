"""Names of the classifiers in suites, by group; no estimator is imported here.

``PAPER`` are the paper's eight classifiers, ``DEFAULTS`` models of this package at their defaults,
``RIVALS`` common alternatives of scikit-learn, ``INSTALLABLE`` alternatives of other packages.
``FAMILY`` are other morphological models, by their names in published tables. ``NETWORKS`` are
trained by gradients. ``READABLE`` are readable models, each at several sizes.
"""

from __future__ import annotations

# The classifier of a protocol that is as `rdep fit` makes it.
MODEL = "model"

PAPER = (
    *("linear_svc", "rbf_svc", "poly_svc", "svc_ensemble", "svc_bagging"),
    *("dep", "ensemble_rdep", "bagging_rdep"),
)
OURS_BY_NAME = (
    *("rdep", "rdep_ensemble", "rdep_bagging", "rdep_signed", "rdep_boxes"),
    *("dep_default", "positive_stack"),
)
DEFAULTS = (*OURS_BY_NAME, "linear_dep", "box_score")
RIVALS = (
    *("linear_svc_balanced", "rbf_svc_balanced", "rbf_svc_tuned", "rbf_svc_threshold"),
    *("logistic_regression", "logistic_prior"),
    *("random_forest", "random_forest_plain_bags", "random_forest_prior"),
    *("extra_trees", "extra_trees_prior", "gradient_boosting", "gradient_boosting_small"),
)
FAMILY = ("slmp", "slmp_box", "mpc_published", "mpc_ccp", "dendrites_divide", "hlm_elm")
# Models with the parameters of their committed rows in the suites family and networks.
MEASURED = ("rdep", "competitive", "dendrites")
NETWORKS = ("min_max_plus_correlational", "min_max_plus_adam", "dense_network", "mlp")

# What users would compare their own model with.
USUAL = (
    *("box_score", "logistic_regression", "rbf_svc_balanced"),
    *("random_forest", "gradient_boosting"),
)

# Other packages, each at its defaults, tuned, small, and with its threshold at the prior.
BOOSTING = ("lightgbm", "xgboost", "catboost")
INSTALLABLE = tuple(
    f"{name}{way}" for name in BOOSTING for way in ("", "_tuned", "_small", "_prior")
)
MORPHO = ("morpho_rdep",)
# It takes as long as all others together.
SLOWEST = "catboost_tuned"

# Regressors, some of which have the name of a classifier; those of the registry come besides.
OURS_FOR_NUMBERS = ("rdep", "positive_stack", "linear_dep", "dep_signed", "max_plus_signed")
REGRESSION_RIVALS = (
    *("ridge", "svr", "svr_tuned", "random_forest", "extra_trees", "gradient_boosting"),
    *(f"{name}{way}" for name in ("lightgbm", "xgboost") for way in ("", "_tuned")),
    "catboost",
)
QUANTILE_RIVALS = ("linear_quantiles", "boosting_quantiles")
REGRESSORS = (
    *("positive_stack", "dep_signed", "max_plus_signed"),
    *(*REGRESSION_RIVALS, *QUANTILE_RIVALS),
)
USUAL_FOR_NUMBERS = ("linear_dep", "ridge", "svr", "random_forest", "gradient_boosting")

# Readable models. "Best tree" is the best of TREES at each size, "best rule list" that of RULES.
SIZES = (4, 8, 16, 32)
NAMED_OURS = "score"
OURS = (NAMED_OURS, "signed_dep", "boxes_dep", "mpc", "sparse_linear_dep")
TREES = ("tree", "tree_large_leaves", "tree_depth")
OTHERS = ("sparse_logistic", "monotone_boosting")
RULES = ("figs", "rule_list", "boosted_rules")
# Smallest sizes: on one or two features, a class may have fewer distinct samples than pieces.
SMALLEST = {"sparse_linear_dep": 16}
# Models that determine their own size.
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

# Modules and the names that they make, except those of the registry.
MODULES = {
    "_paper": PAPER,
    "_ours": OURS_BY_NAME,
    "_common": (*RIVALS, *MORPHO),
    "_rivals": INSTALLABLE,
    "_family": FAMILY,
    "_networks": NETWORKS,
    "_readable": READABLE,
}
# Packages that classifiers need, and the extra that installs each of them.
NEEDS = {
    **{name: name.partition("_")[0] for name in INSTALLABLE},
    **{name: "imodels" for name in READABLE if name.rpartition("_")[0] in RULES},
    **{EBM: "interpret", "morpho_rdep": "sklearn_morpho"},
}
EXTRAS = {"sklearn_morpho": "bench-morpho"}
USUAL_EXTRA = "rivals"
# Names that help and completion do not show, to keep them short.
UNLISTED = {*READABLE, *INSTALLABLE, *MORPHO, "dep_default", "positive_stack"}


def model_and_size(name: str) -> tuple[str, int | None]:
    """Model and size of a readable classifier; the size is None if the model determines it."""
    model, _, size = name.rpartition("_")
    return (model, int(size)) if size.isdigit() else (name, None)
