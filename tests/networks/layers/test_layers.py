"""Every layer: values by brute force, gradients, theorems on stacks, compilation, bad input."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import ndimage
from torch import nn

from rdep.networks.layers import (
    DEP,
    Box,
    Diagonal,
    Dilation2d,
    Erosion2d,
    MaxMinPlus,
    MaxPlus,
    MinPlus,
    RankLinear,
)

LAYERS = {
    "max-plus": lambda: MaxPlus(5, 3, bias=True, shift=True),
    "soft max-plus": lambda: MaxPlus(5, 3, temperature=0.5),
    "min-plus": lambda: MinPlus(5, 3, bias=True, shift=True),
    "max-min-plus": lambda: MaxMinPlus(5, 3),
    "box": lambda: Box(5, 3, n_boxes=2),
    "soft box": lambda: Box(5, 3, temperature=0.5),
    "DEP": lambda: DEP(5, 3),
    "DEP, β fixed": lambda: DEP(5, 3, beta=0.3),
    "diagonal": lambda: Diagonal(5),
}
IMAGES = {
    "dilation": lambda: Dilation2d(2, (2, 3)),
    "erosion": lambda: Erosion2d(2, (3, 2), stride=2),
    "soft dilation": lambda: Dilation2d(2, 2, stride=2, temperature=0.5),
}


def made(make, seed=0):
    torch.manual_seed(seed)
    layer = make().double()
    for parameter in layer.parameters():  # away from ties, those of equal weights too
        parameter.data += 0.1 * torch.randn_like(parameter)
    return layer


def batch(layer, n=4, seed=1):
    shape = (n, 2, 5, 6) if isinstance(layer, Dilation2d) else (n, 5)
    return torch.from_numpy(np.random.default_rng(seed).normal(size=shape))


def values(layer, x):
    """The layer's formula, number by number."""
    weights = {name: value.detach().numpy() for name, value in layer.state_dict().items()}
    y = np.empty((len(x), layer.out_features))
    for b, sample in enumerate(x.numpy()):
        for o in range(layer.out_features):
            if isinstance(layer, MaxPlus):
                extreme = min if isinstance(layer, MinPlus) else max
                y[b, o] = extreme([*(sample + weights["weight"][o]), weights["bias"][o]])
                y[b, o] += weights["shift"][o]
            elif isinstance(layer, MaxMinPlus):
                sums = list(sample + weights["weight"][o])
                y[b, o] = max([*sums, weights["max_bias"][o]]) + min(
                    [*sums, weights["min_bias"][o]]
                )
            elif isinstance(layer, DEP):
                y[b, o] = weights["beta"][o] * max(sample + weights["dilation_weights"][o])
                y[b, o] += (1 - weights["beta"][o]) * min(sample + weights["erosion_weights"][o])
            elif isinstance(layer, Box):
                own = range(o * layer.n_boxes, (o + 1) * layer.n_boxes)
                y[b, o] = max(
                    min([*(sample - weights["lower"][k]), *(weights["upper"][k] - sample)])
                    for k in own
                )
    return y


@pytest.mark.parametrize(
    "name", ["max-plus", "min-plus", "max-min-plus", "box", "DEP", "DEP, β fixed"]
)
def test_values_are_those_of_the_formula(name):
    layer = made(LAYERS[name])
    x = batch(layer)
    np.testing.assert_allclose(layer(x).detach().numpy(), values(layer, x), atol=1e-12)


@pytest.mark.parametrize("name", [*LAYERS, *IMAGES])
def test_gradients_of_all_parameters_are_those_of_finite_differences(name):
    layer = made({**LAYERS, **IMAGES}[name])
    x = batch(layer).requires_grad_()
    names = [key for key, _ in layer.named_parameters()]

    def of(x, *parameters):
        return torch.func.functional_call(layer, dict(zip(names, parameters, strict=True)), x)

    assert torch.autograd.gradcheck(of, (x, *layer.parameters()))


class Together(nn.Module):
    """Layers on the same input: compiled at once, which is faster."""

    def __init__(self, layers):
        super().__init__()
        self.layers = nn.ModuleList(layers)

    def forward(self, x):
        return torch.cat([layer(x).flatten() for layer in self.layers])


WIDE = 200  # inputs, so that maxima are looked for group by group, and some are left


