// SPDX-License-Identifier: MIT
// Plans each method's dispatches, and chooses between the methods for AUTO.
#include "pyramid/plan.h"

#include "base/size.h"

uint32_t weir_pyramid_full_chain(uint32_t width, uint32_t height)
{
    return weir_num_levels(width, height);
}

VkExtent2D weir_pyramid_level_extent(uint32_t width, uint32_t height, uint32_t level)
{
    return (VkExtent2D){weir_level_side(width, level), weir_level_side(height, level)};
}

static void add_step(struct weir_pyramid_plan *plan, const struct weir_pyramid_step *step)
{
    plan->steps[plan->num_steps++] = *step;
}

// Add a dispatch with a workgroup for each square of `side` texels of a level.
static void add_squares(const struct weir_pyramid_geometry *geometry, uint32_t level, uint32_t side,
                        struct weir_pyramid_step step, struct weir_pyramid_plan *plan)
{
    step.groups_x = weir_divide_up(weir_level_side(geometry->width, level), side);
    step.groups_y = weir_divide_up(weir_level_side(geometry->height, level), side);
    add_step(plan, &step);
}

static void add_per_level(const struct weir_pyramid_geometry *geometry, uint32_t base,
                          struct weir_pyramid_plan *plan)
{
    add_squares(geometry, base + 1, WEIR_PYRAMID_GROUP_SIDE,
                (struct weir_pyramid_step){
                    .kernel = WEIR_PYRAMID_KERNEL_PER_LEVEL, .base = base, .num_levels = 1},
                plan);
}

static void plan_per_level(const struct weir_pyramid_geometry *geometry,
                           struct weir_pyramid_plan *plan)
{
    for (uint32_t base = 0; base < geometry->num_levels; base++) {
        add_per_level(geometry, base, plan);
    }
}

// Add a dispatch for two levels, or for the last one.
static uint32_t add_general(const struct weir_pyramid_geometry *geometry, uint32_t base,
                            struct weir_pyramid_plan *plan)
{
    if (geometry->num_levels - base < 2) {
        add_per_level(geometry, base, plan);
        return 1;
    }
    add_squares(geometry, base + 2, WEIR_PYRAMID_GENERAL_SIDE,
                (struct weir_pyramid_step){
                    .kernel = WEIR_PYRAMID_KERNEL_GENERAL, .base = base, .num_levels = 2},
                plan);
    return 2;
}

static void plan_general(const struct weir_pyramid_geometry *geometry,
                         struct weir_pyramid_plan *plan)
{
    for (uint32_t base = 0; base < geometry->num_levels;) {
        base += add_general(geometry, base, plan);
    }
}

// The number of times that both sides of a level divide by 2, at most `most` and at most the number
// of levels that are left.
static uint32_t count_even(const struct weir_pyramid_geometry *geometry, uint32_t base,
                           uint32_t most)
{
    const uint32_t sides = weir_level_side(geometry->width, base) |
                           weir_level_side(geometry->height, base);
    const uint32_t rest = geometry->num_levels - base;
    uint32_t num = 0;
    while (num < most && num < rest && (sides >> num & 1) == 0) {
        num++;
    }
    return num;
}

// Add a dispatch of FAST or SUBGROUP. A workgroup starts with 16x16 texels of its first level, or
// of its second one if it makes 6 levels.
static void add_even(const struct weir_pyramid_geometry *geometry, enum weir_pyramid_kernel kernel,
                     uint32_t base, uint32_t num_levels, struct weir_pyramid_plan *plan)
{
    const uint32_t start = base + (num_levels == WEIR_PYRAMID_FAST_LEVELS ? 2 : 1);
    add_squares(
        geometry, start, WEIR_PYRAMID_EVEN_SIDE,
        (struct weir_pyramid_step){.kernel = kernel, .base = base, .num_levels = num_levels}, plan);
}

static const char sides_are_odd[] = "its sides must divide by 2 at every step";

static const char *plan_fast(const struct weir_pyramid_geometry *geometry,
                             struct weir_pyramid_plan *plan)
{
    for (uint32_t base = 0; base < geometry->num_levels;) {
        const uint32_t num_levels = count_even(geometry, base, WEIR_PYRAMID_FAST_LEVELS);
        if (num_levels == 0) {
            return sides_are_odd;
        }
        add_even(geometry, WEIR_PYRAMID_KERNEL_FAST, base, num_levels, plan);
        base += num_levels;
    }
    return NULL;
}

static void plan_hybrid(const struct weir_pyramid_geometry *geometry,
                        struct weir_pyramid_plan *plan)
{
    for (uint32_t base = 0; base < geometry->num_levels;) {
        const uint32_t num_levels = count_even(geometry, base, WEIR_PYRAMID_FAST_LEVELS);
        if (num_levels >= 2) {
            add_even(geometry, WEIR_PYRAMID_KERNEL_FAST, base, num_levels, plan);
            base += num_levels;
        } else {
            base += add_general(geometry, base, plan);
        }
    }
}

// Plan dispatches of 5 levels each, counted from the smallest level. The first dispatch makes the
// levels that are left.
static const char *plan_subgroup(const struct weir_pyramid_geometry *geometry,
                                 struct weir_pyramid_plan *plan)
{
    for (uint32_t base = 0; base < geometry->num_levels;) {
        const uint32_t num_levels = (geometry->num_levels - base - 1) % 5 + 1;
        if (count_even(geometry, base, num_levels) < num_levels) {
            return sides_are_odd;
        }
        add_even(geometry, WEIR_PYRAMID_KERNEL_SUBGROUP, base, num_levels, plan);
        base += num_levels;
    }
    return NULL;
}

