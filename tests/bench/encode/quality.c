// SPDX-License-Identifier: MIT
// How near the blocks of each codec and effort come to pictures: encoded on the device, decoded
// here.
#include <math.h>
#include <stdlib.h>

#include "capture/files/block/block.h"
#include "capture/files/picture/texel.h"
#include "capture/weir/common/interrupt.h"
#include "capture/weir/gpu/tile.h"
#include "tests/bench/encode/encode.h"

// The software device would compile every kernel again for the power of two above.
enum { GENERATED_SIDE = 1024, GENERATED_SIDE_QUICK = 252 };

// A picture, as the encoder of a row gets it, and what its blocks lack.
struct comparison {
    const struct bench_row *row;
    const struct weir_block_format *format;
    const struct weir_picture *picture;
    float *rows;     // four, RGBA
    uint8_t *texels; // one row, as in the image
    bool has_alpha;  // that says something
    double error;    // sum of squares
    uint64_t num_values;
};

// One bit of alpha: what is at least half there is.
static bool has_one_bit_of_alpha(const struct comparison *self)
{
    return self->format->format == VK_FORMAT_ETC2_R8G8B8A1_UNORM_BLOCK ||
           self->format->format == VK_FORMAT_BC1_RGBA_UNORM_BLOCK;
}

static const struct weir_pyramid_format_info *texel_format(const struct comparison *self)
{
    return weir_pyramid_format_get_info(bench_source_format(self->row->source));
}

static void pack_row(const struct comparison *self, uint32_t y, float *values, uint8_t *texels)
{
    weir_picture_row(self->picture, y, values);
    weir_texel_pack(texel_format(self), values, self->picture->width, texels);
}

// Get a row of the picture as the encoder's image holds it.
static void read_row(const struct comparison *self, uint32_t y, float *values)
{
    const uint32_t width = self->picture->width;
    pack_row(self, y, values, self->texels);
    weir_texel_unpack(texel_format(self), self->texels, width, values);
    for (size_t x = 0; x < width && has_one_bit_of_alpha(self); x++) {
        values[4 * x + 3] = values[4 * x + 3] >= 0.5f ? 1 : 0;
    }
}

