# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""The descent of one operator in compiled form: the same steps as the NumPy form, as plain loops.

``_ccp``, ``_escape`` and ``majoriser`` are the form to read; names here are theirs. Everything runs
without the GIL, but for signals, the history, and the few selections that no simple rule decides.
"""

import numpy as np

from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport INFINITY, fabs, isfinite
from libc.stdint cimport uint64_t
from libc.string cimport memcmp, memcpy, memmove, memset

from .majoriser._closure import best_selection

cdef enum:
    BLOCK = 512  # samples at a time, whose maxima stay in the cache; a literal in ranges
    PLAIN_STEPS = 60
    NARROWING = 8
    FEWEST_NEAR = 256
    DIGITS = 6  # of a key of 64 bits, each of 11 bits
    RADIX = 2048
    WORK_BETWEEN_SIGNALS = 1 << 24  # sums of a value and a coordinate
cdef enum:
    ABSENT, OPEN, WON, LOST
cdef enum:
    CONVERGED, TOLERANCE, ITERATION_LIMIT, STEP_LIMIT
cdef double WORTHWHILE = 1e-12


cdef inline Py_ssize_t block_size(Py_ssize_t start, Py_ssize_t n) noexcept nogil:
    return BLOCK if n - start > BLOCK else n - start


cdef void fill(double *values, double value, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        values[i] = value


cdef void raise_to(double *top, const double *row, double shift, Py_ssize_t n) noexcept nogil:
    """top = max(top, row + shift)."""
    cdef Py_ssize_t i
    cdef double value
    for i in range(n):
        value = row[i] + shift
        top[i] = value if value > top[i] else top[i]


cdef void maxima(
    const double **rows, const double *u, Py_ssize_t n, double *top, Py_ssize_t m
) noexcept nogil:
    """The largest value of each sample."""
    cdef Py_ssize_t start, j
    for start in range(0, m, 512):
        fill(top + start, -INFINITY, block_size(start, m))
        for j in range(n):
            raise_to(top + start, rows[j] + start, u[j], block_size(start, m))


cdef void holders(
    const double **rows, const double *u, Py_ssize_t n, const double *top, double width,
    Py_ssize_t start, Py_ssize_t size, double *count, double *holder, double *limit,
) noexcept nogil:
    """How many coordinates attain the maximum of each sample of a block, and their sum."""
    cdef Py_ssize_t i, j
    cdef const double *row
    cdef double shift, number
    fill(count, 0.0, size)
    fill(holder, 0.0, size)
    for i in range(size):
        limit[i] = top[start + i] - width
    for j in range(n):
        row, shift, number = rows[j] + start, u[j], <double> j
        for i in range(size):
            count[i] += 1.0 if row[i] + shift >= limit[i] else 0.0
        for i in range(size):
            holder[i] += number if row[i] + shift >= limit[i] else 0.0


cdef double loss(const double *values, double sign, const double *weights, Py_ssize_t n) noexcept nogil:
    """The sum of weights times max(sign * values, 0), in four parts."""
    cdef double parts[4]
    cdef double value
    cdef Py_ssize_t i
    fill(parts, 0.0, 4)
    for i in range(n):
        value = sign * values[i]
        parts[i & 3] += weights[i] * (value if value > 0.0 else 0.0)
    return (parts[0] + parts[1]) + (parts[2] + parts[3])


cdef Py_ssize_t add_kinks(
    double *kinks, double *rises, Py_ssize_t n_kinks, const double *distances,
    const double *weights, Py_ssize_t n, double tie, double horizon, double *ahead,
) noexcept nogil:
    """Note the kinks ahead within the horizon; add the weights of all that are ahead."""
    cdef Py_ssize_t i
    cdef double total = 0.0
    for i in range(n):
        kinks[n_kinks], rises[n_kinks] = distances[i], weights[i]
        n_kinks += (distances[i] > tie) & (distances[i] <= horizon)
    for i in range(n):
        total += weights[i] if distances[i] > tie else 0.0
    ahead[0] += total
    return n_kinks


cdef Py_ssize_t part_below(
    double *keys, double *weights, Py_ssize_t n, double pivot, bint or_equal, double *weight_below
) noexcept nogil:
    """Bring the keys below the pivot to the front: how many, and the sum of their weights."""
    cdef Py_ssize_t i, store = 0
    cdef double key, weight, total = 0.0
    cdef bint below
    for i in range(n):
        key, weight = keys[i], weights[i]
        below = (key < pivot) | (or_equal & (key == pivot))
        keys[i], weights[i] = keys[store], weights[store]
        keys[store], weights[store] = key, weight
        store += below
        total += weight if below else 0.0
    weight_below[0] = total
    return store


cdef double weighted_rank(double *keys, double *weights, Py_ssize_t n, double need) noexcept nogil:
    """The least key up to which the weights add up to ``need``; the greatest if they never do."""
    cdef double a, b, c, total, pivot = INFINITY, passed = 0.0
    cdef Py_ssize_t store
    while n > 0:
        a, b, c = keys[0], keys[n // 2], keys[n - 1]
        pivot = b if a <= b <= c or c <= b <= a else a if b <= a <= c or c <= a <= b else c
        store = part_below(keys, weights, n, pivot, False, &total)
        if store > 0 and passed + total >= need:
            n = store
            continue
        keys, weights, n, passed = keys + store, weights + store, n - store, passed + total
        store = part_below(keys, weights, n, pivot, True, &total)
        keys, weights, n, passed = keys + store, weights + store, n - store, passed + total
        if passed >= need or store == 0:  # none is equal to a pivot that is not a number
            break
    return pivot


cdef inline Py_ssize_t add_pair(
    uint64_t *pairs, Py_ssize_t offset, Py_ssize_t n, double key, double value
) noexcept nogil:
    """Note a pair; the bits of the key are made to order as the numbers do."""
    cdef uint64_t bits, sign = <uint64_t> 1 << 63
    key += 0.0  # −0.0 becomes 0.0
    memcpy(&bits, &key, 8)
    pairs[n] = ~bits if bits & sign else bits | sign
    memcpy(pairs + offset + n, &value, 8)
    return n + 1


cdef inline double key_of(uint64_t bits) noexcept nogil:
    cdef double key
    cdef uint64_t sign = <uint64_t> 1 << 63
    bits = bits & ~sign if bits & sign else ~bits
    memcpy(&key, &bits, 8)
    return key


cdef uint64_t *sort_pairs(
    uint64_t *pairs, Py_ssize_t offset, uint64_t *scratch, Py_ssize_t n, Py_ssize_t *counts
) noexcept nogil:
    """Stable sort of keys, with values at an offset from them, digit by digit: where they are."""
    cdef Py_ssize_t i, place, count, digit, shift
    cdef uint64_t *source = pairs
    cdef uint64_t *target = scratch
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
        source, target = target, source
    return source


cdef void runners(
    const double **rows, const double *u, Py_ssize_t n, Py_ssize_t m, double *first,
    double *second, Py_ssize_t *winner,
) noexcept nogil:
    """Each sample's maximum, its maximum without the coordinate that attains it, and that one."""
    cdef Py_ssize_t i, j
    cdef double value
    fill(first, -INFINITY, m)
    fill(second, -INFINITY, m)
    for j in range(n):
        for i in range(m):
            value = rows[j][i] + u[j]
            if value > first[i]:
                second[i], first[i], winner[i] = first[i], value, j
            elif value > second[i]:
                second[i] = value


