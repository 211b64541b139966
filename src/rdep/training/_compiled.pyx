# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""The descent of one operator in compiled form: the same steps as the NumPy form, as plain loops.

``_ccp``, ``_escape`` and ``majoriser`` are the form to read; names here are theirs. Everything runs
without the GIL, except for signals, the history and the rare selections that need a maximum flow.
"""

import numpy as np

from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport INFINITY, fabs, isfinite
from libc.stdint cimport uint64_t
from libc.string cimport memcpy, memset

from .majoriser._closure import best_selection

CONVERGED, TOLERANCE, ITERATION_LIMIT = range(3)

cdef enum:
    BLOCK = 512  # samples at a time, whose maxima stay in the cache; in ranges as a literal
    PLAIN_STEPS = 60
    FEWEST_NEAR = 256
    DIGITS = 6  # of a key of 64 bits, each of 11 bits
    RADIX = 2048
    WORK_BETWEEN_SIGNALS = 1 << 24
cdef enum:
    ABSENT, OPEN, WON, LOST
cdef double NARROWING = 8.0
cdef double WORTHWHILE = 1e-12


cdef inline Py_ssize_t smaller(Py_ssize_t a, Py_ssize_t b) noexcept nogil:
    return a if a < b else b


cdef void raise_to(double *top, const double *row, double shift, Py_ssize_t n) noexcept nogil:
    """top = max(top, row + shift)."""
    cdef Py_ssize_t i
    cdef double value
    for i in range(n):
        value = row[i] + shift
        top[i] = value if value > top[i] else top[i]


cdef void fill(double *values, double value, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        values[i] = value


cdef void count_holders(
    double *count, double *holder, const double *row, double shift, const double *limit,
    double number, Py_ssize_t n,
) noexcept nogil:
    """Where ``row + shift`` reaches the limit, count one more and add its number."""
    cdef Py_ssize_t i
    for i in range(n):
        count[i] += 1.0 if row[i] + shift >= limit[i] else 0.0
    for i in range(n):
        holder[i] += number if row[i] + shift >= limit[i] else 0.0


cdef double held(
    const double *row, double shift, const double *limit, const double *weights, Py_ssize_t n
) noexcept nogil:
    """The weights of the samples for which ``row + shift`` reaches the limit."""
    cdef Py_ssize_t i
    cdef double total = 0.0
    for i in range(n):
        total += weights[i] if row[i] + shift >= limit[i] else 0.0
    return total


cdef double weighted_loss(const double *values, double sign, const double *weights, Py_ssize_t n) noexcept nogil:
    """The sum of weights times max(sign * values, 0), in four parts."""
    cdef double parts[4]
    cdef Py_ssize_t i, k
    cdef double value
    fill(parts, 0.0, 4)
    for i in range(0, n - 3, 4):
        for k in range(4):
            value = sign * values[i + k]
            parts[k] += weights[i + k] * (value if value > 0.0 else 0.0)
    for i in range(n - n % 4, n):
        value = sign * values[i]
        parts[0] += weights[i] * (value if value > 0.0 else 0.0)
    return (parts[0] + parts[1]) + (parts[2] + parts[3])


cdef Py_ssize_t part_below(
    double *keys, double *weights, Py_ssize_t n, double pivot, bint or_equal, double *total
) noexcept nogil:
    """Bring the keys below the pivot to the front: how many, and the sum of their weights."""
    cdef Py_ssize_t i, store = 0
    cdef double key, weight
    cdef bint below
    total[0] = 0.0
    for i in range(n):
        key, weight = keys[i], weights[i]
        below = key <= pivot if or_equal else key < pivot
        keys[i], weights[i] = keys[store], weights[store]
        keys[store], weights[store] = key, weight
        store += below
        total[0] += weight if below else 0.0
    return store


cdef double weighted_rank(double *keys, double *weights, Py_ssize_t n, double need) noexcept nogil:
    """The least key up to which the weights add up to ``need``; the greatest if they never do."""
    cdef double a, b, c, pivot = INFINITY, total, passed = 0.0
    cdef Py_ssize_t store
    while n > 0:
        a, b, c = keys[0], keys[n // 2], keys[n - 1]
        pivot = b if a <= b <= c or c <= b <= a else a if b <= a <= c or c <= a <= b else c
        store = part_below(keys, weights, n, pivot, False, &total)
        if store > 0 and passed + total >= need:
            n = store
            continue
        passed += total
        keys, weights, n = keys + store, weights + store, n - store
        store = part_below(keys, weights, n, pivot, True, &total)
        passed += total
        if passed >= need or store == 0:
            return pivot
        keys, weights, n = keys + store, weights + store, n - store
    return pivot


cdef inline Py_ssize_t add_kink(
    double *kinks, double *rises, Py_ssize_t n_kinks, double kink, double rise, double tie,
    double *slope,
) noexcept nogil:
    """Note a kink that is ahead; the slope of any other has been passed."""
    kinks[n_kinks], rises[n_kinks] = kink, rise
    slope[0] += 0.0 if kink > tie else rise
    return n_kinks + (kink > tie)


cdef uint64_t ordered_bits(double value) noexcept nogil:
    """Bits that order as the numbers do."""
    cdef uint64_t bits
    cdef uint64_t sign = <uint64_t> 1 << 63
    value += 0.0  # −0.0 becomes 0.0
    memcpy(&bits, &value, 8)
    return ~bits if bits & sign else bits | sign


cdef double from_ordered_bits(uint64_t bits) noexcept nogil:
    cdef double value
    cdef uint64_t sign = <uint64_t> 1 << 63
    bits = bits & ~sign if bits & sign else ~bits
    memcpy(&value, &bits, 8)
    return value


cdef uint64_t *sort_pairs(
    uint64_t *pairs, Py_ssize_t offset, uint64_t *scratch, Py_ssize_t n, Py_ssize_t *counts
) noexcept nogil:
    """Stable sort of keys, with values at an offset from them, digit by digit: where they are."""
    cdef Py_ssize_t i, place, count, digit, shift
    cdef uint64_t *source = pairs
    cdef uint64_t *target = scratch
    cdef uint64_t *other
    memset(counts, 0, DIGITS * RADIX * sizeof(Py_ssize_t))
    for i in range(n):
        for digit in range(DIGITS):
            counts[digit * RADIX + ((pairs[i] >> (11 * digit)) & (RADIX - 1))] += 1
    for digit in range(DIGITS):
        shift = 11 * digit
        if counts[digit * RADIX + ((source[0] >> shift) & (RADIX - 1))] == n:
            continue
        place = 0
        for i in range(digit * RADIX, (digit + 1) * RADIX):
            count = counts[i]
            counts[i] = place
            place += count
        for i in range(n):
            place = digit * RADIX + ((source[i] >> shift) & (RADIX - 1))
            target[counts[place]] = source[i]
            target[offset + counts[place]] = source[offset + i]
            counts[place] += 1
        other = source
        source, target = target, other
    return source


cdef inline Py_ssize_t add_pair(
    uint64_t *keys, uint64_t *rises, Py_ssize_t n, double kink, double rise
) noexcept nogil:
    keys[n] = ordered_bits(kink)
    memcpy(rises + n, &rise, 8)
    return n + 1


cdef void runners(
    const double *values, Py_ssize_t n, Py_ssize_t m, const double *u, double *first,
    double *second, Py_ssize_t *winner,
) noexcept nogil:
    """Each sample's maximum, its maximum without the coordinate that attains it, and that one."""
    cdef Py_ssize_t i, j
    cdef double value
    fill(first, -INFINITY, m)
    fill(second, -INFINITY, m)
    for j in range(n):
        for i in range(m):
            value = values[j * m + i] + u[j]
            if value > first[i]:
                second[i], first[i], winner[i] = first[i], value, j
            elif value > second[i]:
                second[i] = value


