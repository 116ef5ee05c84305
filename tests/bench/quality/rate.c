// SPDX-License-Identifier: MIT
// Prints what each quality gives for which bytes: PSNR of the blocks of a codec by the reference of
// rate-distortion optimisation, and their size after Snappy, by Weir's packers on the processor and
// on the GPU, and by libsnappy, and after Zstandard as KTX2 files have it; FFmpeg's encoders of HAP
// Q and HAP with their own Snappy beside.
//
// --codec: ycocg_bc3 (default), bc1, bc1_texture, bc3 with the picture's green as alpha,
// bc3_opaque, bc4 of green, bc5 of red and green, bc7, bc7_alpha with green as alpha. PSNR is that
// of the channels decoded by exact fractions, not rounded, the mean of the pictures; sizes are in
// percent of the blocks without Snappy. The bars are for eight of Kodak's 24 pictures. The table of
// a check is short, and of a part that of a row of tiles of each picture.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <snappy-c.h>

#include "capture/files/texture/texture.h"
#include "capture/movie/snappy.h"
#include "tests/bench/quality/quality.h"
#include "tests/kernels/kernels.h"
#include "tests/kernels/rdo.h"
#include "tests/kernels/snappy.h"
#include "tests/ref/block.h"

enum { MAX_QUALITIES = 14, TILE_HEIGHT = 128, NUM_TILE_ROWS = 4 };

// The rows of the table. The last is 0.
static const int all_qualities[] = {100, 95, 90, 85, 80, 75, 70, 65, 60, 50, 47, 40, 20, 1, 0};
static const int qualities_of_bars[] = {80, 75, 65, 60, 0}; // around them

// What is measured. `channels`: of the texels that the codec gets, each one of the picture's R, G
// and B, or -1: 255.
static const struct subject {
    const char *name;
    enum weir_codec codec;
    int channels[4], num_measured;
    const char *ffmpeg; // its encoder of such blocks
    bool is_texture;
} subjects[] = {
    {"ycocg_bc3", WEIR_CODEC_YCOCG_BC3, {0, 1, 2, -1}, 3, "hap_q", false},
    {"bc1", WEIR_CODEC_BC1, {0, 1, 2, -1}, 3, "hap", false},
    {"bc1_texture", WEIR_CODEC_BC1, {0, 1, 2, -1}, 3, NULL, true},
    {"bc3", WEIR_CODEC_BC3, {0, 1, 2, 1}, 4, NULL, false},
    {"bc3_opaque", WEIR_CODEC_BC3, {0, 1, 2, -1}, 3, NULL, false},
    {"bc4", WEIR_CODEC_BC4, {1, 1, 1, -1}, 1, NULL, false},
    {"bc5", WEIR_CODEC_BC5, {0, 1, 2, -1}, 2, NULL, false},
    {"bc7", WEIR_CODEC_BC7, {0, 1, 2, -1}, 3, NULL, false},
    {"bc7_alpha", WEIR_CODEC_BC7, {0, 1, 2, 1}, 4, NULL, false},
};

// Packed on the GPU, no row is more than so many times what libsnappy makes of it, and none is
// larger than on the processor where blocks were optimised.
#define MOST_OF_LIBSNAPPY 1.02

// The most bytes at a PSNR, packed on the processor [dB, %]; and of a row of tiles, which take
// other bytes than whole pictures at the same PSNR, and may take as many more than they do.
static const struct bar {
    double psnr, size, thin_size;
} bars[] = {{40.2, 67, 64.3}, {41.5, 84, 80.5}};

struct row {
    int quality; // 0: behind the last
    double psnr, size, by_gpu, by_libsnappy, by_zstd;
};

// The texels of a subject, and their blocks.
struct content {
    const struct subject *subject;
    struct weir_picture picture;
    uint8_t *blocks;
    size_t size; // of the blocks [bytes]
};

static const struct subject *find_subject(const char *name)
{
    for (size_t i = 0; i < sizeof(subjects) / sizeof(subjects[0]); i++) {
        if (strcmp(subjects[i].name, name) == 0) {
            return &subjects[i];
        }
    }
    die("unknown codec", name);
}

