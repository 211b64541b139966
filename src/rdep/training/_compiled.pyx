# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""Compiled form of the descent of one operator: the same steps as the NumPy form, as plain loops.

Read ``_ccp``, ``majoriser`` and ``_escape`` first; this module uses their names. Everything runs
without the GIL, except signals, the history, escapes, and steps with many tied samples. The NumPy
form decides such ties. Continuous features have few of them.
"""

import numpy as np

from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport INFINITY, fabs, isfinite, nextafter
from libc.stdint cimport uint64_t
from libc.string cimport memcpy, memset

from .majoriser._directions import steepest_of_tied

cdef enum:
    BLOCK = 512  # samples in a block, whose maxima stay in the cache; a literal in ranges
    PLAIN_STEPS = 60
    NARROWING = 8
    FEWEST_NEAR = 256
    FEW = 6  # number of tied negatives up to which all sets are tried
    WORK_BETWEEN_SIGNALS = 1 << 24  # sums of a value and a coordinate
ctypedef double *Doubles
ctypedef Py_ssize_t *Indices
ctypedef const double **Rows  # by coordinate
cdef enum:
    CONVERGED, TOLERANCE, ITERATION_LIMIT, STEP_LIMIT
# Added to the index of each coordinate that attains a maximum: the sum is below twice this number
# if only one coordinate attains it. No sum of indices of coordinates reaches this number.
cdef double ONE = <double> (<uint64_t> 1 << 48)


cdef inline Py_ssize_t block_size(Py_ssize_t start, Py_ssize_t n) noexcept nogil:
    return BLOCK if n - start > BLOCK else n - start


cdef extern from *:
    """
    /* Plain loops over samples, which compilers turn into vector instructions. With GCC and glibc,
       the loader chooses the instructions of the processor at hand. It does so before sanitizers
       are ready. */
    #if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__) \\
        && !defined(__SANITIZE_ADDRESS__)
    #define KERNEL __attribute__((target_clones("avx2", "default"))) static
    #else
    #define KERNEL static
    #endif

    KERNEL void fill(double *values, double value, Py_ssize_t n) {
        for (Py_ssize_t i = 0; i < n; i++) values[i] = value;
    }

    /* top = max(top, row + shift) */
    KERNEL void raise_to(double *top, const double *row, double shift, Py_ssize_t n) {
        for (Py_ssize_t i = 0; i < n; i++) {
            double value = row[i] + shift;
            top[i] = value > top[i] ? value : top[i];
        }
    }

    /* Add a number where row + shift attains the limit of the sample. */
    KERNEL void add_holder(
        double *sum, const double *row, double shift, const double *limit, double number, Py_ssize_t n
    ) {
        for (Py_ssize_t i = 0; i < n; i++) sum[i] += row[i] + shift >= limit[i] ? number : 0.0;
    }

    /* The sum in eight independent parts: the same on every machine. */
    KERNEL double total(const double *terms, Py_ssize_t n) {
        double part[8] = {0.0};
        Py_ssize_t i = 0, k;
        for (; i + 8 <= n; i += 8) for (k = 0; k < 8; k++) part[k] += terms[i + k];
        for (k = 0; i < n; i++, k++) part[k] += terms[i];
        for (k = 4; k > 0; k /= 2) for (i = 0; i < k; i++) part[i] += part[i + k];
        return part[0];
    }

    /* The terms of a block of samples are stored before they are added. */
    #define RETURN_SUM_WHERE(condition, term) \\
        double terms[512], sum = 0.0; \\
        for (Py_ssize_t start = 0, end; start < n; start = end) { \\
            end = n - start > 512 ? start + 512 : n; \\
            for (Py_ssize_t i = start; i < end; i++) { \\
                double value = term;  /* unconditional: no branch */ \\
                terms[i - start] = condition ? value : 0.0; \\
            } \\
            sum += total(terms, end - start); \\
        } \\
        return sum;

    KERNEL double loss(const double *values, double sign, const double *weights, Py_ssize_t n) {
        RETURN_SUM_WHERE(1, weights[i] * (sign * values[i] > 0.0 ? sign * values[i] : 0.0))
    }

    KERNEL double weight_up_to(
        const double *keys, double shift, const double *weights, double limit, Py_ssize_t n
    ) {
        RETURN_SUM_WHERE(keys[i] + shift <= limit, weights[i])
    }

    KERNEL double weight_held(
        const double *row, double shift, const double *limit, const double *weights, Py_ssize_t n
    ) {
        RETURN_SUM_WHERE(row[i] + shift >= limit[i], weights[i])
    }

    KERNEL double number_between(const double *values, double low, double high, Py_ssize_t n) {
        RETURN_SUM_WHERE((values[i] >= low) & (values[i] <= high), 1.0)
    }
    """
    void fill(double *values, double value, Py_ssize_t n) nogil
    void raise_to(double *top, const double *row, double shift, Py_ssize_t n) nogil
    void add_holder(
        double *sum, const double *row, double shift, const double *limit, double number, Py_ssize_t n
    ) nogil
    double total(const double *terms, Py_ssize_t n) nogil
    double loss(const double *values, double sign, const double *weights, Py_ssize_t n) nogil
    double weight_up_to(
        const double *keys, double shift, const double *weights, double limit, Py_ssize_t n
    ) nogil
    double weight_held(
        const double *row, double shift, const double *limit, const double *weights, Py_ssize_t n
    ) nogil
    double number_between(const double *values, double low, double high, Py_ssize_t n) nogil


cdef void maxima(
    Rows rows, const double *u, Py_ssize_t n, double *top, Py_ssize_t m
) noexcept nogil:
    """Largest value of each sample."""
    cdef Py_ssize_t start, j
    for start in range(0, m, 512):
        fill(top + start, -INFINITY, block_size(start, m))
        for j in range(n):
            raise_to(top + start, rows[j] + start, u[j], block_size(start, m))


cdef Py_ssize_t part_below(
    double *keys, double *weights, Py_ssize_t n, double pivot, bint or_equal
) noexcept nogil:
    """Move the keys below the pivot to the front, and return their number."""
    cdef Py_ssize_t i, store = 0
    cdef double key, weight
    for i in range(n):
        key, weight = keys[i], weights[i]
        keys[i], weights[i] = keys[store], weights[store]
        keys[store], weights[store] = key, weight
        store += (key < pivot) | (or_equal & (key == pivot))
    return store


cdef Py_ssize_t first_of_the_least(const double *values, Py_ssize_t n, double rounding) noexcept nogil:
    """First minimum up to rounding; sets come after their subsets, so it is the smallest set."""
    cdef Py_ssize_t i
    cdef double least = values[0]
    for i in range(n):
        least = values[i] if values[i] < least else least
    for i in range(n):
        if values[i] <= least + rounding:
            return i
    return 0


cdef double weighted_rank(double *keys, double *weights, Py_ssize_t n, double need) noexcept nogil:
    """Smallest key up to which the weights add up to ``need``; the largest if they never do."""
    cdef double a, b, c, found, pivot = INFINITY, passed = 0.0
    cdef Py_ssize_t store
    while n > 0:
        a, b, c = keys[0], keys[n // 2], keys[n - 1]
        pivot = b if a <= b <= c or c <= b <= a else a if b <= a <= c or c <= a <= b else c
        store = part_below(keys, weights, n, pivot, False)
        found = total(weights, store)
        if store > 0 and passed + found >= need:
            n = store
            continue
        keys, weights, n, passed = keys + store, weights + store, n - store, passed + found
        store = part_below(keys, weights, n, pivot, True)
        passed += total(weights, store)
        keys, weights, n = keys + store, weights + store, n - store
        if passed >= need or store == 0:  # none is equal to a pivot that is not a number
            break
    return pivot


cdef class _Operator:
    """Problem, point with its maxima, and the convex step that is minimised from the point."""

    cdef list buffers  # memory that the pointers point to
    cdef list history  # the objective at each point
    cdef Py_ssize_t n_iter
    cdef Py_ssize_t n, m, p
    cdef Doubles a, b, tops
    cdef Rows negatives, positives, rows
    cdef double C, tie, flat, largest
    cdef Py_ssize_t work  # since signals were last checked
    # Maxima of the samples at the point and at the next one.
    cdef Doubles point, of_negatives, of_positives
    cdef Doubles next_point, next_negatives, next_positives
    cdef double objective, next_objective
    # The positives in the order of their deciding features.
    cdef Indices owner, bucket
    cdef Doubles hinge, hinge_penalty
    # The coordinates that can move, and the negatives near zero, as in ``_descent._Descent``.
    cdef Py_ssize_t n_free, n_near, n_kept
    cdef Indices free, chosen
    cdef Doubles u, up, down, kept, penalties, maxima, staying, above, below
    cdef double room, all_penalties
    # A direction: +1, −1 or 0 for each free coordinate; and the kinks along it.
    cdef Doubles direction, other, before, up_slopes, down_slopes, kinks, rises
    cdef double sign, horizon
    cdef bint goes_up, goes_down
    cdef object deciding  # a function: the feature that decides each positive at the point

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
        self.buffers = [negatives, positives, a, b, tops, point, of_negatives, of_positives]
        self.n, self.m, self.p = n, m, p
        self.a, self.b, self.tops = <Doubles> &a[0], <Doubles> &b[0], <Doubles> &tops[0]
        self.point, self.of_negatives, self.of_positives = &point[0], &of_negatives[0], &of_positives[0]
        self.C, self.tie, self.flat, self.largest, self.horizon = C, tie, flat, largest, largest
        self.deciding, self.history, self.n_iter = deciding, [], 0
        self.next_negatives, self.maxima = <Doubles> self.zeros(m), <Doubles> self.zeros(m)
        self.staying, self.penalties = <Doubles> self.zeros(m), <Doubles> self.zeros(m)
        self.above, self.below = <Doubles> self.zeros(m), <Doubles> self.zeros(m)
        self.next_positives, self.hinge = <Doubles> self.zeros(p), <Doubles> self.zeros(p)
        self.hinge_penalty, self.owner = <Doubles> self.zeros(p), <Indices> self.zeros(p)
        self.bucket, self.free = <Indices> self.zeros(n + 1), <Indices> self.zeros(n)
        self.next_point, self.u = <Doubles> self.zeros(n), <Doubles> self.zeros(n)
        self.up, self.down = <Doubles> self.zeros(n), <Doubles> self.zeros(n)
        self.up_slopes, self.down_slopes = <Doubles> self.zeros(n), <Doubles> self.zeros(n)
        self.direction, self.other = <Doubles> self.zeros(n), <Doubles> self.zeros(n)
        self.before, self.chosen = <Doubles> self.zeros(n), <Indices> self.zeros(m)
        self.kept = <Doubles> self.zeros(n * m)
        self.kinks = <Doubles> self.zeros(2 * m + p + n)
        self.rises = <Doubles> self.zeros(2 * m + p + n)
        self.negatives = <Rows> self.zeros(n)
        self.positives = <Rows> self.zeros(n)
        self.rows = <Rows> self.zeros(n)
        for j in range(n):
            self.negatives[j], self.positives[j] = &negatives[j, 0], &positives[j, 0]

    cdef void *zeros(self, Py_ssize_t size) except NULL:
        """Allocate ``size`` numbers of 64 bits, which live as long as this object."""
        cdef uint64_t[::1] view = np.zeros(size + 1, dtype=np.uint64)
        self.buffers.append(view)
        return &view[0]

    # The convex-concave procedure: ``_ccp`` and ``_problem.Evaluation``.

    cdef int convex_concave(
        self, Py_ssize_t max_iter, double tol, Py_ssize_t step_limit, double *slope
    ) except -1 nogil:
        """Run CCP until no step descends, and return the status."""
        cdef int status = ITERATION_LIMIT
        cdef bint exact
        while self.n_iter < max_iter and status == ITERATION_LIMIT:
            self.n_iter += 1
            self.decide()
            self.minimise(step_limit, slope, &exact)
            if not exact:
                return STEP_LIMIT
            self.evaluate_next()
            if not self.next_objective < self.objective:
                return CONVERGED
            if self.objective - self.next_objective < tol * self.next_objective:
                status = TOLERANCE
            self.go_on()
        self.decide()
        self.minimise(0, slope, &exact)
        return status

    cdef void evaluate_next(self) noexcept nogil:
        """Compute the objective and the maxima of all samples at the next point."""
        cdef double size = 0.0
        cdef Py_ssize_t j
        maxima(self.negatives, self.next_point, self.n, self.next_negatives, self.m)
        maxima(self.positives, self.next_point, self.n, self.next_positives, self.p)
        for j in range(self.n):
            size += fabs(self.next_point[j])
        self.next_objective = loss(self.next_negatives, 1.0, self.a, self.m)
        self.next_objective += loss(self.next_positives, -1.0, self.b, self.p)
        self.next_objective += self.C * size

    cdef int go_on(self) except -1 nogil:
        """Move to the next point and append its objective to the history."""
        memcpy(self.point, self.next_point, self.n * sizeof(double))
        memcpy(self.of_negatives, self.next_negatives, self.m * sizeof(double))
        memcpy(self.of_positives, self.next_positives, self.p * sizeof(double))
        self.objective = self.next_objective
        with gil:
            self.history.append(self.objective)
            PyErr_CheckSignals()
        return 0

    cdef int decide(self) except -1 nogil:
        """Find j*(i) of every positive at the point, and sort the positives by this feature."""
        cdef double holder[BLOCK]
        cdef double limit[BLOCK]
        cdef Py_ssize_t start, size, i, j, k
        cdef bint ties = False
        for start in range(0, self.p, 512):
            size = block_size(start, self.p)
            fill(holder, 0.0, size)
            for i in range(size):
                limit[i] = self.of_positives[start + i] - self.tie
            for j in range(self.n):
                add_holder(holder, self.positives[j] + start, self.point[j], limit, ONE + j, size)
            for i in range(size):
                if ONE <= holder[i] < 2 * ONE:
                    self.owner[start + i] = <Py_ssize_t> (holder[i] - ONE)
                else:
                    ties = True
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
        """Let the NumPy form choose among tied deciding features, as discrete features have."""
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
        """Minimise the majoriser of the point; the minimum is stored in ``next_point``."""
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
            if self.work >= WORK_BETWEEN_SIGNALS:
                self.work = 0
                with gil:
                    PyErr_CheckSignals()
        memcpy(self.next_point, self.point, self.n * sizeof(double))
        for f in range(self.n_free):
            self.next_point[self.free[f]] = self.u[f]
        return 0

    cdef void begin(self) noexcept nogil:
        """Find the coordinates that can move."""
        cdef Py_ssize_t j
        cdef double up, down, u
        self.n_free, self.n_near = 0, FEWEST_NEAR
        for j in range(self.n):
            u = self.point[j]
            self.own_slopes(j, u, self.tie, &up, &down)
            if self.tops[j] + u > 0.0 or up < -self.flat or down < -self.flat:
                self.free[self.n_free], self.u[self.n_free] = j, u
                self.up[self.n_free], self.down[self.n_free] = up, down
                self.n_free += 1
        self.choose_near()

    cdef void own_slopes(
        self, Py_ssize_t j, double u, double width, double *up, double *down
    ) noexcept nogil:
        cdef Py_ssize_t first = self.bucket[j], n_hinges = self.bucket[j + 1] - self.bucket[j]
        cdef double *hinge = self.hinge + first
        cdef double *penalty = self.hinge_penalty + first
        cdef double below = nextafter(-width, -INFINITY)
        up[0] = (self.C if u >= -width else -self.C) - weight_up_to(hinge, u, penalty, below, n_hinges)
        down[0] = (self.C if u <= width else -self.C) + weight_up_to(hinge, u, penalty, width, n_hinges)

    cdef void choose_near(self) noexcept nogil:
        """Keep the negatives above zero or close to it; store how far the others are below."""
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
        self.all_penalties = total(self.penalties, self.n_kept)
        if self.n_kept < self.m:
            for f in range(self.n_free):
                row, self.rows[f] = self.rows[f], self.kept + f * self.n_kept
                for k in range(self.n_kept):
                    self.kept[f * self.n_kept + k] = row[self.chosen[k]]

    cdef double steepest(self, double width) except? 1.0 nogil:
        """Slope along the steepest set direction, which is stored in ``direction``."""
        cdef double holder[BLOCK]
        cdef double limit[BLOCK]
        cdef double weight[BLOCK]
        cdef const double *top
        cdef Py_ssize_t start, size, f, i, n_tied = 0
        cdef bint at_the_floor
        for f in range(self.n_free):
            self.up_slopes[f], self.down_slopes[f] = self.up[f], self.down[f]
            if width != self.tie:
                self.own_slopes(self.free[f], self.u[f], width, &self.up_slopes[f], &self.down_slopes[f])
        for start in range(0, self.n_kept, 512):
            size, top = block_size(start, self.n_kept), self.maxima + start
            fill(holder, 0.0, size)
            for i in range(size):
                limit[i] = top[i] - width
            for f in range(self.n_free):
                add_holder(holder, self.rows[f] + start, self.u[f], limit, 1.0, size)
            for i in range(size):
                weight[i] = self.penalties[start + i]
                if not top[i] >= -width:
                    weight[i] = 0.0
            if number_between(holder, 1.0, 1.0, size) < size:
                for i in range(size):
                    if top[i] >= -width and holder[i] != 1.0:
                        weight[i], self.chosen[n_tied] = 0.0, start + i
                        n_tied += 1
            at_the_floor = number_between(top, -width, width, size) > 0.0
            for f in range(self.n_free):
                self.other[f] = weight_held(self.rows[f] + start, self.u[f], limit, weight, size)
                self.up_slopes[f] += self.other[f]
                if not at_the_floor:
                    self.down_slopes[f] -= self.other[f]
            if at_the_floor:
                for i in range(size):
                    if not top[i] > width:
                        weight[i] = 0.0
                for f in range(self.n_free):
                    self.down_slopes[f] -= weight_held(
                        self.rows[f] + start, self.u[f], limit, weight, size
                    )
        self.work += self.n_free * self.n_kept
        for f in range(self.n_free):
            if fabs(self.up_slopes[f]) <= self.flat:
                self.up_slopes[f] = 0.0
            if fabs(self.down_slopes[f]) <= self.flat:
                self.down_slopes[f] = 0.0
        if n_tied > FEW:
            return self.steepest_of_tied(width, n_tied)
        return self.steepest_of_few(width, n_tied)

    cdef double steepest_of_few(self, double width, Py_ssize_t n_tied) noexcept nogil:
        """Try all sets of tied negatives, if they are few.

        Upwards, the cost of a set is paid, and the coordinates that attain maxima of no other tied
        negatives rise. Downwards, all coordinates that attain a maximum of the set fall, if all of
        its negatives are above the floor.
        """
        cdef double rising[1 << FEW]
        cdef double falling[1 << FEW]
        cdef double rises[1 << FEW]
        cdef double falls[1 << FEW]
        cdef double free_fall = 0.0, penalty
        cdef Py_ssize_t f, i, k, held, taken, n_sets = 1 << n_tied
        for taken in range(n_sets):
            rising[taken] = falling[taken] = rises[taken] = falls[taken] = 0.0
        for f in range(self.n_free):
            held = 0
            for k in range(n_tied):
                i = self.chosen[k]
                held |= <Py_ssize_t> (self.rows[f][i] + self.u[f] >= self.maxima[i] - width) << k
            self.other[f] = <double> held
            if self.up_slopes[f] < 0.0:
                rising[held] += self.up_slopes[f]
            if self.down_slopes[f] < 0.0:
                free_fall += self.down_slopes[f]
            else:
                falling[held] += self.down_slopes[f]
        for taken in range(n_sets):
            for k in range(n_tied):
                if taken >> k & 1:
                    penalty = self.penalties[self.chosen[k]]
                    rises[taken] += penalty
                    falls[taken] += -penalty if self.maxima[self.chosen[k]] > width else INFINITY
            for held in range(n_sets):
                if not held & ~taken:
                    rises[taken] += rising[held]
                if held & taken:
                    falls[taken] += falling[held]
        cdef Py_ssize_t up = first_of_the_least(rises, n_sets, self.flat)
        cdef Py_ssize_t down = first_of_the_least(falls, n_sets, self.flat)
        self.sign = 1.0 if rises[up] <= free_fall + falls[down] + self.flat else -1.0
        for f in range(self.n_free):
            held, self.direction[f] = <Py_ssize_t> self.other[f], 0.0
            if self.sign > 0.0:
                if self.up_slopes[f] < 0.0 and not held & ~up:
                    self.direction[f] = 1.0
            elif self.down_slopes[f] < 0.0 or held & down:
                self.direction[f] = -1.0
        return rises[up] if self.sign > 0.0 else free_fall + falls[down]

    cdef double steepest_of_tied(self, double width, Py_ssize_t n_tied) except? 1.0 with gil:
        """Let the NumPy form find the steepest direction, if many negatives are tied."""
        cdef Py_ssize_t f, i, k
        cdef unsigned char[:, ::1] tied = np.empty((self.n_free, n_tied), dtype=np.uint8)
        cdef double[::1] penalties = np.empty(n_tied), tops = np.empty(n_tied)
        for k in range(n_tied):
            i = self.chosen[k]
            penalties[k], tops[k] = self.penalties[i], self.maxima[i]
        for f in range(self.n_free):
            for k in range(n_tied):
                tied[f, k] = self.rows[f][self.chosen[k]] + self.u[f] >= tops[k] - width
        members, sign, slope = steepest_of_tied(
            np.asarray(<double[: self.n_free]> self.up_slopes),
            np.asarray(<double[: self.n_free]> self.down_slopes),
            np.asarray(tied).view(bool), np.asarray(penalties), np.asarray(tops) > width, self.flat,
        )
        self.sign = sign
        for f in range(self.n_free):
            self.direction[f] = self.sign if members[f] else 0.0
        return slope

    cdef void move_between(self) noexcept nogil:
        """Move the last set and this one at once, one up and one down, if that descends."""
        cdef Py_ssize_t f
        cdef bint rises = False, falls = False
        for f in range(self.n_free):  # coordinates in both sets stay
            self.other[f] = self.before[f] + self.direction[f]
            rises |= self.other[f] > 0.0
            falls |= self.other[f] < 0.0
        if rises and falls:
            self.move(self.other)

    cdef bint move(self, const double *direction) noexcept nogil:
        """Move to the kink where the slope is no longer negative; whether the point moved."""
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
        """Distance at which G stops descending along a direction; 0 if it does not descend.

        The kink is usually among the nearest ones, so only kinks within a horizon are considered.
        The horizon is widened until it contains the kink.
        """
        cdef double kink, horizon = self.horizon, slope = self.slope_along(direction)
        cdef Py_ssize_t n_kinks
        if slope >= -self.flat:
            return 0.0
        while True:
            n_kinks = self.find_kinks(direction, horizon)
            if slope + total(self.rises, n_kinks) >= -self.flat or horizon == INFINITY:
                break
            horizon = 8 * horizon if horizon < self.largest else INFINITY
        if not n_kinks:
            return 0.0
        kink = weighted_rank(self.kinks, self.rises, n_kinks, -self.flat - slope)
        self.horizon = 3 * kink
        return kink

    cdef double slope_along(self, const double *direction) noexcept nogil:
        """Slope along a direction, and the distances to the kinks of the negatives.

        The distances are stored in ``above`` and ``below``, and the maxima over the coordinates
        that stay in ``staying``.
        """
        cdef double *stay
        cdef double *above
        cdef double *below
        cdef double *target
        cdef double slope = 0.0, floor
        cdef Py_ssize_t start, size, f, i
        self.goes_up = self.goes_down = False
        for f in range(self.n_free):
            if direction[f] > 0.0:
                self.goes_up, slope = True, slope + self.up[f]
            elif direction[f] < 0.0:
                self.goes_down, slope = True, slope + self.down[f]
        if self.goes_down:
            slope -= self.all_penalties
        for start in range(0, self.n_kept, 512):
            size, stay = block_size(start, self.n_kept), self.staying + start
            above, below = self.above + start, self.below + start
            fill(stay, -INFINITY, size)
            fill(above, -INFINITY, size)
            fill(below, -INFINITY, size)
            for f in range(self.n_free):
                target = stay if direction[f] == 0.0 else above if direction[f] > 0.0 else below
                raise_to(target, self.rows[f] + start, self.u[f], size)
            for i in range(size):
                floor = stay[i] if stay[i] > 0.0 else 0.0
                # From above[i] on, a rising coordinate attains the maximum; up to below[i], a
                # falling one.
                above[i], below[i] = floor - above[i], below[i] - floor
            if self.goes_up and self.goes_down:
                for i in range(size):
                    if below[i] > above[i]:  # the two meet above the floor
                        above[i] = below[i] = (below[i] + above[i]) / 2
            if self.goes_up:
                slope += weight_up_to(above, 0.0, self.penalties + start, self.tie, size)
            if self.goes_down:
                slope += weight_up_to(below, 0.0, self.penalties + start, self.tie, size)
        self.work += self.n_free * self.n_kept
        return slope

    cdef Py_ssize_t find_kinks(self, const double *direction, double horizon) noexcept nogil:
        """Collect the kinks along a direction within a horizon, and return their number."""
        cdef double distances[BLOCK]
        cdef double kink, rise = 2 * self.C
        cdef Py_ssize_t n_kinks = 0, start, size, f, i, end
        for f in range(self.n_free):
            if direction[f] == 0.0:
                continue
            kink = -direction[f] * self.u[f]
            n_kinks = self.add_kinks(n_kinks, &kink, &rise, 1, horizon)
            end = self.bucket[self.free[f] + 1]
            for start in range(self.bucket[self.free[f]], end, 512):
                size = block_size(start, end)
                for i in range(size):
                    distances[i] = -direction[f] * (self.hinge[start + i] + self.u[f])
                n_kinks = self.add_kinks(n_kinks, distances, self.hinge_penalty + start, size, horizon)
        if self.goes_up:
            n_kinks = self.add_kinks(n_kinks, self.above, self.penalties, self.n_kept, horizon)
        if self.goes_down:
            n_kinks = self.add_kinks(n_kinks, self.below, self.penalties, self.n_kept, horizon)
        return n_kinks

    cdef Py_ssize_t add_kinks(
        self, Py_ssize_t n_kinks, const double *distances, const double *rises, Py_ssize_t n,
        double horizon,
    ) noexcept nogil:
        """Store the kinks that are ahead and within the horizon; usually a few."""
        cdef Py_ssize_t i, start, size
        cdef double first = nextafter(self.tie, INFINITY)
        for start in range(0, n, 16):
            size = 16 if n - start > 16 else n - start
            if number_between(distances + start, first, horizon, size) == 0.0:
                continue
            for i in range(start, start + size):
                self.kinks[n_kinks], self.rises[n_kinks] = distances[i], rises[i]
                n_kinks += (distances[i] >= first) & (distances[i] <= horizon)
        return n_kinks


def descend(
    negatives, positives, negative_penalties, positive_penalties, tops, start, deciding_features,
    double C, double tie, double flat, double largest, Py_ssize_t max_iter, double tol,
    Py_ssize_t step_limit, bint escape, double worthwhile, double rounding,
):
    """Descend to a critical point: return the point, the maxima of the samples and the record.

    If positives are tied, ``deciding_features`` chooses their deciding features, given a point and
    both maxima. None is returned if a convex step takes more than ``step_limit`` steps.
    """
    cdef double slope = 0.0, distance, enough
    cdef int status
    cdef Py_ssize_t j
    cdef list escapes = []
    cdef _Operator trained
    point = np.array(start, dtype=float)
    of_negatives, of_positives = np.empty(len(negative_penalties)), np.empty(len(positive_penalties))
    trained = _Operator(
        negatives, positives, negative_penalties, positive_penalties, tops, point, of_negatives,
        of_positives, lambda: deciding_features(point, of_negatives, of_positives), C, tie, flat,
        largest,
    )
    memcpy(trained.next_point, trained.point, trained.n * sizeof(double))
    trained.evaluate_next()
    trained.go_on()
    while True:
        with nogil:
            status = trained.convex_concave(max_iter, tol, step_limit, &slope)
        if status == STEP_LIMIT:
            return None
        if status == ITERATION_LIMIT or not escape:
            break
        enough = max(worthwhile * trained.objective, rounding)
        if trained.objective <= enough:
            break
        j, distance = best_coordinate(
            negatives, positives, negative_penalties, positive_penalties, point, C, rounding
        )
        memcpy(trained.next_point, trained.point, trained.n * sizeof(double))
        trained.next_point[j] += distance
        trained.evaluate_next()
        if not trained.objective - trained.next_objective > enough:
            break
        escapes.append(len(trained.history))
        trained.go_on()
    return (
        point, of_negatives, of_positives, trained.history, escapes, trained.n_iter, status, slope
    )


cdef void runners(
    const double[:, ::1] values, const double[::1] u, double[::1] first, double[::1] second,
    Py_ssize_t[::1] winner,
) noexcept nogil:
    """Maximum of each sample, the coordinate that attains it, and the maximum without it."""
    cdef Py_ssize_t i, j
    cdef double value
    first[:] = -INFINITY
    second[:] = -INFINITY
    for j in range(values.shape[0]):
        for i in range(values.shape[1]):
            value = values[j, i] + u[j]
            if value > first[i]:
                second[i], first[i], winner[i] = first[i], value, j
            elif value > second[i]:
                second[i] = value


def best_coordinate(
    const double[:, ::1] negatives, const double[:, ::1] positives, const double[::1] a,
    const double[::1] b, const double[::1] u, double C, double rounding,
):
    """Coordinate with the lowest global minimum, and the distance to it: see ``_escape``."""
    cdef Py_ssize_t n = len(u), m = len(a), p = len(b), i, j, k, best = 0
    cdef double other, value, slope, height, last, here, least, at_kink, most = -INFINITY
    cdef double[::1] heights = np.empty(m + 2 * p + 2), gains = np.empty(n), places = np.empty(n)
    cdef double[::1] first = np.empty(m), second = np.empty(m)
    cdef double[::1] positive_first = np.empty(p), positive_second = np.empty(p)
    cdef Py_ssize_t[::1] winner = np.zeros(m, dtype=np.intp), positive_winner = np.zeros(p, dtype=np.intp)
    cdef double[::1] kinks = np.empty(m + 2 * p + 2), rises = np.empty(m + 2 * p + 2)
    cdef Py_ssize_t[::1] order
    runners(negatives, u, first, second, winner)
    runners(positives, u, positive_first, positive_second, positive_winner)
    for j in range(n):
        k, slope, height, here, least = 0, -C, 0.0, INFINITY, INFINITY
        for i in range(m):
            other = second[i] if winner[i] == j else first[i]
            kinks[k], rises[k] = (other if other > 0.0 else 0.0) - negatives[j, i] - u[j], a[i]
            k += 1
        for i in range(p):
            other = positive_second[i] if positive_winner[i] == j else positive_first[i]
            if not other < 0.0:
                continue
            value = positives[j, i] + u[j]
            kinks[k], rises[k] = -value, b[i]
            kinks[k + 1], rises[k + 1] = other - value, -b[i]
            if other > -INFINITY:
                k += 2
            else:  # with a single feature a positive gains from the start
                k, slope = k + 1, slope - b[i]
        kinks[k], rises[k], kinks[k + 1], rises[k + 1] = -u[j], 2 * C, 0.0, 0.0
        order = np.argsort(kinks[: k + 2])
        last = kinks[order[0]]
        for i in range(k + 2):
            at_kink = kinks[order[i]]
            height += slope * (at_kink - last)
            heights[i] = height
            least = height if height < least else least
            if at_kink >= 0.0 and here == INFINITY:
                here = height
            slope, last = slope + rises[order[i]], at_kink
        i = 0
        while not heights[i] <= least + rounding and i < k + 1:
            i += 1
        gains[j], places[j] = here - heights[i], kinks[order[i]]
        PyErr_CheckSignals()
    for j in range(n):
        most = gains[j] if gains[j] > most else most
    while not gains[best] >= most - rounding and best < n - 1:  # the first of equals
        best += 1
    return best, places[best]
