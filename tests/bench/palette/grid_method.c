// SPDX-License-Identifier: MIT
// The grid method of weir-bench palette on the device: shaders/palette_grid.comp, dispatched
// until all is done.
#include "tests/bench/palette/grid_method.h"

#include <string.h>

#include "capture/base/size.h"
#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/report.h"
#include "tests/bench/palette/grid.h"
#include "tests/bench/palette/grid_kernel.h"
#include "tests/bench/stopwatch.h"

enum {
    WORKGROUP_SIZE = 64,
    MAX_SLICE = 65535 * WORKGROUP_SIZE, // every device takes so many workgroups
    FIRST_SLICE = 1 << 17,
    LEAST_STEPS = 2, // of a dispatch: one alone would never see that a colour goes to and fro
    // The most steps. Rounding can keep a colour in a cycle of three or more, which never ends.
    MOST_STEPS = 20000,
    // Mesa's software device ends the loops of an invocation together, without a word, after 65,535
    // turns.
    MOST_SOFTWARE_TURNS = 65000,
};
// A dispatch grows and shrinks towards this time: far from a second, so that the next is too.
static const double dispatch_ns = 0.2e9;

struct counters {
    uint32_t num_left, num_evaluations;
};

struct method {
    const struct bench_palette_grid_params *params;
    struct bench_palette_grid grid;
    struct bench_palette_grid_kernel kernel;
    struct cli_timer watch;
    struct counters counters; // as of the last dispatch
    uint32_t num_live, half;  // states that move on, and the half of the buffer that they are in
    uint32_t limit, slice;    // of the next dispatch: steps, states
    uint32_t most;            // steps of any dispatch on this device
};

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t most_on_device(const struct cli_gpu *gpu, const struct bench_palette_grid *grid)
{
    if (!bench_stopwatch_is_host(gpu)) {
        return MOST_STEPS;
    }
    uint32_t rows = 1, turns = grid->num_points;
    for (int axis = 0; axis < 3; axis++) {
        rows *= smaller(2 * grid->reach[axis] + 1, BENCH_PALETTE_GRID_SIDE);
        turns += rows;
    }
    return MOST_SOFTWARE_TURNS / turns;
}

// How many steps it takes at once, by the number of colours that move.
static uint32_t most_at_once(const struct method *method)
{
    const uint32_t num = method->num_live;
    return smaller(method->most, num <= 10000 ? MOST_STEPS : num <= 100000 ? 40 : 20);
}

// Set the slice and the steps of the next dispatch by the time of this one. Slices grow before
// steps do, and shrink after them.
static void adapt(struct method *method, uint32_t limit, double ns)
{
    double scale = dispatch_ns / (ns + 1);
    scale = scale > 8 ? 8 : scale;
    const bool whole = method->slice >= method->num_live;
    if (scale > 1 ? whole : limit > LEAST_STEPS) {
        const double next = limit * scale;
        method->limit = next < LEAST_STEPS  ? LEAST_STEPS
                        : next > MOST_STEPS ? MOST_STEPS
                                            : (uint32_t)next;
    } else {
        const double next = method->slice * scale / WORKGROUP_SIZE;
        method->slice = next < 1                            ? WORKGROUP_SIZE
                        : next > MAX_SLICE / WORKGROUP_SIZE ? MAX_SLICE
                                                            : (uint32_t)next * WORKGROUP_SIZE;
    }
}

static enum weir_result dispatch(struct method *method, const struct bench_palette_grid_push *push,
                                 struct bench_palette_run *run)
{
    double ns = 0;
    struct counters counters = {0};
    enum weir_result result = bench_palette_grid_kernel_run(
        &method->kernel, &method->watch, push, (uint32_t)weir_divide_up(push->num, WORKGROUP_SIZE),
        &ns);
    if (result == WEIR_OK) {
        memcpy(&counters, method->kernel.staging.mapped, sizeof(counters));
    }
    run->num_evaluations += counters.num_evaluations - method->counters.num_evaluations;
    const bool some_left = counters.num_left != method->counters.num_left;
    method->counters = counters;
    run->num_dispatches++;
    run->stages[BENCH_PALETTE_ITERATE].median += ns / 1000;
    if (ns > run->longest_dispatch_ns) {
        run->longest_dispatch_ns = ns;
    }
    // The rest of a round says nothing of a whole slice.
    if (some_left && (push->num == method->slice || push->num == method->num_live)) {
        adapt(method, push->limit, ns);
    }
    if (result == WEIR_OK && cli_interrupted()) {
        cli_report_error("interrupted");
        result = WEIR_ERROR_IO;
    }
    return result;
}

