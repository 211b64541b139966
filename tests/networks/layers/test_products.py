"""Max-plus and min-plus products against NumPy, brute force and finite differences."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from rdep import dilation, erosion
from rdep.networks.layers import MaxPlus, MinPlus, _products, max_plus, min_plus

SHAPES = [(1, 1, 1), (7, 3, 5), (64, 50, 20), (3, 400, 200)]


def draws(*shape, seed=0, dtype=torch.float64):
    return torch.from_numpy(np.random.default_rng(seed).normal(size=shape)).to(dtype)


@pytest.mark.parametrize(("n", "d", "l"), SHAPES)
@pytest.mark.parametrize(("dtype", "error"), [(torch.float32, 1e-6), (torch.float64, 1e-12)])
def test_rows_are_dilations_and_erosions_of_the_lattice(n, d, l, dtype, error):
    x, w = draws(n, d, dtype=dtype), draws(l, d, seed=1, dtype=dtype)
    X, W = x.numpy().astype(float), w.numpy().astype(float)
    for product, operator in ((max_plus, dilation), (min_plus, erosion)):
        expected = np.column_stack([operator(X, row) for row in W])
        np.testing.assert_allclose(product(x, w).numpy(), expected, rtol=0, atol=error)


@pytest.mark.parametrize("temperature", [0.0, 0.7])
@pytest.mark.parametrize("product", [max_plus, min_plus])
def test_gradients_are_those_of_finite_differences_away_from_ties(product, temperature):
    x, w = draws(4, 5).requires_grad_(), draws(3, 5, seed=1).requires_grad_()
    assert torch.autograd.gradcheck(lambda x, w: product(x, w, temperature=temperature), (x, w))


@pytest.mark.parametrize("bound", [1, 7, 60, 10**9])
@pytest.mark.parametrize("temperature", [0.0, 0.7])
def test_blocks_of_any_size_give_the_same(monkeypatch, bound, temperature):
    x, w, g = draws(6, 5), draws(4, 5, seed=1), draws(6, 4, seed=2)

    def values_and_gradients():
        leaves = x.clone().requires_grad_(), w.clone().requires_grad_()
        y = max_plus(*leaves, temperature=temperature)
        return y, *torch.autograd.grad(y, leaves, g)

    expected = values_and_gradients()
    monkeypatch.setattr(_products, "MAX_ELEMENTS", bound)
    for found, known in zip(values_and_gradients(), expected, strict=True):
        torch.testing.assert_close(found, known, rtol=0, atol=1e-12)


@pytest.mark.parametrize("temperature", [0.0, 0.7])
def test_no_tensor_is_greater_than_the_bound(temperature):
    """At most the bound of 400 × 300 × 200 = 24 million sums is held at once."""
    from torch.utils._python_dispatch import TorchDispatchMode

    class Largest(TorchDispatchMode):
        elements = 0

        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            result = function(*args, **(kwargs or {}))
            for value in result if isinstance(result, tuple | list) else [result]:
                if isinstance(value, torch.Tensor):
                    self.elements = max(self.elements, value.numel())
            return result

    x, w = draws(400, 300).requires_grad_(), draws(200, 300, seed=1).requires_grad_()
    with Largest() as seen:
        max_plus(x, w, temperature=temperature).sum().backward()
    assert seen.elements <= max(_products.MAX_ELEMENTS, 400 * 300)


@given(st.lists(st.integers(-2, 2), min_size=3, max_size=3), st.integers(0, 2))
def test_at_ties_the_gradient_is_a_clarke_subgradient(values, shift):
    """In the convex hull of the gradients of the maximal terms, which are unit vectors."""
    x = torch.tensor([values], dtype=torch.float64, requires_grad=True)
    w = torch.tensor([[0.0, shift, 0.0]], dtype=torch.float64, requires_grad=True)
    for product, extreme in ((max_plus, np.max), (min_plus, np.min)):
        sums = x.detach().numpy()[0] + w.detach().numpy()[0]
        active = sums == extreme(sums)
        for gradient in torch.autograd.grad(product(x, w), (x, w)):
            (row,) = gradient.numpy()
            assert (row >= 0).all()
            assert row.sum() == 1
            assert not row[~active].any()


def test_the_soft_maximum_is_near_the_maximum():
    x, w, T = draws(9, 4), draws(3, 4, seed=1), 0.01
    hard, soft = max_plus(x, w), max_plus(x, w, temperature=T)
    assert (soft >= hard - 1e-12).all()  # equal but for rounding where one term is far ahead
    assert (soft <= hard + T * np.log(4) + 1e-12).all()
    assert (min_plus(x, w, temperature=T) <= min_plus(x, w) + 1e-12).all()
    # No overflow, however small the temperature.
    assert torch.isfinite(max_plus(100 * x, w, temperature=1e-3)).all()


@pytest.mark.parametrize("temperature", [0.0, 0.7])
def test_correlations_of_the_batch_stand_for_the_gradient_of_the_weights(temperature):
    x, w, g = draws(6, 5), draws(4, 5, seed=1).requires_grad_(), draws(6, 4, seed=2)
    y = max_plus(x, w, temperature=temperature, rule="correlation")
    (found,) = torch.autograd.grad(y, w, g)
    expected = np.zeros((4, 5))
    mean, y = g.numpy().mean(0), y.detach().numpy()
    for b in range(6):
        for o in range(4):
            for i in range(5):
                expected[o, i] += (g[b, o] - mean[o]) * (x[b, i] - y[b, o])
    np.testing.assert_allclose(found.numpy(), expected, atol=1e-12)


def test_weights_of_minus_infinity_never_count():
    x, w = draws(5, 3).requires_grad_(), draws(2, 3, seed=1)
    without = max_plus(x[:, :2], w[:, :2])
    w[:, 2] = -torch.inf
    y = max_plus(x, w)
    assert torch.equal(y, without)
    (gradient,) = torch.autograd.grad(y.sum(), x)
    assert not gradient[:, 2].any()


@pytest.mark.parametrize("kind", [MaxPlus, MinPlus])
@pytest.mark.parametrize("temperature", [0.0, 0.5])
def test_normalised_rows_have_the_extreme_zero(kind, temperature):
    layer = kind(4, 3, bias=True, temperature=temperature).double()
    layer.normalise()
    rows = torch.cat([layer.weight, layer.bias[:, None]], 1)
    assert (
        kind._product(torch.zeros(1, 5).double(), rows, temperature=temperature).abs().max() < 1e-12
    )