cdef class _Buffers:
    """Memory that lives as long as this object."""

    cdef list kept

    def __cinit__(self):
        self.kept = []

    cdef double *doubles(self, Py_ssize_t size) except NULL:
        cdef double[::1] view = np.zeros(max(size, 1))
        self.kept.append(view)
        return &view[0]

    cdef Py_ssize_t *indices(self, Py_ssize_t size) except NULL:
        cdef Py_ssize_t[::1] view = np.zeros(max(size, 1), dtype=np.intp)
        self.kept.append(view)
        return &view[0]

    cdef uint64_t *words(self, Py_ssize_t size) except NULL:
        cdef uint64_t[::1] view = np.zeros(max(size, 1), dtype=np.uint64)
        self.kept.append(view)
        return &view[0]


cdef class _Groups(_Buffers):
    """Tied negatives, merged where the same coordinates attain their maxima; sets of them."""

    cdef Py_ssize_t n_coordinates, n_words, n, capacity
    cdef uint64_t *sets  # n_words for each group
    cdef double *weights  # of all of a group's samples, what a rise costs
    cdef double *released  # of those above zero, what a fall gains
    cdef Py_ssize_t *table  # from hashes to groups, twice as many places as groups
    cdef Py_ssize_t *states
    cdef Py_ssize_t *coordinate_states
    cdef double *sums
    cdef double *coordinate_sums
    cdef uint64_t *chunk  # sets of the samples of one block
    cdef uint64_t *chosen

    def __cinit__(self, Py_ssize_t n_coordinates):
        self.n_words = (n_coordinates + 63) // 64
        self.capacity = 0
        self.coordinate_states = self.indices(n_coordinates)
        self.coordinate_sums = self.doubles(n_coordinates)
        self.chunk = self.words(BLOCK * self.n_words)
        self.chosen = self.words(self.n_words)

    cdef void clear(self, Py_ssize_t n_coordinates) noexcept nogil:
        self.n, self.n_coordinates = 0, n_coordinates
        self.n_words = (n_coordinates + 63) // 64
        memset(self.table, 255, 2 * self.capacity * sizeof(Py_ssize_t))

    cdef int grow(self) except -1 nogil:
        cdef uint64_t *sets = self.sets
        cdef double *weights = self.weights
        cdef double *released = self.released
        cdef Py_ssize_t g
        with gil:
            self.capacity = 2 * self.capacity if self.capacity else 64
            self.sets = self.words(self.capacity * self.n_words)
            self.weights, self.released = self.doubles(self.capacity), self.doubles(self.capacity)
            self.sums = self.doubles(self.capacity)
            self.states = self.indices(self.capacity)
            self.table = self.indices(2 * self.capacity)
        memcpy(self.sets, sets, self.n * self.n_words * sizeof(uint64_t))
        memcpy(self.weights, weights, self.n * sizeof(double))
        memcpy(self.released, released, self.n * sizeof(double))
        memset(self.table, 255, 2 * self.capacity * sizeof(Py_ssize_t))
        for g in range(self.n):
            self.table[self.place(self.sets + g * self.n_words)] = g
        return 0

    cdef Py_ssize_t place(self, const uint64_t *members) noexcept nogil:
        """Where in the table a set is, or would be."""
        cdef uint64_t code = 1469598103934665603ULL
        cdef Py_ssize_t w, at, group
        for w in range(self.n_words):
            code = (code ^ members[w]) * 1099511628211ULL
            code ^= code >> 29
        at = code & (2 * self.capacity - 1)
        while True:
            group = self.table[at]
            if group < 0:
                return at
            for w in range(self.n_words):
                if self.sets[group * self.n_words + w] != members[w]:
                    break
            else:
                return at
            at = (at + 1) & (2 * self.capacity - 1)

    cdef int add(self, const uint64_t *members, double weight, bint above) except -1 nogil:
        cdef Py_ssize_t at, group
        if self.n == self.capacity:
            self.grow()
        at = self.place(members)
        group = self.table[at]
        if group < 0:
            group = self.n
            self.n += 1
            self.table[at] = group
            memcpy(self.sets + group * self.n_words, members, self.n_words * sizeof(uint64_t))
            self.weights[group] = self.released[group] = 0.0
        self.weights[group] += weight
        self.released[group] += weight if above else 0.0
        return 0

    cdef inline bint has(self, Py_ssize_t group, Py_ssize_t f) noexcept nogil:
        return (self.sets[group * self.n_words + (f >> 6)] >> (f & 63)) & 1

    cdef int select(self, const double *values, const double *weights, bint up) except -1 nogil:
        """Coordinates against groups: who pays for all of the others it touches wins, they lose.

        Upwards coordinates are the tasks of ``_closure.best_selection`` and groups the tools,
        downwards the reverse. The states are WON or LOST afterwards; what takes no part is ABSENT.
        """
        cdef Py_ssize_t f, g, n_open = 0
        cdef bint coordinates_win, groups_win
        for g in range(self.n):
            self.states[g] = OPEN if weights[g] > 0.0 else ABSENT
        while True:
            self.add_up(values, weights)
            coordinates_win = groups_win = False
            for f in range(self.n_coordinates):
                if self.coordinate_states[f] == OPEN:
                    coordinates_win |= self.wins(values[f], self.coordinate_sums[f], up)
            for g in range(self.n):
                if self.states[g] == OPEN:
                    groups_win |= self.wins(weights[g], self.sums[g], not up)
            if coordinates_win and (up or not groups_win):
                self.settle_coordinates(values, up)
            elif groups_win:
                self.settle_groups(weights, not up)
            else:
                break
        for g in range(self.n):
            n_open += self.states[g] == OPEN
        return self.select_rest(values, weights, up) if n_open else 0

    cdef inline bint wins(self, double value, double others, bint is_task) noexcept nogil:
        return value > others if is_task else value >= others

    cdef void add_up(self, const double *values, const double *weights) noexcept nogil:
        """Of every undecided one, the sum over the undecided ones that it touches."""
        cdef Py_ssize_t g, w, f
        cdef uint64_t bits
        fill(self.coordinate_sums, 0.0, self.n_coordinates)
        for g in range(self.n):
            if self.states[g] != OPEN:
                continue
            self.sums[g] = 0.0
            for w in range(self.n_words):
                bits = self.sets[g * self.n_words + w]
                f = 64 * w
                while bits:
                    if bits & 1 and self.coordinate_states[f] == OPEN:
                        self.sums[g] += values[f]
                        self.coordinate_sums[f] += weights[g]
                    bits >>= 1
                    f += 1

    cdef void settle_coordinates(self, const double *values, bint up) noexcept nogil:
        cdef Py_ssize_t f, g, w
        memset(self.chosen, 0, self.n_words * sizeof(uint64_t))
        for f in range(self.n_coordinates):
            if self.coordinate_states[f] == OPEN and self.wins(
                values[f], self.coordinate_sums[f], up
            ):
                self.coordinate_states[f] = WON
                self.chosen[f >> 6] |= <uint64_t> 1 << (f & 63)
        for g in range(self.n):
            if self.states[g] == OPEN and self.touches(g, self.chosen):
                self.states[g] = LOST

    cdef void settle_groups(self, const double *weights, bint is_task) noexcept nogil:
        cdef Py_ssize_t f, g
        for g in range(self.n):
            if self.states[g] == OPEN and self.wins(weights[g], self.sums[g], is_task):
                self.states[g] = WON
                for f in range(self.n_coordinates):
                    if self.coordinate_states[f] == OPEN and self.has(g, f):
                        self.coordinate_states[f] = LOST

    cdef bint touches(self, Py_ssize_t group, const uint64_t *members) noexcept nogil:
        cdef Py_ssize_t w
        for w in range(self.n_words):
            if self.sets[group * self.n_words + w] & members[w]:
                return True
        return False

    cdef int select_rest(
        self, const double *values, const double *weights, bint up
    ) except -1 with gil:
        """The few that neither rule decides, by the NumPy form: its enumeration or minimum cut."""
        cdef Py_ssize_t f, g
        groups = [g for g in range(self.n) if self.states[g] == OPEN]
        coordinates = [f for f in range(self.n_coordinates) if self.coordinate_states[f] == OPEN]
        needs = np.array([[bool(self.has(g, f)) for g in groups] for f in coordinates])
        of_coordinates = np.array([values[f] for f in coordinates])
        of_groups = np.array([weights[g] for g in groups])
        if up:
            chosen = best_selection(of_coordinates, of_groups, needs)
            for f, won in zip(coordinates, chosen):
                self.coordinate_states[f] = WON if won else LOST
        else:
            chosen = best_selection(of_groups, of_coordinates, needs.T)
            for g, won in zip(groups, chosen):
                self.states[g] = WON if won else LOST
        return 0