# The compiler of PyTorch 2.13 warns of itself.
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("kind", ["vectors", "wide", "images"])
def test_compiled_layers_give_the_same_values_and_gradients(kind):
    if kind == "images":
        layer = made(lambda: Together(make() for make in IMAGES.values()))
        shape = (4, 2, 5, 6)
    elif kind == "wide":
        layer, shape = made(lambda: Together([MaxPlus(WIDE, 3), MinPlus(WIDE, 2)])), (4, WIDE)
    else:
        layer = made(lambda: Together([*(make() for make in LAYERS.values()), RankLinear(5, 3)]))
        shape = (4, 5)
    inputs = torch.from_numpy(np.random.default_rng(1).normal(size=shape))
    compiled = torch.compile(layer, fullgraph=True)
    results = []
    for run in (layer, compiled):
        layer.zero_grad()
        x = inputs.clone().requires_grad_()
        y = run(x)
        (y * y.detach()).sum().backward()
        results.append([y.detach(), x.grad, *(p.grad.clone() for p in layer.parameters())])
    for plain, fused in zip(*results, strict=True):
        torch.testing.assert_close(fused, plain, rtol=0, atol=1e-10)


numbers = st.floats(-4, 4, width=32)


@given(arrays(float, (2, 5), elements=numbers), numbers, st.integers(0, 9))
def test_pure_stacks_are_increasing_equivariant_and_non_expansive(X, c, seed):
    torch.manual_seed(seed)
    stack = nn.Sequential(MaxPlus(5, 4), MinPlus(4, 4), DEP(4, 3), MinPlus(3, 2)).double()
    with torch.no_grad():
        low, high = (
            torch.from_numpy(X.min(0, keepdims=True)),
            torch.from_numpy(X.max(0, keepdims=True)),
        )
        assert (stack(low) <= stack(high)).all()
        x = torch.from_numpy(X)
        torch.testing.assert_close(stack(x + c), stack(x) + c, rtol=0, atol=1e-9)
        y = stack(x)
        assert (y[0] - y[1]).abs().max() <= (x[0] - x[1]).abs().max() + 1e-9


@given(arrays(float, (3, 5), elements=numbers), st.integers(0, 9))
def test_the_erosion_is_the_dual_of_the_dilation(X, seed):
    torch.manual_seed(seed)
    dilate, erode = MaxPlus(5, 4).double(), MinPlus(5, 4).double()
    erode.weight.data = -dilate.weight.data
    x = torch.from_numpy(X)
    assert torch.equal(erode(x), -dilate(-x))


def test_the_gradient_of_a_dilation_has_one_entry_for_each_sample_and_output():
    layer = made(lambda: MaxPlus(9, 2))
    layer(torch.randn(1, 9).double()).sum().backward()
    assert (layer.weight.grad != 0).sum(1).tolist() == [1, 1]


class TestRankLinear:
    def test_first_and_last_rank_are_the_dilation_and_the_erosion(self):
        layer = made(lambda: RankLinear(5, 3))
        layer.mixing.data.fill_(1)
        x, w = batch(layer), layer.rank_weights
        layer.rank.data.fill_(30)
        torch.testing.assert_close(layer(x), (x[:, None] + w).max(-1).values)
        layer.rank.data.fill_(-30)
        torch.testing.assert_close(layer(x), (x[:, None] + w).min(-1).values)

    def test_without_the_rank_it_is_a_linear_layer(self):
        layer = made(lambda: RankLinear(5, 3))
        layer.mixing.data.fill_(0)
        x = batch(layer)
        torch.testing.assert_close(layer(x), layer.linear(x))

    @pytest.mark.parametrize("pulse", ["gaussian", "sech"])
    def test_narrow_pulses_give_the_mean_of_the_active_unit_vectors(self, pulse):
        layer = RankLinear(5, 1, pulse=pulse, width=1e-3).double()
        layer.rank_weights.data.zero_()
        layer.mixing.data.fill_(1)
        layer(torch.tensor([[3.0, 1.0, 2.0, 2.0, 0.0]], dtype=torch.float64)).sum().backward()
        torch.testing.assert_close(
            layer.rank_weights.grad, torch.tensor([[0, 0, 0.5, 0.5, 0]], dtype=torch.float64)
        )

    def test_a_greater_rank_parameter_raises_the_output(self):
        layer = made(lambda: RankLinear(5, 3))
        layer.mixing.data.fill_(1)
        x = batch(layer)
        layer(x).sum().backward()
        assert (layer.rank.grad > 0).all()
        before = layer(x)
        layer.rank.data += 2
        assert (layer(x) >= before).all()

    def test_linear_and_mixing_gradients_are_exact(self):
        layer = made(lambda: RankLinear(4, 2))
        x = batch(made(lambda: Diagonal(5)))[:, :4]

        def of(mixing, weight, bias):
            given = {"mixing": mixing, "linear.weight": weight, "linear.bias": bias}
            return torch.func.functional_call(layer, given, x)

        assert torch.autograd.gradcheck(of, (layer.mixing, layer.linear.weight, layer.linear.bias))

    def test_bad_parameters(self):
        with pytest.raises(ValueError, match="sech; got 'box'"):
            RankLinear(2, 1, pulse="box")
        with pytest.raises(ValueError, match="width must be positive"):
            RankLinear(2, 1, width=0)


