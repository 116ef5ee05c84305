// SPDX-License-Identifier: MIT
// Prints how much still pictures with noise flicker in HAP Q, over the noise itself, with blocks
// that are encoded alone and with blocks that keep what they can of the frame before.
//
// usage: steady_quality [--effort fast|default|high] [--every N] [--check] [picture ...]
//
// Each picture is a movie of ten frames, with noise of deviation 1 in each channel (WEIR_SEED).
// With --every one block of so many is encoded. With --check it fails where a bar is missed.
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/files/picture/picture.h"
#include "tests/ref/flicker.h"
#include "tests/ref/ycocg_bc3.h"
#include "tests/ref/ycocg_bc3_steady.h"
#include "tests/seeded.h"

enum { NUM_FRAMES = 10 };
// Most flicker over that of the source, and least gain over blocks alone; most dB that are lost.
static const double most_ratio = 1.3, most_share = 0.7, most_loss = 0.5;

static const char *const effort_names[] = {[REF_YCOCG_BC3_FAST] = "fast",
                                           [REF_YCOCG_BC3_DEFAULT] = "default",
                                           [REF_YCOCG_BC3_HIGH] = "high"};
enum { NUM_EFFORTS = sizeof(effort_names) / sizeof(effort_names[0]) };

struct outcome {
    double ratio, psnr; // of the blocks' temporal deviation to the source's; [dB]
};

static void fetch(const struct weir_picture *picture, uint32_t block, uint64_t *random,
                  uint8_t rgb[16][3])
{
    const uint32_t columns = picture->width / 4;
    for (uint32_t i = 0; i < 48; i++) {
        const size_t x = 4 * (block % columns) + i / 3 % 4, y = 4 * (block / columns) + i / 12;
        const double code = picture->texels[y * picture->pitch + 4 * x + i % 3];
        rgb[i / 3][i % 3] = (uint8_t)fmin(fmax(floor(code + ref_flicker_noise(random) + 0.5), 0),
                                          255);
    }
}

static struct outcome measure(const struct weir_picture *picture, enum ref_ycocg_bc3_effort effort,
                              uint32_t every, bool steady, uint64_t seed)
{
    const uint32_t num_blocks = picture->width / 4 * (picture->height / 4) / every;
    uint8_t(*blocks)[REF_YCOCG_BC3_BLOCK_SIZE] = calloc(num_blocks, sizeof(*blocks));
    struct ref_flicker flicker;
    ref_flicker_init(&flicker, num_blocks);
    uint64_t random = seed; // the same noise for both
    for (int frame = 0; frame < NUM_FRAMES; frame++) {
        ref_flicker_begin(&flicker);
        for (uint32_t b = 0; b < num_blocks; b++) {
            uint8_t rgb[16][3], block[REF_YCOCG_BC3_BLOCK_SIZE];
            const uint8_t(*texels)[3] = (const uint8_t(*)[3])rgb;
            fetch(picture, b * every, &random, rgb);
            ref_ycocg_bc3_encode_block(texels, false, effort, block);
            if (steady) {
                ref_ycocg_bc3_keep(texels, false, blocks[b], block);
            }
            memcpy(blocks[b], block, sizeof(block));
            ref_flicker_add(&flicker, b, texels, block);
        }
    }
    const struct outcome outcome = {ref_flicker_of_blocks(&flicker) /
                                        ref_flicker_of_source(&flicker),
                                    ref_flicker_psnr(&flicker)};
    ref_flicker_finish(&flicker);
    free(blocks);
    return outcome;
}

static bool print_picture(const char *path, enum ref_ycocg_bc3_effort effort, uint32_t every,
                          uint64_t seed)
{
    struct weir_picture picture;
    if (weir_picture_read(path, NULL, NULL, &picture) != WEIR_OK ||
        picture.kind != WEIR_PICTURE_8) {
        weir_picture_free(&picture);
        fprintf(stderr, "steady_quality: %s is no picture of 8 bits\n", path);
        return false;
    }
    const struct outcome alone = measure(&picture, effort, every, false, seed);
    const struct outcome steady = measure(&picture, effort, every, true, seed);
    weir_picture_free(&picture);
    const char *slash = strrchr(path, '/');
    printf("| %s | %s | %.2f | %.2f | %.2f | %.2f |\n", slash ? slash + 1 : path,
           effort_names[effort], alone.ratio, steady.ratio, alone.psnr, steady.psnr);
    return steady.ratio <= most_ratio && steady.ratio <= most_share * alone.ratio &&
           steady.psnr >= alone.psnr - most_loss;
}

static int effort_by_name(const char *name)
{
    int effort = 0;
    while (effort < NUM_EFFORTS && strcmp(effort_names[effort], name) != 0) {
        effort++;
    }
    if (effort == NUM_EFFORTS) {
        fprintf(stderr, "steady_quality: no effort %s\n", name);
        exit(2);
    }
    return effort;
}

int main(int argc, char **argv)
{
    int effort = REF_YCOCG_BC3_DEFAULT, every = 1, first = 1;
    bool check = false, good = true;
    for (; first < argc && strncmp(argv[first], "--", 2) == 0; first++) {
        if (strcmp(argv[first], "--check") == 0) {
            check = true;
        } else if (strcmp(argv[first], "--effort") == 0 && first + 1 < argc) {
            effort = effort_by_name(argv[++first]);
        } else if (strcmp(argv[first], "--every") == 0 && first + 1 < argc) {
            every = atoi(argv[++first]);
        }
    }
    every = every < 1 ? 1 : every;
    if (first == argc) {
        printf("no pictures were given\n");
        return 77;
    }
    const uint64_t seed = seeded_seed();
    printf("| picture | effort | alone | steady | alone [dB] | steady [dB] |\n"
           "| --- | --- | --- | --- | --- | --- |\n");
    for (int i = first; i < argc; i++) {
        good = print_picture(argv[i], (enum ref_ycocg_bc3_effort)effort, (uint32_t)every, seed) &&
               good;
    }
    return check && !good;
}
