// SPDX-License-Identifier: MIT
// The grid method of weir-bench palette on the device: shaders/palette_grid.comp, dispatched
// until all is done.
#include "tests/bench/palette/palette.h"

#include <string.h>

#include "capture/base/size.h"
#include "capture/weir/common/interrupt.h"
#include "tests/bench/kernel.h"
#include "tests/bench/timing.h"

static const uint32_t code[] =
#include "palette_grid.inc"
    ;

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

// The buffers, in the order of their bindings.
enum { RANGES, SUMS, ORDER, POINTS, COUNTS, STATES, OUTPUTS, COUNTERS, NUM_BUFFERS };

// The push constants, as the shader has them.
struct push_constants {
    float box_min[3], radius_squared;
    float box_range[3];
    uint32_t limit;
    uint32_t reach[3];
    uint32_t first, num, target;
};

struct counters {
    uint32_t num_left, num_evaluations;
};

struct method {
    struct cli_gpu *gpu;
    const struct bench_palette_grid_params *params;
    struct bench_palette_run *run; // the results
    struct bench_palette_grid grid;
    struct weir_gpu_buffer buffers[NUM_BUFFERS], staging;
    struct bench_kernel kernel;
    struct bench_sets sets;
    struct cli_timer timer;
    struct bench_samples samples;
    struct push_constants push;
    struct counters counters; // as of the last dispatch
    uint32_t num_live, half;  // states that move on, and the half of the buffer that they are in
    uint32_t limit, slice;    // of the next dispatch: steps, states
    uint32_t most;            // steps of any dispatch on this device
};

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

// Copy the first `size` bytes and wait until it is done.
static enum weir_result copy(struct cli_gpu *gpu, const struct weir_gpu_buffer *from,
                             const struct weir_gpu_buffer *to, uint64_t size)
{
    VkCommandBuffer commands;
    const VkBufferCopy region = {.size = size};
    WEIR_TRY(weir_gpu_begin(gpu->work, &commands));
    bench_barrier(commands, BENCH_DEVICE_STAGES | VK_PIPELINE_STAGE_HOST_BIT);
    vkCmdCopyBuffer(commands, from->buffer, to->buffer, 1, &region);
    bench_barrier(commands, BENCH_DEVICE_STAGES | VK_PIPELINE_STAGE_HOST_BIT);
    return weir_gpu_run(gpu->work, commands);
}

// The first half of the states becomes the points, and the counters become 0.
static enum weir_result make_buffers(struct method *method)
{
    static const struct counters zeroes;
    const struct bench_palette_grid *grid = &method->grid;
    const uint64_t num = grid->num_points, points_size = num * sizeof(*grid->points);
    const uint64_t ranges_size = BENCH_PALETTE_GRID_CELLS * sizeof(*grid->ranges);
    const uint64_t sums_size = BENCH_PALETTE_GRID_CELLS * sizeof(*grid->sums);
    const uint64_t words_size = num * sizeof(uint32_t);
    const struct {
        const void *data; // NULL: none
        uint64_t size, buffer_size;
    } contents[NUM_BUFFERS] = {
        [RANGES] = {grid->ranges, ranges_size, ranges_size},
        [SUMS] = {grid->sums, sums_size, sums_size},
        [ORDER] = {grid->order, words_size, words_size},
        [POINTS] = {grid->points, points_size, points_size},
        [COUNTS] = {method->params->picture->counts, words_size, words_size},
        [STATES] = {grid->points, points_size, 2 * points_size},
        [OUTPUTS] = {NULL, 0, words_size},
        [COUNTERS] = {&zeroes, sizeof(zeroes), sizeof(zeroes)},
    };
    const VkBufferUsageFlags transfers = VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                         VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    const uint64_t largest = sums_size > 2 * points_size ? sums_size : 2 * points_size;
    WEIR_TRY(cli_buffer_init(method->gpu, largest, transfers, true, &method->staging));
    for (uint32_t i = 0; i < NUM_BUFFERS; i++) {
        WEIR_TRY(cli_buffer_init(method->gpu, contents[i].buffer_size,
                                 VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | transfers, false,
                                 &method->buffers[i]));
        if (contents[i].data) {
            memcpy(method->staging.mapped, contents[i].data, contents[i].size);
            WEIR_TRY(copy(method->gpu, &method->staging, &method->buffers[i], contents[i].size));
        }
    }
    return WEIR_OK;
}

static enum weir_result make_kernel(struct method *method)
{
    struct bench_kernel_params params = {
        .num_bindings = NUM_BUFFERS,
        .push_size = sizeof(struct push_constants),
    };
    VkDescriptorBufferInfo infos[NUM_BUFFERS];
    const void *pointers[NUM_BUFFERS];
    for (uint32_t i = 0; i < NUM_BUFFERS; i++) {
        params.bindings[i].type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
        infos[i] = (VkDescriptorBufferInfo){method->buffers[i].buffer, 0, VK_WHOLE_SIZE};
        pointers[i] = &infos[i];
    }
    const uint32_t constants[] = {method->params->frequency, method->params->srgb};
    const struct cli_pipeline_params form = {code, sizeof(code), constants, 2};
    WEIR_TRY(bench_kernel_init(&method->kernel, method->gpu, &params));
    WEIR_TRY(bench_kernel_add_form(&method->kernel, &form));
    WEIR_TRY(bench_sets_init(&method->sets, &method->kernel, 1, 0));
    return bench_sets_add(&method->sets, pointers);
}