class TestImages:
    @pytest.mark.parametrize("size", [(1, 1), (3, 3), (2, 2), (2, 3), (4, 1), (5, 2)])
    @pytest.mark.parametrize("kind", ["dilation", "erosion"])
    def test_values_are_those_of_scipy(self, kind, size):
        rng = np.random.default_rng(0)
        x, w = rng.normal(size=(2, 2, 7, 6)), rng.normal(size=(2, *size))
        layer = (Dilation2d if kind == "dilation" else Erosion2d)(2, size).double()
        layer.weight.data = torch.from_numpy(w)
        found = layer(torch.from_numpy(x)).detach().numpy()
        filtered = ndimage.grey_dilation if kind == "dilation" else ndimage.grey_erosion
        outside = -np.inf if kind == "dilation" else np.inf
        for image, result in zip(x, found, strict=True):
            for c in range(2):
                expected = filtered(image[c], structure=w[c], mode="constant", cval=outside)
                np.testing.assert_allclose(result[c], expected, atol=1e-12)

    @pytest.mark.parametrize("stride", [1, 2, (3, 1)])
    def test_strides_take_every_so_many_pixels(self, stride):
        x = batch(made(IMAGES["dilation"]))
        torch.manual_seed(0)
        dense, strided = Dilation2d(2, 3).double(), Dilation2d(2, 3, stride=stride).double()
        dense.weight.data = strided.weight.data = torch.randn(2, 3, 3).double()
        rows, columns = (stride, stride) if isinstance(stride, int) else stride
        assert torch.equal(strided(x), dense(x)[:, :, ::rows, ::columns])

    def test_flat_ones_are_max_pooling(self):
        x = batch(made(IMAGES["dilation"]))[:, :, :4, :4]
        pooled = nn.functional.max_pool2d(x, 3, stride=1, padding=1)
        assert torch.equal(Dilation2d(2, 3).double()(x), pooled)

    @given(
        arrays(float, (1, 1, 5, 5), elements=numbers), arrays(float, (1, 2, 3), elements=numbers)
    )
    def test_dilation_and_erosion_are_adjoint(self, image, w):
        dilate, erode = Dilation2d(1, (2, 3)).double(), Erosion2d(1, (2, 3)).double()
        dilate.weight.data = erode.weight.data = torch.from_numpy(w)
        x = torch.from_numpy(image)
        assert (erode(dilate(x)) >= x - 1e-9).all()
        assert (dilate(erode(x)) <= x + 1e-9).all()

    def test_images_that_do_not_fit(self):
        with pytest.raises(ValueError, match=r"got \(4, 3\)"):
            Dilation2d(2, 3)(torch.zeros(4, 3))
        with pytest.raises(ValueError, match="stride must be positive"):
            Dilation2d(2, 3, stride=0)


def test_beta_stays_between_0_and_1():
    layer = DEP(2, 2)
    layer.beta.data = torch.tensor([-3.0, 2.0])
    x = torch.randn(4, 2)
    before = layer(x)
    layer.project()
    assert layer.beta.tolist() == [0, 1]
    assert torch.equal(layer(x), before)
    assert "beta" not in dict(DEP(2, 1, beta=1).named_parameters())
    with pytest.raises(ValueError, match="between 0 and 1"):
        DEP(2, 1, beta=1.5)


@pytest.mark.parametrize("name", LAYERS)
def test_a_batch_that_does_not_fit_is_refused(name):
    layer = made(LAYERS[name])
    kind = type(layer).__name__
    with pytest.raises(
        ValueError, match=rf"{kind} expects batches of shape \(n, 5\), got \(2, 4\)"
    ):
        layer(torch.zeros(2, 4).double())


def test_a_temperature_below_zero_is_refused():
    with pytest.raises(ValueError, match="positive number, got -1"):
        MaxPlus(2, 2, temperature=-1)
