// SPDX-License-Identifier: MIT
// Colours and how many pixels have each, in host memory.
#include "capture/weir/palette/palette.h"

#include <stdlib.h>

enum { FIRST_NUM_SLOTS = 1024, NUM_RGB_BITS = 24 };

void palette_colors_free(struct palette_colors *colors)
{
    free(colors->slots);
    *colors = (struct palette_colors){0};
}

// The place of a colour, or the free one that it would get.
static struct palette_color *find(const struct palette_colors *colors, uint32_t rgba)
{
    // Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4): neighbours are spread.
    size_t i = (uint32_t)(rgba * 2654435769u) ^ (rgba >> 15);
    for (;; i++) {
        struct palette_color *slot = &colors->slots[i & (colors->num_slots - 1)];
        if (slot->count == 0 || slot->rgba == rgba) {
            return slot;
        }
    }
}

static bool grow(struct palette_colors *colors)
{
    struct palette_colors larger = {
        .num_slots = colors->num_slots > 0 ? 2 * colors->num_slots : FIRST_NUM_SLOTS,
        .num = colors->num,
    };
    larger.slots = calloc(larger.num_slots, sizeof(*larger.slots));
    if (!larger.slots) {
        return false;
    }
    for (size_t i = 0; i < colors->num_slots; i++) {
        if (colors->slots[i].count > 0) {
            *find(&larger, colors->slots[i].rgba) = colors->slots[i];
        }
    }
    free(colors->slots);
    *colors = larger;
    return true;
}

static bool add(struct palette_colors *colors, uint32_t rgba, uint64_t count)
{
    if (2 * (colors->num + 1) > colors->num_slots && !grow(colors)) {
        return false;
    }
    struct palette_color *slot = find(colors, rgba);
    colors->num += slot->count == 0;
    *slot = (struct palette_color){rgba, slot->count + count};
    return true;
}

bool palette_colors_add_pixels(struct palette_colors *colors, const struct palette_pixels *pixels)
{
    const size_t num_pixels = (size_t)pixels->width * pixels->height;
    uint64_t count = 0; // of pixels of one colour in a row
    for (size_t i = 0; i < num_pixels; i++) {
        const uint32_t rgba = palette_pixel(pixels, i);
        count++;
        if (i + 1 < num_pixels && palette_pixel(pixels, i + 1) == rgba) {
            continue;
        }
        if (!add(colors, rgba, count)) {
            return false;
        }
        count = 0;
    }
    return true;
}

bool palette_colors_add_visible(struct palette_colors *colors, const struct palette_colors *other)
{
    const uint32_t opaque = (uint32_t)UINT8_MAX << 24;
    for (size_t i = 0; i < other->num_slots; i++) {
        const struct palette_color *slot = &other->slots[i];
        if (slot->count > 0 && slot->rgba >> 24 != 0 &&
            !add(colors, slot->rgba | opaque, slot->count)) {
            return false;
        }
    }
    return true;
}

struct palette_color *palette_colors_list(const struct palette_colors *colors)
{
    struct palette_color *list = malloc((colors->num + 1) * sizeof(*list));
    size_t num = 0;
    for (size_t i = 0; list && i < colors->num_slots; i++) {
        if (colors->slots[i].count > 0) {
            list[num++] = colors->slots[i];
        }
    }
    return list;
}

void palette_set_free(struct palette_set *set)
{
    free(set->bits);
    *set = (struct palette_set){0};
}

bool palette_set_add_pixels(struct palette_set *set, const struct palette_pixels *pixels)
{
    const size_t num_pixels = (size_t)pixels->width * pixels->height;
    if (!set->bits) {
        set->bits = calloc((size_t)1 << NUM_RGB_BITS >> 3, 1);
    }
    if (!set->bits) {
        return false;
    }
    for (size_t i = 0; i < num_pixels; i++) {
        const uint32_t rgba = palette_pixel(pixels, i), rgb = rgba & 0xffffff;
        uint8_t *byte = &set->bits[rgb >> 3];
        const uint8_t bit = (uint8_t)(1u << (rgb & 7));
        set->has_hidden |= rgba >> 24 == 0;
        if (rgba >> 24 != 0 && (*byte & bit) == 0) {
            *byte |= bit;
            set->num++;
        }
    }
    return true;
}
