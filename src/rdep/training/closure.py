"""Which tasks to take when tasks share tools: the selection problem behind a set direction.

A task pays its profit if *all* of its tools are bought; a tool is paid once, however many tasks
use it. The best selection is a minimum cut (Picard 1976). Most instances here fall to two simple
rules and never reach the cut.

SciPy's maximum flow is fast but takes 32-bit integers only, so the flow is found in rounds: solve
with capacities rounded down, then solve again for what rounding left over, magnified. Two rounds
reach the precision of a double.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, maximum_flow

from .._typing import Array, Mask

_LARGEST = 2**30  # capacities and flows stay within 32 bits
_ROUNDS = 2


def best_selection(profits: Array, costs: Array, needs: Mask) -> Mask:
    """The tasks whose profits exceed their tools' costs by the most.

    Up to the resolution of 32 bits: among selections that pay, one may be returned that pays less
    than another by a billionth of the sum of all. Whether any pays is decided to full precision.

    Parameters
    ----------
    profits : array of shape (n_tasks,)
        Positive.
    costs : array of shape (n_tools,)
        Positive.
    needs : boolean array of shape (n_tasks, n_tools)

    Returns
    -------
    boolean array of shape (n_tasks,), all false where nothing pays.
    """
    used = needs.any(axis=0)
    costs, needs = costs[used], needs[:, used]
    if not needs.shape[1]:
        return np.ones(len(profits), dtype=bool)
    chosen = np.zeros(len(profits), dtype=bool)
    tasks = np.arange(len(profits))
    while len(tasks):
        # A task that pays for all of its tools alone is taken; then they are free for the others.
        taken = np.greater(profits, needs @ costs)
        # A tool dearer than the profits of all tasks that use it is not bought: they are dropped.
        unpaid = np.greater_equal(costs, profits @ needs)
        if taken.any():
            chosen[tasks[taken]] = True
            left, kept = np.logical_not(taken), np.logical_not(needs[taken].any(axis=0))
        elif unpaid.any():
            left, kept = np.logical_not(needs[:, unpaid].any(axis=1)), ~unpaid
        else:
            chosen[tasks[_minimum_cut(profits, costs, needs)]] = True
            break
        tasks, profits, costs, needs = tasks[left], profits[left], costs[kept], needs[left][:, kept]
    return chosen


def _minimum_cut(profits: Array, costs: Array, needs: Mask) -> Mask:
    n_tasks, n_tools = needs.shape
    source, sink = n_tasks + n_tools, n_tasks + n_tools + 1
    task, tool = np.nonzero(needs)
    tails = np.concatenate([np.full(n_tasks, source), task, n_tasks + np.arange(n_tools)])
    heads = np.concatenate([np.arange(n_tasks), n_tasks + tool, np.full(n_tools, sink)])
    both_ways = np.concatenate([tails, heads]), np.concatenate([heads, tails])
    unlimited = profits.sum() + costs.sum()
    capacities = np.concatenate([profits, np.full(len(task), unlimited), costs])
    flow = np.zeros(len(capacities))
    scale = _LARGEST / unlimited
    for _ in range(_ROUNDS):
        room = np.concatenate([capacities - flow, flow]) * scale
        residual = csr_array(
            (np.clip(room, 0, _LARGEST).astype(np.int32), both_ways), shape=(sink + 1, sink + 1)
        )
        found = maximum_flow(residual, source, sink).flow
        open_edges = residual > found
        reached = np.zeros(sink + 1, dtype=bool)
        reached[breadth_first_order(open_edges, source, return_predecessors=False)] = True
        chosen = reached[:n_tasks]
        if profits[chosen].sum() - costs[needs[chosen].any(axis=0)].sum() > 1e-9 * unlimited:
            break  # certainly pays; another round would only refine "nothing does"
        flow += found[tails, heads] / scale
        # Rounding left at most one unit on each bounded edge: magnify just that.
        scale *= _LARGEST / (4 * (n_tasks + n_tools))
    return chosen
