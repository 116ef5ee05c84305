// SPDX-License-Identifier: MIT
// Prints what each quality gives for which bytes: PSNR of HapY by the reference of rate-distortion
// optimisation, and the size of its blocks after Snappy, by Weir's packers on the processor and on
// the GPU, and by libsnappy; FFmpeg's encoders of HAP Q and HAP with their own Snappy beside.
//
// usage: rate_quality [--check [--all]] [--json] picture ...
//
// PSNR is that of R, G and B decoded by exact fractions, not rounded, the mean of the pictures;
// sizes are in percent of the blocks without Snappy. With --check it fails where a bar is missed,
// if the pictures are the eight of Kodak's 24 that the bars are for. The table is short then, and
// without --all it is that of a row of tiles of each picture.
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <snappy-c.h>

#include "capture/format/snappy.h"
#include "tests/bench/quality/ffmpeg_hap.h"
#include "tests/ref/snappy.h"
#include "tests/ref/ycocg_bc3.h"
#include "tests/ref/ycocg_bc3_rdo.h"

enum { BLOCK_SIZE = 16, NUM_PICTURES_OF_BARS = 8, TILE_HEIGHT = 128, NUM_TILE_ROWS = 4 };

enum { MAX_QUALITIES = 13 };

// The rows of the table. The last is 0.
static const int all_qualities[] = {100, 95, 90, 85, 80, 75, 70, 65, 60, 50, 40, 20, 1, 0};
static const int qualities_of_bars[] = {80, 75, 65, 60, 0}; // around them

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
    double psnr, size, by_gpu, by_libsnappy;
};

static double squared_error(const struct picture *p, const uint8_t *blocks)
{
    const int columns = (p->width + 3) / 4;
    double sum = 0;
    for (int y = 0; y < p->height; y++) {
        for (int x = 0; x < p->width; x++) {
            const uint8_t *block = blocks + (size_t)BLOCK_SIZE * (size_t)(y / 4 * columns + x / 4);
            double rgb[16][3];
            if (x % 4 != 0 || y % 4 != 0) {
                continue;
            }
            ref_ycocg_bc3_decode_block_exact(block, rgb);
            for (int t = 0; t < 16; t++) {
                const int tx = x + t % 4, ty = y + t / 4;
                for (int c = 0; c < 3 && tx < p->width && ty < p->height; c++) {
                    const double e = rgb[t][c] - p->rgb[3 * (ty * p->width + tx) + c];
                    sum += e * e;
                }
            }
        }
    }
    return sum;
}

