// SPDX-License-Identifier: MIT
// Palette reduction by a grid and by ways that merge: the bits of the naive reference, fast.
//
// The points are sorted into columns along L over square cells of a and b, and by L within a
// column. Of a column, the points that are within the radius for any a and b of its cell are one
// difference of prefix sums; those that are within for some are looked at one by one.
#include "tests/ref/palette.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ref/palette_follow.h"

enum {
    CELLS_IN_RADIUS = 2, // the fastest of 2 .. 16 for photographs at a radius of 0.02
    MAX_CELLS = 512,     // a side of the grid
};

struct sums {
    uint64_t num, l, a, b;
};

struct entry {
    struct ref_palette_point point;
    uint32_t weight;
    uint32_t column;
};

struct grid {
    uint32_t num;
    struct entry *entries; // sorted
    struct sums *sums;     // of all entries before one; num + 1
    uint32_t *starts;      // the first entry of a column; columns + 1
    int32_t least_a, least_b;
    int32_t cell;           // its side
    int32_t size_a, size_b; // in cells
    uint64_t squared_radius;
    int32_t radius; // rounded down
    uint64_t tests;
};

static int compare_entries(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->column != y->column) {
        return x->column < y->column ? -1 : 1;
    }
    return (x->point.l > y->point.l) - (x->point.l < y->point.l);
}

// Rounded down.
static int32_t square_root(uint64_t n)
{
    uint64_t x = (uint64_t)sqrt((double)n); // a guess: integers decide
    while (x * x > n) {
        x--;
    }
    while ((x + 1) * (x + 1) <= n) {
        x++;
    }
    return (int32_t)x;
}

// Choose cells, and say in which each entry is.
static void lay_out(struct grid *grid)
{
    struct ref_palette_point least = {0}, most = {0};
    for (uint32_t i = 0; i < grid->num; i++) {
        const struct ref_palette_point p = grid->entries[i].point;
        least.a = i == 0 || p.a < least.a ? p.a : least.a;
        least.b = i == 0 || p.b < least.b ? p.b : least.b;
        most.a = p.a > most.a ? p.a : most.a;
        most.b = p.b > most.b ? p.b : most.b;
    }
    const int32_t range_a = most.a - least.a, range_b = most.b - least.b;
    const int32_t smallest = (range_a > range_b ? range_a : range_b) / MAX_CELLS + 1;
    const int32_t wanted = grid->radius / CELLS_IN_RADIUS;
    grid->cell = wanted > smallest ? wanted : smallest;
    grid->least_a = least.a;
    grid->least_b = least.b;
    grid->size_a = range_a / grid->cell + 1;
    grid->size_b = range_b / grid->cell + 1;
    for (uint32_t i = 0; i < grid->num; i++) {
        const struct ref_palette_point p = grid->entries[i].point;
        grid->entries[i].column = (uint32_t)((p.a - least.a) / grid->cell * grid->size_b +
                                             (p.b - least.b) / grid->cell);
    }
}

static void add_up(struct grid *grid)
{
    struct sums sum = {0};
    uint32_t num_starts = 0;
    for (uint32_t i = 0; i < grid->num; i++) {
        const struct entry *e = &grid->entries[i];
        while (num_starts <= e->column) {
            grid->starts[num_starts++] = i;
        }
        grid->sums[i] = sum;
        sum.num += e->weight;
        sum.l += (uint64_t)e->weight * (uint64_t)e->point.l;
        sum.a += (uint64_t)e->weight * (uint64_t)e->point.a;
        sum.b += (uint64_t)e->weight * (uint64_t)e->point.b;
    }
    grid->sums[grid->num] = sum;
    while (num_starts <= (uint32_t)(grid->size_a * grid->size_b)) {
        grid->starts[num_starts++] = grid->num;
    }
}

static void grid_finish(struct grid *grid)
{
    free(grid->entries);
    free(grid->sums);
    free(grid->starts);
}

