"""Names of classifiers in tables and figures."""

from __future__ import annotations

CLASSIFIER_NAMES = {
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
    "random_forest": "Random forest",
    "gradient_boosting": "Gradient boosting",
    "svc_stack": "Stack of SVCs",
    "mixed_stack": "Stack of mixed members",
    "recommended_stack": "Recommended stack",
    "signed_rdep": "Signed r-DEP",
    "boxes_rdep": "Boxes r-DEP",
    "svc_rdep": "SVC r-DEP, improved",
    "oob_rdep": "Bagging r-DEP, improved",
    "mixed_rdep": "r-DEP recommended before",
    "recommended_rdep": "Recommended r-DEP",
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
    "lightgbm": "LightGBM",
    "lightgbm_tuned": "LightGBM, tuned",
    "xgboost": "XGBoost",
    "xgboost_tuned": "XGBoost, tuned",
    "catboost": "CatBoost",
    "catboost_tuned": "CatBoost, tuned",
    "explainable_boosting": "EBM",
    "explainable_boosting_tuned": "EBM, tuned",
    "box_score": "Box score",
}


def display_name(classifier: str) -> str:
    """The paper's name of a classifier, or its id where the paper has none."""
    return CLASSIFIER_NAMES.get(classifier, classifier)
