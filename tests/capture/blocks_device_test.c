// SPDX-License-Identifier: MIT
// A movie of blocks has the packets, byte for byte, of the movie that was rendered and encoded to
// those blocks.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <weir/blocks.h>

#include "fixture.h"
#include "testing.h"

enum { NUM_FRAMES = 3 };

struct packets {
    uint32_t num;
    uint8_t *data[NUM_FRAMES];
    size_t sizes[NUM_FRAMES];
    struct weir_capture_track track;
};

static void *copy_of(const void *bytes, size_t size)
{
    void *copy = aligned_alloc(16, (size + 15) / 16 * 16);
    if (!copy) {
        exit(1);
    }
    memcpy(copy, bytes, size);
    return copy;
}

static enum weir_result accept_track(void *user, const struct weir_capture_track *track)
{
    ((struct packets *)user)->track = *track;
    return WEIR_OK;
}

static enum weir_result accept_packet(void *user, const struct weir_capture_packet *packet)
{
    struct packets *packets = user;
    if (packets->num < NUM_FRAMES) {
        packets->data[packets->num] = copy_of(packet->data, packet->size);
        packets->sizes[packets->num++] = packet->size;
    }
    return WEIR_OK;
}

static void free_packets(struct packets *packets)
{
    for (uint32_t i = 0; i < packets->num; i++) {
        free(packets->data[i]);
    }
    *packets = (struct packets){.num = 0};
}

static struct weir_capture_params params_of(enum weir_movie_codec codec, struct packets *packets,
                                            bool snappy)
{
    return (struct weir_capture_params){
        .codec = codec,
        .sink = WEIR_SINK_CALLBACK,
        .callbacks = {.open = accept_track, .packet = accept_packet, .user = packets},
        .rate = {.compression = snappy ? WEIR_COMPRESSION_SNAPPY : WEIR_COMPRESSION_NONE,
                 .packing = WEIR_PACKING_CPU}, // the streams of the GPU are others
        .rate.num_chunks = 3,
        .policy = WEIR_POLICY_WAIT,
        .num_slots = 2,
    };
}

static void capture_rendered(struct fixture *fixture, enum weir_movie_codec codec, bool snappy,
                             struct packets *packets)
{
    struct weir_capture_params params = params_of(codec, packets, snappy);
    params.like = fixture->image;
    params.encoding.effort = WEIR_EFFORT_FAST;
    weir_capture *capture = fixture_open(fixture, &params);
    const struct weir_blocks blocks = {
        .width = FIXTURE_WIDTH, .height = FIXTURE_HEIGHT, .time_ns = -1};
    test_expect(weir_capture_blocks(capture, &blocks) == WEIR_ERROR_INVALID,
                "no blocks for a capture of rendered frames");
    for (int i = 0; i < NUM_FRAMES; i++) {
        test_expect(fixture_present(fixture, capture, i) == WEIR_OK, "frame %d", i);
    }
    fixture_expect_end(capture, WEIR_OK, NUM_FRAMES, 0);
}

static void release(void *user, void *owner)
{
    (void)user;
    free(owner);
}

// The blocks of frames that are stored in packets, at the end of these, one texture behind the
// other as in the memory of a frame.
static void capture_blocks(enum weir_movie_codec codec, bool snappy, const struct packets *stored,
                           struct packets *packets)
{
    const struct weir_blocks_layout layout = weir_blocks_get_layout(codec, FIXTURE_WIDTH,
                                                                    FIXTURE_HEIGHT);
    const uint32_t last = layout.num_textures - 1;
    const size_t size = layout.offsets[last] + layout.sizes[last] - layout.offsets[0];
    const struct weir_capture_params params = params_of(codec, packets, snappy);
    const struct weir_blocks_params blocks = {
        .width = FIXTURE_WIDTH, .height = FIXTURE_HEIGHT, .release = release, .log = test_log};
    weir_capture *capture = NULL;
    if (!test_expect(weir_capture_open_blocks(&blocks, &params, &capture) == WEIR_OK, "open")) {
        return;
    }
    for (int i = 0; i < NUM_FRAMES; i++) {
        uint8_t *data = aligned_alloc(16, layout.size);
        memcpy(data + layout.offsets[0], stored->data[i] + stored->sizes[i] - size, size);
        const struct weir_blocks frame = {.width = FIXTURE_WIDTH,
                                          .height = FIXTURE_HEIGHT,
                                          .data = data,
                                          .time_ns = i,
                                          .owner = data};
        if (!test_expect(weir_capture_blocks(capture, &frame) == WEIR_OK, "blocks %d", i)) {
            free(data);
        }
    }
    fixture_expect_end(capture, WEIR_OK, NUM_FRAMES, 0);
}

static void expect_same(const char *name, const struct packets *a, const struct packets *b)
{
    test_expect(a->num == NUM_FRAMES && b->num == NUM_FRAMES &&
                    memcmp(&a->track, &b->track, sizeof(a->track)) == 0,
                "%s: %u and %u packets of the same track", name, a->num, b->num);
    for (uint32_t i = 0; i < a->num && i < b->num; i++) {
        test_expect(a->sizes[i] == b->sizes[i] && memcmp(a->data[i], b->data[i], a->sizes[i]) == 0,
                    "%s: packet %u", name, i);
    }
}

static void test(struct fixture *fixture, const struct weir_movie_codec_info *codec)
{
    struct packets stored = {0}, packed = {0}, blocks = {0};
    capture_rendered(fixture, codec->codec, false, &stored);
    capture_blocks(codec->codec, false, &stored, &blocks);
    expect_same(codec->name, &stored, &blocks);
    free_packets(&blocks);
    capture_rendered(fixture, codec->codec, true, &packed);
    capture_blocks(codec->codec, true, &stored, &blocks);
    expect_same(codec->name, &packed, &blocks);
    free_packets(&stored);
    free_packets(&packed);
    free_packets(&blocks);
}

int main(void)
{
    struct fixture fixture;
    size_t num = 0;
    const struct weir_movie_codec_info *codecs = weir_movie_codec_list(&num);
    fixture_init(&fixture, true);
    for (size_t i = 0; i < num; i++) {
        if (!codecs[i].is_linear) { // which takes no images of bytes
            test(&fixture, &codecs[i]);
        }
    }
    fixture_finish(&fixture);
    return test_finish();
}
