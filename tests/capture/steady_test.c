// SPDX-License-Identifier: MIT
// A capture that is steady: the blocks of each packet are those that the reference makes of its
// frame and of the packet before, whatever slots the frames go through, and with alpha beside them.
#include <weir/capture.h>

#include <stdlib.h>
#include <string.h>

#include <vulkan/vulkan.h>

#include "testing.h"
#include "tests/gpu/harness.h"
#include "tests/ref/ycocg_bc3.h"
#include "tests/ref/ycocg_bc3_steady.h"

enum { WIDTH = 70, HEIGHT = 46, NUM_IMAGES = 2, NUM_FRAMES = 7 };
enum { BLOCKS_SIZE = (WIDTH + 3) / 4 * ((HEIGHT + 3) / 4) * REF_YCOCG_BC3_BLOCK_SIZE };

// Two pictures of one place, with different noise.
struct picture {
    uint8_t rgba[WIDTH * HEIGHT][4];
    struct harness_image image;
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

// Replace the blocks of the frame before by those of this one.
static void encode_ref(const struct picture *picture, uint8_t *block)
{
    for (uint32_t y = 0; y < HEIGHT; y += 4) {
        for (uint32_t x = 0; x < WIDTH; x += 4, block += REF_YCOCG_BC3_BLOCK_SIZE) {
            uint8_t rgb[16][3], own[REF_YCOCG_BC3_BLOCK_SIZE];
            for (uint32_t t = 0; t < 16; t++) {
                const uint32_t tx = x + t % 4 < WIDTH ? x + t % 4 : WIDTH - 1;
                const uint32_t ty = y + t / 4 < HEIGHT ? y + t / 4 : HEIGHT - 1;
                memcpy(rgb[t], picture->rgba[ty * WIDTH + tx], 3);
            }
            ref_ycocg_bc3_encode_block((const uint8_t(*)[3])rgb, false, REF_YCOCG_BC3_DEFAULT, own);
            ref_ycocg_bc3_keep((const uint8_t(*)[3])rgb, false, block, own);
            memcpy(block, own, sizeof(own));
        }
    }
}

// What a capture gave: the blocks of its first texture lie behind headers of some bytes.
struct given {
    size_t first; // of the blocks in a packet [bytes]
    uint32_t num_packets;
    uint8_t blocks[NUM_FRAMES][BLOCKS_SIZE];
};

static enum weir_result take_packet(void *user, const struct weir_capture_packet *packet)
{
    struct given *given = user;
    const uint32_t index = given->num_packets++;
    if (test_expect(index < NUM_FRAMES && packet->size >= given->first + BLOCKS_SIZE,
                    "packet %u of %zu bytes", index, packet->size)) {
        memcpy(given->blocks[index], packet->data + given->first, BLOCKS_SIZE);
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

static void test(struct harness *h, const struct picture *pictures, enum weir_movie_codec codec,
                 size_t first)
{
    static struct given given;
    static uint8_t want[BLOCKS_SIZE];
    given = (struct given){.first = first};
    memset(want, 0, sizeof(want));
    weir_capture *capture = NULL;
    const struct weir_capture_params *params =
        weir_capture_params(.sink = WEIR_SINK_CALLBACK, .codec = codec, .steady = true,
                            .num_slots = 2, .callbacks = {.packet = take_packet, .user = &given},
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
        encode_ref(&pictures[order[i]], want);
        test_expect(memcmp(given.blocks[i], want, BLOCKS_SIZE) == 0,
                    "frame %d: the blocks of the reference", i);
    }
}

static void test_refused(struct harness *h, const struct picture *picture)
{
    weir_capture *capture = NULL;
    const enum weir_result opened = weir_capture_open(
        h->context,
        weir_capture_params(.sink = WEIR_SINK_NULL, .codec = WEIR_MOVIE_CODEC_HAP, .steady = true,
                            .like = picture->wrapped),
        &capture);
    test_expect(opened == WEIR_ERROR_UNSUPPORTED && !capture, "HAP: %s", weir_result_name(opened));
}

int main(void)
{
    struct harness h;
    harness_init(&h, true);
    static struct picture pictures[NUM_IMAGES];
    for (int i = 0; i < NUM_IMAGES; i++) {
        picture_init(&h, &pictures[i]);
    }
    test(&h, pictures, WEIR_MOVIE_CODEC_HAP_Q, 4);
    test(&h, pictures, WEIR_MOVIE_CODEC_HAP_Q_ALPHA, 8);
    test_refused(&h, &pictures[0]);
    for (int i = 0; i < NUM_IMAGES; i++) {
        picture_finish(&h, &pictures[i]);
    }
    test_expect(harness_finish(&h) == 0, "the device has no complaints");
    return test_finish();
}