// Move all live states on, up to `most` steps; those that are left are live afterwards. `*limit`:
// how many it was.
static enum weir_result run_round(struct method *method, struct bench_palette_run *run,
                                  uint32_t most, uint32_t *limit)
{
    const struct bench_palette_grid *grid = &method->grid;
    const uint32_t num = method->num_live, start = method->counters.num_left;
    struct bench_palette_grid_push push = {
        .radius_squared = method->params->radius * method->params->radius,
        .target = (method->half ^ 1) * grid->num_points - start,
    };
    memcpy(push.box_min, grid->box_min, sizeof(push.box_min));
    memcpy(push.box_range, grid->box_range, sizeof(push.box_range));
    memcpy(push.reach, grid->reach, sizeof(push.reach));
    enum weir_result result = WEIR_OK;
    *limit = 0;
    for (uint32_t first = 0; first < num && result == WEIR_OK; first += push.num) {
        push.first = method->half * grid->num_points + first;
        push.num = smaller(method->slice, num - first);
        push.limit = smaller(method->limit, most);
        *limit = push.limit > *limit ? push.limit : *limit;
        result = dispatch(method, &push, run);
    }
    method->num_live = method->counters.num_left - start;
    method->half ^= 1;
    cli_progress_step(method->params->progress, grid->num_points - method->num_live,
                      grid->num_points, "colours of grid");
    return result;
}

static enum weir_result run_all(struct method *method, struct bench_palette_run *run)
{
    enum weir_result result = WEIR_OK;
    uint32_t limit;
    for (uint32_t steps = 0; method->num_live > 0 && steps < MOST_STEPS && result == WEIR_OK;
         steps += limit) {
        result = run_round(method, run, most_at_once(method), &limit);
    }
    run->num_unfinished = method->num_live;
    if (method->num_live > 0 && result == WEIR_OK) {
        result = run_round(method, run, 0, &limit);
    }
    struct bench_times *times = &run->stages[BENCH_PALETTE_ITERATE];
    times->num = 1;
    times->min = times->max = times->p95 = times->p99 = times->p999 = times->median;
    return result;
}

enum weir_result bench_palette_grid_measure(struct cli_gpu *gpu,
                                            const struct bench_palette_grid_params *params,
                                            struct bench_palette_run *run, uint32_t *outputs)
{
    const uint32_t num = params->picture->num_colors;
    struct method method = {
        .params = params, .num_live = num, .limit = LEAST_STEPS, .slice = FIRST_SLICE};
    *run = (struct bench_palette_run){0};
    enum weir_result result = WEIR_OK;
    if (!bench_palette_grid_init(&method.grid, params->picture, params->radius, params->frequency,
                                 params->srgb)) {
        result = WEIR_ERROR_OUT_OF_MEMORY;
    }
    if (result == WEIR_OK) {
        method.most = most_on_device(gpu, &method.grid);
    }
    run->refused = result == WEIR_OK && method.most < LEAST_STEPS;
    if (result == WEIR_OK) {
        result = bench_stopwatch_init(&method.watch, gpu);
    }
    if (result == WEIR_OK && !run->refused) {
        result = bench_palette_grid_kernel_init(&method.kernel, gpu, &method.grid,
                                                params->picture->counts, params->frequency,
                                                params->srgb);
    }
    if (result == WEIR_OK && !run->refused) {
        result = run_all(&method, run);
    }
    if (result == WEIR_OK && !run->refused) {
        result = bench_palette_grid_kernel_read(&method.kernel, outputs);
    }
    run->measured = result == WEIR_OK && !run->refused;
    bench_palette_grid_kernel_finish(&method.kernel);
    cli_timer_finish(&method.watch);
    bench_palette_grid_finish(&method.grid);
    return result;
}
