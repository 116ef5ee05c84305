// SPDX-License-Identifier: MIT
// A capture with a quality, or that is steady, or both: the blocks of each packet are those that
// the references make of its frame and of the packet before, for each codec and each texture,
// whatever slots the frames go through. With a quality packets are smaller.
// usage: capture_quality [--steady]: steady without a quality
#include <weir/capture.h>

#include <math.h>
#include <string.h>

#include <vulkan/vulkan.h>

#include "fixture.h"
#include "sections.h"
#include "testing.h"
#include "tests/kernels/kernels.h"
#include "tests/kernels/rdo.h"

// 37 columns and 17 rows of blocks: an odd number of them, after which those of 8 bytes do not end
// at a multiple of 16.
enum { WIDTH = 146, HEIGHT = 66, NUM_IMAGES = 2, NUM_FRAMES = 4, MAX_FRAMES = 7, QUALITY = 55 };
enum { BLOCKS_SIZE = (WIDTH + 3) / 4 * ((HEIGHT + 3) / 4) * KERNEL_MAX_BLOCK_SIZE };
// Two pictures of one place, with different noise.
struct picture {
    uint8_t rgba[WIDTH * HEIGHT][4];
    struct fixture_image image;
};

static void picture_init(struct harness *h, struct picture *picture)
{
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const int x = i % WIDTH, y = i / WIDTH;
        for (int c = 0; c < 4; c++) {
            picture->rgba[i][c] = (uint8_t)(20 + x * (c + 1) / 4 + y * (3 - c) / 4 +
                                            (x / 8 + y / 8) % 3 * 20 + (int)(test_random() % 4));
        }
    }
    fixture_image_init(h, VK_FORMAT_R8G8B8A8_UNORM, WIDTH, HEIGHT, VK_IMAGE_USAGE_SAMPLED_BIT,
                       picture->rgba, 4, &picture->image);
}

// What is kept of the frame before, with steady.
struct history {
    uint8_t encoded[BLOCKS_SIZE], optimised[BLOCKS_SIZE];
};

static uint32_t size_of(enum weir_codec codec)
{
    return (uint32_t)weir_codec_image_size(codec, WIDTH, HEIGHT);
}

// Encode a texture of a picture; `history` is NULL without steady, and `quality` 0 without one.
// Returns the squared error that the quality takes [in 1/16].
static uint64_t encode_ref(const struct picture *picture, enum weir_codec codec, int quality,
                           struct history *history, uint8_t *blocks)
{
    const struct weir_encoder_params params = {.codec = codec,
                                               .effort = quality > 0 ? WEIR_EFFORT_FAST : 0,
                                               .bc4_alpha = codec == WEIR_CODEC_BC4,
                                               .steady = history &&
                                                         weir_codec_get_info(codec)->has_steady};
    const uint8_t *rgba = &picture->rgba[0][0];
    if (params.steady) {
        kernel_encode_steady_image(&params, rgba, WIDTH, HEIGHT, history->encoded);
        memcpy(blocks, history->encoded, size_of(codec));
    } else {
        kernel_encode_image(&params, rgba, 4, 4 * (size_t)WIDTH, WIDTH, HEIGHT, blocks);
    }
    if (quality == 0) {
        return 0;
    }
    const struct kernel_picture read = {rgba, sizeof(picture->rgba[0]) * WIDTH, 4, WIDTH, HEIGHT};
    const struct weir_rdo_params rdo = {.codec = codec, .bc4_alpha = codec == WEIR_CODEC_BC4};
    return kernel_rdo(&rdo, &read, weir_rdo_lambda(quality), history ? history->optimised : NULL,
                      blocks)
        .squared_error;
}

// Get the PSNR of frames of a codec with that squared error, over the channels of all textures.
static double psnr_of(enum weir_movie_codec codec, uint64_t error)
{
    static const int num_channels[] = {
        [WEIR_MOVIE_CODEC_HAP_Q] = 3,          [WEIR_MOVIE_CODEC_HAP] = 3,
        [WEIR_MOVIE_CODEC_HAP_ALPHA] = 4,      [WEIR_MOVIE_CODEC_HAP_Q_ALPHA] = 4,
        [WEIR_MOVIE_CODEC_HAP_ALPHA_ONLY] = 1, [WEIR_MOVIE_CODEC_HAP_R] = 4,
    };
    return 10 * log10(255.0 * 255 * 16 * num_channels[codec] * WIDTH * HEIGHT / (double)error);
}

