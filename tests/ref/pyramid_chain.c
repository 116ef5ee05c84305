// SPDX-License-Identifier: MIT
// Scalar reference of mip pyramids: the levels of a chain, one after the other.
#include <stdlib.h>
#include <string.h>

#include "tests/ref/pyramid_rows.h"

struct ref_pyramid ref_pyramid_resolve(const struct ref_pyramid *pyramid)
{
    struct ref_pyramid p = *pyramid;
    p.layers = p.layers ? p.layers : 1;
    if (!p.levels) {
        const uint32_t size = p.width > p.height ? p.width : p.height;
        for (p.levels = 1; size >> p.levels; p.levels++) {
        }
    }
    p.last_level = p.last_level ? p.last_level : p.levels - 1;
    if (p.source && !p.source_width) {
        p.source_width = ref_pyramid_level_size(p.width, p.first_level);
        p.source_height = ref_pyramid_level_size(p.height, p.first_level);
    }
    return p;
}

static size_t layer_size(const struct ref_pyramid *p, uint32_t level)
{
    return (size_t)ref_pyramid_level_size(p->width, level) *
           ref_pyramid_level_size(p->height, level) * ref_texel_get_format(p->format)->texel_size;
}

size_t ref_pyramid_offset(const struct ref_pyramid *pyramid, uint32_t level)
{
    const struct ref_pyramid p = ref_pyramid_resolve(pyramid);
    size_t offset = 0;
    for (uint32_t k = 0; k < level; k++) {
        offset += (p.layers * layer_size(&p, k) + 15) / 16 * 16;
    }
    return offset;
}

size_t ref_pyramid_size(const struct ref_pyramid *pyramid)
{
    return ref_pyramid_offset(pyramid, ref_pyramid_resolve(pyramid).levels);
}

// The state of the computation of a layer's levels: the last level computed, and the one being
// computed.
struct walk {
    struct ref_pyramid p;
    const uint8_t *levels;
    bool has_magnitudes; // apart from the texels
    uint32_t layer;
    bool is_reduced; // the first step of LUMA_MEAN is done
    uint32_t depth;
    double (*texels)[4], (*magnitudes)[4];
};

static bool has_sign(VkFormat format)
{
    const struct ref_texel_format *f = ref_texel_get_format(format);
    return f->kind == REF_TEXEL_FLOAT && f->bits[0] >= 16;
}

static struct ref_pyramid_rows stored_rows(const struct walk *w, uint32_t level)
{
    const struct ref_pyramid *p = &w->p;
    return (struct ref_pyramid_rows){.width = ref_pyramid_level_size(p->width, level),
                                     .height = ref_pyramid_level_size(p->height, level),
                                     .packed = w->levels + ref_pyramid_offset(p, level) +
                                               w->layer * layer_size(p, level),
                                     .format = ref_texel_get_format(p->format)};
}

static struct ref_pyramid_rows source_rows(const struct walk *w)
{
    const struct ref_pyramid *p = &w->p;
    const struct ref_texel_format *format = ref_texel_get_format(p->source_format);
    const size_t size = (size_t)p->source_width * p->source_height * format->texel_size;
    return (struct ref_pyramid_rows){
        .is_copy = p->source_width == ref_pyramid_level_size(p->width, p->first_level) &&
                   p->source_height == ref_pyramid_level_size(p->height, p->first_level),
        .width = p->source_width,
        .height = p->source_height,
        .packed = (const uint8_t *)p->source + w->layer * size,
        .format = format};
}

// Of blits the filter's weights are not exact: any tap may count for more.
static enum weir_pyramid_reduction magnitude_reduction(const struct walk *w,
                                                       enum weir_pyramid_reduction reduction)
{
    return w->p.blit ? WEIR_PYRAMID_MAX : reduction;
}

