# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""Compiled form of the loops over pixels: extrema by runs, reconstruction, attribute openings.

Read ``_runs`` and ``_regions`` first, which choose a form; both forms give the same pixels. Images
are flat arrays with a border of −1, so that every pixel has all its neighbours. The last function
matches colours for ``_irregularity``.
"""

import numpy as np

from libc.stdint cimport int32_t
from libc.stdlib cimport free, malloc

cdef extern from *:
    """
    #include <stdint.h>
    #include <stdlib.h>
    #include <string.h>

    #if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__) \\
        && !defined(__SANITIZE_ADDRESS__)
    #define KERNEL __attribute__((target_clones("avx2", "default"))) static
    #else
    #define KERNEL static
    #endif

    /* Columns of one tile, whose rows stay in the cache. */
    #define TILE 1024

    /* The extremum over a run of any length is that over two overlapping runs of the largest power
       of two below its length; runs of these lengths follow from each other by doubling. A ring
       holds each run of the last rows of the image. The rows of the footprint combine them. */
    #define DEFINE(T, NAME, LESS)                                                                  \\
    KERNEL void two_##NAME(T *out, const T *a, const T *b, ptrdiff_t n) {                          \\
        for (ptrdiff_t i = 0; i < n; i++) out[i] = a[i] LESS b[i] ? a[i] : b[i];                   \\
    }                                                                                              \\
    KERNEL void three_##NAME(T *out, const T *a, const T *b, ptrdiff_t n) {                        \\
        for (ptrdiff_t i = 0; i < n; i++) {                                                        \\
            T least = a[i] LESS b[i] ? a[i] : b[i];                                                \\
            out[i] = out[i] LESS least ? out[i] : least;                                           \\
        }                                                                                          \\
    }                                                                                              \\
    KERNEL void five_##NAME(T *out, const T *const *in, ptrdiff_t n) {                             \\
        const T *a = in[0], *b = in[1], *c = in[2], *d = in[3];                                    \\
        for (ptrdiff_t i = 0; i < n; i++) {                                                        \\
            T first = a[i] LESS b[i] ? a[i] : b[i], last = c[i] LESS d[i] ? c[i] : d[i];           \\
            T least = first LESS last ? first : last;                                              \\
            out[i] = out[i] LESS least ? out[i] : least;                                           \\
        }                                                                                          \\
    }                                                                                              \\
    static int tiles_##NAME(const T *image, T *out, ptrdiff_t height, ptrdiff_t width,             \\
                            ptrdiff_t tall, ptrdiff_t wide, ptrdiff_t n_runs,                      \\
                            const ptrdiff_t *starts, const ptrdiff_t *lengths, ptrdiff_t n_parts,  \\
                            const ptrdiff_t *rows, const ptrdiff_t *runs) {                        \\
        ptrdiff_t across = width + wide - 1, room = TILE + wide, powers = 1;                       \\
        while (((ptrdiff_t) 1 << powers) < wide) powers++;                                         \\
        T *doubled = malloc((size_t) (powers * room) * sizeof(T));                                 \\
        T *ring = malloc((size_t) (n_runs * tall * TILE) * sizeof(T));                             \\
        const T **found = malloc((size_t) (n_runs * tall) * sizeof(T *));                          \\
        const T **level = malloc((size_t) (powers + 1) * sizeof(T *));                             \\
        const T **lines = malloc((size_t) n_parts * sizeof(T *));                                  \\
        int enough = doubled && ring && found && level && lines;                                   \\
        for (ptrdiff_t left = 0; enough && left < width; left += TILE) {                           \\
            ptrdiff_t n = width - left < TILE ? width - left : TILE;                               \\
            for (ptrdiff_t y = 0; y < height + tall - 1; y++) {                                    \\
                ptrdiff_t slot = y % tall, made = 0, length = n + wide - 1;                        \\
                level[0] = image + y * across + left;                                              \\
                for (ptrdiff_t u = 0; u < n_runs; u++) {                                           \\
                    const T *from;                                                                 \\
                    ptrdiff_t power = 0;                                                           \\
                    if (lengths[u] == 1) {                                                         \\
                        found[u * tall + slot] = level[0] + starts[u];                             \\
                        continue;                                                                  \\
                    }                                                                              \\
                    while (((ptrdiff_t) 2 << power) < lengths[u]) power++;                         \\
                    for (; made < power; made++) {                                                 \\
                        ptrdiff_t half = (ptrdiff_t) 1 << made;                                    \\
                        length -= half;                                                            \\
                        two_##NAME(doubled + made * room, level[made], level[made] + half, length);\\
                        level[made + 1] = doubled + made * room;                                   \\
                    }                                                                              \\
                    from = level[power] + starts[u];                                               \\
                    two_##NAME(ring + (u * tall + slot) * TILE, from,                              \\
                               from + lengths[u] - ((ptrdiff_t) 1 << power), n);                   \\
                    found[u * tall + slot] = ring + (u * tall + slot) * TILE;                      \\
                }                                                                                  \\
                if (y < tall - 1) continue;                                                        \\
                T *here = out + (y - tall + 1) * width + left;                                     \\
                for (ptrdiff_t k = 0; k < n_parts; k++)                                            \\
                    lines[k] = found[runs[k] * tall + (y + 1 + rows[k]) % tall];                   \\
                if (n_parts == 1) {                                                                \\
                    memcpy(here, lines[0], (size_t) n * sizeof(T));                                \\
                    continue;                                                                      \\
                }                                                                                  \\
                ptrdiff_t k = 2;                                                                   \\
                two_##NAME(here, lines[0], lines[1], n);                                           \\
                for (; k + 4 <= n_parts; k += 4) five_##NAME(here, lines + k, n);                  \\
                for (; k + 2 <= n_parts; k += 2) three_##NAME(here, lines[k], lines[k + 1], n);    \\
                if (k < n_parts) two_##NAME(here, here, lines[k], n);                              \\
            }                                                                                      \\
        }                                                                                          \\
        free(doubled); free(ring); free(found); free(level); free(lines);                          \\
        return enough;                                                                             \\
    }
    #define BOTH(T, NAME) DEFINE(T, NAME##_minimum, <) DEFINE(T, NAME##_maximum, >)
    BOTH(uint8_t, u1) BOTH(uint16_t, u2) BOTH(int16_t, i2) BOTH(int32_t, i4) BOTH(int64_t, i8)
    BOTH(float, f4) BOTH(double, f8)

    #define CASE(CODE, T, NAME)                                                                    \\
        case CODE:                                                                                 \\
            return (maximum ? tiles_##NAME##_maximum : tiles_##NAME##_minimum)(                    \\
                (const T *) image, (T *) out, height, width, tall, wide, n_runs, starts, lengths,  \\
                n_parts, rows, runs);
    static int extremum_of(int code, int maximum, const void *image, void *out, ptrdiff_t height,
                           ptrdiff_t width, ptrdiff_t tall, ptrdiff_t wide, ptrdiff_t n_runs,
                           const ptrdiff_t *starts, const ptrdiff_t *lengths, ptrdiff_t n_parts,
                           const ptrdiff_t *rows, const ptrdiff_t *runs) {
        switch (code) {
            CASE(0, uint8_t, u1) CASE(1, uint16_t, u2) CASE(2, int16_t, i2) CASE(3, int32_t, i4)
            CASE(4, int64_t, i8) CASE(5, float, f4) CASE(6, double, f8)
        }
        return 0;
    }

    /* Copies rows of a table; returns 0 if a place is not in the table. */
    #define COPY(N)                                                                                \
        for (ptrdiff_t i = 0; i < n; i++) {                                                        \
            if (places[i] < 0 || places[i] >= n_rows) return 0;                                    \
            memcpy(out + i * (N), table + places[i] * (ptrdiff_t) (N), (size_t) (N));              \
        }
    static int take_rows(const unsigned char *table, ptrdiff_t n_rows, ptrdiff_t width,
                         const int32_t *places, ptrdiff_t n, unsigned char *out) {
        switch (width) {
            case 1: COPY(1) break;
            case 3: COPY(3) break;
            case 4: COPY(4) break;
            case 6: COPY(6) break;
            case 12: COPY(12) break;
            case 24: COPY(24) break;
            default: COPY(width)
        }
        return 1;
    }
    """
    int extremum_of(int code, int maximum, const void *image, void *out, Py_ssize_t height,
                    Py_ssize_t width, Py_ssize_t tall, Py_ssize_t wide, Py_ssize_t n_runs,
                    const Py_ssize_t *starts, const Py_ssize_t *lengths, Py_ssize_t n_parts,
                    const Py_ssize_t *rows, const Py_ssize_t *runs) nogil
    int take_rows(const unsigned char *table, Py_ssize_t n_rows, Py_ssize_t width,
                  const int32_t *places, Py_ssize_t n, unsigned char *out) nogil

CODES = {"u1": 0, "u2": 1, "i2": 2, "i4": 3, "i8": 4, "f4": 5, "f8": 6}


def extremum(padded, out, runs, parts, shape, bint maximum):
    """Extrema of images of shape (n, H + tall − 1, W + wide − 1) into ``out``, (n, H, W).

    ``runs`` has a start and a length for each run, ``parts`` a row and the number of a run for each
    part of the footprint, whose ``shape`` is (tall, wide).
    """
    cdef Py_ssize_t tall = shape[0], wide = shape[1]
    cdef Py_ssize_t n_images = out.shape[0], height = out.shape[1], width = out.shape[2]
    if padded.shape != (n_images, height + tall - 1, width + wide - 1) or out.dtype != padded.dtype:
        raise ValueError("the shapes or dtypes do not fit")
    columns = [np.ascontiguousarray(column, dtype=np.intp) for column in (*runs.T, *parts.T)]
    cdef Py_ssize_t[::1] starts = columns[0], lengths = columns[1], rows = columns[2]
    cdef Py_ssize_t[::1] run_of = columns[3]
    if not (
        len(rows)
        and 0 <= runs.min() <= runs.sum(axis=1).max() <= wide and runs[:, 1].min() > 0
        and 0 <= parts.min() and parts[:, 0].max() < tall and parts[:, 1].max() < len(runs)
    ):
        raise ValueError("the runs do not lie in the footprint")
    cdef int code = CODES[padded.dtype.str[1:]]
    if out.size == 0:
        return
    if not out.flags.c_contiguous:
        raise ValueError("out must be contiguous")
    cdef const unsigned char[::1] source = np.ascontiguousarray(padded).reshape(-1).view(np.uint8)
    cdef unsigned char[::1] target = out.reshape(-1).view(np.uint8)
    cdef Py_ssize_t here = target.shape[0] // n_images, there = source.shape[0] // n_images
    cdef Py_ssize_t i
    cdef int enough = 1
    with nogil:
        for i in range(n_images):
            enough = enough and extremum_of(
                code, maximum, &source[i * there], &target[i * here], height, width, tall, wide,
                lengths.shape[0], &starts[0], &lengths[0], rows.shape[0], &rows[0], &run_of[0],
            )
    if not enough:
        raise MemoryError


def reconstruct(int32_t[::1] marker, const int32_t[::1] mask, const Py_ssize_t[::1] before):
    """Grow ``marker`` under ``mask`` in place; ``before`` leads to the neighbours before a pixel.

    A pass in each direction, then a queue of the pixels whose neighbours still change.
    """
    cdef Py_ssize_t n = mask.shape[0], k = before.shape[0], p, q, j, head = 0, size = 0
    cdef int32_t value
    waiting_array = np.zeros(n, dtype=np.uint8)
    cdef unsigned char[::1] waiting = waiting_array
    cdef Py_ssize_t *queue = <Py_ssize_t *> malloc((n + 1) * sizeof(Py_ssize_t))
    if queue == NULL:
        raise MemoryError
    with nogil:
        for p in range(n):
            if mask[p] < 0:
                continue
            value = marker[p]
            for j in range(k):
                value = max(value, marker[p + before[j]])
            marker[p] = min(value, mask[p])
        for p in range(n - 1, -1, -1):
            if mask[p] < 0:
                continue
            value = marker[p]
            for j in range(k):
                value = max(value, marker[p - before[j]])
            marker[p] = value = min(value, mask[p])
            for j in range(k):
                q = p - before[j]
                if marker[q] < value and marker[q] < mask[q]:
                    queue[size] = p
                    size += 1
                    waiting[p] = 1
                    break
        while size:
            p = queue[head]
            head = 0 if head + 1 == n else head + 1
            size -= 1
            waiting[p] = 0
            value = marker[p]
            for j in range(2 * k):
                q = p + before[j] if j < k else p - before[j - k]
                if marker[q] < value and marker[q] < mask[q]:
                    marker[q] = min(value, mask[q])
                    if not waiting[q]:
                        waiting[q] = 1
                        queue[(head + size) % n] = q
                        size += 1
    free(queue)


def take(table, const int32_t[::1] places):
    """Rows of a contiguous table with two axes, as ``np.take`` does without negative places."""
    out_array = np.empty((places.shape[0], table.shape[1]), dtype=table.dtype)
    if out_array.size == 0:
        return out_array
    cdef const unsigned char[::1] rows = table.reshape(-1).view(np.uint8)
    cdef unsigned char[::1] out = out_array.reshape(-1).view(np.uint8)
    cdef Py_ssize_t n_rows = table.shape[0], width = out.shape[0] // places.shape[0]
    cdef int found
    with nogil:
        found = take_rows(&rows[0], n_rows, width, &places[0], places.shape[0], &out[0])
    if not found:
        raise IndexError(f"the ranks of an image go from 0 to {n_rows - 1}")
    return out_array


cdef inline int32_t root_of(int32_t *parent, int32_t p) noexcept nogil:
    cdef int32_t root = p, above
    while parent[root] >= 0:
        root = parent[root]
    while p != root:
        above = parent[p]
        parent[p] = root
        p = above
    return root


def attribute_opening(
    const int32_t[::1] values, const Py_ssize_t[::1] before, strides, long long threshold
):
    """Lower the maxima whose region has fewer pixels than the threshold, by union and find.

    With ``strides`` of the axes, the longest side of the region's bounding box is compared instead.
    """
    cdef Py_ssize_t n = values.shape[0], k = before.shape[0], n_axes = len(strides)
    cdef Py_ssize_t i, j, q, axis, rest
    cdef int32_t p, r, low, high
    cdef long long size
    result_array = np.array(values, dtype=np.int32)
    cdef int32_t[::1] result = result_array
    # Pixels by falling value, by counting.
    sizes = np.bincount(np.asarray(values) + 1)
    cdef Py_ssize_t total = n - sizes[0]
    cdef Py_ssize_t[::1] places = np.ascontiguousarray(
        np.cumsum(sizes[::-1])[::-1] - sizes, dtype=np.intp
    )
    order_array = np.empty(total, dtype=np.int32)
    cdef int32_t[::1] order = order_array
    for p in range(n):
        if values[p] >= 0:
            order[places[values[p] + 1]] = p
            places[values[p] + 1] += 1
    parent_array = np.full(n, -2, dtype=np.int32)
    cdef int32_t[::1] parents = parent_array
    cdef int32_t *parent = &parents[0]
    cdef long long[::1] attribute = np.ones(n, dtype=np.longlong)
    cdef Py_ssize_t[::1] steps = np.array([*strides, 1], dtype=np.intp)
    corners = np.zeros((2, max(n_axes, 1), n if n_axes else 1), dtype=np.int32)
    cdef int32_t[:, :, ::1] box = corners
    with nogil:
        for i in range(total):
            p = order[i]
            parent[p] = -1
            rest = p
            for axis in range(n_axes):
                box[0, axis, p] = box[1, axis, p] = rest // steps[axis]
                rest = rest % steps[axis]
            for j in range(2 * k):
                q = p + before[j] if j < k else p - before[j - k]
                if parent[q] == -2:
                    continue
                r = root_of(parent, <int32_t> q)
                if r == p:
                    continue
                if values[r] != values[p] and attribute[r] >= threshold:
                    attribute[p] = max(attribute[p], threshold)
                    continue
                parent[r] = p
                if n_axes == 0:
                    attribute[p] += attribute[r]
                    continue
                attribute[p] = max(attribute[p], attribute[r])
                for axis in range(n_axes):
                    low = min(box[0, axis, p], box[0, axis, r])
                    high = max(box[1, axis, p], box[1, axis, r])
                    box[0, axis, p], box[1, axis, p] = low, high
                    size = high - low + 1
                    attribute[p] = max(attribute[p], size)
        for i in range(total - 1, -1, -1):
            p = order[i]
            if parent[p] >= 0:
                result[p] = result[parent[p]]
    return result_array


def transport(const double[:, ::1] costs, const int32_t[::1] supplies, const int32_t[::1] demands):
    """Amounts, demands by supplies, that move all supplies to all demands at the smallest cost.

    Each supply is sent along shortest augmenting paths. A price for each demand keeps the costs
    less the prices smallest where something flows, as Dijkstra's method needs.
    """
    cdef Py_ssize_t m = supplies.shape[0], n = demands.shape[0]
    cdef Py_ssize_t i, j, k, start, end, n_open, best
    cdef double near, base
    cdef int32_t amount
    if costs.shape[0] != m or costs.shape[1] != n or np.sum(supplies) != np.sum(demands):
        raise ValueError("shapes or sums of supplies and demands do not fit")
    flow_array = np.zeros((n, m), dtype=np.int32)
    cdef int32_t[:, ::1] flow = flow_array
    cdef int32_t[::1] left = np.array(supplies, dtype=np.int32)
    cdef int32_t[::1] room = np.array(demands, dtype=np.int32)
    cdef double[::1] price = np.min(costs, axis=0)
    cdef double[::1] distance = np.empty(n)
    cdef Py_ssize_t[::1] order = np.arange(n, dtype=np.intp)
    # The supply that reaches each demand, and the demand that each supply is taken from.
    cdef Py_ssize_t[::1] sender = np.empty(n, dtype=np.intp)
    cdef Py_ssize_t[::1] taken = np.empty(m, dtype=np.intp)
    with nogil:
        for start in range(m):
            while left[start]:
                for i in range(m):
                    taken[i] = -1
                taken[start] = n
                for j in range(n):
                    distance[j] = costs[start, j] - price[j]
                    sender[j] = start
                n_open = n
                while True:
                    best = 0
                    for k in range(1, n_open):
                        if distance[order[k]] < distance[order[best]]:
                            best = k
                    end = order[best]
                    n_open -= 1
                    order[best] = order[n_open]
                    order[n_open] = end
                    near = distance[end]
                    if room[end]:
                        break
                    for i in range(m):
                        if flow[end, i] == 0 or taken[i] >= 0:
                            continue
                        taken[i] = end
                        base = near - (costs[i, end] - price[end])
                        for k in range(n_open):
                            j = order[k]
                            if base + costs[i, j] - price[j] < distance[j]:
                                distance[j] = base + costs[i, j] - price[j]
                                sender[j] = i
                for k in range(n_open + 1, n):
                    j = order[k]
                    price[j] += distance[j] - near
                amount = min(left[start], room[end])
                j = end
                while sender[j] != start:
                    i = sender[j]
                    j = taken[i]
                    amount = min(amount, flow[j, i])
                room[end] -= amount
                left[start] -= amount
                while sender[end] != start:
                    i = sender[end]
                    flow[end, i] += amount
                    end = taken[i]
                    flow[end, i] -= amount
                flow[end, start] += amount
    return flow_array
