// SPDX-License-Identifier: MIT
// Mip pyramids in float32 as a GPU computes them, to judge the bars of the comparison.
#include "tests/ref/pyramid_float32.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ref/texel.h"

// Blits have weights of 8 bits, as filters do.
static float tap_weight(const struct ref_pyramid *p, double weight)
{
    return p->blit ? roundf((float)weight * 256) / 256 : (float)weight;
}

static void add_tap(enum weir_pyramid_reduction r, bool is_first, float weight, const float t[4],
                    float sum[4])
{
    for (int c = 0; c < 4; c++) {
        const bool is_min = r == WEIR_PYRAMID_MIN || (r == WEIR_PYRAMID_MIN_MAX && c == 0);
        if (ref_pyramid_is_extremum(r)) {
            sum[c] = is_first || (is_min ? t[c] < sum[c] : t[c] > sum[c]) ? t[c] : sum[c];
        } else {
            sum[c] += weight * (r == WEIR_PYRAMID_ALPHA_MEAN && c < 3 ? t[c] * t[3] : t[c]);
        }
    }
}

// A level in float32, nine taps at a time, as a kernel would, not as the reference does.
static void reduce_texel(const struct ref_pyramid *p, bool is_first, const float (*in)[4],
                         uint32_t width, uint32_t height, uint32_t x, uint32_t y, float out[4])
{
    const struct ref_pyramid_taps u = ref_pyramid_get_taps(width, x, p->blit);
    const struct ref_pyramid_taps v = ref_pyramid_get_taps(height, y, p->blit);
    const enum weir_pyramid_reduction r = p->reduction;
    float sum[4] = {0}, weights = 0;
    for (uint32_t j = 0; j < v.num; j++) {
        for (uint32_t i = 0; i < u.num; i++) {
            const float *t = in[(v.first + j) * width + u.first + i];
            float weight = tap_weight(p, u.weights[i]) * tap_weight(p, v.weights[j]);
            if (r == WEIR_PYRAMID_LUMA_MEAN && is_first) {
                const float luma = 0.2126f * t[0] + 0.7152f * t[1] + 0.0722f * t[2];
                weight /= 1 + fmaxf(luma, 0);
            }
            add_tap(r, i == 0 && j == 0, weight, t, sum);
            weights += weight;
        }
    }
    for (int c = 0; c < 4; c++) {
        out[c] = sum[c];
        if (r == WEIR_PYRAMID_ALPHA_MEAN && c < 3) {
            out[c] = sum[3] > 0 ? sum[c] / sum[3] : 0;
        } else if (r == WEIR_PYRAMID_LUMA_MEAN && is_first) {
            out[c] = sum[c] / weights;
        }
    }
}

// Store, and where the device rounds floats to zero take what was rounded away from it back.
static void store_texel(const struct ref_texel_format *f, bool to_zero, const float texel[4],
                        uint8_t *out)
{
    const double exact[1][4] = {
        {(double)texel[0], (double)texel[1], (double)texel[2], (double)texel[3]}};
    double stored[1][4];
    uint32_t words[4] = {0};
    ref_texel_pack(f, exact, 1, out);
    ref_texel_unpack(f, out, 1, stored);
    memcpy(words, out, f->texel_size);
    for (uint32_t c = 0; c < f->num_channels; c++) {
        if (to_zero && f->kind == REF_TEXEL_FLOAT && isfinite(stored[0][c]) &&
            fabs(stored[0][c]) > fabs(exact[0][c])) {
            words[f->shift[c] / 32] -= 1u << f->shift[c] % 32;
        }
    }
    memcpy(out, words, f->texel_size);
}

static void load_texels(const struct ref_texel_format *f, const uint8_t *packed, size_t num_texels,
                        float (*out)[4])
{
    double texel[1][4];
    for (size_t i = 0; i < num_texels; i++) {
        ref_texel_unpack(f, packed + i * f->texel_size, 1, texel);
        for (int c = 0; c < 4; c++) {
            out[i][c] = (float)texel[0][c];
        }
    }
}

bool ref_pyramid_float32_chain(const struct ref_pyramid *pyramid, bool to_zero, void *levels)
{
    uint8_t *packed = levels;
    const struct ref_pyramid p = ref_pyramid_resolve(pyramid);
    const struct ref_texel_format *f = ref_texel_get_format(p.format);
    const size_t num_texels = (size_t)p.width * p.height;
    float(*in)[4] = malloc(num_texels * sizeof(*in)), (*out)[4] = malloc(num_texels * sizeof(*out));
    const bool ok = in && out;
    for (uint32_t layer = 0; ok && layer < p.layers; layer++) {
        uint32_t width = p.width, height = p.height;
        load_texels(f, packed + layer * num_texels * f->texel_size, num_texels, in);
        for (uint32_t level = 1; level < p.levels; level++) {
            const uint32_t w = ref_pyramid_level_size(p.width, level);
            const uint32_t h = ref_pyramid_level_size(p.height, level);
            uint8_t *stored = packed + ref_pyramid_offset(&p, level) +
                              (size_t)layer * w * h * f->texel_size;
            for (uint32_t i = 0; i < w * h; i++) {
                reduce_texel(&p, level == 1, (const float(*)[4])in, width, height, i % w, i / w,
                             out[i]);
                store_texel(f, to_zero, out[i], stored + (size_t)i * f->texel_size);
            }
            float(*swap)[4] = in;
            in = out;
            out = swap;
            if (p.read_back >> (level + 1) & 1) {
                load_texels(f, stored, (size_t)w * h, in);
            }
            width = w;
            height = h;
        }
    }
    free(in);
    free(out);
    return ok;
}