static bool grid_init(const struct ref_palette_params *params, uint32_t n,
                      const struct ref_palette_point *points, const uint32_t *counts,
                      struct grid *grid)
{
    *grid = (struct grid){.num = n, .squared_radius = ref_palette_squared_radius(params->radius)};
    grid->radius = square_root(grid->squared_radius);
    grid->entries = malloc(((size_t)n + 1) * sizeof(*grid->entries));
    grid->sums = malloc(((size_t)n + 1) * sizeof(*grid->sums));
    if (!grid->entries || !grid->sums) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        grid->entries[i] = (struct entry){.point = points[i],
                                          .weight = params->frequency ? counts[i] : 1};
    }
    lay_out(grid);
    grid->starts = malloc(((size_t)(grid->size_a * grid->size_b) + 1) * sizeof(*grid->starts));
    if (!grid->starts) {
        return false;
    }
    qsort(grid->entries, n, sizeof(*grid->entries), compare_entries);
    add_up(grid);
    return true;
}

// The first entry of [first, last) with L of at least `l`.
static uint32_t find(const struct grid *grid, uint32_t first, uint32_t last, int32_t l)
{
    while (first < last) {
        const uint32_t middle = first + (last - first) / 2;
        if (grid->entries[middle].point.l < l) {
            first = middle + 1;
        } else {
            last = middle;
        }
    }
    return first;
}

static void add_tested(struct grid *grid, uint32_t first, uint32_t last,
                       struct ref_palette_point from, struct sums *sum)
{
    struct sums s = *sum; // not through the pointer: it might point at the grid
    const uint64_t squared_radius = grid->squared_radius;
    for (uint32_t i = first; i < last; i++) {
        const struct entry *e = &grid->entries[i];
        const int64_t l = e->point.l - from.l, a = e->point.a - from.a, b = e->point.b - from.b;
        // No branch: which way it goes would be a coin toss.
        const uint64_t weight = e->weight *
                                (uint64_t)((uint64_t)(l * l + a * a + b * b) <= squared_radius);
        s.num += weight;
        s.l += weight * (uint64_t)e->point.l;
        s.a += weight * (uint64_t)e->point.a;
        s.b += weight * (uint64_t)e->point.b;
    }
    *sum = s;
    grid->tests += last - first;
}

static void add_whole(const struct grid *grid, uint32_t first, uint32_t last, struct sums *sum)
{
    const struct sums *from = &grid->sums[first], *to = &grid->sums[last];
    sum->num += to->num - from->num;
    sum->l += to->l - from->l;
    sum->a += to->a - from->a;
    sum->b += to->b - from->b;
}

// From a place to the nearest and the farthest of `cell` ones that begin at `start`.
struct span {
    int64_t near, far;
};

static struct span span_of(int32_t place, int32_t start, int32_t cell)
{
    const int32_t below = start - place, above = place - (start + cell - 1);
    return (struct span){.near = below > 0   ? below
                                 : above > 0 ? above
                                             : 0,
                         .far = -below > -above ? -below : -above};
}

// Add the entries of one column that are within the radius. `a` and `b` are the least and the
// greatest distance of the column's cell along the two axes.
static void add_column(struct grid *grid, uint32_t column, struct ref_palette_point from,
                       struct span a, struct span b, struct sums *sum)
{
    const uint64_t near = (uint64_t)(a.near * a.near + b.near * b.near);
    const uint64_t far = (uint64_t)(a.far * a.far + b.far * b.far);
    uint32_t first = grid->starts[column], last = grid->starts[column + 1];
    if (first == last || near > grid->squared_radius) {
        return;
    }
    const int32_t some = square_root(grid->squared_radius - near);
    first = find(grid, first, last, from.l - some);
    last = find(grid, first, last, from.l + some + 1);
    uint32_t whole = last, end = last;
    if (far <= grid->squared_radius) {
        const int32_t all = square_root(grid->squared_radius - far);
        whole = find(grid, first, last, from.l - all);
        end = find(grid, whole, last, from.l + all + 1);
    }
    add_tested(grid, first, whole, from, sum);
    add_whole(grid, whole, end, sum);
    add_tested(grid, end, last, from, sum);
}

static int32_t clamp(int32_t value, int32_t most)
{
    return value < 0 ? 0 : value > most ? most : value;
}

