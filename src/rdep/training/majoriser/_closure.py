"""Project selection (maximum-weight closure): the problem of finding a set direction.

A task pays its profit if *all* of its tools are bought. A tool is paid only once, whatever the
number of tasks that use it. The best selection is a minimum cut (J.-C. Picard, "Maximal closure of
a graph and applications to combinatorial problems", Management Science 22(11), 1976). Two simple
rules solve most instances here. Nearly all others are so small that every selection is tried, and
few need the cut.

SciPy's maximum flow is fast but accepts 32-bit integers only, so the flow is found in rounds: solve
with capacities rounded down, then solve again for the magnified remainders. Two rounds reach the
precision of a double.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, maximum_flow

from ..._utils._typing import Array, Indices, Mask

_LARGEST = 2**30  # capacities and flows stay within 32 bits
_ROUNDS = 2

_FEW = 6  # number of tasks or tools up to which all sets are tried
_ROUNDING = 1e-15  # relative rounding error of a sum


def best_selection(profits: Array, costs: Array, needs: Mask, rounding: float = 0.0) -> Mask:
    """Select the tasks whose profits exceed the costs of their tools most; the smallest set.

    The resolution is 32 bits: the gain of the selection may be below the best one by a billionth of
    the sum of all numbers. Whether any selection has a gain is decided to full precision.

    Parameters
    ----------
    profits : array of shape (n_tasks,)
        Profit of each task, positive.
    costs : array of shape (n_tools,)
        Cost of each tool, positive.
    needs : boolean array of shape (n_tasks, n_tools)
        Which tools each task needs.
    rounding : float, default=0.0
        Sums that differ by no more than this are equal.

    Returns
    -------
    boolean array of shape (n_tasks,)
        The tasks selected; none if no selection has a positive gain.
    """
    used = needs.any(axis=0)
    costs, needs = costs[used], needs[:, used]
    if not needs.shape[1]:
        return np.ones(len(profits), dtype=bool)
    chosen = np.zeros(len(profits), dtype=bool)
    tasks = np.arange(len(profits))
    while len(tasks):
        # A task that pays for all of its tools alone is selected; its tools are then free.
        taken = np.greater(profits, needs @ costs + rounding)
        # A tool that costs more than all tasks that use it pay is not bought: they are dropped.
        unpaid = np.greater_equal(costs + rounding, profits @ needs)
        if taken.any():
            chosen[tasks[taken]] = True
            left, kept = np.logical_not(taken), np.logical_not(needs[taken].any(axis=0))
        elif unpaid.any():
            left, kept = np.logical_not(needs[:, unpaid].any(axis=1)), ~unpaid
        else:
            if min(needs.shape) <= _FEW:
                chosen[tasks[_best_of_all(profits, costs, needs, rounding)]] = True
            else:
                chosen[tasks[_minimum_cut(profits, costs, needs)]] = True
            break
        tasks, profits, costs, needs = tasks[left], profits[left], costs[kept], needs[left][:, kept]
    return chosen


def _best_of_all(profits: Array, costs: Array, needs: Mask, rounding: float = 0.0) -> Mask:
    n_tasks, n_tools = needs.shape
    bits = np.arange(min(n_tasks, n_tools))
    sets = (np.arange(2 ** len(bits))[:, None] >> bits & 1).astype(bool)
    if n_tasks <= n_tools:
        tasks, tools = sets, sets @ needs
    else:
        tasks, tools = ~(~sets @ needs.T), sets
    gains = tasks @ profits - tools @ costs
    # A set comes after its subsets: the first of several equal ones is a subset of the others.
    rounding = max(rounding, _ROUNDING * (profits.sum() + costs.sum()))
    return tasks[np.argmax(gains >= gains.max() - rounding)]


def _minimum_cut(profits: Array, costs: Array, needs: Mask) -> Mask:
    n_tasks, n_tools = needs.shape
    source, sink = n_tasks + n_tools, n_tasks + n_tools + 1
    task, tool = np.nonzero(needs)
    tails = np.concatenate([np.full(n_tasks, source), task, n_tasks + np.arange(n_tools)])
    heads = np.concatenate([np.arange(n_tasks), n_tasks + tool, np.full(n_tools, sink)])
    network = _Network(tails, heads, sink + 1)
    unlimited = profits.sum() + costs.sum()
    capacities = np.concatenate([profits, np.full(len(task), unlimited), costs])
    flow = np.zeros(len(capacities))
    scale = _LARGEST / unlimited
    for _ in range(_ROUNDS):
        room = np.concatenate([capacities - flow, flow]) * scale
        residual = np.clip(room, 0, _LARGEST).astype(np.int32)
        found = network.maximum_flow(residual, source, sink)
        chosen = network.reachable(residual > found, source)[:n_tasks]
        if profits[chosen].sum() - costs[needs[chosen].any(axis=0)].sum() > 1e-9 * unlimited:
            break  # certainly a gain; another round would only refine "no gain"
        flow += found[: len(flow)] / scale
        # Rounding left at most one unit on each bounded edge: magnify only this remainder.
        scale *= _LARGEST / (4 * (n_tasks + n_tools))
    return chosen


class _Network:
    """Edges followed by their reverses, converted to SciPy's format once for all rounds."""

    def __init__(self, tails: Indices, heads: Indices, n_nodes: int) -> None:
        tails, heads = np.concatenate([tails, heads]), np.concatenate([heads, tails])
        self._order = np.lexsort((heads, tails))
        self._place = np.empty(len(tails), dtype=np.intp)
        self._place[self._order] = np.arange(len(tails))
        self._heads = heads[self._order].astype(np.int32)
        self._starts = np.zeros(n_nodes + 1, dtype=np.int32)
        np.cumsum(np.bincount(tails, minlength=n_nodes), out=self._starts[1:])
        self._shape = (n_nodes, n_nodes)

    def maximum_flow(self, capacities: NDArray[np.int32], source: int, sink: int) -> NDArray:
        """Maximum flow along every edge."""
        graph = csr_array((capacities[self._order], self._heads, self._starts), shape=self._shape)
        flow = maximum_flow(graph, source, sink).flow
        # All reverses are present, so SciPy adds no edge, and its result has the same indices.
        return flow.data[self._place]

    def reachable(self, is_open: Mask, source: int) -> Mask:
        """Mask of the nodes that can be reached through open edges."""
        is_open = is_open[self._order]
        starts = np.concatenate([[0], np.cumsum(is_open)])[self._starts]
        heads = self._heads[is_open]
        graph = csr_array((np.ones(len(heads)), heads, starts), shape=self._shape)
        nodes = np.zeros(self._shape[0], dtype=bool)
        nodes[breadth_first_order(graph, source, return_predecessors=False)] = True
        return nodes
