"""Estimators inside an estimator that need not be given, and their parameters all the same."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from sklearn.base import BaseEstimator


class PartsByDefault(BaseEstimator):
    """Parameters that are estimators, or stand for one: a mixin.

    What a name, or None, stands for has its parameters in the names of ``get_params`` and
    ``set_params``, as if it had been given.
    """

    _parts: tuple[str, ...]

    @abstractmethod
    def _stands_for(self, part: str, given: Any) -> BaseEstimator | None:
        """The estimator that a parameter stands for; None where one is given."""

    def get_params(self, deep=True):
        """Parameters, and with ``deep`` those of the estimators inside.

        Parameters
        ----------
        deep : bool, default=True
            Whether to include parameters of the estimators inside, as ``dep__C``.

        Returns
        -------
        dict
        """
        parameters = super().get_params(deep=deep)
        if deep:
            for name in self._parts:
                meant = self._stands_for(name, parameters[name])
                if meant is not None:
                    nested = meant.get_params().items()
                    parameters |= {f"{name}__{own}": value for own, value in nested}
        return parameters

    def set_params(self, **params):
        """Set parameters, also of the estimators inside.

        Parameters
        ----------
        **params
            Parameters by name; those of the estimators inside as ``dep__C``.

        Returns
        -------
        self
        """
        for name in self._parts:
            if any(key.startswith(f"{name}__") for key in params):
                meant = self._stands_for(name, params.get(name, getattr(self, name)))
                if meant is not None:
                    params[name] = meant
        return super().set_params(**params)
