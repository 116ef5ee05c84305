// SPDX-License-Identifier: MIT
// The plans of pyramids: which dispatches make a chain, and the stages of the one-dispatch kernel.
#include "pyramid/plan.h"

#include <stdio.h>

#include "tests/expect.h"
#include "tests/sanitized.h"
#include "tests/seeded.h"

#define EXPECT(is_so, g, what)                                                                     \
    test_expect(is_so, "%u levels of %ux%u%s: %s", (g)->num_levels, (g)->width, (g)->height,       \
                (g)->copies ? ", copied" : "", what)

static uint32_t size_of(uint32_t size, uint32_t level)
{
    return weir_pyramid_level_extent(size, 1, level).width;
}

static struct weir_pyramid_geometry full_chain(uint32_t width, uint32_t height)
{
    return (struct weir_pyramid_geometry){
        .width = width,
        .height = height,
        .num_levels = weir_pyramid_full_chain(width, height) - 1,
    };
}

// Texels an axis that a workgroup of a kernel makes, and of which level after the base.
struct group {
    uint32_t side, level;
};

static struct group group_of(const struct weir_pyramid_step *step)
{
    switch (step->kernel) {
    case WEIR_PYRAMID_KERNEL_COPY:
        return (struct group){16, 0};
    case WEIR_PYRAMID_KERNEL_GENERAL:
        return (struct group){8, 2};
    case WEIR_PYRAMID_KERNEL_FAST:
        return (struct group){16, step->num_levels == 6 ? 2 : 1};
    default:
        return (struct group){16, 1};
    }
}

static bool covers(uint32_t num_groups, uint32_t side, uint32_t size)
{
    return num_groups * side >= size && (num_groups - 1) * side < size;
}

static uint32_t most_levels(enum weir_pyramid_kernel kernel)
{
    switch (kernel) {
    case WEIR_PYRAMID_KERNEL_COPY:
        return 0;
    case WEIR_PYRAMID_KERNEL_GENERAL:
        return 2;
    case WEIR_PYRAMID_KERNEL_FAST:
        return 6;
    case WEIR_PYRAMID_KERNEL_SUBGROUP:
        return 5;
    default:
        return 1;
    }
}

static void check_step(const struct weir_pyramid_geometry *g, const struct weir_pyramid_step *step)
{
    const uint32_t width = size_of(g->width, step->base);
    const uint32_t height = size_of(g->height, step->base);
    EXPECT(step->num_levels <= most_levels(step->kernel), g, "more levels than the kernel makes");
    if (step->kernel == WEIR_PYRAMID_KERNEL_BLIT) {
        return;
    }
    if (step->kernel == WEIR_PYRAMID_KERNEL_GENERAL) {
        EXPECT(step->num_levels == 2, g, "the general kernel makes two levels");
    }
    if (step->kernel == WEIR_PYRAMID_KERNEL_FAST || step->kernel == WEIR_PYRAMID_KERNEL_SUBGROUP) {
        EXPECT(((width | height) & ((1u << step->num_levels) - 1)) == 0, g,
               "sides that do not divide");
    }
    const struct group group = group_of(step);
    EXPECT(covers(step->groups_x, group.side, size_of(width, group.level)), g, "workgroups in x");
    EXPECT(covers(step->groups_y, group.side, size_of(height, group.level)), g, "workgroups in y");
}

// Every level once and in order, whatever the method.
static void check_steps(enum weir_pyramid_method method, const struct weir_pyramid_geometry *g,
                        const struct weir_pyramid_plan *plan)
{
    const bool copies = g->copies && (method != WEIR_PYRAMID_SINGLE || g->num_levels == 0);
    uint32_t level = 0;
    EXPECT(plan->num_steps <= g->num_levels + copies, g, "more steps than levels");
    for (uint32_t i = 0; i < plan->num_steps; i++) {
        const struct weir_pyramid_step *step = &plan->steps[i];
        const bool is_copy = step->kernel == WEIR_PYRAMID_KERNEL_COPY;
        EXPECT(is_copy == (copies && i == 0), g, "a copy comes first, and only then");
        EXPECT(is_copy || step->num_levels > 0, g, "a step that makes nothing");
        EXPECT(step->base == level, g, "a step that does not start where the last one ended");
        level += step->num_levels;
        if (method != WEIR_PYRAMID_SINGLE || is_copy) {
            check_step(g, step);
        }
    }
    EXPECT(level == g->num_levels, g, "levels are missing");
}

