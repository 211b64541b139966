"""Names of classifiers in tables and figures."""

from __future__ import annotations

CLASSIFIER_NAMES = {
    "model": "Model of rdep fit",
    "linear_svc": "Linear SVC",
    "rbf_svc": "RBF SVC",
    "poly_svc": "Poly SVC",
    "svc_ensemble": "Ensemble of SVCs",
    "svc_bagging": "Bagging of SVCs",
    "dep": "DEP",
    "ensemble_rdep": "Ensemble r-DEP",
    "bagging_rdep": "Bagging r-DEP",
    "linear_svc_balanced": "Linear SVC, balanced",
    "rbf_svc_balanced": "RBF SVC, balanced",
    "rbf_svc_tuned": "RBF SVC, tuned",
    "rbf_svc_threshold": "RBF SVC, tuned threshold",
    "logistic_regression": "Logistic regression",
    "logistic_prior": "Logistic regression, prior",
    "random_forest": "Random forest",
    "random_forest_plain_bags": "Random forest, plain bags",
    "random_forest_prior": "Random forest, prior",
    "extra_trees": "Extra trees",
    "extra_trees_prior": "Extra trees, prior",
    "gradient_boosting": "Gradient boosting",
    "gradient_boosting_small": "Gradient boosting, small",
    **{
        f"{name}{way}": f"{shown}{how}"
        for name, shown in (
            ("lightgbm", "LightGBM"),
            ("xgboost", "XGBoost"),
            ("catboost", "CatBoost"),
        )
        for way, how in (
            ("", ""),
            ("_tuned", ", tuned"),
            ("_small", ", small"),
            ("_prior", ", prior"),
        )
    },
    "rdep": "r-DEP",
    "rdep_ensemble": "r-DEP, ensemble",
    "rdep_bagging": "r-DEP, bagging",
    "rdep_signed": "r-DEP, signed",
    "rdep_boxes": "r-DEP, boxes",
    "dep_default": "DEP, defaults",
    "positive_stack": "Positive stack of the r-DEP",
    "morpho_rdep": "sklearn-morpho RDEP",
    "slmp": "SLMP",
    "slmp_box": "SLMP-box",
    "mpc_published": "MPC, greedy as published",
    "mpc_ccp": "MPC, CCP",
    "competitive": "MPC, greedy",
    "dendrites": "Dendrites, elimination",
    "dendrites_divide": "Dendrites, divided",
    "hlm_elm": "HLM-ELM",
    "elm": "Morphological ELM",
    "linear_dep": "Linear DEP",
    "min_max_plus_correlational": "Min-max-plus, correlational",
    "min_max_plus_adam": "Min-max-plus, Adam",
    "dense_network": "Dense network",
    "mlp": "MLP",
    "box_score": "Box score",
    "dep_signed": "DEP, signed",
    "max_plus": "Max-plus",
    "max_plus_signed": "Max-plus, signed",
    "ridge": "Ridge",
    "svr": "SVR",
    "svr_tuned": "SVR, tuned",
    "linear_quantiles": "Linear quantiles",
    "boosting_quantiles": "Quantile boosting",
}


# Names in tables that also contain the current defaults.
PAPERS_OWN = {
    "dep": "DEP, paper",
    "ensemble_rdep": "r-DEP, ensemble, paper",
    "bagging_rdep": "r-DEP, bagging, paper",
}


def display_name(classifier: str) -> str:
    """Name of a classifier in tables and figures; its id if it has no other name."""
    return CLASSIFIER_NAMES.get(classifier, classifier)


def name_beside_defaults(classifier: str) -> str:
    """Name of a classifier in tables that distinguish the paper's models from the defaults."""
    return PAPERS_OWN.get(classifier) or display_name(classifier)
