// SPDX-License-Identifier: MIT
// Judges the files of weir mips: every level against the scalar reference, computed from level 0.
//
// cli_mips_check PREFIX FORMAT REDUCTION quantised|continuous [exact]
//
// PREFIX_level00.png (or .pfm) and so on hold what the levels store: codes of SRGB formats, data of
// UNORM ones, floats. "quantised": the method made each level from the stored texels of the one
// before. "exact": kernels decoded sRGB.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/e2e/level_files.h"
#include "tests/expect.h"
#include "tests/ref/pyramid_compare.h"
#include "tests/ref/texel.h"

// sRGB formats store what the file has; the reference packs light.
static void to_light(struct level *level)
{
    for (size_t i = 0; i < (size_t)level->width * level->height; i++) {
        for (int c = 0; c < 3; c++) {
            level->texels[i][c] = ref_srgb_decode(level->texels[i][c]);
        }
    }
}

static void put_level(const struct ref_pyramid *pyramid, const struct ref_texel_format *format,
                      uint32_t number, struct level *level, uint8_t *memory)
{
    const uint32_t width = ref_pyramid_level_size(pyramid->width, number);
    const uint32_t height = ref_pyramid_level_size(pyramid->height, number);
    test_must(test_expect(level->texels && level->width == width && level->height == height,
                          "level %u is %ux%u and should be %ux%u", number, level->width,
                          level->height, width, height),
              "that");
    if (format->kind == REF_TEXEL_SRGB) {
        to_light(level);
    }
    ref_texel_pack(format, (const double(*)[4])level->texels, (size_t)width * height,
                   memory + ref_pyramid_offset(pyramid, number));
    free(level->texels);
}

int main(int argc, char **argv)
{
    size_t num_formats;
    const struct ref_texel_format *format = NULL, *formats = ref_texel_formats(&num_formats);
    struct ref_pyramid pyramid = {.layers = 1,
                                  .exact_srgb = argc > 5 && strcmp(argv[5], "exact") == 0};
    test_must(argc >= 5 && weir_pyramid_reduction_by_name(argv[3], &pyramid.reduction),
              "PREFIX FORMAT REDUCTION quantised|continuous");
    for (size_t i = 0; i < num_formats; i++) {
        format = strcmp(formats[i].name, argv[2]) == 0 ? &formats[i] : format;
    }
    test_must(format, "a format that is known");
    pyramid.format = format->format;
    pyramid.read_back = strcmp(argv[4], "quantised") == 0 ? REF_PYRAMID_QUANTISED
                                                          : REF_PYRAMID_CONTINUOUS;
    struct level level = level_read(argv[1], 0);
    test_must(level.texels, "level 0");
    pyramid.width = level.width;
    pyramid.height = level.height;
    pyramid = ref_pyramid_resolve(&pyramid);
    uint8_t *memory = level_memory(ref_pyramid_size(&pyramid));
    put_level(&pyramid, format, 0, &level, memory);
    for (uint32_t i = 1; i < pyramid.levels; i++) {
        level = level_read(argv[1], i);
        put_level(&pyramid, format, i, &level, memory);
    }
    test_expect(!level_read(argv[1], pyramid.levels).texels, "%s: no level follows the one of 1x1",
                argv[1]);
    struct ref_pyramid_difference far = {0};
    const bool is_same = ref_pyramid_compare(&pyramid, memory, &far) == REF_PYRAMID_SAME;
    test_expect(is_same, "%s: level %u, texel %u,%u, channel %u: %.9g instead of %.9g", argv[1],
                far.level, far.x, far.y, far.channel, far.actual, far.expected);
    printf("%s: %ux%u, %u levels of %s by %s are compared with the reference\n", argv[1],
           pyramid.width, pyramid.height, pyramid.levels, argv[2], argv[3]);
    free(memory);
    return test_finish();
}