static uint32_t most_on_device(const struct method *method)
{
    if (!bench_timing_is_host(method->gpu)) {
        return MOST_STEPS;
    }
    uint32_t rows = 1, turns = method->grid.num_points;
    for (int axis = 0; axis < 3; axis++) {
        rows *= smaller(2 * method->grid.reach[axis] + 1, BENCH_PALETTE_GRID_SIDE);
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

static enum weir_result record(void *user, VkCommandBuffer commands)
{
    const struct method *method = user;
    const struct bench_groups groups = {(uint32_t)weir_divide_up(method->push.num, WORKGROUP_SIZE),
                                        1, 1};
    bench_sets_record(&method->sets, 0, 0, &method->push, groups, commands);
    return WEIR_OK;
}

static enum weir_result dispatch(struct method *method)
{
    const struct bench_part part = {.record = record, .user = method};
    const struct push_constants *push = &method->push;
    struct bench_palette_run *run = method->run;
    struct counters counters;
    method->samples.num = 0;
    WEIR_TRY(bench_submit(&method->timer, &part, 1, 1, &method->samples));
    WEIR_TRY(copy(method->gpu, &method->buffers[COUNTERS], &method->staging, sizeof(counters)));
    const double ns = (double)method->samples.ns[0];
    memcpy(&counters, method->staging.mapped, sizeof(counters));
    run->num_evaluations += counters.num_evaluations - method->counters.num_evaluations;
    const bool some_left = counters.num_left != method->counters.num_left;
    method->counters = counters;
    run->num_dispatches++;
    run->stages[BENCH_PALETTE_ITERATE].median += ns / 1000;
    run->longest_dispatch_ns = ns > run->longest_dispatch_ns ? ns : run->longest_dispatch_ns;
    // The rest of a round says nothing of a whole slice.
    if (some_left && (push->num == method->slice || push->num == method->num_live)) {
        adapt(method, push->limit, ns);
    }
    return cli_interrupted() ? WEIR_ERROR_IO : WEIR_OK;
}

// Move all live states on, up to `most` steps; those that are left are live afterwards. `*limit`:
// how many it was.
static enum weir_result run_round(struct method *method, uint32_t most, uint32_t *limit)
{
    const uint32_t num_points = method->grid.num_points;
    const uint32_t num = method->num_live, start = method->counters.num_left;
    struct push_constants *push = &method->push;
    push->target = (method->half ^ 1) * num_points - start;
    *limit = 0;
    for (uint32_t first = 0; first < num; first += push->num) {
        push->first = method->half * num_points + first;
        push->num = smaller(method->slice, num - first);
        push->limit = smaller(method->limit, most);
        *limit = push->limit > *limit ? push->limit : *limit;
        WEIR_TRY(dispatch(method));
    }
    method->num_live = method->counters.num_left - start;
    method->half ^= 1;
    cli_progress_step(method->params->progress, num_points - method->num_live, num_points,
                      "colours of grid");
    return WEIR_OK;
}

static enum weir_result run_all(struct method *method)
{
    uint32_t limit;
    struct bench_times *times = &method->run->stages[BENCH_PALETTE_ITERATE];
    for (uint32_t steps = 0; method->num_live > 0 && steps < MOST_STEPS; steps += limit) {
        WEIR_TRY(run_round(method, most_at_once(method), &limit));
    }
    method->run->num_unfinished = method->num_live;
    if (method->num_live > 0) {
        WEIR_TRY(run_round(method, 0, &limit));
    }
    times->num = 1;
    times->min = times->max = times->p95 = times->p99 = times->p999 = times->median;
    return WEIR_OK;
}

static enum weir_result measure(struct method *method, uint32_t *outputs)
{
    const struct bench_palette_grid_params *params = method->params;
    struct bench_palette_grid *grid = &method->grid;
    if (!bench_palette_grid_init(grid, params->picture, params->radius, params->frequency,
                                 params->srgb)) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    method->push.radius_squared = params->radius * params->radius;
    memcpy(method->push.box_min, grid->box_min, sizeof(grid->box_min));
    memcpy(method->push.box_range, grid->box_range, sizeof(grid->box_range));
    memcpy(method->push.reach, grid->reach, sizeof(grid->reach));
    method->most = most_on_device(method);
    method->run->refused = method->most < LEAST_STEPS;
    if (method->run->refused) {
        return WEIR_OK;
    }
    WEIR_TRY(bench_timing_init(&method->timer, method->gpu));
    WEIR_TRY(make_buffers(method));
    WEIR_TRY(make_kernel(method));
    WEIR_TRY(run_all(method));
    WEIR_TRY(copy(method->gpu, &method->buffers[OUTPUTS], &method->staging,
                  method->buffers[OUTPUTS].size));
    memcpy(outputs, method->staging.mapped, method->buffers[OUTPUTS].size);
    method->run->measured = true;
    return WEIR_OK;
}

enum weir_result bench_palette_grid_measure(struct cli_gpu *gpu,
                                            const struct bench_palette_grid_params *params,
                                            struct bench_palette_run *run, uint32_t *outputs)
{
    static struct method only; // whose samples are many for a stack
    struct method *method = &only;
    *method = (struct method){.gpu = gpu,
                              .params = params,
                              .run = run,
                              .num_live = params->picture->num_colors,
                              .limit = LEAST_STEPS,
                              .slice = FIRST_SLICE};
    *run = (struct bench_palette_run){0};
    const enum weir_result result = measure(method, outputs);
    bench_sets_finish(&method->sets);
    bench_kernel_finish(&method->kernel);
    for (uint32_t i = 0; i < NUM_BUFFERS; i++) {
        weir_gpu_buffer_finish(gpu->work, &method->buffers[i]);
    }
    weir_gpu_buffer_finish(gpu->work, &method->staging);
    cli_timer_finish(&method->timer);
    bench_palette_grid_finish(&method->grid);
    return result;
}