static void find_alpha(struct comparison *self)
{
    self->has_alpha = false;
    for (uint32_t y = 0; y < self->picture->height && !self->has_alpha; y++) {
        read_row(self, y, self->rows);
        for (size_t x = 0; x < self->picture->width && !self->has_alpha; x++) {
            self->has_alpha = self->rows[4 * x + 3] < 1;
        }
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
    const bool is_hole = has_one_bit_of_alpha(self) && wanted[3] < 1;
    for (uint32_t c = is_hole ? 3 : 0; c < num_channels; c++) {
        const double e = self->format->values == WEIR_BLOCK_FLOAT
                             ? logarithm(wanted[c]) - logarithm(got[c])
                             : (double)wanted[c] - (double)got[c];
        self->error += e * e;
        self->num_values += c < 3 || self->has_alpha;
    }
}

static void add_block(struct comparison *self, uint32_t x, uint32_t num_rows, const uint8_t *block)
{
    const uint32_t width = self->picture->width;
    float texels[16][4];
    self->format->decode(block, texels);
    for (uint32_t t = 0; t < 4 * num_rows; t++) {
        if (x + t % 4 >= width) {
            continue;
        }
        if (self->row->info->codec == WEIR_CODEC_YCOCG_BC3) {
            ycocg_to_rgb(texels[t]);
        }
        add_texel(self, self->rows + 4 * ((size_t)width * (t / 4) + x + t % 4), texels[t]);
    }
}

static void add_blocks(struct comparison *self, const uint8_t *blocks)
{
    const uint32_t width = self->picture->width, height = self->picture->height;
    for (uint32_t y = 0; y < height; y += 4) {
        const uint32_t num_rows = height - y < 4 ? height - y : 4;
        for (uint32_t i = 0; i < num_rows; i++) {
            read_row(self, y + i, self->rows + 4 * (size_t)width * i);
        }
        for (uint32_t x = 0; x < width; x += 4, blocks += self->format->block_size) {
            add_block(self, x, num_rows, blocks);
        }
    }
}

static double value_of(const struct comparison *self)
{
    const double mean = self->error / (double)self->num_values;
    if (self->format->values == WEIR_BLOCK_FLOAT) {
        return sqrt(mean);
    }
    return mean > 0 ? -10 * log10(mean) : INFINITY;
}

static enum weir_result encode_tile(struct cli_tile *tile, struct comparison *self)
{
    const uint32_t width = self->picture->width, texel_size = texel_format(self)->texel_size;
    for (uint32_t y = 0; y < self->picture->height; y++) {
        pack_row(self, y, self->rows, tile->staging.mapped + (size_t)y * width * texel_size);
    }
    BENCH_TRY(cli_tile_encode(tile, &(const struct cli_tile_source){0}));
    add_blocks(self, tile->staging.mapped);
    return WEIR_OK;
}

static enum weir_result encode(struct cli_gpu *gpu, struct comparison *self)
{
    const struct cli_tile_params params = {.coder = &self->row->coder,
                                           .format = texel_format(self)->format,
                                           .texel_size = texel_format(self)->texel_size,
                                           .width = self->picture->width,
                                           .height = self->picture->height};
    struct cli_tile tile = {0};
    enum weir_result result = cli_tile_prepare(&tile, gpu, &params);
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

static enum weir_result add_picture(struct cli_gpu *gpu, struct bench_row *row,
                                    const struct weir_picture *picture)
{
    const size_t row_size = 4 * (size_t)picture->width;
    struct comparison self = {
        .row = row,
        .format = row->format,
        .picture = picture,
        .rows = malloc(4 * row_size * sizeof(float)),
        .texels = malloc(row_size * sizeof(uint16_t)),
    };
    enum weir_result result = WEIR_ERROR_OUT_OF_MEMORY;
    if (self.rows && self.texels) {
        find_alpha(&self);
        result = encode(gpu, &self);
    }
    if (result == WEIR_OK) {
        struct bench_quality *quality = &row->quality;
        quality->value += value_of(&self);
        quality->is_log_error = self.format->values == WEIR_BLOCK_FLOAT;
        if (quality->num_pictures++ == 0 || self.has_alpha) {
            quality->channels = channels_of(&self);
        }
    }
    free(self.texels);
    free(self.rows);
    return result;
}

static enum weir_result generate(enum bench_source source, uint32_t side,
                                 struct weir_picture *picture)
{
    const bool light = source == BENCH_LIGHT;
    *picture = (struct weir_picture){
        .width = side,
        .height = side,
        .type = light ? WEIR_PICTURE_FLOAT : WEIR_PICTURE_8,
        .has_alpha = true,
        .is_linear = light,
        .pitch = (size_t)side * 4 * (light ? sizeof(float) : 1),
    };
    picture->texels = malloc(picture->pitch * side);
    if (!picture->texels) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    for (uint32_t y = 0; y < side; y++) {
        bench_draw_row(source, side, side, y, picture->texels + y * picture->pitch);
    }
    return WEIR_OK;
}

// The pictures that a row can take, else the generated one.
static enum weir_result measure_row(struct cli_gpu *gpu, const struct bench_result *result,
                                    struct bench_row *row)
{
    enum weir_result status = WEIR_OK;
    for (uint32_t i = 0; i < result->num_pictures && status == WEIR_OK; i++) {
        if (bench_picture_suits(&result->pictures[i], row->source) && !cli_interrupted()) {
            status = add_picture(gpu, row, &result->pictures[i]);
        }
    }
    if (status == WEIR_OK && row->quality.num_pictures == 0 && !cli_interrupted()) {
        struct weir_picture generated;
        status = generate(row->source,
                          result->options->quick ? GENERATED_SIDE_QUICK : GENERATED_SIDE,
                          &generated);
        if (status == WEIR_OK) {
            status = add_picture(gpu, row, &generated);
        }
        row->quality.generated = true;
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
        BENCH_TRY(cli_gpu_check_side(gpu, result->picture_names[i], result->pictures[i].width,
                                     result->pictures[i].height));
    }
    for (uint32_t i = 0; i < result->num_rows && !cli_interrupted(); i++) {
        struct bench_row *row = &result->rows[i];
        char name[64], text[128];
        snprintf(text, sizeof(text), "quality: %s", bench_row_text(row, name, sizeof(name)));
        cli_progress_step(result->progress, i + 1, result->num_rows, text);
        if (row->coder.encoder) {
            BENCH_TRY(measure_row(gpu, result, row));
        }
    }
    return WEIR_OK;
}