cdef class _Buffers:
    """Memory that lives as long as this object."""

    cdef list buffers

    def __cinit__(self):
        self.buffers = []

    cdef void *zeros(self, Py_ssize_t size) except NULL:
        """Room for so many numbers of 64 bits."""
        cdef uint64_t[::1] view = np.zeros(size + 1, dtype=np.uint64)
        self.buffers.append(view)
        return &view[0]


cdef inline bint wins(double value, double others, bint is_task) noexcept nogil:
    """A task must pay more than its tools cost; a tool is not bought where that is equal."""
    return value > others if is_task else value >= others


cdef class _Tied(_Buffers):
    """Negatives whose maximum several coordinates attain; and which of them a direction respects."""

    cdef Py_ssize_t n, n_coordinates, n_words, capacity, n_places
    cdef Py_ssize_t *table  # from hashes of sets to samples, −1 where there is none
    cdef uint64_t *sets  # of coordinates, n_words for each sample
    cdef uint64_t *chosen
    cdef double *weights  # what a rise costs
    cdef double *released  # what a fall gains: nothing for samples at zero
    cdef double *sums
    cdef double *coordinate_sums
    cdef Py_ssize_t *samples
    cdef Py_ssize_t *states
    cdef Py_ssize_t *coordinate_states

    def __cinit__(self, Py_ssize_t n_coordinates, Py_ssize_t n_samples):
        self.chosen = <uint64_t *> self.zeros(n_coordinates // 64 + 1)
        self.coordinate_sums = <double *> self.zeros(n_coordinates)
        self.coordinate_states = <Py_ssize_t *> self.zeros(n_coordinates)
        self.weights, self.released = <double *> self.zeros(n_samples), <double *> self.zeros(n_samples)
        self.sums, self.states = <double *> self.zeros(n_samples), <Py_ssize_t *> self.zeros(n_samples)
        self.samples = <Py_ssize_t *> self.zeros(n_samples)

    cdef inline void add(self, Py_ssize_t sample, double weight, bint above) noexcept nogil:
        self.samples[self.n], self.weights[self.n] = sample, weight
        self.released[self.n] = weight if above else 0.0
        self.n += 1

    cdef int clear_sets(self, Py_ssize_t n_coordinates) except -1 nogil:
        self.n_coordinates, self.n_words = n_coordinates, (n_coordinates + 63) // 64
        if self.n * self.n_words > self.capacity:
            with gil:
                self.capacity = 2 * self.n * self.n_words
                self.sets = <uint64_t *> self.zeros(self.capacity)
        if 2 * self.n > self.n_places:
            with gil:
                while 2 * self.n > self.n_places:
                    self.n_places = 2 * self.n_places if self.n_places else 64
                self.table = <Py_ssize_t *> self.zeros(self.n_places)
        if self.n:
            memset(self.sets, 0, self.n * self.n_words * sizeof(uint64_t))
        return 0

    cdef void merge(self) noexcept nogil:
        """Samples with the same set are one, with the sum of their weights."""
        cdef Py_ssize_t i, w, at, same, n_sets = 0, words = self.n_words
        cdef uint64_t code
        memset(self.table, 255, self.n_places * sizeof(Py_ssize_t))
        for i in range(self.n):
            code = 1469598103934665603ULL
            for w in range(words):
                code = (code ^ self.sets[i * words + w]) * 1099511628211ULL
                code ^= code >> 29
            at = code & <uint64_t> (self.n_places - 1)
            while True:
                same = self.table[at]
                if same < 0 or not memcmp(self.sets + same * words, self.sets + i * words, 8 * words):
                    break
                at = (at + 1) & (self.n_places - 1)
            if same >= 0:
                self.weights[same] += self.weights[i]
                self.released[same] += self.released[i]
                continue
            self.table[at] = n_sets
            memmove(self.sets + n_sets * words, self.sets + i * words, 8 * words)
            self.weights[n_sets], self.released[n_sets] = self.weights[i], self.released[i]
            n_sets += 1
        self.n = n_sets

    cdef inline bint has(self, Py_ssize_t sample, Py_ssize_t f) noexcept nogil:
        return (self.sets[sample * self.n_words + (f >> 6)] >> (f & 63)) & 1

    cdef bint touches_chosen(self, Py_ssize_t sample) noexcept nogil:
        cdef Py_ssize_t w
        for w in range(self.n_words):
            if self.sets[sample * self.n_words + w] & self.chosen[w]:
                return True
        return False

    cdef void choose(self, Py_ssize_t state) noexcept nogil:
        """The coordinates in this state."""
        cdef Py_ssize_t f
        memset(self.chosen, 0, self.n_words * sizeof(uint64_t))
        for f in range(self.n_coordinates):
            if self.coordinate_states[f] == state:
                self.chosen[f >> 6] |= <uint64_t> 1 << (f & 63)

    cdef void choose_all_of_winners(self) noexcept nogil:
        """The coordinates of all samples that won."""
        cdef Py_ssize_t i, w
        memset(self.chosen, 0, self.n_words * sizeof(uint64_t))
        for i in range(self.n):
            if self.states[i] == WON:
                for w in range(self.n_words):
                    self.chosen[w] |= self.sets[i * self.n_words + w]

    cdef int select(self, const double *values, const double *weights, bint up) except -1 nogil:
        """Coordinates against samples: who pays for all of the others it touches wins, they lose.

        Upwards coordinates are the tasks of ``_closure.best_selection`` and samples the tools,
        downwards the reverse. The states are WON or LOST afterwards; what takes no part is ABSENT.
        """
        cdef Py_ssize_t f, i, n_open
        cdef bint coordinates_win, samples_win
        for i in range(self.n):
            self.states[i] = OPEN if weights[i] > 0.0 else ABSENT
        while True:
            self.add_up(values, weights)
            coordinates_win = samples_win = False
            for f in range(self.n_coordinates):
                if self.coordinate_states[f] == OPEN:
                    coordinates_win |= wins(values[f], self.coordinate_sums[f], up)
            n_open = 0
            for i in range(self.n):
                if self.states[i] == OPEN:
                    n_open += 1
                    samples_win |= wins(weights[i], self.sums[i], not up)
            if coordinates_win and (up or not samples_win):
                for f in range(self.n_coordinates):
                    if self.coordinate_states[f] == OPEN and wins(values[f], self.coordinate_sums[f], up):
                        self.coordinate_states[f] = WON
                self.choose(WON)
                for i in range(self.n):
                    if self.states[i] == OPEN and self.touches_chosen(i):
                        self.states[i] = LOST
            elif samples_win:
                for i in range(self.n):
                    if self.states[i] == OPEN and wins(weights[i], self.sums[i], not up):
                        self.states[i] = WON
                self.choose_all_of_winners()
                for f in range(self.n_coordinates):
                    if self.coordinate_states[f] == OPEN and (self.chosen[f >> 6] >> (f & 63)) & 1:
                        self.coordinate_states[f] = LOST
            else:
                return self.select_rest(values, weights, up) if n_open else 0

    cdef void add_up(self, const double *values, const double *weights) noexcept nogil:
        """Of every undecided one, the sum over the undecided ones that it touches."""
        cdef Py_ssize_t i, w, f
        cdef uint64_t bits
        fill(self.coordinate_sums, 0.0, self.n_coordinates)
        for i in range(self.n):
            if self.states[i] != OPEN:
                continue
            self.sums[i] = 0.0
            for w in range(self.n_words):
                bits, f = self.sets[i * self.n_words + w], 64 * w
                while bits:
                    if bits & 1 and self.coordinate_states[f] == OPEN:
                        self.sums[i] += values[f]
                        self.coordinate_sums[f] += weights[i]
                    bits, f = bits >> 1, f + 1

    cdef int select_rest(self, const double *values, const double *weights, bint up) except -1 with gil:
        """What neither rule decides, by the NumPy form: enumeration, or a maximum flow of SciPy."""
        cdef Py_ssize_t i, k
        cdef Py_ssize_t[::1] open_samples = open_ones(self.states, self.n)
        cdef Py_ssize_t[::1] coordinates = open_ones(self.coordinate_states, self.n_coordinates)
        cdef unsigned char[:, ::1] sets = np.empty((len(open_samples), len(coordinates)), dtype=np.uint8)
        cdef double[::1] penalties = np.empty(len(open_samples)), of_coordinates = np.empty(len(coordinates))
        for i in range(len(open_samples)):
            penalties[i] = weights[open_samples[i]]
            for k in range(len(coordinates)):
                sets[i, k] = self.has(open_samples[i], coordinates[k])
        for k in range(len(coordinates)):
            of_coordinates[k] = values[coordinates[k]]
        needs = np.asarray(sets).view(bool)
        if up:
            won = best_selection(np.asarray(of_coordinates), np.asarray(penalties), needs.T)
        else:
            chosen = best_selection(np.asarray(penalties), np.asarray(of_coordinates), needs)
            won = ~needs[chosen].any(axis=0)  # a coordinate that a chosen sample needs has lost
        for k in range(len(coordinates)):
            self.coordinate_states[coordinates[k]] = WON if won[k] else LOST
        if not up:
            self.choose(WON)
            for i in range(len(open_samples)):
                self.states[open_samples[i]] = LOST if self.touches_chosen(open_samples[i]) else WON
        return 0


cdef open_ones(const Py_ssize_t *states, Py_ssize_t n):
    """The indices of what is undecided."""
    cdef Py_ssize_t i
    return np.array([i for i in range(n) if states[i] == OPEN], dtype=np.intp)


cdef class _Operator(_Buffers):
    """A problem, a point with its maxima, and the convex step that is being minimised from it."""

    cdef Py_ssize_t n, m, p
    cdef const double *a
    cdef const double *b
    cdef const double *tops
    cdef const double **negatives  # by feature
    cdef const double **positives
    cdef double C, tie, flat, largest
    cdef Py_ssize_t work  # since signals were last looked at
    # Maxima of the samples at the point and at the next one.
    cdef double *point
    cdef double *of_negatives
    cdef double *of_positives
    cdef double *next_point
    cdef double *next_negatives
    cdef double *next_positives
    # The positives in the order of the features that decide them.
    cdef Py_ssize_t *owner
    cdef Py_ssize_t *bucket
    cdef double *hinge
    cdef double *hinge_penalty
    # The coordinates that can move, and the negatives near zero, as in ``_descent._Descent``.
    cdef Py_ssize_t n_free, n_near, n_kept
    cdef Py_ssize_t *free
    cdef const double **rows
    cdef double *u
    cdef double *up
    cdef double *down
    cdef double *kept
    cdef double *penalties
    cdef double *maxima
    cdef double *staying
    cdef double room
    # A direction: +1, −1 or 0 for each free coordinate; and the kinks along it.
    cdef double *direction
    cdef double *other
    cdef double *before
    cdef double *up_slopes
    cdef double *down_slopes
    cdef double sign, horizon
    cdef double *kinks
    cdef double *rises
    cdef Py_ssize_t *chosen
    cdef _Tied tied
    cdef object deciding  # a function: the feature that decides each positive at the point
    # Of the search along coordinates.
    cdef Py_ssize_t n_pairs
    cdef uint64_t *pairs
    cdef uint64_t *scratch
    cdef Py_ssize_t *counts

    def __cinit__(
        self, const double[:, ::1] negatives, const double[:, ::1] positives, const double[::1] a,
        const double[::1] b, const double[::1] tops, double[::1] point, double[::1] of_negatives,
        double[::1] of_positives, deciding, double C, double tie, double flat, double largest,
    ):
        cdef Py_ssize_t j, n = negatives.shape[0], m = negatives.shape[1], p = positives.shape[1]
        if not (n and m and p and n == positives.shape[0] == tops.shape[0] == point.shape[0]):
            raise ValueError("no features or samples, or not the same number of features")
        if not (m == a.shape[0] == of_negatives.shape[0] and p == b.shape[0] == of_positives.shape[0]):
            raise ValueError("not as many penalties as samples")
        if not (isfinite(C) and isfinite(tie) and isfinite(flat) and isfinite(largest)):
            raise ValueError("C and tolerances must be finite")
        self.buffers += [negatives, positives, a, b, tops, point, of_negatives, of_positives]
        self.n, self.m, self.p, self.n_pairs = n, m, p, m + 2 * p + 2
        self.a, self.b, self.tops, self.point = &a[0], &b[0], &tops[0], &point[0]
        self.of_negatives, self.of_positives = &of_negatives[0], &of_positives[0]
        self.C, self.tie, self.flat, self.largest, self.horizon = C, tie, flat, largest, largest
        self.tied, self.deciding = _Tied(n, m), deciding
        self.next_negatives, self.maxima = <double *> self.zeros(m), <double *> self.zeros(m)
        self.staying, self.penalties = <double *> self.zeros(m), <double *> self.zeros(m)
        self.next_positives, self.hinge = <double *> self.zeros(p), <double *> self.zeros(p)
        self.hinge_penalty, self.owner = <double *> self.zeros(p), <Py_ssize_t *> self.zeros(p)
        self.bucket, self.free = <Py_ssize_t *> self.zeros(n + 1), <Py_ssize_t *> self.zeros(n)
        self.next_point, self.u = <double *> self.zeros(n), <double *> self.zeros(n)
        self.up, self.down = <double *> self.zeros(n), <double *> self.zeros(n)
        self.up_slopes, self.down_slopes = <double *> self.zeros(n), <double *> self.zeros(n)
        self.direction, self.other = <double *> self.zeros(n), <double *> self.zeros(n)
        self.before, self.chosen = <double *> self.zeros(n), <Py_ssize_t *> self.zeros(m)
        self.kept = <double *> self.zeros(n * m)
        self.kinks = <double *> self.zeros(2 * m + p + n)
        self.rises = <double *> self.zeros(2 * m + p + n)
        self.pairs = <uint64_t *> self.zeros(2 * self.n_pairs)
        self.scratch = <uint64_t *> self.zeros(2 * self.n_pairs)
        self.counts = <Py_ssize_t *> self.zeros(DIGITS * RADIX)
        self.negatives = <const double **> self.zeros(n)
        self.positives = <const double **> self.zeros(n)
        self.rows = <const double **> self.zeros(n)
        for j in range(n):
            self.negatives[j], self.positives[j] = &negatives[j, 0], &positives[j, 0]

    # The objective, and the features that decide.

    cdef double evaluate(self, const double *u, double *of_negatives, double *of_positives) noexcept nogil:
        """The objective at a point, and the maxima of all samples."""
        cdef double size = 0.0
        cdef Py_ssize_t j
        maxima(self.negatives, u, self.n, of_negatives, self.m)
        maxima(self.positives, u, self.n, of_positives, self.p)
        for j in range(self.n):
            size += fabs(u[j])
        return loss(of_negatives, 1.0, self.a, self.m) + loss(of_positives, -1.0, self.b, self.p) + self.C * size

    cdef int decide(self) except -1 nogil:
        """j*(i) of every positive at the point (``Evaluation.deciding_features``), and buckets."""
        cdef double limit[BLOCK]
        cdef double count[BLOCK]
        cdef double holder[BLOCK]
        cdef Py_ssize_t start, size, i, j, k
        cdef bint ties = False
        for start in range(0, self.p, 512):
            size = block_size(start, self.p)
            holders(
                self.positives, self.point, self.n, self.of_positives, self.tie, start, size,
                count, holder, limit,
            )
            for i in range(size):
                self.owner[start + i] = <Py_ssize_t> holder[i] if count[i] == 1.0 else 0
                ties |= count[i] != 1.0
        if ties:
            self.decide_ties()
        memset(self.bucket, 0, (self.n + 1) * sizeof(Py_ssize_t))
        for i in range(self.p):
            self.bucket[self.owner[i]] += 1
        for j in range(self.n):
            self.bucket[j + 1] += self.bucket[j]
        for i in range(self.p - 1, -1, -1):
            j = self.owner[i]
            k = self.bucket[j] = self.bucket[j] - 1
            self.hinge[k], self.hinge_penalty[k] = self.positives[j][i], self.b[i]
        return 0

    cdef int decide_ties(self) except -1 with gil:
        """Discrete features: which of several decides is the NumPy form's rule."""
        cdef Py_ssize_t i
        cdef Py_ssize_t[::1] deciding = self.deciding()
        if deciding.shape[0] != self.p:
            raise ValueError("one feature must decide each positive")
        for i in range(self.p):
            if not 0 <= deciding[i] < self.n:
                raise ValueError("a feature that does not exist decides a positive")
            self.owner[i] = deciding[i]
        return 0

    # The convex step: ``majoriser._descent`` and ``majoriser._directions``.

    cdef int minimise(self, Py_ssize_t max_steps, double *slope, bint *exact) except -1 nogil:
        """From the point to the minimum of its majoriser, which is left in ``next_point``."""
        cdef Py_ssize_t f, n_steps = 0, plain_steps = 0
        cdef double width = self.tie, sign_before = 0.0
        cdef bint descends
        self.begin()
        slope[0], exact[0] = 0.0, True
        while self.n_free:
            if plain_steps == PLAIN_STEPS:
                width, plain_steps, self.n_near = self.largest / NARROWING, 0, self.m
                self.choose_near()
            slope[0] = self.steepest(width)
            descends = slope[0] < -self.flat
            exact[0] = width == self.tie and not descends
            if exact[0] or n_steps == max_steps:
                break
            if descends and self.move(self.direction):
                n_steps += 1
                plain_steps += width == self.tie
                if sign_before * self.sign < 0.0:
                    self.move_between()
                memcpy(self.before, self.direction, self.n_free * sizeof(double))
                sign_before = self.sign
            elif width == self.tie:
                exact[0] = True  # the slope was rounding
                break
            else:
                width = width / NARROWING if width / NARROWING > self.tie else self.tie
            self.look_at_signals()
        memcpy(self.next_point, self.point, self.n * sizeof(double))
        for f in range(self.n_free):
            self.next_point[self.free[f]] = self.u[f]
        return 0

    cdef int look_at_signals(self) except -1 nogil:
        if self.work >= WORK_BETWEEN_SIGNALS:
            self.work = 0
            with gil:
                PyErr_CheckSignals()
        return 0

    cdef void begin(self) noexcept nogil:
        """The coordinates that can move."""
        cdef Py_ssize_t j
        cdef double up, down, u
        self.n_free, self.n_near = 0, FEWEST_NEAR
        for j in range(self.n):
            u = self.point[j]
            self.own_slopes(j, u, self.tie, &up, &down)
            if self.tops[j] + u > 0.0 or up < 0.0 or down < 0.0:
                self.free[self.n_free], self.u[self.n_free] = j, u
                self.up[self.n_free], self.down[self.n_free] = up, down
                self.n_free += 1
        self.choose_near()

    cdef void own_slopes(self, Py_ssize_t j, double u, double width, double *up, double *down) noexcept nogil:
        cdef double reach, passed_up = 0.0, passed_down = 0.0
        cdef Py_ssize_t k
        for k in range(self.bucket[j], self.bucket[j + 1]):
            reach = self.hinge[k] + u
            passed_up += self.hinge_penalty[k] if reach < -width else 0.0
            passed_down += self.hinge_penalty[k] if reach <= width else 0.0
        up[0] = (self.C if u >= -width else -self.C) - passed_up
        down[0] = (self.C if u <= width else -self.C) + passed_down

    cdef void choose_near(self) noexcept nogil:
        """Keep the negatives that are above zero or next to be; note how far others are below."""
        cdef Py_ssize_t f, i, k = 0, active = 0
        cdef double *top = self.staying
        cdef double last = -INFINITY
        cdef const double *row
        for f in range(self.n_free):
            self.rows[f] = self.negatives[self.free[f]]
        maxima(self.rows, self.u, self.n_free, top, self.m)
        for i in range(self.m):
            active += top[i] >= -self.tie
        if self.n_near < active + active // 2:
            self.n_near = active + active // 2
        self.room, self.work = INFINITY, self.work + self.n_free * self.m
        if self.n_near < self.m:
            for i in range(self.m):
                self.kinks[i], self.rises[i] = -top[i], 1.0
            last = -weighted_rank(self.kinks, self.rises, self.m, <double> self.n_near + 1.0)
            self.room = -last - 4 * self.tie if -last > 4 * self.tie else 0.0
        for i in range(self.m):
            self.chosen[k] = i
            k += top[i] > last
        self.n_kept = k
        for k in range(self.n_kept):
            i = self.chosen[k]
            self.penalties[k], self.maxima[k] = self.a[i], top[i]
        if self.n_kept < self.m:
            for f in range(self.n_free):
                row, self.rows[f] = self.rows[f], self.kept + f * self.n_kept
                for k in range(self.n_kept):
                    self.kept[f * self.n_kept + k] = row[self.chosen[k]]

    cdef double steepest(self, double width) except? 1.0 nogil:
        """The slope along the steepest set direction, which is left in ``direction``."""
        cdef double limit[BLOCK]
        cdef double count[BLOCK]
        cdef double holder[BLOCK]
        cdef Py_ssize_t start, size, f, i
        cdef double top, penalty, rise, fall
        self.tied.n = 0
        for f in range(self.n_free):
            self.up_slopes[f], self.down_slopes[f] = self.up[f], self.down[f]
            if width != self.tie:
                self.own_slopes(self.free[f], self.u[f], width, &self.up_slopes[f], &self.down_slopes[f])
        for start in range(0, self.n_kept, 512):
            size = block_size(start, self.n_kept)
            holders(self.rows, self.u, self.n_free, self.maxima, width, start, size, count, holder, limit)
            for i in range(size):
                top, penalty = self.maxima[start + i], self.penalties[start + i]
                if not top >= -width:
                    continue
                if count[i] == 1.0:
                    f = <Py_ssize_t> holder[i]
                    self.up_slopes[f] += penalty
                    self.down_slopes[f] -= penalty if top > width else 0.0
                else:
                    self.tied.add(start + i, penalty, top > width)
        self.work += self.n_free * (self.n_kept + self.tied.n)
        self.find_tied_sets(width)
        rise = self.steepest_up(self.other)
        fall = self.steepest_down(self.direction)
        self.sign = 1.0 if rise <= fall else -1.0
        if rise <= fall:
            memcpy(self.direction, self.other, self.n_free * sizeof(double))
        return rise if rise <= fall else fall

    cdef int find_tied_sets(self, double width) except -1 nogil:
        """The coordinates at which each tied negative attains its maximum."""
        cdef Py_ssize_t start, k, f, i
        cdef uint64_t *sets
        cdef const double *row
        self.tied.clear_sets(self.n_free)
        sets = self.tied.sets
        for start in range(0, self.tied.n, 512):
            for f in range(self.n_free):
                row = self.rows[f]
                for k in range(start, start + block_size(start, self.tied.n)):
                    i = self.tied.samples[k]
                    if row[i] + self.u[f] >= self.maxima[i] - width:
                        sets[k * self.tied.n_words + (f >> 6)] |= <uint64_t> 1 << (f & 63)
        if self.tied.n > 1:
            self.tied.merge()
        return 0

    cdef double steepest_up(self, double *direction) except? 1.0 nogil:
        cdef double *values = self.kinks
        cdef double slope = 0.0
        cdef Py_ssize_t f, i
        for f in range(self.n_free):
            # A coordinate whose own slope is not negative can only raise the slope of a set.
            self.tied.coordinate_states[f] = OPEN if self.up_slopes[f] < 0.0 else ABSENT
            values[f] = -self.up_slopes[f]
        self.tied.select(values, self.tied.weights, True)
        self.tied.choose(WON)
        for f in range(self.n_free):
            direction[f] = 1.0 if self.tied.coordinate_states[f] == WON else 0.0
            slope += self.up_slopes[f] if direction[f] > 0.0 else 0.0
        for i in range(self.tied.n):
            slope += self.tied.weights[i] if self.tied.touches_chosen(i) else 0.0
        return slope

    cdef double steepest_down(self, double *direction) except? 1.0 nogil:
        cdef double slope = 0.0
        cdef Py_ssize_t f, i
        for f in range(self.n_free):
            # A coordinate without a cost may be in every set; only the others are tools.
            self.tied.coordinate_states[f] = OPEN if self.down_slopes[f] > 0.0 else ABSENT
        self.tied.select(self.down_slopes, self.tied.released, False)
        self.tied.choose_all_of_winners()
        for i in range(self.tied.n):
            slope -= self.tied.released[i] if self.tied.states[i] == WON else 0.0
        for f in range(self.n_free):
            direction[f] = 0.0
            if self.down_slopes[f] < 0.0 or (self.tied.chosen[f >> 6] >> (f & 63)) & 1:
                direction[f] = -1.0
                slope += self.down_slopes[f]
        return slope

    cdef void move_between(self) noexcept nogil:
        """Move the last set and this one at once, one up and one down, if that descends."""
        cdef Py_ssize_t f
        cdef bint rises = False, falls = False
        for f in range(self.n_free):  # what is in both sets stays
            self.other[f] = self.before[f] + self.direction[f]
            rises |= self.other[f] > 0.0
            falls |= self.other[f] < 0.0
        if rises and falls:
            self.move(self.other)

    cdef bint move(self, const double *direction) noexcept nogil:
        """Go to the kink where the slope is no longer negative; whether the point moved."""
        cdef Py_ssize_t f
        cdef bint rises = False, beyond
        cdef double distance = self.distance_to_minimum(direction)
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
            self.u[f] = 0.0 if fabs(self.u[f]) <= self.tie else self.u[f]
        for f in range(self.n_free):
            if direction[f] != 0.0:
                self.own_slopes(self.free[f], self.u[f], self.tie, &self.up[f], &self.down[f])
                if not beyond:
                    raise_to(self.staying, self.rows[f], self.u[f], self.n_kept)
        if beyond:
            self.n_near *= 2
            self.choose_near()
        else:
            self.maxima, self.staying = self.staying, self.maxima
        return True

    cdef double distance_to_minimum(self, const double *direction) noexcept nogil:
        """Where G stops descending along a direction; 0 if it does not descend at all.

        Mostly that is among the nearest kinks: only those within a horizon are looked at, which is
        widened until it holds the one.
        """
        cdef double slope, within, kink, horizon = self.horizon
        cdef Py_ssize_t i, n_kinks
        while True:
            n_kinks, within = self.find_kinks(direction, horizon, &slope), 0.0
            if slope >= -self.flat:
                return 0.0
            for i in range(n_kinks):
                within += self.rises[i]
            if slope + within >= -self.flat or horizon == INFINITY:
                break
            horizon = INFINITY
        if not n_kinks:
            return 0.0
        kink = weighted_rank(self.kinks, self.rises, n_kinks, -self.flat - slope)
        self.horizon = 3 * kink
        return kink

    cdef Py_ssize_t find_kinks(
        self, const double *direction, double horizon, double *slope_here
    ) noexcept nogil:
        """Kinks along a direction, as many as are returned, and the slope before them.

        Leaves the maxima over the coordinates that stay in ``staying``.
        """
        cdef double above[BLOCK]
        cdef double below[BLOCK]
        cdef double *stay
        cdef double *target
        cdef double slope = 0.0, ahead, kink, floor, total, rise = 2 * self.C
        cdef Py_ssize_t n_kinks = 0, start, size, f, i, end
        cdef bint goes_up = False, goes_down = False
        for f in range(self.n_free):
            if direction[f] == 0.0:
                continue
            goes_up |= direction[f] > 0.0
            goes_down |= direction[f] < 0.0
            kink, ahead = -direction[f] * self.u[f], 0.0
            n_kinks = add_kinks(self.kinks, self.rises, n_kinks, &kink, &rise, 1, self.tie, horizon, &ahead)
            slope += self.C - ahead
            end = self.bucket[self.free[f] + 1]
            for start in range(self.bucket[self.free[f]], end, 512):
                size, ahead, total = block_size(start, end), 0.0, 0.0
                for i in range(size):
                    above[i] = -direction[f] * (self.hinge[start + i] + self.u[f])
                n_kinks = add_kinks(
                    self.kinks, self.rises, n_kinks, above, self.hinge_penalty + start, size,
                    self.tie, horizon, &ahead,
                )
                if direction[f] < 0.0:
                    for i in range(size):
                        total += self.hinge_penalty[start + i]
                slope += total - ahead
        for start in range(0, self.n_kept, 512):
            size, stay, ahead, total = block_size(start, self.n_kept), self.staying + start, 0.0, 0.0
            fill(stay, -INFINITY, size)
            fill(above, -INFINITY, size)
            fill(below, -INFINITY, size)
            for f in range(self.n_free):
                target = stay if direction[f] == 0.0 else &above[0] if direction[f] > 0.0 else &below[0]
                raise_to(target, self.rows[f] + start, self.u[f], size)
            for i in range(size):
                floor = stay[i] if stay[i] > 0.0 else 0.0
                kink = (below[i] - above[i]) / 2  # where a falling and a rising one meet
                # From here on a rising coordinate holds the maximum, and until here a falling one.
                above[i], below[i] = floor - above[i], below[i] - floor
                if goes_up and goes_down and below[i] > above[i]:
                    above[i] = below[i] = kink
            if goes_up:
                for i in range(size):
                    total += self.penalties[start + i]
                n_kinks = add_kinks(
                    self.kinks, self.rises, n_kinks, above, self.penalties + start, size, self.tie,
                    horizon, &ahead,
                )
            if goes_down:
                n_kinks = add_kinks(
                    self.kinks, self.rises, n_kinks, below, self.penalties + start, size, self.tie,
                    horizon, &ahead,
                )
            slope += total - ahead
        self.work += self.n_free * self.n_kept
        slope_here[0] = slope
        return n_kinks

    # The convex-concave procedure and the escape from where it ends: ``_ccp`` and ``_escape``.

    cdef int descend(
        self, Py_ssize_t max_iter, double tol, bint escape, Py_ssize_t step_limit, list history,
        list escapes, Py_ssize_t *n_iter, double *slope,
    ) except -1 nogil:
        """CCP until nothing descends: the status."""
        cdef double found, objective = self.evaluate(self.point, self.of_negatives, self.of_positives)
        cdef int status
        cdef bint exact
        self.note(history, objective)
        while True:
            status = ITERATION_LIMIT
            while n_iter[0] < max_iter and status == ITERATION_LIMIT:
                n_iter[0] += 1
                self.decide()
                self.minimise(step_limit, slope, &exact)
                if not exact:
                    return STEP_LIMIT
                found = self.evaluate(self.next_point, self.next_negatives, self.next_positives)
                if not found < objective:
                    status = CONVERGED
                    break
                if objective - found < tol * found:
                    status = TOLERANCE
                objective = self.accept(found)
                self.note(history, objective)
            if status != CONVERGED:
                self.decide()
                self.minimise(0, slope, &exact)
            if status == ITERATION_LIMIT or not escape:
                return status
            self.search_coordinates()
            found = self.evaluate(self.next_point, self.next_negatives, self.next_positives)
            if not found < objective * (1 - WORTHWHILE):
                return status
            objective = self.accept(found)
            with gil:
                escapes.append(len(history))
            self.note(history, objective)

    cdef int note(self, list history, double objective) except -1 with gil:
        history.append(objective)
        PyErr_CheckSignals()
        return 0

    cdef double accept(self, double objective) noexcept nogil:
        """The next point is the point from now on."""
        memcpy(self.point, self.next_point, self.n * sizeof(double))
        memcpy(self.of_negatives, self.next_negatives, self.m * sizeof(double))
        memcpy(self.of_positives, self.next_positives, self.p * sizeof(double))
        return objective

    cdef int search_coordinates(self) except -1 nogil:
        """The best coordinate moved to its global minimum, in ``next_point``."""
        cdef Py_ssize_t j, best = 0
        cdef double distance, gain, most = -INFINITY, moved = 0.0
        runners(self.negatives, self.point, self.n, self.m, self.next_negatives, self.kinks, self.chosen)
        runners(self.positives, self.point, self.n, self.p, self.next_positives, self.rises, self.owner)
        for j in range(self.n):
            distance = self.coordinate_minimum(j, &gain)
            if gain > most:
                most, best, moved = gain, j, distance
            self.work += 16 * (self.m + self.p)
            self.look_at_signals()
        memcpy(self.next_point, self.point, self.n * sizeof(double))
        self.next_point[best] += moved
        return 0

    cdef double coordinate_minimum(self, Py_ssize_t j, double *gain) noexcept nogil:
        """The t that minimises F(u + t e_j), and by how much it is lower there."""
        cdef uint64_t *pairs = self.pairs
        cdef Py_ssize_t i, k = 0, offset = self.n_pairs
        cdef double value, other, rise, kink, last, slope = -self.C, height = 0.0
        cdef double here = INFINITY, least = INFINITY, at = 0.0
        for i in range(self.m):
            other = self.kinks[i] if self.chosen[i] == j else self.next_negatives[i]
            value = self.negatives[j][i] + self.point[j]
            k = add_pair(pairs, offset, k, (other if other > 0.0 else 0.0) - value, self.a[i])
        for i in range(self.p):
            other = self.rises[i] if self.owner[i] == j else self.next_positives[i]
            if not other < 0.0:
                continue
            value = self.positives[j][i] + self.point[j]
            k = add_pair(pairs, offset, k, -value, self.b[i])
            if other > -INFINITY:
                k = add_pair(pairs, offset, k, other - value, -self.b[i])
            else:
                slope -= self.b[i]  # with a single feature a positive gains from the start
        k = add_pair(pairs, offset, k, -self.point[j], 2 * self.C)
        k = add_pair(pairs, offset, k, 0.0, 0.0)
        pairs = sort_pairs(pairs, offset, self.scratch, k, self.counts)
        last = key_of(pairs[0])
        for i in range(k):
            kink = key_of(pairs[i])
            height += slope * (kink - last)
            if height < least:
                least, at = height, kink
            if kink >= 0.0 and here == INFINITY:
                here = height
            memcpy(&rise, pairs + offset + i, 8)
            slope, last = slope + rise, kink
        gain[0] = here - least
        return at


def descend(
    negatives, positives, negative_penalties, positive_penalties, tops, start, deciding_features,
    double C, double tie, double flat, double largest, Py_ssize_t max_iter, double tol, bint escape,
    Py_ssize_t step_limit,
):
    """From a start to a critical point: the point, the maxima of the samples there, and the record.

    Where positives are tied, ``deciding_features`` of a point and both maxima says what decides
    them. None where a convex step takes more than ``step_limit`` steps.
    """
    cdef Py_ssize_t n_iter = 0
    cdef double slope = 0.0
    cdef int status
    cdef list history = [], escapes = []
    cdef _Operator trained
    point = np.array(start, dtype=float)
    of_negatives, of_positives = np.empty(len(negative_penalties)), np.empty(len(positive_penalties))
    trained = _Operator(
        negatives, positives, negative_penalties, positive_penalties, tops, point, of_negatives,
        of_positives, lambda: deciding_features(point, of_negatives, of_positives), C, tie, flat,
        largest,
    )
    with nogil:
        status = trained.descend(max_iter, tol, escape, step_limit, history, escapes, &n_iter, &slope)
    if status == STEP_LIMIT:
        return None
    return point, of_negatives, of_positives, history, escapes, n_iter, status, slope