// The texels of the picture become those of the subject.
static struct content encode(const struct weir_picture *picture, const struct subject *subject)
{
    const uint32_t width = picture->width, height = picture->height;
    const size_t size = (size_t)weir_codec_image_size(subject->codec, width, height);
    struct content c = {subject, *picture, need(malloc(size)), size};
    for (size_t i = 0; i < (size_t)width * height; i++) {
        uint8_t *texel = picture->texels + i / width * picture->pitch + 4 * (i % width);
        uint8_t from[4];
        memcpy(from, texel, sizeof(from));
        for (int channel = 0; channel < 4; channel++) {
            const int source = subject->channels[channel];
            texel[channel] = source < 0 ? 255 : from[source];
        }
    }
    kernel_encode_image(&(struct weir_encoder_params){.codec = subject->codec}, picture->texels, 4,
                        picture->pitch, width, height, c.blocks);
    return c;
}

static double psnr_of(const struct content *c, const uint8_t *blocks)
{
    const uint32_t num_blocks = c->picture.width / 4 * (c->picture.height / 4);
    const int num_channels = c->subject->num_measured;
    double error = 0;
    for (uint32_t i = 0; i < num_blocks; i++, blocks += c->size / num_blocks) {
        double decoded[16][4];
        uint8_t texels[16][4];
        ref_block_decode(c->subject->codec, blocks, decoded);
        quality_fetch(&c->picture, i, texels);
        error += ref_block_error((const uint8_t(*)[4])texels, (const double(*)[4])decoded,
                                 num_channels);
    }
    return quality_psnr(error, 16.0 * num_channels * num_blocks);
}

static size_t libsnappy_size(const uint8_t *blocks, size_t size)
{
    size_t room = snappy_max_compressed_length(size);
    char *out = need(malloc(room));
    if (snappy_compress((const char *)blocks, size, out, &room) != SNAPPY_OK) {
        die("failed", "libsnappy");
    }
    free(out);
    return room;
}

// Get the size of the only level of a texture in a KTX2 file.
static size_t zstd_size(const uint8_t *blocks, size_t size)
{
    const struct weir_texture texture = {.num_levels = 1, .levels = {{blocks, size}}};
    struct weir_texture out;
    if (weir_zstd_compress(&texture, &out) != WEIR_OK) {
        die("failed", "libzstd");
    }
    const size_t packed = (size_t)out.levels[0].size;
    weir_texture_finish(&out);
    return packed;
}

static void add_row(const struct content *c, double share, uint8_t *blocks, struct row *row)
{
    const struct kernel_picture picture = {c->picture.texels, c->picture.pitch, 4, c->picture.width,
                                           c->picture.height};
    const double percent = share * 100 / (double)c->size;
    uint8_t *room = need(malloc(weir_snappy_room((uint32_t)c->size)));
    uint8_t *gpu_room = need(malloc(weir_snappy_destination_size(c->size, 1)));
    enum weir_snappy_content content = WEIR_SNAPPY_ANY;
    memcpy(blocks, c->blocks, c->size);
    if (row->quality < 100) { // as a capture does
        kernel_rdo(&(struct weir_rdo_params){.codec = c->subject->codec,
                                             .texture = c->subject->is_texture},
                   &picture, weir_rdo_lambda(row->quality), NULL, blocks);
        content = c->subject->codec == WEIR_CODEC_BC3 ? WEIR_SNAPPY_SAME_HALVES
                                                      : WEIR_SNAPPY_HALVES;
    }
    const uint32_t by_gpu = kernel_snappy(weir_snappy_params(.size = c->size, .num_chunks = 1,
                                                             .least_saved = 1),
                                          blocks, gpu_room) -
                            (uint32_t)weir_snappy_data_offset(1);
    row->psnr += share * psnr_of(c, blocks);
    row->size += percent * weir_snappy_compress(blocks, (uint32_t)c->size, content, room);
    row->by_gpu += percent * by_gpu;
    row->by_libsnappy += percent * (double)libsnappy_size(blocks, c->size);
    row->by_zstd += percent * (double)zstd_size(blocks, c->size);
    free(gpu_room);
    free(room);
}

