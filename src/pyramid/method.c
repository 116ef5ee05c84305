// SPDX-License-Identifier: MIT
// The tables of methods and reductions: pure facts.
#include <weir/pyramid.h>

#include <string.h>

#include "shaders/pyramid/constants.h"

// Kernels take the numbers of enum weir_pyramid_reduction.
_Static_assert(WEIR_PYRAMID_MEAN == WEIR_PYRAMID_REDUCTION_MEAN, "mean");
_Static_assert(WEIR_PYRAMID_ALPHA_MEAN == WEIR_PYRAMID_REDUCTION_ALPHA_MEAN, "alpha mean");
_Static_assert(WEIR_PYRAMID_MIN == WEIR_PYRAMID_REDUCTION_MIN, "min");
_Static_assert(WEIR_PYRAMID_MAX == WEIR_PYRAMID_REDUCTION_MAX, "max");
_Static_assert(WEIR_PYRAMID_MIN_MAX == WEIR_PYRAMID_REDUCTION_MIN_MAX, "min and max");
_Static_assert(WEIR_PYRAMID_LUMA_MEAN == WEIR_PYRAMID_REDUCTION_LUMA_MEAN, "luma mean");

// Both tables are in the order of the enumerations' values.
static const struct weir_pyramid_method_info methods[] = {
    {WEIR_PYRAMID_AUTO, "auto", "single, or blit where kernels cannot write the format"},
    {WEIR_PYRAMID_SINGLE, "single", "one dispatch for the whole chain of any size"},
    {WEIR_PYRAMID_HYBRID, "hybrid", "fast where both sides divide by 4, else general"},
    {WEIR_PYRAMID_FAST, "fast", "1 to 6 levels a dispatch, where sides halve without a rest"},
    {WEIR_PYRAMID_GENERAL, "general", "two levels a dispatch, any size"},
    {WEIR_PYRAMID_SUBGROUP, "subgroup",
     "5 levels a dispatch by shuffles, where sides halve without a rest"},
    {WEIR_PYRAMID_PER_LEVEL, "per_level", "one level a dispatch, any size"},
    {WEIR_PYRAMID_BLIT, "blit", "a blit a level; mean only, wrong at odd sizes"},
};
enum { NUM_METHODS = sizeof(methods) / sizeof(methods[0]) };

static const struct weir_pyramid_reduction_info reductions[] = {
    {WEIR_PYRAMID_MEAN, "mean", "weighted mean in linear light"},
    {WEIR_PYRAMID_ALPHA_MEAN, "alpha_mean", "mean with colour weighted by alpha"},
    {WEIR_PYRAMID_MIN, "min", "smallest value of each channel"},
    {WEIR_PYRAMID_MAX, "max", "largest value of each channel"},
    {WEIR_PYRAMID_MIN_MAX, "min_max", "smallest in red, largest in green"},
    {WEIR_PYRAMID_LUMA_MEAN, "luma_mean", "mean whose first step weights by 1 / (1 + luma)"},
    {WEIR_PYRAMID_CUSTOM, "custom", "a kernel of the user's own"},
};
enum { NUM_REDUCTIONS = sizeof(reductions) / sizeof(reductions[0]) };

const struct weir_pyramid_method_info *weir_pyramid_method_list(size_t *num_methods)
{
    if (num_methods) {
        *num_methods = NUM_METHODS;
    }
    return methods;
}

const struct weir_pyramid_method_info *weir_pyramid_method_get_info(enum weir_pyramid_method method)
{
    return (unsigned)method < NUM_METHODS ? &methods[method] : NULL;
}

bool weir_pyramid_method_by_name(const char *name, enum weir_pyramid_method *method)
{
    for (int i = 0; name && method && i < NUM_METHODS; i++) {
        if (strcmp(methods[i].name, name) == 0) {
            *method = methods[i].method;
            return true;
        }
    }
    return false;
}

const struct weir_pyramid_reduction_info *weir_pyramid_reduction_list(size_t *num_reductions)
{
    if (num_reductions) {
        *num_reductions = NUM_REDUCTIONS;
    }
    return reductions;
}

const struct weir_pyramid_reduction_info *weir_pyramid_reduction_get_info(
    enum weir_pyramid_reduction reduction)
{
    return (unsigned)reduction < NUM_REDUCTIONS ? &reductions[reduction] : NULL;
}

bool weir_pyramid_reduction_by_name(const char *name, enum weir_pyramid_reduction *reduction)
{
    for (int i = 0; name && reduction && i < NUM_REDUCTIONS; i++) {
        if (strcmp(reductions[i].name, name) == 0) {
            *reduction = reductions[i].reduction;
            return true;
        }
    }
    return false;
}
