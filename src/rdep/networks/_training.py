"""Training of a network by gradients with skorch: losses, batches, validation, best weights."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from sklearn.metrics import accuracy_score, balanced_accuracy_score
from skorch import NeuralNet
from skorch.callbacks import Callback, EarlyStopping
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.data import BatchSampler, DataLoader, RandomSampler, TensorDataset
from tqdm import tqdm

from .layers import DEP, MaxPlus


def cross_entropy(values: Tensor, codes: Tensor) -> Tensor:
    """Cross-entropy; a single output is the log-odds of the positive class."""
    if values.shape[1] == 1:
        return functional.binary_cross_entropy_with_logits(
            values[:, 0], codes.to(values.dtype), reduction="none"
        )
    return functional.cross_entropy(values, codes, reduction="none")


def hinge(values: Tensor, codes: Tensor) -> Tensor:
    """Hinge loss of the outputs, with targets 1 for the class and −1 for the others."""
    return (1 - values * _signs(values, codes)).clamp(min=0).sum(1)


def squared(values: Tensor, codes: Tensor) -> Tensor:
    """Squared error of the outputs, with targets 1 for the class and −1 for the others."""
    return ((values - _signs(values, codes)) ** 2).sum(1)


def _signs(values: Tensor, codes: Tensor) -> Tensor:
    if values.shape[1] == 1:
        return 2 * codes.to(values.dtype)[:, None] - 1
    return 2 * functional.one_hot(codes, values.shape[1]).to(values.dtype) - 1


LOSSES: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "cross-entropy": cross_entropy,
    "hinge": hinge,
    "squared": squared,
}


def predicted_codes(values: Tensor) -> Tensor:
    """Code of the predicted class."""
    if values.shape[1] == 1:
        return (values[:, 0] > 0).to(torch.int64)
    return values.argmax(1)


SCORES: dict[str, Callable[..., float]] = {
    "accuracy": accuracy_score,
    "balanced_accuracy": balanced_accuracy_score,
}


@dataclass(frozen=True)
class Samples:
    """Samples as tensors: features, and a column each for class code and weight."""

    X: Tensor
    y: Tensor

    @classmethod
    def of(cls, X, codes, weights) -> Samples:
        """From arrays."""
        with np.errstate(over="ignore"):  # the check of the loss reports it
            X = np.asarray(X, dtype=np.float32)
        return cls(
            torch.from_numpy(X),
            torch.from_numpy(np.column_stack([codes, weights]).astype(np.float32)),
        )


@dataclass(frozen=True)
class Settings:
    """Settings of the training of a network."""

    optimiser: str
    loss: str
    learning_rate: float
    batch_size: int
    max_epochs: int
    patience: int
    score: str
    seed: int
    verbose: bool


@dataclass(frozen=True)
class Trained:
    """Results of training, besides the weights of the module."""

    losses: list[float]
    validation_losses: list[float]
    validation_scores: list[float]
    best_epoch: int
    problem: str | None  # reason for stopping early


class NotFiniteError(ArithmeticError):
    """The loss is NaN or infinite."""


class _StoppedError(Exception):
    """Training stops because the validation score no longer improves."""


def train(
    module: nn.Module, training: Samples, validation: Samples | None, settings: Settings
) -> Trained:
    """Train a module in place; keep the best weights if there are validation samples."""
    start = copy.deepcopy(module.state_dict())
    monitor = "train_loss" if validation is None else "valid_loss"
    if validation is not None and settings.score != "loss":
        monitor = "valid_score"
    best = _Best(
        monitor=monitor,
        lower_is_better=monitor != "valid_score",
        patience=settings.patience if validation is not None else settings.max_epochs + 1,
        threshold=0.0,
        load_best=True,
    )
    bar = _Bar(settings)
    net = _Network(
        module,
        criterion=nn.Identity,  # the loss with weights is computed in get_loss
        settings=settings,
        optimizer=torch.optim.SGD if settings.optimiser == "sgd" else torch.optim.Adam,
        optimizer__fused=True,  # one pass over the weights per step; the networks are small
        **({"optimizer__momentum": 0.9} if settings.optimiser == "sgd" else {}),
        lr=settings.learning_rate,
        max_epochs=settings.max_epochs,
        batch_size=settings.batch_size,
        iterator_train=_whole_batches,
        iterator_train__generator=torch.Generator().manual_seed(settings.seed),
        train_split=None,
        callbacks=[
            *([("validation", _Validation(validation, settings))] if validation else []),
            ("best", best),
            ("bar", bar),
        ],
        callbacks__print_log=None,
        verbose=0,
    ).initialize()
    problem = None
    net.notify("on_train_begin", X=training.X, y=training.y)
    try:
        net.fit_loop(TensorDataset(training.X, training.y))
    except _StoppedError:
        pass
    except NotFiniteError as error:
        problem = str(error)
    finally:
        bar.close()
    epochs = [row for row in net.history if "train_loss" in row]
    if best.best_model_weights_ is None:
        net.module_.load_state_dict(start)
    elif validation is not None or problem is not None:
        net.module_.load_state_dict(best.best_model_weights_)
    return Trained(
        losses=[row["train_loss"] for row in epochs],
        validation_losses=[row["valid_loss"] for row in epochs if "valid_loss" in row],
        validation_scores=[row["valid_score"] for row in epochs if "valid_score" in row],
        best_epoch=best.best_epoch_ if validation is not None else len(epochs),
        problem=problem,
    )


def outputs(module: nn.Module, X: Tensor, n_rows: int = 4096) -> Tensor:
    """Outputs of a network, computed in blocks of rows."""
    module.eval()
    with torch.inference_mode():
        return torch.cat([module(rows) for rows in X.split(n_rows)])


class _Network(NeuralNet):
    """Network with sample weights, constraints after every step, and a check of the loss."""

    def __init__(self, module, *args, settings: Settings, **others) -> None:
        self.settings = settings
        super().__init__(module, *args, **others)

    def initialize_module(self):
        # Keep the module and its weights; skorch would create a new one.
        self.module_ = self.module
        return self

    def initialize_optimizer(self, *args, **others):
        super().initialize_optimizer(*args, **others)
        correlational = self.settings.optimiser == "correlational"
        constrained: list[Callable[[], None]] = []
        for layer in self.module_.modules():
            if isinstance(layer, DEP):
                constrained.append(layer.project)
            elif isinstance(layer, MaxPlus):
                layer.train_by_correlation(correlational)
                if correlational:
                    layer.normalise()
                    constrained.append(layer.normalise)

        def keep_constraints(*_: Any) -> None:
            for constrain in constrained:
                constrain()

        self.optimizer_.register_step_post_hook(keep_constraints)
        return self

    def get_loss(self, y_pred, y_true, *args, **others):
        return _weighted_loss(self.settings.loss, y_pred, y_true)

    def train_step_single(self, batch, **others):
        step = super().train_step_single(batch, **others)
        if not torch.isfinite(step["loss"]):
            raise NotFiniteError(
                f"the loss became {step['loss'].item()} in epoch {len(self.history)}, first "
                f"{_first_not_finite(self.module_, batch[0])}"
            )
        return step


def _weighted_loss(loss: str, values: Tensor, y: Tensor) -> Tensor:
    return (LOSSES[loss](values, y[:, 0].long()) * y[:, 1]).mean()


def _whole_batches(dataset, batch_size: int, generator: torch.Generator) -> DataLoader:
    """Load whole batches from the tensors, instead of single samples."""
    samples = RandomSampler(dataset, generator=generator)
    batches = BatchSampler(samples, batch_size, drop_last=False)
    return DataLoader(dataset, sampler=batches, batch_size=None, generator=generator)


class _Validation(Callback):
    """Record the loss and score of the validation samples after every epoch."""

    def __init__(self, samples: Samples, settings: Settings) -> None:
        self.samples, self.settings = samples, settings

    def on_epoch_end(self, net, **kwargs):
        values = outputs(net.module_, self.samples.X)
        y = self.samples.y
        net.history.record("valid_loss", float(_weighted_loss(self.settings.loss, values, y)))
        if self.settings.score != "loss":
            score = SCORES[self.settings.score]
            found = score(y[:, 0], predicted_codes(values), sample_weight=y[:, 1])
            net.history.record("valid_score", float(found))


class _Best(EarlyStopping):
    """Keep the best weights so far; stop by another exception than that of Ctrl-C."""

    def on_epoch_end(self, net, **kwargs):
        try:
            super().on_epoch_end(net, **kwargs)
        except KeyboardInterrupt:
            raise _StoppedError from None


class _Bar(Callback):
    """Progress bar of epochs on standard error, if it is a terminal and ``verbose`` is set."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def on_train_begin(self, net, **kwargs):
        hidden = None if self.settings.verbose else True
        self.bar_ = tqdm(
            total=self.settings.max_epochs, unit="epoch", disable=hidden, leave=False, mininterval=1
        )

    def on_epoch_end(self, net, **kwargs):
        self.bar_.set_postfix(loss=f"{net.history[-1, 'train_loss']:.3g}")
        self.bar_.update()

    def close(self) -> None:
        """Remove the bar."""
        self.bar_.close()


def _first_not_finite(module: nn.Module, X: Tensor) -> str:
    """Name the first layer with outputs that are not finite."""
    found: list[str] = []
    hooks = [
        layer.register_forward_hook(
            lambda layer, _, output, name=name: (
                None
                if found or torch.isfinite(output).all()
                else found.append(f"in layer {name!r} ({type(layer).__name__})")
            )
        )
        for name, layer in module.named_modules()
        if not list(layer.children())
    ]
    with torch.no_grad():
        module(X)
    for hook in hooks:
        hook.remove()
    return found[0] if found else "in the loss itself"