// Replace the texels of `w` by those of `level`, made from `rows`.
static bool make_level(struct walk *w, uint32_t level, struct ref_pyramid_rows rows)
{
    const struct ref_pyramid *p = &w->p;
    const size_t num_texels = (size_t)ref_pyramid_level_size(p->width, level) *
                              ref_pyramid_level_size(p->height, level);
    double(*texels)[4] = malloc(num_texels * sizeof(*texels));
    double(*magnitudes)[4] = w->has_magnitudes ? malloc(num_texels * sizeof(*magnitudes)) : NULL;
    const bool is_luma_step = p->reduction == WEIR_PYRAMID_LUMA_MEAN && !w->is_reduced;
    rows.blit = p->blit;
    rows.reduction = p->reduction == WEIR_PYRAMID_LUMA_MEAN && (!is_luma_step || rows.is_copy)
                         ? WEIR_PYRAMID_MEAN
                         : p->reduction;
    bool ok = texels && ref_pyramid_reduce_rows(&rows, texels);
    if (ok && w->has_magnitudes) {
        rows.reduction = magnitude_reduction(w, rows.reduction);
        rows.is_absolute = true;
        rows.texels = rows.packed ? NULL : (const double(*)[4])w->magnitudes;
        ok = magnitudes && ref_pyramid_reduce_rows(&rows, magnitudes);
    }
    w->is_reduced = w->is_reduced || !rows.is_copy;
    w->depth = rows.packed ? 1 : w->depth + 1;
    free(w->texels);
    free(w->magnitudes);
    w->texels = texels;
    w->magnitudes = magnitudes;
    return ok;
}

static bool visit_level(const struct walk *w, uint32_t level, bool with_magnitudes,
                        ref_pyramid_visitor *visitor, void *user)
{
    double(*magnitudes)[4] = w->has_magnitudes ? w->magnitudes : w->texels;
    const struct ref_pyramid_level made = {
        .level = level,
        .layer = w->layer,
        .width = ref_pyramid_level_size(w->p.width, level),
        .height = ref_pyramid_level_size(w->p.height, level),
        .depth = w->depth,
        .texels = (const double(*)[4])w->texels,
        .magnitudes = with_magnitudes ? (const double(*)[4])magnitudes : NULL};
    return visitor(&made, user);
}

static bool visit_layer(struct walk *w, bool with_magnitudes, ref_pyramid_visitor *visitor,
                        void *user)
{
    const struct ref_pyramid *p = &w->p;
    if (p->source && !(make_level(w, p->first_level, source_rows(w)) &&
                       visit_level(w, p->first_level, with_magnitudes, visitor, user))) {
        return false;
    }
    for (uint32_t level = p->first_level + 1; level <= p->last_level; level++) {
        const bool is_stored = !w->texels || (p->read_back >> level & 1) != 0;
        struct ref_pyramid_rows rows = stored_rows(w, level - 1);
        if (!is_stored) {
            rows.packed = NULL;
            rows.texels = (const double(*)[4])w->texels;
        }
        if (!make_level(w, level, rows) || !visit_level(w, level, with_magnitudes, visitor, user)) {
            return false;
        }
    }
    return true;
}

bool ref_pyramid_visit(const struct ref_pyramid *pyramid, const void *levels, bool with_magnitudes,
                       ref_pyramid_visitor *visitor, void *user)
{
    struct walk w = {.p = ref_pyramid_resolve(pyramid), .levels = levels};
    w.has_magnitudes = with_magnitudes && !ref_pyramid_is_extremum(w.p.reduction) &&
                       (w.p.blit || has_sign(w.p.source ? w.p.source_format : w.p.format));
    bool ok = true;
    for (w.layer = 0; ok && w.layer < w.p.layers; w.layer++) {
        w.is_reduced = false;
        w.depth = 0;
        ok = visit_layer(&w, with_magnitudes, visitor, user);
        free(w.texels);
        free(w.magnitudes);
        w.texels = w.magnitudes = NULL;
    }
    return ok;
}

struct store {
    struct ref_pyramid p;
    uint8_t *levels;
};

static bool store_level(const struct ref_pyramid_level *level, void *user)
{
    const struct store *s = user;
    ref_texel_pack(ref_texel_get_format(s->p.format), level->texels,
                   (size_t)level->width * level->height,
                   s->levels + ref_pyramid_offset(&s->p, level->level) +
                       level->layer * layer_size(&s->p, level->level));
    return true;
}

bool ref_pyramid_chain(const struct ref_pyramid *pyramid, void *levels)
{
    struct store s = {ref_pyramid_resolve(pyramid), levels};
    return ref_pyramid_visit(pyramid, levels, false, store_level, &s);
}
