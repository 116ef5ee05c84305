// SPDX-License-Identifier: MIT
// Bars of quality, with figures for the documents. Every failure ends the program.
//
// usage: bench_quality SUBJECT [options] [picture ...]
//
// With --check it fails where a bar of the subject is missed. Without --all a check encodes a part
// of each picture and holds bars of that part, which it is as far above as all is above theirs.
#include "tests/bench/quality/quality.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/weir/common/options.h"
#include "tests/kernels/kernels.h"
#include "tests/ref/bc1_decode.h"
#include "tests/ref/block.h"

void die(const char *what, const char *name)
{
    fprintf(stderr, "%s: %s\n", name, what);
    exit(1);
}

void *need(void *p)
{
    if (!p) {
        die("out of memory", "allocation");
    }
    return p;
}

struct weir_picture quality_new(uint32_t width, uint32_t height)
{
    const size_t size = 4 * (size_t)width * height;
    struct weir_picture picture = {.width = width, .height = height, .pitch = 4 * (size_t)width};
    picture.texels = need(calloc(size, 1));
    for (size_t i = 3; i < size; i += 4) {
        picture.texels[i] = 255;
    }
    return picture;
}

void quality_thin(struct weir_picture *picture, uint32_t height, uint32_t every, uint32_t first)
{
    const uint32_t num = picture->height / (height * every);
    const size_t size = picture->pitch * height;
    if (num == 0) {
        die("has too few rows to leave out some", "picture");
    }
    for (uint32_t i = 0; i < num; i++) {
        memmove(picture->texels + size * i, picture->texels + size * (i * every + first), size);
    }
    picture->height = num * height;
}

void quality_fetch(const struct weir_picture *picture, uint32_t block, uint8_t texels[16][4])
{
    const uint32_t columns = picture->width / 4;
    for (uint32_t y = 0; y < 4; y++) {
        const size_t row = 4 * (block / columns) + y, column = block % columns;
        memcpy(texels[4 * y], picture->texels + row * picture->pitch + 16 * column, 16);
    }
}

double quality_psnr(double error, double num_values)
{
    return error > 0 ? 10 * log10(255.0 * 255.0 * num_values / error) : (double)INFINITY;
}

static void decode_trial(const struct quality_trial *trial, const uint8_t *block,
                         double texels[16][4])
{
    const struct weir_encoder_params *params = &trial->params;
    const bool by_ffmpeg = params->codec == WEIR_CODEC_BC1 &&
                           params->decoder == WEIR_DECODER_FFMPEG;
    uint8_t rgb[16][3];
    if (by_ffmpeg) {
        ref_bc1_decode_ffmpeg(block, rgb);
    } else {
        ref_block_decode(params->codec, block, texels);
    }
    for (int i = 0; i < 48 && (by_ffmpeg || trial->rounds); i++) {
        double *code = &texels[i / 3][i % 3];
        *code = by_ffmpeg ? rgb[i / 3][i % 3] : floor(fmin(fmax(*code, 0), 255) + 0.5);
    }
}

double quality_measure(const struct weir_picture *picture, const struct quality_trial *trial,
                       int *num_worse)
{
    const uint32_t num_blocks = picture->width / 4 * (picture->height / 4);
    double error = 0;
    uint32_t num_encoded = 0;
    for (uint32_t i = 0; i < num_blocks; i += trial->every, num_encoded++) {
        uint8_t texels[16][4], block[KERNEL_MAX_BLOCK_SIZE];
        double decoded[16][4];
        quality_fetch(picture, i, texels);
        for (int t = 0; t < 16 && trial->num_channels < 4; t++) {
            texels[t][3] = 255;
        }
        kernel_encode(&trial->params, (const uint8_t(*)[4])texels, block);
        decode_trial(trial, block, decoded);
        const double of_block = ref_block_error((const uint8_t(*)[4])texels,
                                                (const double(*)[4])decoded, trial->num_channels);
        error += of_block;
        *num_worse += trial->most && of_block > trial->most[num_encoded] + 0.01;
        if (trial->errors) {
            trial->errors[num_encoded] = of_block;
        }
    }
    return quality_psnr(error, 16.0 * trial->num_channels * num_encoded);
}

