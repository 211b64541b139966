"""A classifier by a network of dilations and erosions that is trained by gradients."""

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
    r"""A network of dilations and erosions, trained by gradients on PyTorch.

    It needs ``pip install 'rdep[torch]'``. The class with the greatest output is predicted; of two
    classes the decision value is the difference of their outputs, or the only output of a network
    that has one. Layers compare inputs with each other, so features should be on one scale: put a
    ``StandardScaler`` before it.

    Parameters
    ----------
    architecture : str or torch.nn.Module, default="dense"
        The layers, by name, or a module from (n, n_features) to (n, n_classes), or to (n, 1) for
        two classes, whose weights are where training starts.

        - ``"dense"``: half of the units dilations, half erosions, and linear combinations of them;
          one such block for each number of ``units``.
        - ``"hybrid-box-linear"``: boxes, then linear layers.
        - ``"hybrid-linear-box"``: linear layers, then ``n_boxes`` boxes for each class.
        - ``"max-min-plus"``: layers of sums of a dilation and an erosion with the same weights.
        - ``"min-max-plus"``: dilations of (x, −x) and erosions in turn, with factors between.
        - ``"mrl"``: morphological/rank/linear nodes.
        - ``"dep"``: a single layer of dilation-erosion perceptrons, one for two classes.
    units : tuple of int, default=(64,)
        Numbers of units of the hidden layers; ``"dep"`` has none.
    n_boxes : int, default=2
        Number of boxes of each class in ``"hybrid-linear-box"``.
    temperature : float, default=0.0
        Temperature of soft maxima and minima in place of maxima and minima; 0 is none.
    loss : {"cross-entropy", "hinge", "squared"}, default="cross-entropy"
        What is minimised on average: the cross-entropy of softmax probabilities, or hinge loss or
        squared error of outputs that should be 1 for the class and −1 for others.
    optimiser : {"adam", "sgd", "correlational"}, default="adam"
        How weights are changed: Adam, or gradient descent with momentum 0.9, on subgradients; or
        Adam with the correlational rule for max-plus and min-plus layers, which moves all weights
        and not only those of maximal terms, and keeps the maximum of each row at 0.
    learning_rate : float, default=0.01
        Step size.
    batch_size : int or "auto", default="auto"
        Samples of one step; ``"auto"`` is 32, or all if there are fewer.
    max_epochs : int, default=200
        Maximum number of passes over the training samples.
    early_stopping : bool, default=True
        Whether to hold samples out, to stop when they are not predicted better any more, and to
        keep the weights that predicted them best.
    validation_fraction : float, default=0.15
        Share of the samples that is held out.
    validation_score : {"loss", "accuracy", "balanced_accuracy"}, default="loss"
        What says how well they are predicted.
    n_iter_no_change : int, default=20
        Epochs without a better validation after which training stops.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes, multiplied to those of the samples.
    warm_start : bool, default=False
        Whether a further ``fit`` starts from the weights of the one before.
    random_state : int, RandomState instance or None, default=None
        Seed of the first weights, of the samples held out and of the order of the samples.
    n_jobs : int or None, default=None
        Number of threads; None means 1, −1 all processors.
    verbose : bool, default=False
        Whether to show a bar of epochs on standard error, if it is a terminal.

    Attributes
    ----------
    weights_ : dict of str to ndarray
        The weights by the names of PyTorch's ``state_dict``.
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
        Names of the features, if X has names that are all strings.

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
        """Train on samples and their classes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Training samples.
        y : array-like of shape (n_samples,)
            Their classes, two or more. Of two, the greater is the positive one.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the samples. Samples with zero weight are ignored.

        Returns
        -------
        self
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
        """A new module: of its own weights if one was given, otherwise of random ones."""
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
                f"architecture and units must be those of the fit before ({error})"
            ) from error

    def module(self):
        """The fitted network as a PyTorch module of its own.

        Returns
        -------
        torch.nn.Module
            The module in single precision, in evaluation mode.
        """
        check_is_fitted(self)
        # Random first weights, replaced at once, shall not move the generator of the user.
        with pytorch().random.fork_rng(devices=[]):
            module = self._build()
        self._load(module, self.weights_)
        return module.eval()

    def state_dict(self):
        """The weights as tensors, for ``torch.save`` or another module.

        Returns
        -------
        dict of str to torch.Tensor
        """
        return self.module().state_dict()

    def load_state_dict(self, state):
        """Replace the weights of the fitted network.

        Parameters
        ----------
        state : dict of str to torch.Tensor or ndarray
            Weights by the names of ``state_dict``.

        Returns
        -------
        self
        """
        module = self.module()
        self._load(module, {name: np.asarray(value) for name, value in state.items()})
        self.weights_ = {name: value.numpy().copy() for name, value in module.state_dict().items()}
        return self

    def _outputs(self, X):
        """The outputs of the network, in double precision."""
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
        """Probabilities of the classes, by the softmax of the outputs.

        They are meant as probabilities only where the loss is the cross-entropy.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        check_is_fitted(self)
        values = self._decision_values(validate_samples(self, X))
        if values.ndim == 1:
            values = np.column_stack([np.zeros(len(values)), values])
        shares = np.exp(values - values.max(axis=1, keepdims=True))
        return shares / shares.sum(axis=1, keepdims=True)