static void plan_blit(const struct weir_pyramid_geometry *geometry, struct weir_pyramid_plan *plan)
{
    for (uint32_t base = 0; base < geometry->num_levels; base++) {
        add_step(plan, &(struct weir_pyramid_step){
                           .kernel = WEIR_PYRAMID_KERNEL_BLIT, .base = base, .num_levels = 1});
    }
}

static void plan_copy(const struct weir_pyramid_geometry *geometry, struct weir_pyramid_plan *plan)
{
    add_squares(geometry, 0, WEIR_PYRAMID_GROUP_SIDE,
                (struct weir_pyramid_step){.kernel = WEIR_PYRAMID_KERNEL_COPY}, plan);
}

static void plan_single(const struct weir_pyramid_geometry *geometry,
                        struct weir_pyramid_plan *plan)
{
    const uint32_t num_apart = geometry->num_apart;
    const struct weir_pyramid_geometry rest = {
        .width = weir_level_side(geometry->width, num_apart),
        .height = weir_level_side(geometry->height, num_apart),
        .num_levels = geometry->num_levels - num_apart,
    };
    for (uint32_t base = 0; base < num_apart; base++) {
        add_per_level(geometry, base, plan);
    }
    weir_pyramid_stages_init(&rest, &plan->stages);
    add_step(plan, &(struct weir_pyramid_step){
                       .kernel = WEIR_PYRAMID_KERNEL_SINGLE,
                       .base = num_apart,
                       .num_levels = rest.num_levels,
                       .groups_x = plan->stages.stages[0].tiles_x,
                       .groups_y = plan->stages.stages[0].tiles_y,
                   });
}

const char *weir_pyramid_plan_init(enum weir_pyramid_method method,
                                   const struct weir_pyramid_geometry *geometry,
                                   struct weir_pyramid_plan *out)
{
    *out = (struct weir_pyramid_plan){0};
    if (geometry->copies && (method != WEIR_PYRAMID_SINGLE || geometry->num_levels == 0)) {
        plan_copy(geometry, out);
    }
    if (geometry->num_levels == 0) {
        return NULL;
    }
    switch (method) {
    case WEIR_PYRAMID_SINGLE:
        plan_single(geometry, out);
        return NULL;
    case WEIR_PYRAMID_HYBRID:
        plan_hybrid(geometry, out);
        return NULL;
    case WEIR_PYRAMID_FAST:
        return plan_fast(geometry, out);
    case WEIR_PYRAMID_GENERAL:
        plan_general(geometry, out);
        return NULL;
    case WEIR_PYRAMID_SUBGROUP:
        return plan_subgroup(geometry, out);
    case WEIR_PYRAMID_PER_LEVEL:
        plan_per_level(geometry, out);
        return NULL;
    case WEIR_PYRAMID_BLIT:
        plan_blit(geometry, out);
        return NULL;
    default:
        return "this method is not known";
    }
}

// SINGLE is the fastest but for some whole chains from squares of powers of two: HYBRID makes these
// in two or three dispatches that have little to do beside reading and writing, and workgroups of
// SUBGROUP wait less. The first row that holds a texel, its reads and a size has their method.
// tests/unit/pyramid_choice_test.c holds the table against times of one NVIDIA H200, hot and cold,
// up to 4096x4096.
static const struct {
    enum weir_pyramid_reads reads;
    uint32_t texel_size; // [bytes]
    uint32_t num_channels;
    uint32_t from, to; // log2 of the side, both included
    enum weir_pyramid_method method;
} rows[] = {
    {WEIR_PYRAMID_GATHERED, 2, 1, 12, 14, WEIR_PYRAMID_HYBRID},
    {WEIR_PYRAMID_WORDS, 8, 4, 9, 9, WEIR_PYRAMID_HYBRID},
    {WEIR_PYRAMID_FETCHED, 8, 4, 8, 8, WEIR_PYRAMID_SUBGROUP},
    {WEIR_PYRAMID_FETCHED, 8, 4, 6, 14, WEIR_PYRAMID_HYBRID},
    {WEIR_PYRAMID_FETCHED, 16, 4, 7, 8, WEIR_PYRAMID_SUBGROUP},
    {WEIR_PYRAMID_FETCHED, 16, 4, 11, 14, WEIR_PYRAMID_SUBGROUP},
};

// One NVIDIA H200 gains by it at 2047x2047, and at 3095x990 it does not.
uint32_t weir_pyramid_choose_apart(const struct weir_pyramid_geometry *geometry)
{
    uint32_t width = geometry->width, height = geometry->height, level = 0;
    while (((width | height) & 1) != 0 && width <= 4096 && height <= 4096 &&
           width * height > 4000000 && level + 1 < geometry->num_levels) {
        width /= 2;
        height /= 2;
        level++;
    }
    return level;
}

enum weir_pyramid_method weir_pyramid_choose(const struct weir_pyramid_geometry *geometry,
                                             const struct weir_pyramid_format_info *format,
                                             enum weir_pyramid_reads reads)
{
    const uint32_t side_log2 = geometry->num_levels;
    const bool is_power = geometry->width == 1u << side_log2 && geometry->height == 1u << side_log2;
    for (size_t i = 0; is_power && i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (rows[i].reads == reads && rows[i].texel_size == format->texel_size &&
            rows[i].num_channels == format->num_channels && side_log2 >= rows[i].from &&
            side_log2 <= rows[i].to) {
            return rows[i].method;
        }
    }
    return WEIR_PYRAMID_SINGLE;
}