cdef class _Operator(_Buffers):
    """A problem, a point with its maxima, and the convex step that is being minimised from it."""

    cdef Py_ssize_t n, m, p
    cdef const double *negatives
    cdef const double *positives
    cdef const double *a
    cdef const double *b
    cdef const double *tops
    cdef double C, tie, flat, largest
    cdef _Groups groups
    cdef Py_ssize_t work  # since signals were last looked at
    # The positives in the order of the features that decide them.
    cdef Py_ssize_t *owner
    cdef Py_ssize_t *bucket
    cdef double *hinge
    cdef double *hinge_penalty
    # The coordinates that can move, and the negatives near zero, as in ``_descent._Descent``.
    cdef Py_ssize_t n_free, n_near, n_kept
    cdef Py_ssize_t *free
    cdef double *u
    cdef double *up
    cdef double *down
    cdef const double **row
    cdef double *kept_values
    cdef double *kept_penalties
    cdef double *maxima
    cdef double *staying
    cdef double room
    # A direction: +1, −1 or 0 for each free coordinate.
    cdef double *direction
    cdef double *before
    cdef double *both
    cdef double *up_slopes
    cdef double *down_slopes
    cdef double sign
    cdef Py_ssize_t *tied
    # Kinks along it.
    cdef double *kinks
    cdef double *rises
    cdef double *near_kinks
    cdef double *near_rises
    cdef double horizon
    cdef Py_ssize_t n_keys
    cdef uint64_t *keys
    cdef uint64_t *scratch
    cdef Py_ssize_t *counts
    # Of the samples: maxima at the point and at the next one.
    cdef double *point
    cdef double *next_point
    cdef double *of_negatives
    cdef double *of_positives
    cdef double *next_negatives
    cdef double *next_positives

    def __cinit__(
        self, const double[:, ::1] negatives, const double[:, ::1] positives, const double[::1] a,
        const double[::1] b, const double[::1] tops, double[::1] point, double[::1] of_negatives,
        double[::1] of_positives, double C, double tie, double flat, double largest,
    ):
        n, m, p = negatives.shape[0], negatives.shape[1], positives.shape[1]
        if not (n and m and p) or (positives.shape[0], tops.shape[0], point.shape[0]) != (n, n, n):
            raise ValueError("no features or samples, or not the same number of features")
        if (a.shape[0], of_negatives.shape[0]) != (m, m) or (b.shape[0], of_positives.shape[0]) != (p, p):
            raise ValueError("not as many penalties as samples")
        if not (isfinite(C) and isfinite(tie) and isfinite(flat) and isfinite(largest)):
            raise ValueError("C and tolerances must be finite")
        self.kept += [negatives, positives, a, b, tops, point, of_negatives, of_positives]
        self.n, self.m, self.p = n, m, p
        self.negatives, self.positives = &negatives[0, 0], &positives[0, 0]
        self.a, self.b, self.tops = &a[0], &b[0], &tops[0]
        self.point, self.of_negatives, self.of_positives = &point[0], &of_negatives[0], &of_positives[0]
        self.C, self.tie, self.flat, self.largest = C, tie, flat, largest
        self.groups, self.horizon = _Groups(n), largest
        self.owner, self.bucket = self.indices(p), self.indices(n + 1)
        self.hinge, self.hinge_penalty = self.doubles(p), self.doubles(p)
        self.free, self.tied = self.indices(n), self.indices(m)
        self.u, self.up, self.down = self.doubles(n), self.doubles(n), self.doubles(n)
        self.row = <const double **> self.words(n * (sizeof(double *) // 8 + 1))
        self.kept_values, self.kept_penalties = self.doubles(n * m), self.doubles(m)
        self.maxima, self.staying = self.doubles(m), self.doubles(m)
        self.direction, self.before, self.both = self.doubles(n), self.doubles(n), self.doubles(n)
        self.up_slopes, self.down_slopes = self.doubles(n), self.doubles(n)
        self.kinks, self.rises = self.doubles(2 * m + p + n), self.doubles(2 * m + p + n)
        self.near_kinks, self.near_rises = self.doubles(2 * m + p + n), self.doubles(2 * m + p + n)
        self.n_keys = m + 2 * p + 2
        self.keys, self.scratch = self.words(2 * self.n_keys), self.words(2 * self.n_keys)
        self.counts = self.indices(DIGITS * RADIX)
        self.next_point = self.doubles(n)
        self.next_negatives, self.next_positives = self.doubles(m), self.doubles(p)

    # The objective, and the features that decide.

    cdef double evaluate(self, const double *u, double *of_negatives, double *of_positives) noexcept nogil:
        """The objective at a point, and the maxima of all samples."""
        cdef double size = 0.0
        cdef Py_ssize_t j
        self.all_maxima(self.negatives, self.m, u, of_negatives)
        self.all_maxima(self.positives, self.p, u, of_positives)
        for j in range(self.n):
            size += fabs(u[j])
        self.work += self.n * (self.m + self.p)
        return (
            weighted_loss(of_negatives, 1.0, self.a, self.m)
            + weighted_loss(of_positives, -1.0, self.b, self.p)
            + self.C * size
        )

    cdef void all_maxima(self, const double *values, Py_ssize_t m, const double *u, double *top) noexcept nogil:
        cdef Py_ssize_t start, size, j
        for start in range(0, m, 512):
            size = smaller(BLOCK, m - start)
            fill(top + start, -INFINITY, size)
            for j in range(self.n):
                raise_to(top + start, values + j * m + start, u[j], size)

    cdef void decide(self) noexcept nogil:
        """j*(i) of every positive at the point: ``Evaluation.deciding_features``."""
        cdef double limit[BLOCK]
        cdef double count[BLOCK]
        cdef double holder[BLOCK]
        cdef Py_ssize_t start, size, i, j, k
        cdef bint ties = False
        for start in range(0, self.p, 512):
            size = smaller(BLOCK, self.p - start)
            fill(count, 0.0, size)
            fill(holder, 0.0, size)
            for i in range(size):
                limit[i] = self.of_positives[start + i] - self.tie
            for j in range(self.n):
                count_holders(count, holder, self.positives + j * self.p + start, self.point[j], limit, <double> j, size)
            for i in range(size):
                self.owner[start + i] = <Py_ssize_t> holder[i] if count[i] == 1.0 else -1
                ties |= count[i] != 1.0
        if ties:
            self.decide_ties()
        memset(self.bucket, 0, (self.n + 1) * sizeof(Py_ssize_t))
        for i in range(self.p):
            self.bucket[self.owner[i] + 1] += 1
        for j in range(self.n):
            self.bucket[j + 1] += self.bucket[j]
        for i in range(self.p):
            j = self.owner[i]
            k = self.bucket[j]
            self.bucket[j] += 1
            self.hinge[k], self.hinge_penalty[k] = self.positives[j * self.p + i], self.b[i]
        for j in range(self.n, 0, -1):
            self.bucket[j] = self.bucket[j - 1]
        self.bucket[0] = 0

    cdef void decide_ties(self) noexcept nogil:
        """Of several features the one whose rise lowers the loss the most, then the first."""
        cdef double limit[BLOCK]
        cdef double most[BLOCK]
        cdef double *worth = self.up_slopes
        cdef Py_ssize_t start, size, i, j
        cdef const double *row
        fill(worth, 0.0, self.n)
        for start in range(0, self.p, 512):
            size = smaller(BLOCK, self.p - start)
            for i in range(size):
                limit[i] = self.of_positives[start + i] - self.tie
            for j in range(self.n):
                worth[j] += held(self.positives + j * self.p + start, self.point[j], limit, self.b + start, size)
        for start in range(0, self.m, 512):
            size = smaller(BLOCK, self.m - start)
            for i in range(size):
                limit[i] = self.of_negatives[start + i] - self.tie
                if self.of_negatives[start + i] < -self.tie:
                    limit[i] = INFINITY
            for j in range(self.n):
                worth[j] -= held(self.negatives + j * self.m + start, self.point[j], limit, self.a + start, size)
        for start in range(0, self.p, 512):
            size = smaller(BLOCK, self.p - start)
            fill(most, -INFINITY, size)
            for i in range(size):
                limit[i] = self.of_positives[start + i] - self.tie
            for j in range(self.n):
                row = self.positives + j * self.p + start
                for i in range(size):
                    if row[i] + self.point[j] >= limit[i] and worth[j] > most[i]:
                        most[i] = worth[j]
            for j in range(self.n - 1, -1, -1):
                row = self.positives + j * self.p + start
                for i in range(size):
                    if row[i] + self.point[j] >= limit[i] and worth[j] >= most[i] - self.flat:
                        self.owner[start + i] = j
            for i in range(size):
                if self.owner[start + i] < 0:
                    self.owner[start + i] = 0  # not a number: there is no maximum

    # The convex step: ``majoriser._descent``.

    cdef Py_ssize_t minimise(self, Py_ssize_t max_steps, double *slope, bint *exact) except -1 nogil:
        """From the point to the minimum of its majoriser, which is left in ``next_point``."""
        cdef Py_ssize_t f, n_steps = 0, plain_steps = 0
        cdef double width = self.tie, before_sign = 0.0
        cdef bint descends
        self.begin()
        slope[0], exact[0] = 0.0, True
        while self.n_free:
            if plain_steps == PLAIN_STEPS:
                width, plain_steps = self.largest / NARROWING, 0
                self.n_near = self.m
                self.choose_near()
            slope[0] = self.steepest(width)
            descends = slope[0] < -self.flat
            exact[0] = width == self.tie and not descends
            if exact[0] or n_steps == max_steps:
                break
            if descends and self.move(self.direction):
                n_steps += 1
                plain_steps += width == self.tie
                if before_sign * self.sign < 0.0:
                    self.move_between()
                memcpy(self.before, self.direction, self.n_free * sizeof(double))
                before_sign = self.sign
            elif width == self.tie:
                exact[0] = True  # the slope was rounding
                break
            else:
                width = width / NARROWING if width / NARROWING > self.tie else self.tie
            self.look_at_signals(WORK_BETWEEN_SIGNALS)
        memcpy(self.next_point, self.point, self.n * sizeof(double))
        for f in range(self.n_free):
            self.next_point[self.free[f]] = self.u[f]
        return n_steps

    cdef int look_at_signals(self, Py_ssize_t least) except -1 nogil:
        if self.work >= least:
            self.work = 0
            with gil:
                PyErr_CheckSignals()
        return 0

    cdef void begin(self) noexcept nogil:
        """The coordinates that can move."""
        cdef Py_ssize_t j
        cdef double up, down, u
        self.n_free = 0
        for j in range(self.n):
            u = self.point[j]
            self.own_slopes(j, u, self.tie, &up, &down)
            if self.tops[j] + u > 0.0 or up < 0.0 or down < 0.0:
                self.free[self.n_free], self.u[self.n_free] = j, u
                self.up[self.n_free], self.down[self.n_free] = up, down
                self.n_free += 1
        self.n_near = FEWEST_NEAR
        if self.n_free:
            self.choose_near()

    cdef void own_slopes(self, Py_ssize_t j, double u, double width, double *up, double *down) noexcept nogil:
        cdef double passed_up = 0.0, passed_down = 0.0, reach
        cdef Py_ssize_t k
        for k in range(self.bucket[j], self.bucket[j + 1]):
            reach = self.hinge[k] + u
            passed_up += self.hinge_penalty[k] if reach < -width else 0.0
            passed_down += self.hinge_penalty[k] if reach <= width else 0.0
        up[0] = (self.C if u >= -width else -self.C) - passed_up
        down[0] = (self.C if u <= width else -self.C) + passed_down

    cdef void choose_near(self) noexcept nogil:
        """Keep the negatives that are above zero or next to be; note how far others are below."""
        cdef Py_ssize_t start, size, f, i, k, active = 0
        cdef double *top = self.staying
        cdef double last
        cdef double *target
        cdef const double *source
        for start in range(0, self.m, 512):
            size = smaller(BLOCK, self.m - start)
            fill(top + start, -INFINITY, size)
            for f in range(self.n_free):
                raise_to(top + start, self.negatives + self.free[f] * self.m + start, self.u[f], size)
        for i in range(self.m):
            active += top[i] >= -self.tie
        if active + active // 2 > self.n_near:
            self.n_near = active + active // 2
        self.room = INFINITY
        self.work += self.n_free * self.m
        if self.n_near >= self.m:
            self.n_kept = self.m
            for f in range(self.n_free):
                self.row[f] = self.negatives + self.free[f] * self.m
            memcpy(self.kept_penalties, self.a, self.m * sizeof(double))
            memcpy(self.maxima, top, self.m * sizeof(double))
            return
        for i in range(self.m):
            self.kinks[i], self.rises[i] = -top[i], 1.0
        last = -weighted_rank(self.kinks, self.rises, self.m, <double> self.n_near + 1.0)
        self.room = -last - 4 * self.tie if -last - 4 * self.tie > 0.0 else 0.0
        k = 0
        for i in range(self.m):
            self.tied[k] = i
            k += top[i] > last
        self.n_kept = k
        for k in range(self.n_kept):
            i = self.tied[k]
            self.kept_penalties[k], self.maxima[k] = self.a[i], top[i]
        for f in range(self.n_free):
            target = self.kept_values + f * self.n_kept
            source = self.negatives + self.free[f] * self.m
            self.row[f] = target
            for k in range(self.n_kept):
                target[k] = source[self.tied[k]]

    cdef double steepest(self, double width) except? 1.0 nogil:
        """The steepest set direction: its slope."""
        cdef double limit[BLOCK]
        cdef double count[BLOCK]
        cdef double holder[BLOCK]
        cdef Py_ssize_t start, size, f, i, n_tied = 0
        cdef double penalty, top, rise, fall
        cdef double *up = self.up_slopes
        cdef double *down = self.down_slopes
        if width == self.tie:
            memcpy(up, self.up, self.n_free * sizeof(double))
            memcpy(down, self.down, self.n_free * sizeof(double))
        else:
            for f in range(self.n_free):
                self.own_slopes(self.free[f], self.u[f], width, &up[f], &down[f])
        for start in range(0, self.n_kept, 512):
            size = smaller(BLOCK, self.n_kept - start)
            fill(count, 0.0, size)
            fill(holder, 0.0, size)
            for i in range(size):
                limit[i] = self.maxima[start + i] - width
            for f in range(self.n_free):
                count_holders(count, holder, self.row[f] + start, self.u[f], limit, <double> f, size)
            for i in range(size):
                top = self.maxima[start + i]
                if not top >= -width:
                    continue
                penalty = self.kept_penalties[start + i]
                if count[i] == 1.0:
                    f = <Py_ssize_t> holder[i]
                    up[f] += penalty
                    down[f] -= penalty if top > width else 0.0
                else:
                    self.tied[n_tied] = start + i
                    n_tied += 1
        self.work += self.n_free * self.n_kept
        self.groups.clear(self.n_free)
        if n_tied:
            self.merge_tied(n_tied, width)
        rise = self.steepest_up(self.both)
        fall = self.steepest_down(self.direction)
        self.sign = -1.0
        if rise <= fall:
            self.sign = 1.0
            memcpy(self.direction, self.both, self.n_free * sizeof(double))
            return rise
        return fall

    cdef int merge_tied(self, Py_ssize_t n_tied, double width) except -1 nogil:
        """Tied negatives with the same set of coordinates are one."""
        cdef Py_ssize_t start, size, f, i, k, n_words = self.groups.n_words
        cdef uint64_t *chunk = self.groups.chunk
        cdef const double *row
        for start in range(0, n_tied, 512):
            size = smaller(BLOCK, n_tied - start)
            memset(chunk, 0, size * n_words * sizeof(uint64_t))
            for f in range(self.n_free):
                row = self.row[f]
                for k in range(size):
                    i = self.tied[start + k]
                    if row[i] + self.u[f] >= self.maxima[i] - width:
                        chunk[k * n_words + (f >> 6)] |= <uint64_t> 1 << (f & 63)
            for k in range(size):
                i = self.tied[start + k]
                self.groups.add(
                    chunk + k * n_words, self.kept_penalties[i], self.maxima[i] > width
                )
        self.work += n_tied * self.n_free
        return 0

    cdef double steepest_up(self, double *direction) except? 1.0 nogil:
        cdef double *slopes = self.up_slopes
        cdef double *values = self.near_kinks
        cdef uint64_t *chosen = self.groups.chosen
        cdef double slope = 0.0
        cdef Py_ssize_t f, g
        for f in range(self.n_free):
            # A coordinate whose own slope is not negative can only raise the slope of a set.
            self.groups.coordinate_states[f] = OPEN if slopes[f] < 0.0 else ABSENT
            values[f] = -slopes[f]
        self.groups.select(values, self.groups.weights, True)
        memset(chosen, 0, self.groups.n_words * sizeof(uint64_t))
        for f in range(self.n_free):
            direction[f] = 0.0
            if self.groups.coordinate_states[f] == WON:
                direction[f] = 1.0
                slope += slopes[f]
                chosen[f >> 6] |= <uint64_t> 1 << (f & 63)
        for g in range(self.groups.n):
            if self.groups.touches(g, self.groups.chosen):
                slope += self.groups.weights[g]
        return slope

    cdef double steepest_down(self, double *direction) except? 1.0 nogil:
        cdef double *slopes = self.down_slopes
        cdef double slope = 0.0
        cdef Py_ssize_t f, g
        for f in range(self.n_free):
            # A coordinate without a cost may be in every set; only the others are tools.
            self.groups.coordinate_states[f] = OPEN if slopes[f] > 0.0 else ABSENT
            direction[f] = -1.0 if slopes[f] < 0.0 else 0.0
        self.groups.select(slopes, self.groups.released, False)
        for g in range(self.groups.n):
            if self.groups.states[g] == WON:
                slope -= self.groups.released[g]
                for f in range(self.n_free):
                    if self.groups.has(g, f):
                        direction[f] = -1.0
        for f in range(self.n_free):
            slope += slopes[f] if direction[f] < 0.0 else 0.0
        return slope

    cdef void move_between(self) noexcept nogil:
        """Move the last set and this one at once, one up and one down, if that descends."""
        cdef Py_ssize_t f
        cdef bint rises = False, falls = False
        for f in range(self.n_free):
            # Of opposite signs: what is in both sets stays.
            self.both[f] = self.before[f] + self.direction[f]
            rises |= self.both[f] > 0.0
            falls |= self.both[f] < 0.0
        if rises and falls:
            self.move(self.both)

    cdef bint move(self, const double *direction) noexcept nogil:
        """Go to the kink where the slope is no longer negative; whether the point moved."""
        cdef Py_ssize_t f
        cdef bint rises = False, beyond
        cdef double distance = self.distance_to_minimum(direction)
        cdef double *swapped
        for f in range(self.n_free):
            rises |= direction[f] > 0.0
        beyond = distance > self.room and rises
        if beyond:
            distance = self.room
        elif distance == 0.0:
            return False
        if rises:
            self.room -= distance
        for f in range(self.n_free):
            self.u[f] += direction[f] * distance
            if fabs(self.u[f]) <= self.tie:
                self.u[f] = 0.0
        if beyond:
            self.n_near *= 2
            self.choose_near()
        else:
            for f in range(self.n_free):
                if direction[f] != 0.0:
                    raise_to(self.staying, self.row[f], self.u[f], self.n_kept)
            swapped = self.maxima
            self.maxima, self.staying = self.staying, swapped
        for f in range(self.n_free):
            if direction[f] != 0.0:
                self.own_slopes(self.free[f], self.u[f], self.tie, &self.up[f], &self.down[f])
        return True

    cdef double distance_to_minimum(self, const double *direction) noexcept nogil:
        """Where G stops descending along a direction; 0 if it does not descend at all.

        Leaves the maxima over the coordinates that stay in ``staying``.
        """
        cdef double above[BLOCK]
        cdef double below[BLOCK]
        cdef double *kinks = self.kinks
        cdef double *rises = self.rises
        cdef double *stay
        cdef double *target
        cdef double slope = 0.0, kink, rise, floor, leaves
        cdef Py_ssize_t n_kinks = 0, start, size, f, i, k
        cdef bint goes_up = False, goes_down = False, ahead
        for f in range(self.n_free):
            if direction[f] == 0.0:
                continue
            goes_up |= direction[f] > 0.0
            goes_down |= direction[f] < 0.0
            slope -= self.C
            n_kinks = add_kink(kinks, rises, n_kinks, -direction[f] * self.u[f], 2 * self.C, self.tie, &slope)
            for k in range(self.bucket[self.free[f]], self.bucket[self.free[f] + 1]):
                kink = -direction[f] * (self.hinge[k] + self.u[f])
                slope -= self.hinge_penalty[k] if direction[f] > 0.0 else 0.0
                n_kinks = add_kink(kinks, rises, n_kinks, kink, self.hinge_penalty[k], self.tie, &slope)
        for start in range(0, self.n_kept, 512):
            size = smaller(BLOCK, self.n_kept - start)
            stay = self.staying + start
            fill(stay, -INFINITY, size)
            fill(above, -INFINITY, size)
            fill(below, -INFINITY, size)
            for f in range(self.n_free):
                target = stay
                if direction[f] != 0.0:
                    target = &above[0] if direction[f] > 0.0 else &below[0]
                raise_to(target, self.row[f] + start, self.u[f], size)
            for i in range(size):
                floor = stay[i] if stay[i] > 0.0 else 0.0
                rise = self.kept_penalties[start + i]
                kink = floor - above[i]  # from here on a rising coordinate holds the maximum
                leaves = below[i] - floor  # until here a falling one does
                if goes_up and goes_down and leaves > kink:
                    leaves = kink = (below[i] - above[i]) / 2
                if goes_up:
                    n_kinks = add_kink(kinks, rises, n_kinks, kink, rise, self.tie, &slope)
                if goes_down:
                    slope -= rise
                    n_kinks = add_kink(kinks, rises, n_kinks, leaves, rise, self.tie, &slope)
        self.work += self.n_free * self.n_kept
        if slope >= -self.flat or n_kinks == 0:
            return 0.0
        kink = self.minimising_kink(n_kinks, -self.flat - slope)
        self.horizon = 3 * kink
        return kink

    cdef double minimising_kink(self, Py_ssize_t n_kinks, double need) noexcept nogil:
        """The kink at which the slopes added reach ``need``; mostly it is among the nearest."""
        cdef double within
        cdef Py_ssize_t i, k
        cdef double horizon = self.horizon
        while True:
            k, within = 0, 0.0
            for i in range(n_kinks):
                self.near_kinks[k], self.near_rises[k] = self.kinks[i], self.rises[i]
                within += self.rises[i] if self.kinks[i] <= horizon else 0.0
                k += self.kinks[i] <= horizon
            if within >= need or k == n_kinks:
                return weighted_rank(self.near_kinks, self.near_rises, k, need)
            horizon = 8 * horizon if 8 * k < n_kinks and horizon > 0.0 else INFINITY

    # The convex-concave procedure and the escape from where it ends: ``_ccp`` and ``_escape``.

    cdef int descend(
        self, Py_ssize_t max_iter, double tol, bint escape, Py_ssize_t step_limit, list history,
        list escapes, Py_ssize_t *n_iter, double *slope,
    ) except -1 nogil:
        """CCP until nothing descends: a status, or −2 where the step limit was met."""
        cdef double objective = self.evaluate(self.point, self.of_negatives, self.of_positives)
        cdef double found
        cdef int status = 2
        cdef bint exact
        with gil:
            history.append(objective)
        while True:
            status = 2
            while n_iter[0] < max_iter and status == 2:
                n_iter[0] += 1
                self.decide()
                self.minimise(step_limit, slope, &exact)
                if not exact:
                    return -2
                found = self.evaluate(self.next_point, self.next_negatives, self.next_positives)
                if not found < objective:
                    status = 0
                    break
                if objective - found < tol * found:
                    status = 1
                self.accept()
                objective = found
                with gil:
                    history.append(objective)
                    PyErr_CheckSignals()
            if status != 0:
                self.decide()
                self.minimise(0, slope, &exact)
            if status == 2 or not escape:
                return status
            self.search_coordinates()
            found = self.evaluate(self.next_point, self.next_negatives, self.next_positives)
            if not found < objective * (1 - WORTHWHILE) or not found < objective:
                return status
            self.accept()
            objective = found
            with gil:
                escapes.append(len(history))
                history.append(objective)
                PyErr_CheckSignals()

    cdef void accept(self) noexcept nogil:
        """The next point is the point from now on."""
        memcpy(self.point, self.next_point, self.n * sizeof(double))
        memcpy(self.of_negatives, self.next_negatives, self.m * sizeof(double))
        memcpy(self.of_positives, self.next_positives, self.p * sizeof(double))

    cdef void search_coordinates(self) noexcept nogil:
        """The best coordinate moved to its global minimum, in ``next_point``."""
        cdef Py_ssize_t j, best = 0
        cdef double distance, gain, most = -INFINITY, moved = 0.0
        runners(self.negatives, self.n, self.m, self.point, self.next_negatives, self.kinks, self.tied)
        runners(self.positives, self.n, self.p, self.point, self.next_positives, self.rises, self.owner)
        for j in range(self.n):
            distance = self.coordinate_minimum(j, &gain)
            if gain > most:
                most, best, moved = gain, j, distance
        memcpy(self.next_point, self.point, self.n * sizeof(double))
        self.next_point[best] += moved

    cdef double coordinate_minimum(self, Py_ssize_t j, double *gain) noexcept nogil:
        """The t that minimises F(u + t e_j), and by how much it is lower there."""
        cdef uint64_t *keys = self.keys
        cdef uint64_t *rises = self.keys + self.n_keys
        cdef Py_ssize_t i, k = 0
        cdef double value, other, rise, slope = -self.C, kink, last, here = 0.0, least = INFINITY
        cdef double total = 0.0, at = 0.0
        cdef bint passed = False
        for i in range(self.m):
            other = self.kinks[i] if self.tied[i] == j else self.next_negatives[i]
            value = self.negatives[j * self.m + i] + self.point[j]
            k = add_pair(keys, rises, k, (other if other > 0.0 else 0.0) - value, self.a[i])
        for i in range(self.p):
            other = self.rises[i] if self.owner[i] == j else self.next_positives[i]
            if other < 0.0:
                value = self.positives[j * self.p + i] + self.point[j]
                if other > -INFINITY:
                    k = add_pair(keys, rises, k, other - value, -self.b[i])
                else:
                    slope -= self.b[i]  # with a single feature a positive gains from the start
        for i in range(self.p):
            other = self.rises[i] if self.owner[i] == j else self.next_positives[i]
            if other < 0.0:
                value = self.positives[j * self.p + i] + self.point[j]
                k = add_pair(keys, rises, k, -value, self.b[i])
        k = add_pair(keys, rises, k, -self.point[j], 2 * self.C)
        k = add_pair(keys, rises, k, 0.0, 0.0)
        keys = sort_pairs(keys, self.n_keys, self.scratch, k, self.counts)
        last = from_ordered_bits(keys[0])
        for i in range(k):
            kink = from_ordered_bits(keys[i])
            total += slope * (kink - last) if i else 0.0
            if total < least:
                least, at = total, kink
            if kink >= 0.0 and not passed:
                here, passed = total, True
            memcpy(&rise, keys + self.n_keys + i, 8)
            slope += rise
            last = kink
        gain[0] = here - least
        return at


def descend(
    negatives, positives, negative_penalties, positive_penalties, tops, start, C, tie, flat, largest,
    max_iter, tol, escape, step_limit,
):
    """From a start to a critical point: the point, the maxima of the samples there, and the record.

    None where a convex step took more than ``step_limit`` steps.
    """
    cdef Py_ssize_t n_iter = 0
    cdef double slope = 0.0
    cdef int status
    point = np.array(start, dtype=float)
    of_negatives, of_positives = np.empty(len(negative_penalties)), np.empty(len(positive_penalties))
    cdef _Operator trained = _Operator(
        negatives, positives, negative_penalties, positive_penalties, tops, point, of_negatives,
        of_positives, C, tie, flat, largest,
    )
    history, escapes = [], []
    cdef list steps = history
    cdef list searches = escapes
    cdef Py_ssize_t most = max_iter, limit = step_limit
    cdef double tolerance = tol
    cdef bint escaping = escape
    with nogil:
        status = trained.descend(most, tolerance, escaping, limit, steps, searches, &n_iter, &slope)
    if status == -2:
        return None
    return point, of_negatives, of_positives, history, escapes, n_iter, status, slope
