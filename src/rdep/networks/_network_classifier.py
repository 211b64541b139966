"""Classifier with a network of dilations and erosions, trained by gradients."""

from __future__ import annotations

import copy
from numbers import Integral, Real

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from .._base._classifier import BaseClassifier
from .._base._fitting import unchanged_on_error
from .._base._validation import validate_samples
from .._utils._sklearn_estimators import HasMethods, Interval, StrOptions, _fit_context
from ..exceptions import warn_caller
from ._preparation import (
    batch_size_for,
    check_module,
    held_out,
    pytorch,
    threads,
    weighted_samples,
)

ARCHITECTURES = (
    "dense", "hybrid-box-linear", "hybrid-linear-box", "max-min-plus", "min-max-plus", "mrl", "dep",
)  # fmt: skip
POSITIVE = Interval(Integral, 1, None, closed="left")


class MorphologicalNetworkClassifier(BaseClassifier):
    r"""Network of dilations and erosions, trained by gradients with PyTorch.

    It needs ``pip install 'rdep[torch]'``. The class with the largest output is predicted. With two
    classes, the decision value is the difference of their outputs, or the output itself if the
    network has only one. Layers compare inputs with each other, so features should have the same
    scale: put a ``StandardScaler`` before it.

    Read more in the :doc:`User Guide </guide/networks>`.

    Parameters
    ----------
    architecture : str or torch.nn.Module, default="dense"
        Name of an architecture, or a module from (n, n_features) to (n, n_classes), or to (n, 1)
        for two classes. Training starts from the weights of the module.

        - ``"dense"``: half of the units are dilations, half erosions, followed by a linear layer;
          one such block for each number in ``units``.
        - ``"hybrid-box-linear"``: boxes, then linear layers.
        - ``"hybrid-linear-box"``: linear layers, then ``n_boxes`` boxes for each class.
        - ``"max-min-plus"``: layers of sums of a dilation and an erosion with the same weights.
        - ``"min-max-plus"``: dilations of (x, −x) and erosions in turn, with factors between.
        - ``"mrl"``: morphological/rank/linear nodes.
        - ``"dep"``: a single layer of dilation-erosion perceptrons: one perceptron for two
          classes, or one for each of more than two.
    units : tuple of int, default=(64,)
        Numbers of units of the hidden layers; ``"dep"`` has none.
    n_boxes : int, default=2
        Number of boxes of each class in ``"hybrid-linear-box"``.
    temperature : float, default=0.0
        Temperature of the soft maxima and minima that replace maxima and minima; 0 keeps these.
    loss : {"cross-entropy", "hinge", "squared"}, default="cross-entropy"
        Loss whose mean is minimised: the cross-entropy of softmax probabilities, or the hinge loss
        or squared error of outputs with targets 1 for the class and −1 for the others.
    optimiser : {"adam", "sgd", "correlational"}, default="adam"
        Optimiser of the weights. ``"adam"`` and ``"sgd"``, which has momentum 0.9, use
        subgradients. ``"correlational"`` is Adam with the correlational rule for max-plus and
        min-plus layers. The rule changes all weights, not only those of maximal terms, and keeps
        the maximum of each row at 0.
    learning_rate : float, default=0.01
        Step size.
    batch_size : int or "auto", default="auto"
        Number of samples in one step; ``"auto"`` is 32, or all samples if there are fewer.
    max_epochs : int, default=200
        Maximum number of passes over the training samples.
    early_stopping : bool, default=True
        Whether to hold out samples, to stop when their score no longer improves, and to keep the
        weights with the best score.
    validation_fraction : float, default=0.15
        Share of the samples to hold out.
    validation_score : {"loss", "accuracy", "balanced_accuracy"}, default="loss"
        Score of the samples held out.
    n_iter_no_change : int, default=20
        Number of epochs without a better validation score after which training stops.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes, by which the sample weights are multiplied.
    warm_start : bool, default=False
        Whether ``fit`` starts from the weights of the previous fit.
    random_state : int, RandomState instance or None, default=None
        Determines the initial weights, the samples held out and the order of the samples.
    n_jobs : int or None, default=None
        Number of threads; None means 1, −1 all processors.
    verbose : bool, default=False
        Whether to show a bar of epochs on standard error, if it is a terminal.

    Attributes
    ----------
    weights_ : dict of str to ndarray
        The weights, by their names in PyTorch's ``state_dict``.
    n_outputs_ : int
        Number of outputs of the network: 1, or the number of classes.
    loss_curve_ : ndarray of shape (n_epochs,)
        Mean training loss of every epoch.
    validation_loss_curve_, validation_score_curve_ : ndarray of shape (n_epochs,)
        Loss and score of the samples held out after every epoch; empty without them.
    best_epoch_ : int
        The epoch, counted from 1, whose weights are kept.
    n_iter_ : int
        Number of epochs.
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of features seen during fit, if X has feature names that are all strings.

    See Also
    --------
    rdep.DEPClassifier : DEP trained by the convex-concave procedure.
    rdep.MorphologicalELMClassifier : Ridge classifier on random boxes and linear units.
    rdep.networks.layers.dep_layer : Layer with the weights of a fitted DEP, for fine-tuning.
    rdep.display.LossDisplay : Plot of the loss after every epoch.

    References
    ----------
    R. Mondal, S. Santra and B. Chanda, "Dense morphological networks: an universal function
    approximator", arXiv:1901.00109, 2019.

    G. Hernández, E. Zamora, H. Sossa, G. Téllez and F. Furlán, "Hybrid neural networks for big data
    classification", Neurocomputing 390, 2020.

    K. Fotopoulos and P. Maragos, "Training deep morphological neural networks as universal
    approximators", arXiv:2505.09710, 2025.

    "Correlational training of morphological neural networks", arXiv:2610.11740, 2026.

    Examples
    --------
    >>> from rdep.datasets import load_ripley
    >>> from rdep.networks import MorphologicalNetworkClassifier
    >>> X_train, X_test, y_train, y_test = load_ripley()
    >>> network = MorphologicalNetworkClassifier("dense", units=(16,), random_state=0)
    >>> bool(network.fit(X_train, y_train).score(X_test, y_test) > 0.85)
    True
    """

    __module__ = "rdep.networks"

    _parameter_constraints = {
        "architecture": [StrOptions(set(ARCHITECTURES)), HasMethods(["forward", "state_dict"])],
        "units": ["array-like"],
        "n_boxes": [POSITIVE],
        "temperature": [Interval(Real, 0, None, closed="left")],
        "loss": [StrOptions({"cross-entropy", "hinge", "squared"})],
        "optimiser": [StrOptions({"adam", "sgd", "correlational"})],
        "learning_rate": [Interval(Real, 0, None, closed="neither")],
        "batch_size": [POSITIVE, StrOptions({"auto"})],
        "max_epochs": [POSITIVE],
        "early_stopping": ["boolean"],
        "validation_fraction": [Interval(Real, 0, 1, closed="neither")],
        "validation_score": [StrOptions({"loss", "accuracy", "balanced_accuracy"})],
        "n_iter_no_change": [POSITIVE],
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "warm_start": ["boolean"],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
        "verbose": ["boolean"],
    }

    def __init__(
        self,
        architecture="dense",
        *,
        units=(64,),
        n_boxes=2,
        temperature=0.0,
        loss="cross-entropy",
        optimiser="adam",
        learning_rate=0.01,
        batch_size="auto",
        max_epochs=200,
        early_stopping=True,
        validation_fraction=0.15,
        validation_score="loss",
        n_iter_no_change=20,
        class_weight=None,
        warm_start=False,
        random_state=None,
        n_jobs=None,
        verbose=False,
    ):
        self.architecture = architecture
        self.units = units
        self.n_boxes = n_boxes
        self.temperature = temperature
        self.loss = loss
        self.optimiser = optimiser
        self.learning_rate = learning_rate
        self.batch_size = batch_size
        self.max_epochs = max_epochs
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.validation_score = validation_score
        self.n_iter_no_change = n_iter_no_change
        self.class_weight = class_weight
        self.warm_start = warm_start
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    @_fit_context(prefer_skip_nested_validation=False)
    def fit(self, X, y, sample_weight=None):
        """Train the network.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Training samples.
        y : array-like of shape (n_samples,)
            Two or more classes. The second of two classes in sorted order is the positive one.
        sample_weight : array-like of shape (n_samples,), default=None
            Sample weights. None means 1 for every sample. Samples with zero weight are ignored.

        Returns
        -------
        self
            The fitted classifier.
        """
        with unchanged_on_error(self) as before:
            start = before.get("weights_") if self.warm_start else None
            self._fit(*self._validated(X, y, sample_weight), start)
        return self

    def _fit(self, X, y, sample_weight, start=None):
        torch = pytorch()
        from ._training import Samples, train

        samples = weighted_samples(X, y, sample_weight, self.class_weight, self.classes_)
        seed = self._seed()
        training, validation = samples, None
        if self.early_stopping:
            training, validation = held_out(samples, self.validation_fraction, seed)
        with threads(self.n_jobs), torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            module = self._build()
            n_outputs = check_module(module, X.shape[1], len(self.classes_), self.optimiser)
            if start is not None:
                self._load(module, start)
            trained = train(
                module,
                Samples.of(*training),
                None if validation is None else Samples.of(*validation),
                self._settings(len(training[0]), seed),
            )
        if trained.problem is not None:
            warn_caller(
                f"{trained.problem}: training stopped, and the best weights so far are kept. "
                "Standardise X, or lower learning_rate",
                ConvergenceWarning,
            )
        self.weights_ = {
            name: value.detach().numpy().copy() for name, value in module.state_dict().items()
        }
        self.n_outputs_ = n_outputs
        self.loss_curve_ = np.array(trained.losses)
        self.validation_loss_curve_ = np.array(trained.validation_losses)
        self.validation_score_curve_ = np.array(trained.validation_scores)
        self.best_epoch_, self.n_iter_ = trained.best_epoch, max(1, len(trained.losses))

    def _seed(self) -> int:
        if isinstance(self.random_state, Integral):
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(2**31 - 1))

    def _settings(self, n_samples: int, seed: int):
        from ._training import Settings

        return Settings(
            optimiser=self.optimiser,
            loss=self.loss,
            learning_rate=self.learning_rate,
            batch_size=batch_size_for(self.batch_size, n_samples),
            max_epochs=self.max_epochs,
            patience=self.n_iter_no_change,
            score=self.validation_score,
            seed=seed,
            verbose=self.verbose,
        )

    def _build(self):
        """Create a module: a copy of the one given, or one with random weights."""
        if not isinstance(self.architecture, str):
            return copy.deepcopy(self.architecture).float()
        from ._architectures import Shape, build

        units = tuple(int(number) for number in self.units)
        if self.architecture != "dep" and (not units or min(units) < 1):
            raise ValueError(f"units must be one or more positive numbers, got {self.units}")
        n_classes = len(self.classes_)
        one = self.architecture == "dep" and n_classes == 2
        return build(
            self.architecture,
            Shape(
                n_inputs=self.n_features_in_,
                units=units,
                n_outputs=1 if one else n_classes,
                n_boxes=self.n_boxes,
                temperature=self.temperature,
            ),
        )

    def _load(self, module, weights) -> None:
        torch = pytorch()
        state = {name: torch.as_tensor(np.array(value)) for name, value in weights.items()}
        try:
            module.load_state_dict(state)
        except RuntimeError as error:
            raise ValueError(
                "the weights do not fit the network: with warm_start, features, classes, "
                f"architecture and units must be those of the previous fit ({error})"
            ) from error

    def module(self):
        """Get a copy of the fitted network as a PyTorch module.

        Returns
        -------
        torch.nn.Module
            The module in single precision, in evaluation mode.
        """
        check_is_fitted(self)
        # The random initial weights, which are replaced, must not change the user's generator.
        with pytorch().random.fork_rng(devices=[]):
            module = self._build()
        self._load(module, self.weights_)
        return module.eval()

    def state_dict(self):
        """Get the weights as tensors, for ``torch.save`` or another module.

        Returns
        -------
        dict of str to torch.Tensor
            Weights by name.
        """
        return self.module().state_dict()

    def load_state_dict(self, state):
        """Replace the weights of the fitted network.

        Parameters
        ----------
        state : dict of str to torch.Tensor or ndarray
            Weights, by their names in ``state_dict``.

        Returns
        -------
        self
            The classifier with the new weights.
        """
        module = self.module()
        self._load(module, {name: np.asarray(value) for name, value in state.items()})
        self.weights_ = {name: value.numpy().copy() for name, value in module.state_dict().items()}
        return self

    def _outputs(self, X):
        """Outputs of the network, in double precision."""
        torch = pytorch()
        from ._training import outputs

        with threads(self.n_jobs):
            return outputs(
                self.module().double(), torch.from_numpy(np.ascontiguousarray(X))
            ).numpy()

    def _decision_values(self, X):
        values = self._outputs(X)
        if values.shape[1] == 1:
            return values[:, 0]
        return values[:, 1] - values[:, 0] if len(self.classes_) == 2 else values

    def predict_proba(self, X):
        """Predict the probabilities of the classes: the softmax of the outputs.

        They are trained as probabilities only if the loss is the cross-entropy.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Probabilities, in the order of ``classes_``.
        """
        check_is_fitted(self)
        values = self._decision_values(validate_samples(self, X))
        if values.ndim == 1:
            values = np.column_stack([np.zeros(len(values)), values])
        shares = np.exp(values - values.max(axis=1, keepdims=True))
        return shares / shares.sum(axis=1, keepdims=True)
