// SPDX-License-Identifier: MIT
// The names of methods and reductions: pure facts.
#include <weir/pyramid.h>

#include <string.h>

struct entry {
    const char *name, *description;
};

static const struct entry methods[WEIR_PYRAMID_NUM_METHODS] = {
    [WEIR_PYRAMID_AUTO] = {"auto", "single, or blit where kernels cannot write the format"},
    [WEIR_PYRAMID_SINGLE] = {"single", "one dispatch for the whole chain of any size"},
    [WEIR_PYRAMID_HYBRID] = {"hybrid", "fast where both sides divide by 4, else general"},
    [WEIR_PYRAMID_FAST] = {"fast", "1 to 6 levels a dispatch, where sides halve without a rest"},
    [WEIR_PYRAMID_GENERAL] = {"general", "two levels a dispatch, any size"},
    [WEIR_PYRAMID_SUBGROUP] = {"subgroup",
                               "5 levels a dispatch by shuffles, where sides halve without a rest"},
    [WEIR_PYRAMID_PER_LEVEL] = {"per_level", "one level a dispatch, any size"},
    [WEIR_PYRAMID_BLIT] = {"blit", "a blit a level; mean only, wrong at odd sizes"},
};

static const struct entry reductions[WEIR_PYRAMID_NUM_REDUCTIONS] = {
    [WEIR_PYRAMID_MEAN] = {"mean", "weighted mean in linear light"},
    [WEIR_PYRAMID_ALPHA_MEAN] = {"alpha_mean", "mean with colour weighted by alpha"},
    [WEIR_PYRAMID_MIN] = {"min", "smallest value of each channel"},
    [WEIR_PYRAMID_MAX] = {"max", "largest value of each channel"},
    [WEIR_PYRAMID_MIN_MAX] = {"min_max", "smallest in red, largest in green"},
    [WEIR_PYRAMID_LUMA_MEAN] = {"luma_mean", "mean whose first step weights by 1 / (1 + luma)"},
    [WEIR_PYRAMID_CUSTOM] = {"custom", "a kernel of the user's own"},
};

static const struct entry *entry_at(const struct entry *entries, int num, int index)
{
    static const struct entry none = {NULL, NULL};
    return index >= 0 && index < num ? &entries[index] : &none;
}

static int index_of(const struct entry *entries, int num, const char *name)
{
    for (int i = 0; name && i < num; i++) {
        if (strcmp(entries[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

const char *weir_pyramid_method_name(enum weir_pyramid_method method)
{
    return entry_at(methods, WEIR_PYRAMID_NUM_METHODS, (int)method)->name;
}

const char *weir_pyramid_method_description(enum weir_pyramid_method method)
{
    return entry_at(methods, WEIR_PYRAMID_NUM_METHODS, (int)method)->description;
}

bool weir_pyramid_method_by_name(const char *name, enum weir_pyramid_method *method)
{
    const int index = index_of(methods, WEIR_PYRAMID_NUM_METHODS, name);
    if (index >= 0) {
        *method = (enum weir_pyramid_method)index;
    }
    return index >= 0;
}

const char *weir_pyramid_reduction_name(enum weir_pyramid_reduction reduction)
{
    return entry_at(reductions, WEIR_PYRAMID_NUM_REDUCTIONS, (int)reduction)->name;
}

const char *weir_pyramid_reduction_description(enum weir_pyramid_reduction reduction)
{
    return entry_at(reductions, WEIR_PYRAMID_NUM_REDUCTIONS, (int)reduction)->description;
}

bool weir_pyramid_reduction_by_name(const char *name, enum weir_pyramid_reduction *reduction)
{
    const int index = index_of(reductions, WEIR_PYRAMID_NUM_REDUCTIONS, name);
    if (index >= 0) {
        *reduction = (enum weir_pyramid_reduction)index;
    }
    return index >= 0;
}
