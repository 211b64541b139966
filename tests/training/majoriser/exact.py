"""The convex step of one operator in exact arithmetic: every set of coordinates is tried."""

from fractions import Fraction
from itertools import combinations


class ExactStep:
    """G of a convex step whose numbers are taken as the rationals that they are."""

    def __init__(self, step):
        self.values = [[Fraction(v) for v in column] for column in step.values.T.tolist()]
        self.penalties = [Fraction(a) for a in step.penalties.tolist()]
        self.owners = step.owners.tolist()
        self.hinges = [Fraction(h) for h in step.hinges.tolist()]
        self.hinge_penalties = [Fraction(b) for b in step.hinge_penalties.tolist()]
        self.C = Fraction(step.C)
        self.n = len(step.tops)
        self.sets = [
            frozenset(chosen)
            for size in range(1, self.n + 1)
            for chosen in combinations(range(self.n), size)
        ]

    def __call__(self, u):
        maxima = (max(v + x for v, x in zip(column, u, strict=True)) for column in self.values)
        loss = sum(a * max(m, 0) for a, m in zip(self.penalties, maxima, strict=True))
        hinges = zip(self.hinges, self.hinge_penalties, self.owners, strict=True)
        loss += sum(b * max(-(h + u[j]), 0) for h, b, j in hinges)
        return loss + self.C * sum(map(abs, u))

    def slope(self, u, moved, sign):
        """The derivative of G along +1 or −1 times the indicator of a set."""
        total = Fraction(0)
        for column, a in zip(self.values, self.penalties, strict=True):
            values = [v + x for v, x in zip(column, u, strict=True)]
            top = max(values)
            holders = [j for j, value in enumerate(values) if value == top]
            if sign > 0 and top >= 0 and any(j in moved for j in holders):
                total += a
            if sign < 0 and top > 0 and all(j in moved for j in holders):
                total -= a
        for h, b, j in zip(self.hinges, self.hinge_penalties, self.owners, strict=True):
            if j in moved and sign > 0 and h + u[j] < 0:
                total -= b
            if j in moved and sign < 0 and h + u[j] <= 0:
                total += b
        return total + sum(self.C if sign * u[j] >= 0 else -self.C for j in moved)

    def kinks(self, u, moved, sign):
        """Distances ahead at which the slope may change."""
        found = set()
        for column in self.values:
            values = [v + x for v, x in zip(column, u, strict=True)]
            rest = [value for j, value in enumerate(values) if j not in moved]
            found.add(sign * (max([0, *rest]) - max(values[j] for j in moved)))
        found |= {-sign * (h + u[j]) for h, j in zip(self.hinges, self.owners, strict=True)}
        found |= {-sign * u[j] for j in moved}
        return sorted(distance for distance in found if distance > 0)

    def minimiser(self, u, max_steps=400):
        """From ``u`` by steepest descent over sets, each step to the exact minimum."""
        for _ in range(max_steps):
            slope, chosen, sign = min(
                (self.slope(u, moved, sign), sorted(moved), sign)
                for moved in self.sets
                for sign in (1, -1)
            )
            if slope >= 0:
                return u
            distances, low = self.kinks(u, chosen, sign), 0
            high = len(distances) - 1
            while low < high:
                middle = (low + high) // 2
                there = self._moved(u, chosen, sign * distances[middle])
                if self.slope(there, chosen, sign) >= 0:
                    high = middle
                else:
                    low = middle + 1
            u = self._moved(u, chosen, sign * distances[low])
        raise AssertionError(f"no minimiser after {max_steps} exact steps")

    @staticmethod
    def _moved(u, chosen, distance):
        return [x + distance if j in chosen else x for j, x in enumerate(u)]
