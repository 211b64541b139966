"""The private name of scikit-learn (1.7 to 1.9) that all searches over parameters share."""

from sklearn.model_selection._search import BaseSearchCV

__all__ = ["BaseSearchCV"]