// Do both sides divide by 2 at every step of the chain?
static bool is_even(const struct weir_pyramid_geometry *g)
{
    return ((g->width | g->height) & ((1u << g->num_levels) - 1)) == 0;
}

static void check_hybrid(const struct weir_pyramid_geometry *g,
                         const struct weir_pyramid_plan *plan)
{
    for (uint32_t i = 0; i < plan->num_steps; i++) {
        const struct weir_pyramid_step *step = &plan->steps[i];
        const uint32_t sides = size_of(g->width, step->base) | size_of(g->height, step->base);
        const uint32_t rest = g->num_levels - step->base;
        if (step->kernel == WEIR_PYRAMID_KERNEL_FAST) {
            const uint32_t n = step->num_levels;
            EXPECT(n >= 2, g, "fast where a side does not divide by 4");
            EXPECT(n == 6 || n == rest || (sides >> n & 1) != 0, g, "fast could make more levels");
        } else if (step->kernel != WEIR_PYRAMID_KERNEL_COPY) {
            EXPECT(rest < 2 || sides % 4 != 0, g, "general where fast could");
        }
    }
}

static void check_subgroup(const struct weir_pyramid_geometry *g,
                           const struct weir_pyramid_plan *plan)
{
    for (uint32_t i = 0; i < plan->num_steps; i++) {
        const struct weir_pyramid_step *step = &plan->steps[i];
        if (step->kernel != WEIR_PYRAMID_KERNEL_COPY && step->base > 0) {
            EXPECT(step->num_levels == 5, g, "only the first chunk may be short");
        }
    }
}

// How many texels of an axis lie under outputs `low` .. `high` - 1 of a stage, at the stage's level
// 1: from level to level by the taps of each, as in tests/ref/pyramid.c.
static uint32_t count_under(uint32_t size, uint32_t num_levels, uint32_t low, uint32_t high)
{
    for (uint32_t level = num_levels; level > 1; level--) {
        const uint32_t below = size_of(size, level - 1);
        low = 2 * low;
        high = below == 1 ? 1 : 2 * high + below % 2;
        high = high < below ? high : below;
    }
    return high - low;
}

// Tiles of an axis that read texels low .. high - 1 of the level that their stage begins with, of
// `size` texels.
static uint32_t count_above(uint32_t size, const struct weir_pyramid_stage *stage, uint32_t tile,
                            uint32_t num_tiles, uint32_t low, uint32_t high)
{
    const uint32_t last = size_of(size, stage->num_levels);
    uint32_t num = 0;
    // Tiles lie in order, and overlap by less than the length of one.
    const uint32_t near = (low >> stage->num_levels) / tile;
    for (uint32_t t = near > 2 ? near - 2 : 0; t < num_tiles && t < near + 8; t++) {
        const uint32_t first = t * tile << stage->num_levels;
        const uint32_t end = (t + 1) * tile < last ? (t + 1) * tile : last;
        const uint32_t extra = size & ((1u << stage->num_levels) - 1);
        num += first < high && (end << stage->num_levels) + extra > low;
    }
    return num;
}

static void check_above(const struct weir_pyramid_geometry *g, uint32_t size,
                        const struct weir_pyramid_stage *below,
                        const struct weir_pyramid_stage *stage, bool is_x)
{
    const uint32_t tile = is_x ? below->tile_width : below->tile_height;
    const uint32_t num_tiles = is_x ? below->tiles_x : below->tiles_y;
    for (uint32_t t = 0; t < num_tiles; t++) {
        const uint32_t high = (t + 1) * tile < size ? (t + 1) * tile : size;
        const uint32_t num = count_above(size, stage, is_x ? stage->tile_width : stage->tile_height,
                                         is_x ? stage->tiles_x : stage->tiles_y, t * tile, high);
        EXPECT(num >= 1 && num <= 3, g, "tiles above one: shaders/pyramid/hand_over.glsl");
    }
}

// The limits of a workgroup of shaders/pyramid/single.glsl. The last column of a first tile has no
// neighbour, which an odd base needs.
enum {
    FIRST_TILE = 32,
    FIRST_ODD_TILE = 31,
    LATER_TILE = 16,
    MAX_TILES = 1 << 14,
    MAX_TILE_SIDE = 255
};

