// SPDX-License-Identifier: MIT
// Plans each method's dispatches.
#include "pyramid/plan.h"

uint32_t weir_pyramid_full_chain(uint32_t width, uint32_t height)
{
    uint32_t levels = 0;
    for (uint32_t side = width > height ? width : height; side > 0; side >>= 1) {
        levels++;
    }
    return width > 0 && height > 0 ? levels : 0;
}

uint32_t weir_pyramid_level_size(uint32_t size, uint32_t level)
{
    const uint32_t result = size >> level;
    return result > 0 ? result : 1;
}

static uint32_t divide_up(uint32_t a, uint32_t b)
{
    return (a + b - 1) / b;
}

static void add_step(struct weir_pyramid_plan *plan, const struct weir_pyramid_step *step)
{
    plan->steps[plan->num_steps++] = *step;
}

static void plan_per_level(const struct weir_pyramid_geometry *geometry,
                           struct weir_pyramid_plan *plan)
{
    for (uint32_t base = 0; base < geometry->num_levels; base++) {
        add_step(plan,
                 &(struct weir_pyramid_step){
                     .kernel = WEIR_PYRAMID_KERNEL_PER_LEVEL,
                     .base = base,
                     .num_levels = 1,
                     .groups_x = divide_up(weir_pyramid_level_size(geometry->width, base + 1), 16),
                     .groups_y = divide_up(weir_pyramid_level_size(geometry->height, base + 1), 16),
                 });
    }
}

static void plan_copy(const struct weir_pyramid_geometry *geometry, struct weir_pyramid_plan *plan)
{
    add_step(plan, &(struct weir_pyramid_step){
                       .kernel = WEIR_PYRAMID_KERNEL_COPY,
                       .groups_x = divide_up(geometry->width, 16),
                       .groups_y = divide_up(geometry->height, 16),
                   });
}

static void plan_single(const struct weir_pyramid_geometry *geometry,
                        struct weir_pyramid_plan *plan)
{
    weir_pyramid_plan_stages(geometry, plan);
    add_step(plan, &(struct weir_pyramid_step){
                       .kernel = WEIR_PYRAMID_KERNEL_SINGLE,
                       .num_levels = geometry->num_levels,
                       .groups_x = plan->stages[0].tiles_x,
                       .groups_y = plan->stages[0].tiles_y,
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
    case WEIR_PYRAMID_PER_LEVEL:
        plan_per_level(geometry, out);
        return NULL;
    case WEIR_PYRAMID_SINGLE:
        plan_single(geometry, out);
        return NULL;
    default:
        return "this method is not known";
    }
}
