// SPDX-License-Identifier: MIT
// A capture that is steady: the blocks of each packet are those that the reference makes of its
// frame and of the packet before, whatever slots the frames go through, and of each texture.
#include <weir/capture.h>

#include <stdlib.h>
#include <string.h>

#include <vulkan/vulkan.h>

#include "testing.h"
#include "tests/gpu/harness.h"
#include "tests/kernels/kernels.h"

// 17 columns and 11 rows of blocks: an odd number of them, after which those of 8 bytes do not end
// at a multiple of 16.
enum { WIDTH = 66, HEIGHT = 42, NUM_IMAGES = 2, NUM_FRAMES = 7 };
enum { MAX_BLOCK_SIZE = 16, NUM_BLOCKS = (WIDTH + 3) / 4 * ((HEIGHT + 3) / 4) };
enum { SECTION_HEAD = 4 }; // of each texture [bytes]

// Two pictures of one place, with different noise.
struct picture {
    uint8_t rgba[WIDTH * HEIGHT][4];
    struct weir_gpu_image image;
    weir_image *wrapped;
};

static void picture_init(struct harness *h, struct picture *picture)
{
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const int x = i % WIDTH, y = i / WIDTH;
        for (int c = 0; c < 4; c++) {
            picture->rgba[i][c] = (uint8_t)(40 + x * (c + 1) / 2 + y * (3 - c) / 2 +
                                            (x / 8 + y / 8) % 3 * 20 + (int)(test_random() % 4));
        }
    }
    harness_image_init(h, VK_FORMAT_R8G8B8A8_UNORM, WIDTH, HEIGHT, VK_IMAGE_USAGE_SAMPLED_BIT, 0,
                       picture->rgba, 4, VK_IMAGE_LAYOUT_GENERAL, &picture->image);
    picture->wrapped = harness_wrap(h, &picture->image, WEIR_TRANSFER_DEFAULT);
}

static void picture_finish(struct harness *h, struct picture *picture)
{
    weir_image_destroy(&picture->wrapped);
    harness_image_finish(h, &picture->image);
}

// Replace the blocks of the frame before by those of this one. The BC4 of a movie is alpha.
static void encode_ref(const struct picture *picture, enum weir_codec codec, uint8_t *block)
{
    const uint32_t block_size = weir_codec_get_info(codec)->block_size;
    const struct weir_encoder_params params = {
        .codec = codec, .bc4_alpha = codec == WEIR_CODEC_BC4, .steady = true};
    for (uint32_t y = 0; y < HEIGHT; y += 4) {
        for (uint32_t x = 0; x < WIDTH; x += 4, block += block_size) {
            uint8_t texels[16][4];
            for (uint32_t t = 0; t < 16; t++) {
                const uint32_t tx = x + t % 4 < WIDTH ? x + t % 4 : WIDTH - 1;
                const uint32_t ty = y + t / 4 < HEIGHT ? y + t / 4 : HEIGHT - 1;
                memcpy(texels[t], picture->rgba[ty * WIDTH + tx], 4);
            }
            kernel_encode_steady(&params, (const uint8_t(*)[4])texels, block);
        }
    }
}

// What a capture gave: the blocks of its textures, each behind a head.
struct given {
    const struct weir_movie_codec_info *codec;
    uint32_t num_packets;
    uint8_t blocks[NUM_FRAMES][WEIR_MOVIE_MAX_TEXTURES][NUM_BLOCKS * MAX_BLOCK_SIZE];
};

static size_t size_of(const struct given *given, uint32_t texture)
{
    return (size_t)weir_codec_get_info(given->codec->textures[texture])->block_size * NUM_BLOCKS;
}

static enum weir_result take_packet(void *user, const struct weir_capture_packet *packet)
{
    struct given *given = user;
    const uint32_t index = given->num_packets++, num = given->codec->num_textures;
    size_t size = num > 1 ? SECTION_HEAD : 0; // around several textures there is another section
    for (uint32_t i = 0; i < num && index < NUM_FRAMES; i++) {
        size += SECTION_HEAD;
        if (test_expect(packet->size >= size + size_of(given, i), "packet %u of %zu bytes", index,
                        packet->size)) {
            memcpy(given->blocks[index][i], packet->data + size, size_of(given, i));
        }
        size += size_of(given, i);
    }
    return WEIR_OK;
}

