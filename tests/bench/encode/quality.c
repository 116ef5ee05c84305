// SPDX-License-Identifier: MIT
// How near the blocks of each codec and effort come to pictures: encoded on the device, decoded
// here.
#include <math.h>
#include <stdlib.h>

#include "capture/files/block/block.h"
#include "capture/files/picture/picture.h"
#include "capture/weir/common/interrupt.h"
#include "capture/weir/gpu/tile.h"
#include "tests/bench/encode/encode.h"

// The software device would compile every kernel again for the power of two above.
enum { GENERATED_SIDE = 1024, GENERATED_SIDE_QUICK = 252 };

// A picture, as the encoder of a row gets it, and what its blocks lack.
struct comparison {
    const struct bench_row *row;
    const struct weir_picture *picture;
    float *wanted;         // RGBA, as the encoder's image holds it
    bool has_alpha;        // that says something
    bool has_bit_of_alpha; // one bit of alpha: what is at least half there is
    double error;          // sum of squares
    uint64_t num_values;
};

static const struct weir_pyramid_format_info *texel_format(const struct comparison *self)
{
    return weir_pyramid_format_get_info(bench_source_format(self->row->source));
}

// Pack a row of the picture into `texels`, and keep what they hold.
static void pack_row(struct comparison *self, uint32_t y, uint8_t *texels)
{
    const struct weir_pyramid_format_info *format = texel_format(self);
    const uint32_t width = self->picture->width;
    float *row = self->wanted + 4 * (size_t)width * y;
    weir_picture_row(self->picture, y, row);
    weir_texel_pack(format, row, width, texels);
    weir_texel_unpack(format, texels, width, row);
    for (float *alpha = row + 3; alpha < row + 4 * (size_t)width; alpha += 4) {
        if (self->has_bit_of_alpha) {
            *alpha = *alpha >= 0.5f ? 1 : 0;
        }
        self->has_alpha = self->has_alpha || *alpha < 1;
    }
}

// Scaled YCoCg as a GPU shows it: exact fractions, then a code of 8 bits.
static void ycocg_to_rgb(float *texel)
{
    const float scale = texel[2] * 255 / 8 + 1, bias = 128.0f / 255;
    const float co = (texel[0] - bias) / scale, cg = (texel[1] - bias) / scale, y = texel[3];
    const float rgb[3] = {y + co - cg, y + cg, y - co - cg};
    for (int c = 0; c < 3; c++) {
        texel[c] = roundf(fminf(fmaxf(rgb[c], 0), 1) * 255) / 255;
    }
}

// ln(1 + |x|) with the sign of x.
static double logarithm(float value)
{
    return copysign(log1p(fabs((double)value)), (double)value);
}

// An opaque picture has no alpha to compare, but one that it gets is an error. Where one bit of
// alpha says "nothing here", no colour is compared.
static void add_texel(struct comparison *self, const float *wanted, const float *got)
{
    const uint32_t num_channels = self->row->info->num_channels;
    const bool is_hole = self->has_bit_of_alpha && wanted[3] < 1;
    for (uint32_t c = is_hole ? 3 : 0; c < num_channels; c++) {
        const double e = self->row->format->values == WEIR_BLOCK_FLOAT
                             ? logarithm(wanted[c]) - logarithm(got[c])
                             : (double)wanted[c] - (double)got[c];
        self->error += e * e;
        self->num_values += c < 3 || self->has_alpha;
    }
}

static void add_blocks(struct comparison *self, const uint8_t *blocks)
{
    const uint32_t width = self->picture->width, height = self->picture->height;
    const uint32_t columns = (width + 3) / 4, num = columns * ((height + 3) / 4);
    for (uint32_t i = 0; i < num; i++, blocks += self->row->format->block_size) {
        float texels[16][4];
        weir_block_decode(self->row->format, blocks, texels);
        for (uint32_t t = 0; t < 16; t++) {
            const uint32_t x = 4 * (i % columns) + t % 4, y = 4 * (i / columns) + t / 4;
            if (x < width && y < height) {
                if (self->row->info->codec == WEIR_CODEC_YCOCG_BC3) {
                    ycocg_to_rgb(texels[t]);
                }
                add_texel(self, self->wanted + 4 * ((size_t)width * y + x), texels[t]);
            }
        }
    }
}