static struct ref_palette_point grid_step(struct grid *grid, struct ref_palette_point from)
{
    const int32_t a = from.a - grid->least_a, b = from.b - grid->least_b;
    const int32_t last_a = clamp((a + grid->radius) / grid->cell, grid->size_a - 1),
                  last_b = clamp((b + grid->radius) / grid->cell, grid->size_b - 1);
    struct sums sum = {0};
    for (int32_t i = clamp((a - grid->radius) / grid->cell, grid->size_a - 1); i <= last_a; i++) {
        const struct span span_a = span_of(a, i * grid->cell, grid->cell);
        for (int32_t j = clamp((b - grid->radius) / grid->cell, grid->size_b - 1); j <= last_b;
             j++) {
            add_column(grid, (uint32_t)(i * grid->size_b + j), from, span_a,
                       span_of(b, j * grid->cell, grid->cell), &sum);
        }
    }
    return (struct ref_palette_point){(int32_t)((2 * sum.l + sum.num) / (2 * sum.num)),
                                      (int32_t)((2 * sum.a + sum.num) / (2 * sum.num)),
                                      (int32_t)((2 * sum.b + sum.num) / (2 * sum.num))};
}

static struct ref_palette_state state_of(struct ref_palette_point p)
{
    return (struct ref_palette_state){{(uint64_t)p.l, (uint64_t)p.a, (uint64_t)p.b}};
}

static struct ref_palette_point point_of(struct ref_palette_state state)
{
    return (struct ref_palette_point){(int32_t)state.words[0], (int32_t)state.words[1],
                                      (int32_t)state.words[2]};
}

static struct ref_palette_state step_state(void *grid, struct ref_palette_state from)
{
    return state_of(grid_step(grid, point_of(from)));
}

static int compare_states(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct ref_palette_state));
}

static uint32_t num_distinct(uint32_t n, struct ref_palette_state *states)
{
    uint32_t num = 0;
    qsort(states, n, sizeof(*states), compare_states);
    for (uint32_t i = 0; i < n; i++) {
        num += i == 0 || compare_states(&states[i], &states[i - 1]) != 0;
    }
    return num;
}

bool ref_palette_reduce_points(const struct ref_palette_params *params, uint32_t n,
                               const uint32_t *colors, const uint32_t *counts,
                               struct ref_palette_point *out, struct ref_palette_stats *stats)
{
    struct ref_palette_state *states = malloc(((size_t)n + 1) * sizeof(*states));
    struct ref_palette_stats s = {0};
    struct grid grid = {0};
    for (uint32_t i = 0; i < n; i++) {
        out[i] = ref_palette_point_of(colors[i], params->srgb);
    }
    bool is_done = states && grid_init(params, n, out, counts, &grid);
    if (is_done) {
        for (uint32_t i = 0; i < n; i++) {
            states[i] = state_of(out[i]);
        }
        is_done = ref_palette_follow(step_state, &grid, params->limit, n, states, &s);
    }
    if (is_done) {
        for (uint32_t i = 0; i < n; i++) {
            out[i] = point_of(states[i]);
        }
        s.tests = grid.tests;
        s.num_new_colors = num_distinct(n, states);
    }
    if (stats) {
        *stats = s;
    }
    grid_finish(&grid);
    free(states);
    return is_done;
}

bool ref_palette_reduce(const struct ref_palette_params *params, uint32_t n, const uint32_t *colors,
                        const uint32_t *counts, uint32_t *out, struct ref_palette_stats *stats)
{
    struct ref_palette_point *points = malloc(((size_t)n + 1) * sizeof(*points));
    struct ref_palette_stats s = {0};
    bool is_done = points && ref_palette_reduce_points(params, n, colors, counts, points, &s);
    for (uint32_t i = 0; i < n && is_done; i++) {
        out[i] = ref_palette_color_of(points[i], params->srgb);
    }
    free(points);
    is_done = is_done && ref_palette_num_distinct(n, out, &s.num_new_colors);
    if (stats) {
        *stats = s;
    }
    return is_done;
}