static void send(struct harness *h, weir_capture *capture, const struct picture *picture, int index)
{
    const struct weir_frame frame = {.image = picture->wrapped,
                                     .layout = VK_IMAGE_LAYOUT_GENERAL,
                                     .queue_family = h->host.family,
                                     .time_ns = index};
    struct weir_point released;
    harness_release(h, &frame);
    test_expect(weir_capture_frame(capture, &frame, &released) == WEIR_OK, "frame %d", index);
    harness_acquire(h, &frame, &released);
}

static void test(struct harness *h, const struct picture *pictures, enum weir_movie_codec codec)
{
    static struct given given;
    static uint8_t want[WEIR_MOVIE_MAX_TEXTURES][NUM_BLOCKS * MAX_BLOCK_SIZE];
    given = (struct given){.codec = weir_movie_codec_get_info(codec)};
    memset(want, 0, sizeof(want));
    weir_capture *capture = NULL;
    const struct weir_capture_params *params =
        weir_capture_params(.sink = WEIR_SINK_CALLBACK, .codec = codec,
                            .encoding = {.steady = true}, .num_slots = 2,
                            .callbacks = {.packet = take_packet, .user = &given},
                            .policy = WEIR_POLICY_WAIT, .like = pictures[0].wrapped);
    const enum weir_result opened = weir_capture_open(h->context, params, &capture);
    if (!test_expect(opened == WEIR_OK, "open: %s", weir_result_name(opened))) {
        return;
    }
    int order[NUM_FRAMES];
    for (int i = 0; i < NUM_FRAMES; i++) {
        order[i] = (int)(test_random() % NUM_IMAGES);
        send(h, capture, &pictures[order[i]], i);
    }
    test_expect(weir_capture_close(&capture, NULL) == WEIR_OK, "close");
    test_expect(given.num_packets == NUM_FRAMES, "%u packets", given.num_packets);
    for (int i = 0; i < NUM_FRAMES; i++) {
        for (uint32_t texture = 0; texture < given.codec->num_textures; texture++) {
            encode_ref(&pictures[order[i]], given.codec->textures[texture], want[texture]);
            test_expect(memcmp(given.blocks[i][texture], want[texture], size_of(&given, texture)) ==
                            0,
                        "%s, frame %d: the blocks of the reference in texture %u",
                        given.codec->name, i, texture);
        }
    }
}

static void test_refused(struct harness *h, const struct picture *picture)
{
    weir_capture *capture = NULL;
    const enum weir_result opened = weir_capture_open(
        h->context,
        weir_capture_params(.sink = WEIR_SINK_NULL, .codec = WEIR_MOVIE_CODEC_HAP_R,
                            .encoding = {.steady = true}, .like = picture->wrapped),
        &capture);
    test_expect(opened == WEIR_ERROR_UNSUPPORTED && !capture, "HAP R: %s",
                weir_result_name(opened));
}

int main(void)
{
    struct harness h;
    harness_init(&h, true);
    static struct picture pictures[NUM_IMAGES];
    for (int i = 0; i < NUM_IMAGES; i++) {
        picture_init(&h, &pictures[i]);
    }
    test(&h, pictures, WEIR_MOVIE_CODEC_HAP_Q);
    test(&h, pictures, WEIR_MOVIE_CODEC_HAP_Q_ALPHA);
    test(&h, pictures, WEIR_MOVIE_CODEC_HAP_ALPHA_ONLY);
    test(&h, pictures, WEIR_MOVIE_CODEC_HAP);
    test(&h, pictures, WEIR_MOVIE_CODEC_HAP_ALPHA);
    test_refused(&h, &pictures[0]);
    for (int i = 0; i < NUM_IMAGES; i++) {
        picture_finish(&h, &pictures[i]);
    }
    test_expect(harness_finish(&h) == 0, "the device has no complaints");
    return test_finish();
}