static uint32_t room_of(uint32_t size, uint32_t level)
{
    return level > 0 ? LATER_TILE : size % 2 == 1 && size > 1 ? FIRST_ODD_TILE : FIRST_TILE;
}

static void check_axis(const struct weir_pyramid_geometry *g, uint32_t size,
                       const struct weir_pyramid_stage *stage, uint32_t tile, uint32_t num_tiles)
{
    const uint32_t num_levels = stage->num_levels;
    const uint32_t last = size_of(size, num_levels);
    EXPECT(tile >= 1 && tile <= MAX_TILE_SIDE, g, "the side of a tile");
    EXPECT(num_tiles <= MAX_TILES && covers(num_tiles, tile, last), g, "tiles do not cover");
    for (uint32_t t = 0; t < num_tiles; t++) {
        const uint32_t high = (t + 1) * tile < last ? (t + 1) * tile : last;
        EXPECT(count_under(size, num_levels, t * tile, high) <= room_of(size, stage->level), g,
               "a tile that is too wide");
    }
}

static void check_stages(const struct weir_pyramid_geometry *g)
{
    struct weir_pyramid_plan plan = {0};
    uint32_t level = 0, texels = 0, counters = 0;
    weir_pyramid_stages_init(g, &plan.stages);
    EXPECT(plan.stages.num <= WEIR_PYRAMID_MAX_STAGES, g, "too many stages");
    for (uint32_t i = 0; i < plan.stages.num; i++) {
        const struct weir_pyramid_stage *stage = &plan.stages.stages[i];
        const uint32_t width = size_of(g->width, level), height = size_of(g->height, level);
        EXPECT(stage->level == level && stage->num_levels > 0, g, "a stage's levels");
        EXPECT(stage->texels == texels && (i == 0 || stage->counters == counters), g,
               "a stage's place in scratch memory");
        EXPECT(stage->num_levels <= (i == 0 ? 6 : 5), g, "more levels than a stage makes");
        EXPECT(i > 0 || stage->num_levels > 1 || plan.stages.num == 1, g,
               "one level of the first stage is in registers only");
        check_axis(g, width, stage, stage->tile_width, stage->tiles_x);
        check_axis(g, height, stage, stage->tile_height, stage->tiles_y);
        if (i > 0) {
            check_above(g, width, &plan.stages.stages[i - 1], stage, true);
            check_above(g, height, &plan.stages.stages[i - 1], stage, false);
        }
        level += stage->num_levels;
        counters += i > 0 ? stage->tiles_x * stage->tiles_y : 0;
        texels += level < g->num_levels ? size_of(g->width, level) * size_of(g->height, level) : 0;
    }
    EXPECT(level == g->num_levels, g, "stages do not make every level");
    EXPECT(plan.stages.slice_texels == texels && plan.stages.slice_counters == counters, g,
           "the size of scratch memory");
}

static void check_methods(const struct weir_pyramid_geometry *g)
{
    for (int m = WEIR_PYRAMID_SINGLE; m <= WEIR_PYRAMID_BLIT; m++) {
        const enum weir_pyramid_method method = (enum weir_pyramid_method)m;
        const bool needs_even = m == WEIR_PYRAMID_FAST || m == WEIR_PYRAMID_SUBGROUP;
        struct weir_pyramid_plan plan;
        const char *reason = weir_pyramid_plan_init(method, g, &plan);
        EXPECT(!reason == (!needs_even || is_even(g)), g,
               weir_pyramid_method_get_info(method)->name);
        if (reason) {
            continue;
        }
        check_steps(method, g, &plan);
        if (method == WEIR_PYRAMID_HYBRID) {
            check_hybrid(g, &plan);
        }
        if (method == WEIR_PYRAMID_SUBGROUP) {
            check_subgroup(g, &plan);
        }
    }
    check_stages(g);
}

