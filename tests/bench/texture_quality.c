// SPDX-License-Identifier: MIT
// Prints the PSNR of the reference encoders of textures, decoded by exact fractions.
//
// usage: texture_quality [--check] picture ...
//
// With --check it fails where a bar is missed, if the pictures are the eight of Kodak's 24 that these bars are for:
// over all 24 they are 0.8 dB higher, as is the range of the texels as endpoints (42.31 here, 43.13 there).
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/block/block.h"
#include "capture/source/picture.h"
#include "tests/ref/bc4.h"

enum { NUM_LEVELS = 3, NUM_PICTURES_OF_BARS = 8 };

static const struct level {
    const char *name;
    enum ref_bc4_level level;
    double bar; // mean PSNR [dB]
} levels[NUM_LEVELS] = {
    {"fast", REF_BC4_FAST, 43.08},
    {"default", REF_BC4_DEFAULT, 43.38},
    {"high", REF_BC4_HIGH, 43.68},
};

static double block_error(const uint8_t values[16], enum ref_bc4_level level)
{
    uint8_t block[REF_BC4_BLOCK_SIZE];
    float texels[16][4];
    ref_bc4_encode_block(values, level, block);
    weir_block_get_format(VK_FORMAT_BC4_UNORM_BLOCK)->decode(block, texels);
    double error = 0;
    for (int t = 0; t < 16; t++) {
        const double e = values[t] - 255.0 * (double)texels[t][0];
        error += e * e;
    }
    return error;
}

// Of R, whole blocks only.
static double psnr(const struct weir_picture *picture, enum ref_bc4_level level)
{
    double error = 0;
    const uint32_t columns = picture->width / 4, rows = picture->height / 4;
    for (uint32_t i = 0; i < columns * rows; i++) {
        uint8_t values[16];
        for (uint32_t t = 0; t < 16; t++) {
            const size_t x = 4 * (i % columns) + t % 4, y = 4 * (i / columns) + t / 4;
            values[t] = picture->texels[y * picture->pitch + 4 * x];
        }
        error += block_error(values, level);
    }
    return 10 * log10(255.0 * 255.0 * 16 * columns * rows / error);
}

int main(int argc, char **argv)
{
    const bool check = argc > 1 && strcmp(argv[1], "--check") == 0;
    double sum[NUM_LEVELS] = {0};
    int num = 0;
    printf("BC4 of R [dB]");
    for (int k = 0; k < NUM_LEVELS; k++)
        printf("  %7s", levels[k].name);
    printf("\n");
    for (int i = check ? 2 : 1; i < argc; i++) {
        struct weir_picture picture;
        if (weir_picture_read(argv[i], NULL, &picture) != WEIR_OK ||
            picture.kind != WEIR_PICTURE_8) {
            fprintf(stderr, "texture_quality: %s is no picture of 8 bits\n", argv[i]);
            return 1;
        }
        const char *slash = strrchr(argv[i], '/');
        printf("%-13.13s", slash ? slash + 1 : argv[i]);
        for (int k = 0; k < NUM_LEVELS; k++) {
            const double db = psnr(&picture, levels[k].level);
            printf("  %7.2f", db);
            sum[k] += db;
        }
        printf("\n");
        num++;
        weir_picture_free(&picture);
    }
    if (num == 0) {
        printf("no pictures given\n");
        return check ? 77 : 1;
    }
    int num_missed = 0;
    printf("%-13s", "mean");
    for (int k = 0; k < NUM_LEVELS; k++)
        printf("  %7.2f", sum[k] / num);
    printf("\n");
    for (int k = 0; check && num == NUM_PICTURES_OF_BARS && k < NUM_LEVELS; k++) {
        if (sum[k] / num < levels[k].bar) {
            printf("missed: %s %.2f\n", levels[k].name, levels[k].bar);
            num_missed++;
        }
    }
    return num_missed != 0;
}