// What a capture gave: the blocks of the textures of each packet.
struct given {
    const struct weir_movie_codec_info *codec;
    uint32_t num_packets;
    uint64_t num_bytes; // of their sections
    uint8_t blocks[MAX_FRAMES][WEIR_MOVIE_MAX_TEXTURES][BLOCKS_SIZE];
};

static enum weir_result accept_packet(void *user, const struct weir_capture_packet *packet)
{
    struct given *given = user;
    const struct weir_movie_codec_info *codec = given->codec;
    const uint32_t index = given->num_packets++;
    struct section sections[WEIR_MOVIE_MAX_TEXTURES];
    if (!test_expect(index < MAX_FRAMES && section_read_textures(packet->data, packet->size,
                                                                 sections, codec->num_textures),
                     "packet %u of %zu bytes", index, packet->size)) {
        return WEIR_OK;
    }
    for (uint32_t i = 0; i < codec->num_textures; i++) {
        test_expect(section_unpack(&sections[i],
                                   weir_codec_get_info(codec->textures[i])->block_size,
                                   given->blocks[index][i], size_of(codec->textures[i])) == 1,
                    "texture %u of packet %u", i, index);
        given->num_bytes += sections[i].size;
    }
    return WEIR_OK;
}

// Of packets with a quality: fewer bytes, and what the statistics say of them.
static void expect_stats(const struct given *given, enum weir_movie_codec codec,
                         const struct weir_quality_stats *quality, double db)
{
    const uint64_t stored = NUM_FRAMES * weir_movie_codec_frame_size(codec, WIDTH, HEIGHT);
    test_expect(given->num_bytes < stored * 19 / 20, "%s: %llu bytes of %llu", given->codec->name,
                (unsigned long long)given->num_bytes, (unsigned long long)stored);
    test_expect(quality->frames == NUM_FRAMES && fabs(quality->mean_db - db) < 1e-5,
                "%s: %llu frames of %.6f dB in place of %.6f", given->codec->name,
                (unsigned long long)quality->frames, quality->mean_db, db);
    test_expect(quality->last == QUALITY && quality->least == QUALITY && quality->most == QUALITY &&
                    quality->rate_short == 0 && quality->rate_over == 0,
                "quality %f, %f to %f", quality->last, quality->least, quality->most);
}

static void test(struct harness *h, const struct picture *pictures, enum weir_movie_codec codec,
                 int quality, bool steady)
{
    const int num_frames = quality > 0 ? NUM_FRAMES : MAX_FRAMES;
    static struct given given;
    static uint8_t want[BLOCKS_SIZE];
    static struct history histories[WEIR_MOVIE_MAX_TEXTURES];
    given = (struct given){.codec = weir_movie_codec_get_info(codec)};
    memset(histories, 0, sizeof(histories));
    weir_capture *capture = NULL;
    const struct weir_capture_params *params =
        weir_capture_params(.sink = WEIR_SINK_CALLBACK, .codec = codec,
                            .encoding = {.effort = quality > 0 ? WEIR_EFFORT_FAST : 0,
                                         .steady = steady},
                            .rate = {.quality = (uint32_t)quality,
                                     .compression = quality > 0 ? WEIR_COMPRESSION_SNAPPY : 0},
                            .num_slots = 2, .callbacks = {.packet = accept_packet, .user = &given},
                            .policy = WEIR_POLICY_WAIT, .like = pictures[0].image.image);
    const enum weir_result opened = weir_capture_open(h->context, params, &capture);
    if (!test_expect(opened == WEIR_OK, "open: %s", weir_result_name(opened))) {
        return;
    }
    int order[MAX_FRAMES];
    for (int i = 0; i < num_frames; i++) {
        order[i] = (int)(test_random() % NUM_IMAGES);
        fixture_send_image(h, capture, &pictures[order[i]].image, i);
    }
    struct weir_capture_stats stats;
    TEST_OK(weir_capture_close(&capture, &stats));
    test_expect(given.num_packets == (uint32_t)num_frames, "%u packets", given.num_packets);
    double db = 0;
    for (int frame = 0; frame < num_frames; frame++) {
        uint64_t error = 0;
        for (uint32_t i = 0; i < given.codec->num_textures; i++) {
            const enum weir_codec blocks = given.codec->textures[i];
            error += encode_ref(&pictures[order[frame]], blocks, quality,
                                steady ? &histories[i] : NULL, want);
            test_expect(memcmp(given.blocks[frame][i], want, size_of(blocks)) == 0,
                        "%s, frame %d: the blocks of texture %u of the reference",
                        given.codec->name, frame, i);
        }
        db += quality > 0 ? psnr_of(codec, error) / num_frames : 0;
    }
    if (quality > 0) {
        expect_stats(&given, codec, &stats.quality, db);
    }
}

