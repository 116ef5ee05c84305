// SPDX-License-Identifier: MIT
// The table of content_quality: what every codec and effort makes of every kind of picture.
#include "tests/bench/quality/content_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "capture/files/block/block.h"
#include "tests/bench/quality/frame.h"

// ---- One cell ----

static bool has_one_bit_of_alpha(enum weir_codec codec)
{
    return codec == WEIR_CODEC_BC1A || codec == WEIR_CODEC_ETC2_RGB8A1;
}

// Those that are compared: alpha where the picture has some.
static int channels_of(const struct content_cell *cell)
{
    const enum weir_codec codec = cell->codec;
    const VkFormat format = weir_codec_get_info(codec)->format;
    const uint32_t num = weir_block_get_format(format)->num_channels;
    const bool has_alpha = num == 4 && cell->kind == CONTENT_SHADOWS &&
                           codec != WEIR_CODEC_YCOCG_BC3 && !has_one_bit_of_alpha(codec);
    return num == 4 && !has_alpha ? 3 : (int)num;
}

static double block_error(const struct content_cell *cell, const uint8_t texels[16][4],
                          const uint8_t *block)
{
    double decoded[16][4];
    quality_decode(cell->codec, block, decoded);
    for (int i = 0; i < 48 && cell->codec == WEIR_CODEC_YCOCG_BC3; i++) {
        double *code = &decoded[i / 3][i % 3]; // as a player shows it
        *code = floor(fmin(fmax(*code, 0), 255) + 0.5);
    }
    return quality_error(texels, (const double(*)[4])decoded, channels_of(cell));
}

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int content_num_efforts(const struct content_options *options, enum weir_codec codec)
{
    const bool has_all = weir_codec_get_info(codec)->max_effort == WEIR_EFFORT_EXHAUSTIVE;
    return has_all && options->exhaustive ? CONTENT_NUM_EFFORTS : CONTENT_NUM_EFFORTS - 1;
}

// Blocks of a picture that are encoded.
struct sample {
    uint8_t (*texels)[16][4];
    uint32_t num;
};

// Whole blocks only.
static struct sample take_sample(const struct content_options *options,
                                 const struct weir_picture *picture, bool is_opaque)
{
    const uint32_t blocks_x = picture->width / 4, num = blocks_x * (picture->height / 4);
    // An odd distance comes to all columns.
    const uint32_t every = num <= options->blocks ? 1 : num / (uint32_t)options->blocks | 1;
    struct sample sample = {need(calloc(num / every + 1, sizeof(*sample.texels))), 0};
    for (uint32_t i = 0; i < num; i += every, sample.num++) {
        for (uint32_t t = 0; t < 16; t++) {
            const size_t x = 4 * (i % blocks_x) + t % 4, y = 4 * (i / blocks_x) + t / 4;
            uint8_t *texel = sample.texels[sample.num][t];
            memcpy(texel, picture->texels + y * picture->pitch + 4 * x, 4);
            texel[3] = is_opaque ? 255 : texel[3];
        }
    }
    return sample;
}

static double psnr(const struct sample *sample, struct content_cell *cell, int effort)
{
    uint8_t *blocks = need(calloc(sample->num, 16));
    const struct weir_encoder_params params = {.codec = cell->codec,
                                               .effort = kernel_efforts[effort]};
    const double start = cpu_seconds();
    for (uint32_t i = 0; i < sample->num; i++) {
        kernel_encode(&params, (const uint8_t(*)[4])sample->texels[i], blocks + 16 * i);
    }
    cell->seconds[effort] += cpu_seconds() - start;
    double error = 0;
    for (uint32_t i = 0; i < sample->num; i++) {
        error += block_error(cell, (const uint8_t(*)[4])sample->texels[i], blocks + 16 * i);
    }
    free(blocks);
    return quality_psnr(error, 16.0 * channels_of(cell) * sample->num);
}

static void add_picture(const struct content_options *options, struct content_cell *cell,
                        const struct weir_picture *picture, int num_pictures)
{
    struct sample sample = take_sample(options, picture, channels_of(cell) == 3);
    for (int e = 0; e < content_num_efforts(options, cell->codec); e++) {
        cell->db[e] += psnr(&sample, cell, e) / num_pictures;
    }
    free(sample.texels);
}

static void add_photograph(const struct content_options *options, struct content_cell *cell,
                           const char *path)
{
    struct weir_picture picture = quality_read(path);
    add_picture(options, cell, &picture, options->num_photographs);
    weir_picture_free(&picture);
}

static bool has_photographs(const struct content_options *options, enum content_kind kind)
{
    return kind == CONTENT_PHOTOGRAPH && options->num_photographs > 0;
}

static void measure_cell(const struct content_table *table, struct content_cell *cell)
{
    const struct content_options *options = table->options;
    if (has_photographs(options, cell->kind)) {
        for (int i = 0; i < options->num_photographs; i++) {
            add_photograph(options, cell, options->photographs[i]);
        }
        return;
    }
    const uint32_t side = (uint32_t)options->side;
    const struct weir_picture picture = {.width = side,
                                         .height = side,
                                         .pitch = 4 * (size_t)side,
                                         .texels = table->drawn[cell->kind]};
    add_picture(options, cell, &picture, 1);
}

// ---- All cells ----

static bool is_asked(const struct content_options *options, enum weir_codec codec)
{
    const char *name = weir_codec_get_info(codec)->name, *list = options->codecs;
    const size_t length = strlen(name);
    while (list && (strncmp(list, name, length) != 0 || (list[length] != ',' && list[length]))) {
        list = strchr(list, ',');
        list = list ? list + 1 : NULL;
    }
    return list || !options->codecs;
}

static void add_cells(struct content_table *table)
{
    for (int i = 0; i < KERNEL_NUM_CODECS; i++) {
        for (int kind = 0; kind < CONTENT_NUM_KINDS && is_asked(table->options, kernel_codecs[i]);
             kind++) {
            table->cells[table->num_cells++] = (struct content_cell){
                .codec = kernel_codecs[i], .kind = (enum content_kind)kind};
        }
    }
    if (table->num_cells == 0) {
        die("is no codec of 8 bits", table->options->codecs);
    }
}

static void draw(struct content_table *table)
{
    const size_t side = (size_t)table->options->side;
    for (int kind = 0; kind < CONTENT_NUM_KINDS; kind++) {
        if (has_photographs(table->options, (enum content_kind)kind)) {
            continue;
        }
        table->drawn[kind] = need(malloc(4 * side * side));
        content_draw((enum content_kind)kind, table->options->seed, (int)side, table->drawn[kind]);
    }
}

void content_measure(struct content_table *table)
{
    add_cells(table);
    draw(table);
    for (int i = 0; i < table->num_cells; i++) {
        measure_cell(table, &table->cells[i]);
    }
    for (int kind = 0; kind < CONTENT_NUM_KINDS; kind++) {
        free(table->drawn[kind]);
    }
}
