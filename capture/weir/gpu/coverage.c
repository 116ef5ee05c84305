// SPDX-License-Identifier: MIT
// Keeps the share of texels that an alpha test keeps (I. Castaño, "Computing alpha mipmaps", 2010):
// alpha is scaled, and texels of equal alpha at the threshold are divided by an order of their own.
#include <math.h>
#include <stdlib.h>

#include "capture/weir/gpu/levels.h"

// No alpha is nearer to the threshold: blocks are off by less.
static const float margin = 0.06f;

struct ranked {
    float alpha;
    uint32_t order; // of texels of equal alpha: scattered over the level
    size_t texel;
};

static int compare(const void *a, const void *b)
{
    const struct ranked *first = a, *second = b;
    if (first->alpha != second->alpha) {
        return first->alpha > second->alpha ? -1 : 1;
    }
    return (first->order > second->order) - (first->order < second->order);
}

double cli_coverage_of(const float *texels, size_t num, float threshold)
{
    size_t num_kept = 0;
    for (size_t i = 0; i < num; i++) {
        num_kept += texels[4 * i + 3] >= threshold;
    }
    return (double)num_kept / (double)num;
}

// Get the factor that brings the threshold between the last texel that is kept and the first that
// is not, if it is not there.
static float scale_of(const struct ranked *ranked, size_t num, size_t num_kept, float threshold)
{
    const float inside = num_kept > 0 ? ranked[num_kept - 1].alpha : INFINITY;
    const float outside = num_kept < num ? ranked[num_kept].alpha : 0;
    const float middle = fminf(fmaxf(threshold, outside), inside);
    return middle > 0 ? threshold / middle : 1;
}

bool cli_coverage_keep(const float *texels, size_t num, double share, float threshold, float *alpha)
{
    const size_t num_kept = (size_t)llround(share * (double)num);
    struct ranked *ranked = malloc(num * sizeof(*ranked));
    if (!ranked) {
        return false;
    }
    for (size_t i = 0; i < num; i++) { // by a factor whose bits are those of the golden ratio
        ranked[i] = (struct ranked){texels[4 * i + 3], (uint32_t)i * 2654435769u, i};
    }
    qsort(ranked, num, sizeof(*ranked), compare);
    const float scale = scale_of(ranked, num, num_kept, threshold);
    for (size_t i = 0; i < num; i++) {
        const float scaled = fminf(ranked[i].alpha * scale, 1);
        alpha[ranked[i].texel] = i < num_kept ? fmaxf(scaled, fminf(threshold + margin, 1))
                                              : fminf(scaled, fmaxf(threshold - margin, 0));
    }
    free(ranked);
    return true;
}
