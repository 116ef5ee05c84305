// SPDX-License-Identifier: MIT
// How near the blocks of each codec and effort come to pictures: encoded on the device, decoded
// here.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/files/block/block.h"
#include "capture/files/picture/texel.h"
#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/memory.h"
#include "capture/weir/common/report.h"
#include "capture/weir/gpu/commands.h"
#include "capture/weir/gpu/tile.h"
#include "tests/bench/encode/encode.h"

// The software device would compile every kernel again for the power of two above.
enum { GENERATED_SIDE = 1024, GENERATED_SIDE_QUICK = 252 };

// A picture, as the encoder of a row gets it, and what its blocks lack.
struct judge {
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
static bool has_one_bit_of_alpha(const struct judge *judge)
{
    return judge->format->format == VK_FORMAT_ETC2_R8G8B8A1_UNORM_BLOCK ||
           judge->format->format == VK_FORMAT_BC1_RGBA_UNORM_BLOCK;
}

static const struct weir_pyramid_format_info *texel_format(const struct judge *judge)
{
    return weir_pyramid_format_get_info(bench_source_format(judge->row->source));
}

static void pack_row(const struct judge *judge, uint32_t y, float *values, uint8_t *texels)
{
    weir_picture_row(judge->picture, y, values);
    weir_texel_pack(texel_format(judge), values, judge->picture->width, texels);
}

// Get a row of the picture as the encoder's image holds it.
static void read_row(const struct judge *judge, uint32_t y, float *values)
{
    const uint32_t width = judge->picture->width;
    pack_row(judge, y, values, judge->texels);
    weir_texel_unpack(texel_format(judge), judge->texels, width, values);
    for (size_t x = 0; x < width && has_one_bit_of_alpha(judge); x++) {
        values[4 * x + 3] = values[4 * x + 3] >= 0.5f ? 1 : 0;
    }
}

static void find_alpha(struct judge *judge)
{
    judge->has_alpha = false;
    for (uint32_t y = 0; y < judge->picture->height && !judge->has_alpha; y++) {
        read_row(judge, y, judge->rows);
        for (size_t x = 0; x < judge->picture->width && !judge->has_alpha; x++) {
            judge->has_alpha = judge->rows[4 * x + 3] < 1;
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
static void add_texel(struct judge *judge, const float *wanted, const float *got)
{
    const uint32_t num_channels = judge->row->num_channels;
    const bool is_hole = has_one_bit_of_alpha(judge) && wanted[3] < 1;
    for (uint32_t c = is_hole ? 3 : 0; c < num_channels; c++) {
        const double e = judge->format->values == WEIR_BLOCK_FLOAT
                             ? logarithm(wanted[c]) - logarithm(got[c])
                             : (double)wanted[c] - (double)got[c];
        judge->error += e * e;
        judge->num_values += c < 3 || judge->has_alpha;
    }
}

static void add_block(struct judge *judge, uint32_t x, uint32_t num_rows, const uint8_t *block)
{
    const uint32_t width = judge->picture->width;
    float texels[16][4];
    judge->format->decode(block, texels);
    for (uint32_t t = 0; t < 4 * num_rows; t++) {
        if (x + t % 4 >= width) {
            continue;
        }
        if (judge->row->info->codec == WEIR_CODEC_YCOCG_BC3) {
            ycocg_to_rgb(texels[t]);
        }
        add_texel(judge, judge->rows + 4 * ((size_t)width * (t / 4) + x + t % 4), texels[t]);
    }
}

static void add_blocks(struct judge *judge, const uint8_t *blocks)
{
    const uint32_t width = judge->picture->width, height = judge->picture->height;
    for (uint32_t y = 0; y < height; y += 4) {
        const uint32_t num_rows = height - y < 4 ? height - y : 4;
        for (uint32_t i = 0; i < num_rows; i++) {
            read_row(judge, y + i, judge->rows + 4 * (size_t)width * i);
        }
        for (uint32_t x = 0; x < width; x += 4, blocks += judge->format->block_size) {
            add_block(judge, x, num_rows, blocks);
        }
    }
}

static double judge_value(const struct judge *judge)
{
    const double mean = judge->error / (double)judge->num_values;
    if (judge->format->values == WEIR_BLOCK_FLOAT) {
        return sqrt(mean);
    }
    return mean > 0 ? -10 * log10(mean) : INFINITY;
}

static enum weir_result encode(struct cli_gpu *gpu, struct judge *judge)
{
    const struct weir_picture *picture = judge->picture;
    const uint32_t texel_size = texel_format(judge)->texel_size;
    VkCommandBuffer commands = VK_NULL_HANDLE;
    struct cli_tile tile = {0};
    enum weir_result result = cli_tile_prepare(
        &tile, gpu,
        &(const struct cli_tile_params){.coder = &judge->row->coder,
                                        .format = texel_format(judge)->format,
                                        .texel_size = texel_size,
                                        .width = picture->width,
                                        .height = picture->height});
    if (result == WEIR_OK) {
        result = cli_commands_allocate(gpu, &commands);
    }
    for (uint32_t y = 0; result == WEIR_OK && y < picture->height; y++) {
        pack_row(judge, y, judge->rows,
                 tile.staging.mapped + (size_t)y * picture->width * texel_size);
    }
    if (result == WEIR_OK) {
        result = cli_tile_encode(&tile, commands, &(const struct cli_tile_source){0});
    }
    if (result == WEIR_OK) {
        add_blocks(judge, tile.staging.mapped);
    }
    cli_commands_free(gpu, commands);
    cli_tile_finish(&tile);
    return result;
}

static const char *channels_of(const struct judge *judge)
{
    static const char *const names[] = {"", "R", "RG", "RGB", "RGBA"};
    const uint32_t num = judge->row->num_channels;
    return names[num == 4 && !judge->has_alpha ? 3 : num];
}

static enum weir_result add_picture(struct cli_gpu *gpu, struct bench_row *row,
                                    const struct weir_picture *picture)
{
    const size_t row_size = 4 * (size_t)picture->width;
    struct judge judge = {
        .row = row,
        .format = row->format,
        .picture = picture,
        .rows = malloc(4 * row_size * sizeof(float)),
        .texels = malloc(row_size * sizeof(uint16_t)),
    };
    enum weir_result result = WEIR_ERROR_OUT_OF_MEMORY;
    if (judge.rows && judge.texels) {
        find_alpha(&judge);
        result = encode(gpu, &judge);
    }
    if (result == WEIR_OK) {
        struct bench_quality *quality = &row->quality;
        quality->value += judge_value(&judge);
        quality->is_log_error = judge.format->values == WEIR_BLOCK_FLOAT;
        if (quality->num_pictures++ == 0 || judge.has_alpha) {
            quality->channels = channels_of(&judge);
        }
    }
    free(judge.texels);
    free(judge.rows);
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
        uint8_t *row = picture->texels + y * picture->pitch;
        if (light) {
            bench_picture_light(side, side, y, (float *)(void *)row);
        } else {
            bench_picture_codes(side, side, y, row);
        }
    }
    return WEIR_OK;
}

// The pictures that a row can take, else the generated one.
static enum weir_result measure_row(struct cli_gpu *gpu, const struct bench_result *result,
                                    struct bench_row *row)
{
    enum weir_result status = WEIR_OK;
    for (uint32_t i = 0; i < result->num_pictures && status == WEIR_OK; i++) {
        if (bench_picture_is_light(&result->pictures[i]) == (row->source == BENCH_LIGHT) &&
            !cli_interrupted()) {
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

static enum weir_result check_sides(struct cli_gpu *gpu, const struct bench_result *result)
{
    enum weir_result status = WEIR_OK;
    for (uint32_t i = 0; i < result->num_pictures && status == WEIR_OK; i++) {
        status = cli_gpu_check_side(gpu, result->picture_names[i], result->pictures[i].width,
                                    result->pictures[i].height);
    }
    return status;
}

enum weir_result bench_quality_measure(struct cli_gpu *gpu, struct bench_result *result)
{
    enum weir_result status = check_sides(gpu, result);
    for (uint32_t i = 0; i < result->num_rows && status == WEIR_OK; i++) {
        struct bench_row *row = &result->rows[i];
        if (!row->coder.encoder || cli_interrupted()) {
            continue;
        }
        char name[64], text[128];
        snprintf(text, sizeof(text), "quality: %s", bench_row_text(row, name, sizeof(name)));
        cli_progress_step(result->progress, i + 1, result->num_rows, text);
        status = measure_row(gpu, result, row);
    }
    return status;
}

static bool read_picture(struct bench_result *result, const char *path, size_t length)
{
    if (result->num_pictures == BENCH_MAX_PICTURES) {
        cli_report_error("--picture: at most %d pictures are taken", BENCH_MAX_PICTURES);
        return false;
    }
    const struct weir_memory_use memory = cli_memory_use(0, 2, 5);
    const uint32_t i = result->num_pictures++;
    result->picture_names[i] = strndup(path, length);
    return result->picture_names[i] && weir_picture_read(result->picture_names[i], &memory,
                                                         &cli_log, &result->pictures[i]) == WEIR_OK;
}

bool bench_pictures_read(struct bench_result *result)
{
    const char *list = result->options->pictures;
    bool good = true;
    while (list && good) {
        const size_t length = strcspn(list, ",");
        good = read_picture(result, list, length);
        list = list[length] != 0 ? list + length + 1 : NULL;
    }
    return good;
}

void bench_pictures_free(struct bench_result *result)
{
    for (uint32_t i = 0; i < result->num_pictures; i++) {
        weir_picture_free(&result->pictures[i]);
        free(result->picture_names[i]);
    }
}