static double psnr_of(double sum, const struct picture *p)
{
    return 10 * log10(65025.0 * 3 * p->width * p->height / sum);
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

static void add_picture(const struct picture *p, struct row *rows, double share)
{
    const uint32_t width = (uint32_t)p->width, height = (uint32_t)p->height;
    const size_t size = ref_ycocg_bc3_size(width, height);
    uint8_t *encoded = need(malloc(size)), *blocks = need(malloc(size));
    uint8_t *room = need(malloc(weir_snappy_room((uint32_t)size)));
    uint8_t *gpu_room = need(malloc(ref_snappy_room((uint32_t)size)));
    ref_ycocg_bc3_encode(p->rgb, (size_t)width * 3, width, height, false, REF_YCOCG_BC3_DEFAULT,
                         encoded);
    for (int i = 0; rows[i].quality > 0; i++) {
        memcpy(blocks, encoded, size);
        ref_ycocg_bc3_rdo(p->rgb, (size_t)width * 3, width, height, rows[i].quality, NULL, blocks);
        const bool has_halves = rows[i].quality < 100; // as a capture does
        const size_t packed = weir_snappy_compress(blocks, (uint32_t)size, has_halves, room);
        rows[i].psnr += share * psnr_of(squared_error(p, blocks), p);
        rows[i].size += share * 100 * (double)packed / (double)size;
        const uint32_t by_gpu = ref_snappy_pack(blocks, (uint32_t)size, gpu_room);
        rows[i].by_gpu += share * 100 * (double)by_gpu / (double)size;
        rows[i].by_libsnappy += share * 100 * (double)libsnappy_size(blocks, size) / (double)size;
    }
    free(gpu_room);
    free(room);
    free(blocks);
    free(encoded);
}

// Add FFmpeg's encoder: its blocks are behind a header of eight bytes where they are stored.
static void add_ffmpeg(const struct picture *p, const char *format, struct row *row, double share)
{
    AVPacket *stored = ffmpeg_encode(p, format, "none");
    if (!stored) {
        row->psnr = NAN;
        return;
    }
    const size_t raw = ref_ycocg_bc3_size((uint32_t)p->width, (uint32_t)p->height);
    const size_t size = strcmp(format, "hap_q") == 0 ? raw : raw / 2;
    const uint8_t *blocks = stored->data + (size_t)stored->size - size;
    row->psnr += size == raw ? share * psnr_of(squared_error(p, blocks), p) : 0;
    row->by_libsnappy += share * 100 * (double)libsnappy_size(blocks, size) / (double)raw;
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

static bool meets_bars(const struct row *rows, bool is_thin)
{
    bool meets = true;
    for (size_t i = 0; i < sizeof(bars) / sizeof(bars[0]); i++) {
        const double size = size_at(rows, bars[i].psnr);
        const double most = is_thin ? bars[i].thin_size : bars[i].size;
        printf("at %.1f dB %.2f %%, the bar is %.1f %%\n", bars[i].psnr, size, most);
        meets = meets && size <= most;
    }
    for (int i = 0; rows[i].quality > 0; i++) {
        const double most = MOST_OF_LIBSNAPPY * rows[i].by_libsnappy;
        const bool is_small = rows[i].by_gpu <= most &&
                              (rows[i].quality == 100 || rows[i].by_gpu <= rows[i].size);
        printf("quality %d: %.2f %% by the GPU, %.2f by the processor, %.2f by libsnappy%s\n",
               rows[i].quality, rows[i].by_gpu, rows[i].size, rows[i].by_libsnappy,
               is_small ? "" : ": too large");
        meets = meets && is_small;
    }
    return meets;
}

static void print_table(const struct row *rows, const struct row *hap_q, const struct row *hap)
{
    printf("%-12s %8s %8s %8s %8s %10s\n", "quality", "lambda", "dB", "weir %", "gpu %",
           "libsnappy %");
    for (int i = 0; rows[i].quality > 0; i++) {
        printf("%-12d %8.2f %8.2f %8.2f %8.2f %10.2f\n", rows[i].quality,
               ref_rdo_lambda(rows[i].quality) / 16.0, rows[i].psnr, rows[i].size, rows[i].by_gpu,
               rows[i].by_libsnappy);
    }
    printf("%-12s %8s %8.2f %8s %8s %10.2f\n", "ffmpeg hap_q", "", hap_q->psnr, "", "",
           hap_q->by_libsnappy);
    printf("%-12s %8s %8s %8s %8s %10.2f\n", "ffmpeg hap", "", "", "", "", hap->by_libsnappy);
}

static void print_json(const struct row *rows)
{
    printf("[");
    for (int i = 0; rows[i].quality > 0; i++) {
        printf("%s\n  {\"quality\": %d, \"psnr\": %.4f, \"size\": %.4f, \"gpu\": %.4f, "
               "\"libsnappy\": %.4f}",
               i > 0 ? "," : "", rows[i].quality, rows[i].psnr, rows[i].size, rows[i].by_gpu,
               rows[i].by_libsnappy);
    }
    printf("\n]\n");
}

int main(int argc, char **argv)
{
    bool check = false, all = false, json = false;
    int first = 1;
    for (; first < argc && argv[first][0] == '-'; first++) {
        check = check || strcmp(argv[first], "--check") == 0;
        all = all || strcmp(argv[first], "--all") == 0;
        json = json || strcmp(argv[first], "--json") == 0;
    }
    const int num = argc - first;
    if (num == 0) {
        printf("skipped: it takes pictures\n");
        return 77;
    }
    struct row rows[MAX_QUALITIES + 1] = {{0}}, hap_q = {0}, hap = {0};
    const bool is_thin = check && !all;
    const int *qualities = check ? qualities_of_bars : all_qualities;
    for (int i = 0; qualities[i] > 0; i++) {
        rows[i].quality = qualities[i];
    }
    for (int i = first; i < argc; i++) {
        struct picture p = picture_load(argv[i]);
        if (is_thin) {
            picture_thin(&p, TILE_HEIGHT, NUM_TILE_ROWS, (i - first + 3) % NUM_TILE_ROWS);
        }
        add_picture(&p, rows, 1.0 / num);
        add_ffmpeg(&p, "hap_q", &hap_q, 1.0 / num);
        add_ffmpeg(&p, "hap", &hap, 1.0 / num);
        free(p.rgb);
    }
    if (json) {
        print_json(rows);
    } else {
        print_table(rows, &hap_q, &hap);
    }
    return check && num == NUM_PICTURES_OF_BARS && !meets_bars(rows, is_thin);
}