static void test_known_counts(void)
{
    static const struct {
        enum weir_pyramid_method method;
        uint32_t width, height, num_steps;
    } known[] = {
        {WEIR_PYRAMID_HYBRID, 1920, 1080, 5},     {WEIR_PYRAMID_HYBRID, 2560, 1440, 4},
        {WEIR_PYRAMID_HYBRID, 3840, 2160, 5},     {WEIR_PYRAMID_HYBRID, 2048, 2048, 2},
        {WEIR_PYRAMID_HYBRID, 4096, 4096, 2},     {WEIR_PYRAMID_HYBRID, 2047, 2047, 5},
        {WEIR_PYRAMID_HYBRID, 4095, 4095, 6},     {WEIR_PYRAMID_GENERAL, 4096, 4096, 6},
        {WEIR_PYRAMID_GENERAL, 1920, 1080, 5},    {WEIR_PYRAMID_FAST, 4096, 4096, 2},
        {WEIR_PYRAMID_FAST, 32, 32, 1},           {WEIR_PYRAMID_SUBGROUP, 256, 256, 2},
        {WEIR_PYRAMID_SUBGROUP, 1024, 1024, 2},   {WEIR_PYRAMID_SUBGROUP, 32, 32, 1},
        {WEIR_PYRAMID_PER_LEVEL, 1920, 1080, 10}, {WEIR_PYRAMID_BLIT, 1920, 1080, 10},
        {WEIR_PYRAMID_SINGLE, 1920, 1080, 1},     {WEIR_PYRAMID_SINGLE, 16384, 16384, 1},
        {WEIR_PYRAMID_SINGLE, 1, 1, 0},           {WEIR_PYRAMID_HYBRID, 1, 1, 0},
    };
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        const struct weir_pyramid_geometry g = full_chain(known[i].width, known[i].height);
        struct weir_pyramid_plan plan;
        const char *reason = weir_pyramid_plan_init(known[i].method, &g, &plan);
        EXPECT(!reason && plan.num_steps == known[i].num_steps, &g,
               weir_pyramid_method_get_info(known[i].method)->name);
    }
    const struct weir_pyramid_geometry g = full_chain(256, 256);
    struct weir_pyramid_plan plan;
    weir_pyramid_plan_init(WEIR_PYRAMID_SUBGROUP, &g, &plan);
    EXPECT(plan.steps[0].num_levels == 3 && plan.steps[1].num_levels == 5, &g,
           "chunks of a subgroup's chain are 3 levels, then 5");
}

// Large levels of odd sides, which the sampler can reach, have dispatches before that of SINGLE.
static void test_apart(void)
{
    static const uint32_t known[][3] = {{4095, 4095, 2}, {2047, 2047, 1}, {4095, 2048, 1},
                                        {4096, 4096, 0}, {3095, 990, 0},  {8191, 4095, 0}};
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        struct weir_pyramid_geometry g = full_chain(known[i][0], known[i][1]);
        struct weir_pyramid_plan plan;
        g.num_apart = weir_pyramid_choose_apart(&g);
        EXPECT(g.num_apart == known[i][2], &g, "other levels apart");
        weir_pyramid_plan_init(WEIR_PYRAMID_SINGLE, &g, &plan);
        const struct weir_pyramid_step *last = &plan.steps[g.num_apart];
        EXPECT(plan.num_steps == g.num_apart + 1 && last->kernel == WEIR_PYRAMID_KERNEL_SINGLE &&
                   last->base == g.num_apart && last->base + last->num_levels == g.num_levels,
               &g, "SINGLE does not make the rest");
    }
}

static void check_size(uint32_t width, uint32_t height)
{
    struct weir_pyramid_geometry g = full_chain(width, height);
    check_methods(&g);
    g.num_levels = (uint32_t)seeded_below((int)g.num_levels + 1);
    g.copies = seeded_below(2) == 0;
    check_methods(&g);
}

static void test_sizes(void)
{
    static const uint32_t large[] = {8191, 8192, 8193, 16383, 16384, 32768};
    static const uint32_t others[] = {1,    2,    3,    5,    8,    64,    127,  511,
                                      1080, 2047, 2048, 4095, 4096, 16383, 32768};
    enum { LAST = 4200, NUM_LARGE = sizeof(large) / sizeof(large[0]) };
    for (uint32_t i = 1; i <= LAST + NUM_LARGE; i += SANITIZED_STRIDE) {
        const uint32_t side = i <= LAST ? i : large[i - LAST - 1];
        for (size_t k = 0; k < sizeof(others) / sizeof(others[0]); k++) {
            check_size(side, others[k]);
            check_size(others[k], side);
        }
        check_size(side, side);
        check_size(side, 1 + (uint32_t)seeded_below(32768));
    }
}

int main(void)
{
    seeded_start();
    test_known_counts();
    test_apart();
    test_sizes();
    return test_finish();
}