static void test_refused(struct harness *h, const struct picture *picture,
                         struct weir_capture_params params, enum weir_result want)
{
    weir_capture *capture = NULL;
    params.sink = WEIR_SINK_NULL;
    params.like = picture->image.image;
    const enum weir_result opened = weir_capture_open(h->context, &params, &capture);
    test_expect(opened == want && !capture, "%s for quality %u, rate %llu",
                weir_result_name(opened), params.rate.quality,
                (unsigned long long)params.rate.bytes_per_second);
}

static void test_qualities(struct harness *h, const struct picture *pictures)
{
    test(h, pictures, WEIR_MOVIE_CODEC_HAP_Q, QUALITY, false);
    test(h, pictures, WEIR_MOVIE_CODEC_HAP_Q_ALPHA, QUALITY, true);
    test(h, pictures, WEIR_MOVIE_CODEC_HAP, QUALITY, true);
    test(h, pictures, WEIR_MOVIE_CODEC_HAP_ALPHA, QUALITY, false);
    test(h, pictures, WEIR_MOVIE_CODEC_HAP_ALPHA_ONLY, QUALITY, false);
    test(h, pictures, WEIR_MOVIE_CODEC_HAP_R, QUALITY, true);
    const enum weir_compression snappy = WEIR_COMPRESSION_SNAPPY;
    test_refused(h, pictures, (struct weir_capture_params){.rate = {.quality = 50}},
                 WEIR_ERROR_INVALID);
    test_refused(h, pictures,
                 (struct weir_capture_params){.rate = {.quality = 101, .compression = snappy}},
                 WEIR_ERROR_INVALID);
    test_refused(h, pictures,
                 (struct weir_capture_params){.codec = WEIR_MOVIE_CODEC_HAP_HDR,
                                              .rate = {.quality = 50, .compression = snappy}},
                 WEIR_ERROR_UNSUPPORTED);
    test_refused(h, pictures, (struct weir_capture_params){.rate = {.bytes_per_second = 1000000}},
                 WEIR_ERROR_INVALID);
    test_refused(
        h, pictures,
        (struct weir_capture_params){.codec = WEIR_MOVIE_CODEC_HAP_HDR,
                                     .rate = {.bytes_per_second = 1000000, .compression = snappy}},
        WEIR_ERROR_UNSUPPORTED);
}

static void test_steady(struct harness *h, const struct picture *pictures)
{
    test(h, pictures, WEIR_MOVIE_CODEC_HAP_Q, 0, true);
    test(h, pictures, WEIR_MOVIE_CODEC_HAP_Q_ALPHA, 0, true);
    test(h, pictures, WEIR_MOVIE_CODEC_HAP_ALPHA_ONLY, 0, true);
    test(h, pictures, WEIR_MOVIE_CODEC_HAP, 0, true);
    test(h, pictures, WEIR_MOVIE_CODEC_HAP_ALPHA, 0, true);
    test_refused(
        h, pictures,
        (struct weir_capture_params){.codec = WEIR_MOVIE_CODEC_HAP_R, .encoding = {.steady = true}},
        WEIR_ERROR_UNSUPPORTED);
}

int main(int argc, char **argv)
{
    struct harness h;
    harness_init(&h, true);
    static struct picture pictures[NUM_IMAGES];
    for (int i = 0; i < NUM_IMAGES; i++) {
        picture_init(&h, &pictures[i]);
    }
    if (argc > 1 && strcmp(argv[1], "--steady") == 0) {
        test_steady(&h, pictures);
    } else {
        test_qualities(&h, pictures);
    }
    for (int i = 0; i < NUM_IMAGES; i++) {
        fixture_image_finish(&h, &pictures[i].image);
    }
    return harness_finish(&h);
}