static double value_of(const struct comparison *self)
{
    const double mean = self->error / (double)self->num_values;
    if (self->row->format->values == WEIR_BLOCK_FLOAT) {
        return sqrt(mean);
    }
    return mean > 0 ? -10 * log10(mean) : INFINITY;
}

static enum weir_result encode_tile(struct cli_tile *tile, struct comparison *self)
{
    const uint32_t width = self->picture->width, texel_size = texel_format(self)->texel_size;
    for (uint32_t y = 0; y < self->picture->height; y++) {
        pack_row(self, y, tile->staging.mapped + (size_t)y * width * texel_size);
    }
    WEIR_TRY(cli_tile_encode(tile, &(const struct cli_tile_source){0}));
    add_blocks(self, tile->staging.mapped);
    return WEIR_OK;
}

static enum weir_result encode(struct comparison *self)
{
    struct cli_tile tile = {0};
    enum weir_result result = cli_tile_prepare(&tile, &self->row->coder, self->picture->width,
                                               self->picture->height);
    if (result == WEIR_OK) {
        result = encode_tile(&tile, self);
    }
    cli_tile_finish(&tile);
    return result;
}

static const char *channels_of(const struct comparison *self)
{
    static const char *const names[] = {"", "R", "RG", "RGB", "RGBA"};
    const uint32_t num = self->row->info->num_channels;
    return names[num == 4 && !self->has_alpha ? 3 : num];
}

static enum weir_result add_picture(struct bench_row *row, const struct weir_picture *picture)
{
    const VkFormat format = row->format->format;
    struct comparison self = {
        .row = row,
        .picture = picture,
        .wanted = malloc(4 * (size_t)picture->width * picture->height * sizeof(float)),
        .has_bit_of_alpha = format == VK_FORMAT_ETC2_R8G8B8A1_UNORM_BLOCK ||
                            format == VK_FORMAT_BC1_RGBA_UNORM_BLOCK,
    };
    const enum weir_result result = self.wanted ? encode(&self) : WEIR_ERROR_OUT_OF_MEMORY;
    if (result == WEIR_OK) {
        struct bench_quality *quality = &row->quality;
        quality->value += value_of(&self);
        quality->is_log_error = row->format->values == WEIR_BLOCK_FLOAT;
        if (quality->num_pictures++ == 0 || self.has_alpha) {
            quality->channels = channels_of(&self);
        }
    }
    free(self.wanted);
    return result;
}

// The pictures that a row can take, else the generated one.
static enum weir_result measure_row(const struct bench_result *result, struct bench_row *row)
{
    enum weir_result status = WEIR_OK;
    for (uint32_t i = 0; i < result->num_pictures && status == WEIR_OK; i++) {
        if (bench_picture_suits(&result->pictures[i], row->source) && !cli_interrupted()) {
            status = add_picture(row, &result->pictures[i]);
        }
    }
    row->quality.generated = bench_is_generated(result, row->source);
    if (row->quality.generated && !cli_interrupted()) {
        const uint32_t side = result->options->quick ? GENERATED_SIDE_QUICK : GENERATED_SIDE;
        struct weir_picture generated;
        status = bench_generate(row->source, side, side, &generated);
        if (status == WEIR_OK) {
            status = add_picture(row, &generated);
        }
        weir_picture_free(&generated);
    }
    if (row->quality.num_pictures > 0) {
        row->quality.value /= row->quality.num_pictures;
    }
    return status;
}

enum weir_result bench_quality_measure(struct cli_gpu *gpu, struct bench_result *result)
{
    for (uint32_t i = 0; i < result->num_pictures; i++) {
        WEIR_TRY(cli_gpu_check_side(gpu, result->picture_names[i], result->pictures[i].width,
                                    result->pictures[i].height));
    }
    for (uint32_t i = 0; i < result->num_rows && !cli_interrupted(); i++) {
        struct bench_row *row = &result->rows[i];
        char name[64], text[128];
        snprintf(text, sizeof(text), "quality: %s", bench_row_text(row, name, sizeof(name)));
        cli_progress_step(result->progress, i + 1, result->num_rows, text);
        if (row->coder.encoder) {
            WEIR_TRY(measure_row(result, row));
        }
    }
    return WEIR_OK;
}