static const struct subject {
    const char *name;
    void (*run)(const struct quality *quality);
    bool needs_pictures;
} subjects[] = {
    {"content", quality_content, false}, {"encode", quality_encode, false},
    {"hdr", quality_hdr, false},         {"held", quality_held, false},
    {"palette", quality_palette, true},  {"rate", quality_rate, true},
    {"steady", quality_steady, true},
};
enum { NUM_SUBJECTS = sizeof(subjects) / sizeof(subjects[0]) };

const char *const quality_effort_names[] = {"fast", "default", "high", "exhaustive", NULL};

#define FIELD(name) offsetof(struct quality, name)
static const struct cli_option options[] = {
    {"check", CLI_FLAG, FIELD(check), .help = "fail where a bar is missed"},
    {"all", CLI_FLAG, FIELD(all), .help = "with --check: all of each picture"},
    {"effort", CLI_CHOICE, FIELD(effort), "NAME", .choices = quality_effort_names},
    {"ffmpeg-model", CLI_FLAG, FIELD(ffmpeg_model), .help = "blocks for FFmpeg's decoder"},
    {"codec", CLI_TEXT, FIELD(codec), "NAME", .help = "what is encoded"},
    {"write", CLI_TEXT, FIELD(write), "DIR", .help = "of `held`: write the pictures"},
    {"blocks", CLI_NUMBER, FIELD(blocks), "N", .min = 1, .max = 1 << 30},
    {"quality", CLI_NUMBER, FIELD(quality), "N", .min = 1, .max = 100},
    {"every", CLI_NUMBER, FIELD(every), "N", .min = 1, .max = 1 << 20},
    {"frames", CLI_NUMBER, FIELD(frames), "N", .min = 2, .max = 1000},
};

static void read_pictures(char **paths, struct quality *quality)
{
    quality->pictures = need(calloc((size_t)quality->num_pictures + 1, sizeof(*quality->pictures)));
    for (int i = 0; i < quality->num_pictures; i++) {
        const char *slash = strrchr(paths[i], '/');
        struct quality_picture *picture = &quality->pictures[i];
        picture->name = slash ? slash + 1 : paths[i];
        if (weir_picture_read(paths[i], NULL, NULL, NULL, &picture->texels) != WEIR_OK ||
            picture->texels.type != WEIR_PICTURE_8 || picture->texels.width % 4 != 0 ||
            picture->texels.height % 4 != 0) {
            die("is no picture of 8 bits with sides that 4 divides", paths[i]);
        }
    }
}

int main(int argc, char **argv)
{
    struct quality quality = {.effort = 1, .quality = 100, .every = 1, .frames = 10};
    const struct subject *subject = subjects;
    while (argc > 1 && subject < subjects + NUM_SUBJECTS && strcmp(subject->name, argv[1]) != 0) {
        subject++;
    }
    if (argc < 2 || subject == subjects + NUM_SUBJECTS) {
        die("wants a subject", "bench_quality");
    }
    quality.num_pictures = cli_options_parse("bench_quality", options,
                                             sizeof(options) / sizeof(options[0]), argc - 2,
                                             argv + 2, &quality, argv);
    if (quality.num_pictures < 0) {
        return 2;
    }
    if (subject->needs_pictures && quality.num_pictures == 0) {
        printf("skipped: it takes pictures\n");
        return 77;
    }
    quality.is_few = quality.check && !quality.all;
    read_pictures(argv, &quality);
    subject->run(&quality);
    for (int i = 0; i < quality.num_pictures; i++) {
        weir_picture_free(&quality.pictures[i].texels);
    }
    free(quality.pictures);
    return quality.check && test_num_failures() > 0;
}