// Add FFmpeg's encoder: its blocks are behind a header of eight bytes where they are stored.
static void add_ffmpeg(const struct content *c, struct row *row, double share)
{
    AVPacket *stored = c->subject->ffmpeg ? ffmpeg_encode(&c->picture, c->subject->ffmpeg) : NULL;
    if (!stored) {
        row->psnr = NAN;
        return;
    }
    const uint8_t *blocks = stored->data + (size_t)stored->size - c->size;
    row->psnr += share * psnr_of(c, blocks);
    row->by_libsnappy += share * 100 * (double)libsnappy_size(blocks, c->size) / (double)c->size;
    av_packet_free(&stored);
}

// Get the size at a PSNR, between two rows of the table. NAN: it lies outside.
static double size_at(const struct row *rows, double psnr)
{
    for (int i = 1; rows[i].quality > 0; i++) {
        const struct row *above = &rows[i - 1], *below = &rows[i];
        if (above->psnr >= psnr && below->psnr <= psnr) {
            const double share = (psnr - below->psnr) / (above->psnr - below->psnr);
            return below->size + share * (above->size - below->size);
        }
    }
    return NAN;
}

static void expect_bars(const struct row *rows, bool is_few)
{
    for (size_t i = 0; i < sizeof(bars) / sizeof(bars[0]); i++) {
        const double size = size_at(rows, bars[i].psnr);
        const double most = is_few ? bars[i].thin_size : bars[i].size;
        printf("at %.1f dB %.2f %%\n", bars[i].psnr, size);
        test_expect(size <= most, "at %.1f dB %.2f %%, the bar is %.1f %%", bars[i].psnr, size,
                    most);
    }
    for (const struct row *row = rows; row->quality > 0; row++) {
        test_expect(row->by_gpu <= MOST_OF_LIBSNAPPY * row->by_libsnappy &&
                        (row->quality == 100 || row->by_gpu <= row->size),
                    "quality %d: %.2f %% by the GPU is too large", row->quality, row->by_gpu);
    }
}

static void print_table(const struct row *rows, const struct row *ffmpeg, const char *name)
{
    printf("%-12s %8s %8s %8s %8s %10s %8s\n", "quality", "lambda", "dB", "weir %", "gpu %",
           "libsnappy %", "zstd %");
    for (int i = 0; rows[i].quality > 0; i++) {
        printf("%-12d %8.2f %8.2f %8.2f %8.2f %10.2f %8.2f\n", rows[i].quality,
               weir_rdo_lambda(rows[i].quality) / 16.0, rows[i].psnr, rows[i].size, rows[i].by_gpu,
               rows[i].by_libsnappy, rows[i].by_zstd);
    }
    if (name) {
        printf("ffmpeg %-14s %8.2f %8s %8s %10.2f\n", name, ffmpeg->psnr, "", "",
               ffmpeg->by_libsnappy);
    }
}

void quality_rate(const struct quality *quality)
{
    const struct subject *subject = find_subject(quality->codec ? quality->codec : "ycocg_bc3");
    const int *qualities = quality->check ? qualities_of_bars : all_qualities;
    const double share = 1.0 / quality->num_pictures;
    struct row rows[MAX_QUALITIES + 1] = {{0}}, ffmpeg = {0};
    for (int i = 0; qualities[i] > 0; i++) {
        rows[i].quality = qualities[i];
    }
    for (int i = 0; i < quality->num_pictures; i++) {
        struct weir_picture *picture = &quality->pictures[i].texels;
        if (quality->is_few) {
            quality_thin(picture, TILE_HEIGHT, NUM_TILE_ROWS, (uint32_t)(i + 3) % NUM_TILE_ROWS);
        }
        struct content c = encode(picture, subject);
        uint8_t *blocks = need(malloc(c.size));
        for (struct row *row = rows; row->quality > 0; row++) {
            add_row(&c, share, blocks, row);
        }
        add_ffmpeg(&c, &ffmpeg, share);
        free(blocks);
        free(c.blocks);
    }
    print_table(rows, &ffmpeg, subject->ffmpeg);
    if (quality->check && subject == &subjects[0] && quality->num_pictures == QUALITY_NUM_KODAK) {
        expect_bars(rows, quality->is_few);
    }
}
