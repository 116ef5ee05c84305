// SPDX-License-Identifier: MIT
// Changes to a picture before it becomes a texture: channels, normals, colours under alpha 0.
#include "capture/files/picture/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "capture/files/texture/texture.h"

// Lengths of unit vectors of 8 bits are this near to 1.
static const float unit_distance = 0.01f;

bool weir_swizzle_is_valid(const char *swizzle)
{
    const size_t length = strlen(swizzle);
    return length >= 1 && length <= 4 && strspn(swizzle, "rgba01") == length;
}

static float length_of(const float vector[3])
{
    return sqrtf(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]);
}

void weir_vector_normalize(float vector[3])
{
    const float length = length_of(vector);
    for (int c = 0; c < 3; c++) {
        vector[c] = length > unit_distance ? vector[c] / length : c == 2;
    }
}

static void make_normal(bool lacks_z, float texel[4])
{
    float v[3] = {2 * texel[0] - 1, 2 * texel[1] - 1, 2 * texel[2] - 1};
    if (lacks_z) {
        v[2] = sqrtf(fmaxf(1 - v[0] * v[0] - v[1] * v[1], 0));
    }
    if (!lacks_z && fabsf(length_of(v) - 1) <= unit_distance) {
        return;
    }
    weir_vector_normalize(v);
    for (int c = 0; c < 3; c++) {
        texel[c] = (v[c] + 1) / 2;
    }
}

void weir_picture_change_row(const struct weir_picture *picture, float *row)
{
    const struct weir_picture_changes *changes = picture->changes;
    for (const float *end = row + 4 * (size_t)picture->width; row != end; row += 4) {
        if (changes->swizzle) {
            weir_swizzle_texel(changes->swizzle, row);
        }
        if (changes->flip_green) {
            row[1] = 1 - row[1];
        }
        if (changes->normals) {
            make_normal(picture->lacks_z, row);
        }
    }
}

// The texels that have a colour, in the order in which they got it.
struct spread {
    struct weir_picture *picture;
    size_t *queue, num;
    bool *is_done;
};

static uint8_t *texel_at(const struct spread *spread, size_t texel)
{
    const struct weir_picture *picture = spread->picture;
    return picture->texels + texel / picture->width * picture->pitch +
           texel % picture->width * 4 * (size_t)picture->type;
}

static void add(struct spread *spread, size_t texel, size_t from)
{
    if (!spread->is_done[texel]) {
        spread->is_done[texel] = true;
        spread->queue[spread->num++] = texel;
        memmove(texel_at(spread, texel), texel_at(spread, from), 3 * (size_t)spread->picture->type);
    }
}

static void run_spread(struct spread *spread)
{
    const uint32_t width = spread->picture->width;
    const size_t num_texels = (size_t)width * spread->picture->height;
    const size_t size = (size_t)spread->picture->type;
    for (size_t i = 0; i < num_texels; i++) {
        static const uint8_t zero[sizeof(float)] = {0};
        if (memcmp(texel_at(spread, i) + 3 * size, zero, size) != 0) {
            add(spread, i, i);
        }
    }
    for (size_t i = 0; i < spread->num; i++) {
        const size_t from = spread->queue[i], x = from % width;
        if (x > 0) {
            add(spread, from - 1, from);
        }
        if (x + 1 < width) {
            add(spread, from + 1, from);
        }
        if (from >= width) {
            add(spread, from - width, from);
        }
        if (from + width < num_texels) {
            add(spread, from + width, from);
        }
    }
}

static enum weir_result bleed(struct weir_picture *picture)
{
    struct spread spread = {.picture = picture};
    const size_t num_texels = (size_t)picture->width * picture->height;
    spread.queue = malloc(num_texels * sizeof(*spread.queue));
    spread.is_done = calloc(num_texels, sizeof(*spread.is_done));
    const bool ok = spread.queue && spread.is_done;
    if (ok) {
        run_spread(&spread);
    }
    free(spread.queue);
    free(spread.is_done);
    return ok ? WEIR_OK : WEIR_ERROR_OUT_OF_MEMORY;
}

// Find out whether B is 0 in the whole picture, once channels are moved.
static enum weir_result look_for_z(struct weir_picture *picture)
{
    const struct weir_picture_changes *changes = picture->changes;
    struct weir_picture_changes channels = *changes;
    float *row = malloc((size_t)picture->width * 4 * sizeof(*row));
    if (!row) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    channels.normals = false;
    picture->changes = &channels;
    picture->lacks_z = true;
    for (uint32_t y = 0; y < picture->height && picture->lacks_z; y++) {
        weir_picture_row(picture, y, row);
        for (size_t x = 0; x < picture->width; x++) {
            picture->lacks_z = picture->lacks_z && row[4 * x + 2] == 0;
        }
    }
    picture->changes = changes;
    free(row);
    return WEIR_OK;
}

enum weir_result weir_picture_change(struct weir_picture *picture,
                                     const struct weir_picture_changes *changes)
{
    if (changes->bleed && picture->has_alpha) {
        WEIR_TRY(bleed(picture));
    }
    if (changes->swizzle || changes->flip_green || changes->normals) {
        picture->changes = changes;
    }
    if (changes->swizzle) {
        const char alpha = strlen(changes->swizzle) < 4 ? '1' : changes->swizzle[3];
        picture->has_alpha = alpha != '1' && (alpha != 'a' || picture->has_alpha);
    }
    return changes->normals ? look_for_z(picture) : WEIR_OK;
}
