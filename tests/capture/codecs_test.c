// SPDX-License-Identifier: MIT
// Captures of every codec from end to end: the textures in each packet are the blocks that their
// encoders write by themselves, and the track says what they are. A movie of these blocks has the
// same packets, byte for byte.
#include <weir/blocks.h>

#include <stdlib.h>
#include <string.h>

#include <vulkan/vulkan.h>

#include "capture/movie/hap.h"
#include "fixture.h"
#include "sections.h"
#include "testing.h"
#include "tests/gpu/encode_run.h"

enum { NUM_FRAMES = 3 }; // in two slots, so that commands are kept and used again

// What a capture gave.
struct given {
    const struct weir_movie_codec_info *codec;
    struct weir_capture_track track;
    uint32_t num_packets;
    uint8_t *packets[NUM_FRAMES];
    size_t sizes[NUM_FRAMES];
};

static enum weir_result accept_track(void *user, const struct weir_capture_track *track)
{
    ((struct given *)user)->track = *track;
    return WEIR_OK;
}

static enum weir_result accept_packet(void *user, const struct weir_capture_packet *packet)
{
    struct given *given = user;
    const uint32_t index = given->num_packets++;
    if (test_expect(index < NUM_FRAMES, "packet %u", index)) {
        given->packets[index] = malloc(packet->size);
        given->sizes[index] = packet->size;
        memcpy(given->packets[index], packet->data, packet->size);
    }
    return WEIR_OK;
}

// A picture with slopes, edges, noise and all kinds of alpha.
static void draw(uint8_t *texels, uint32_t width, uint32_t height)
{
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++, texels += 4) {
            const bool is_edge = (x / 16 + y / 16) % 3 == 0;
            texels[0] = (uint8_t)(is_edge ? 255 - x : x);
            texels[1] = (uint8_t)(y + (test_random() & 7));
            texels[2] = (uint8_t)(x * y / 8);
            texels[3] = (uint8_t)(is_edge ? 255 : x + 2 * y);
        }
    }
}

// The same as half floats, of up to some times the white of a display.
static void draw_light(uint8_t *texels, uint32_t width, uint32_t height)
{
    uint16_t *halves = (uint16_t *)(void *)texels;
    for (uint32_t i = 0; i < 4 * width * height; i++) {
        halves[i] = (uint16_t)(0x2c00 + (i / 4 % width * 97 + i / 4 / width * 41) % 0x2000);
    }
}

struct source {
    VkFormat format;
    uint32_t width, height, texel_size;
    uint8_t *texels;
    struct fixture_image image;
};

static void source_init(struct harness *h, const struct weir_movie_codec_info *codec,
                        uint32_t width, uint32_t height, struct source *source)
{
    *source = (struct source){
        .format = codec->is_linear ? VK_FORMAT_R16G16B16A16_SFLOAT : VK_FORMAT_R8G8B8A8_UNORM,
        .width = width,
        .height = height,
        .texel_size = codec->is_linear ? 8 : 4,
    };
    source->texels = malloc((size_t)width * height * source->texel_size);
    (codec->is_linear ? draw_light : draw)(source->texels, width, height);
    fixture_image_init(h, source->format, width, height, VK_IMAGE_USAGE_SAMPLED_BIT, source->texels,
                       source->texel_size, &source->image);
}

static void capture_frames(struct harness *h, const struct source *source,
                           struct weir_capture_params *params, struct given *given)
{
    weir_capture *capture = NULL;
    params->sink = WEIR_SINK_CALLBACK;
    params->callbacks = (struct weir_sink_callbacks){
        .open = accept_track, .packet = accept_packet, .user = given};
    params->policy = WEIR_POLICY_WAIT;
    params->num_slots = 2;
    params->like = source->image.image;
    const enum weir_result opened = weir_capture_open(h->context, params, &capture);
    if (!test_expect(opened == WEIR_OK, "%s: open: %s", given->codec->name,
                     weir_result_name(opened))) {
        return;
    }
    const bool is_packed = params->rate.compression == WEIR_COMPRESSION_SNAPPY &&
                           params->rate.packing == WEIR_PACKING_GPU;
    test_expect(weir_capture_get_params(capture).rate.packing ==
                    (is_packed ? WEIR_PACKING_GPU : WEIR_PACKING_CPU),
                "%s: who packs", given->codec->name);
    const struct weir_blocks blocks = {source->width, source->height, NULL, -1, NULL};
    test_expect(weir_capture_blocks(capture, &blocks) == WEIR_ERROR_INVALID,
                "no blocks for a capture of rendered frames");
    for (int i = 0; i < NUM_FRAMES; i++) {
        fixture_send_image(h, capture, &source->image, i);
    }
    TEST_OK(weir_capture_close(&capture, NULL));
    test_expect(given->num_packets == NUM_FRAMES, "%u packets", given->num_packets);
}

// Check a texture against its encoder.
static void check_texture(struct harness *h, const struct source *source,
                          const struct weir_movie_codec_info *codec, uint32_t texture,
                          const struct weir_capture_params *params, const uint8_t *blocks)
{
    const struct weir_encoder_params encoding = {
        .codec = codec->textures[texture],
        .effort = params->encoding.effort,
        .like = harness_like(h, source->format, 0, WEIR_TRANSFER_DEFAULT),
        .bc4_alpha = codec->textures[texture] == WEIR_CODEC_BC4,
    };
    weir_encoder *encoder = NULL;
    if (test_expect(weir_encoder_create(h->context, &encoding, &encoder) == WEIR_OK,
                    "%s: an encoder", codec->name)) {
        encode_check(h, encoder, &encoding, VK_IMAGE_USAGE_SAMPLED_BIT, source->texel_size,
                     source->width, source->height, source->texels, blocks);
    }
    weir_encoder_destroy(&encoder);
}

// Check the textures of the first packet, and put them where a frame of blocks has them.
static void check_packet(struct harness *h, const struct source *source, const struct given *given,
                         const struct weir_capture_params *params,
                         const struct weir_blocks_layout *layout, uint8_t *data)
{
    const struct weir_movie_codec_info *codec = given->codec;
    struct section sections[WEIR_MOVIE_MAX_TEXTURES];
    if (!test_expect(section_read_textures(given->packets[0], given->sizes[0], sections,
                                           codec->num_textures),
                     "%s: the packet has its sections", codec->name)) {
        return;
    }
    for (uint32_t i = 0; i < codec->num_textures; i++) {
        const uint32_t block_size = weir_codec_get_info(codec->textures[i])->block_size;
        uint8_t *blocks = data + layout->offsets[i];
        test_expect((sections[i].type & 0x0f) == weir_hap_texture_of(codec, i) &&
                        section_unpack(&sections[i], block_size, blocks, layout->sizes[i]) > 0,
                    "%s: texture %u", codec->name, i);
        check_texture(h, source, codec, i, params, blocks);
    }
}

static void release(void *user, void *owner)
{
    (void)user;
    free(owner);
}

static void free_packets(struct given *given)
{
    for (uint32_t i = 0; i < given->num_packets && i < NUM_FRAMES; i++) {
        free(given->packets[i]);
    }
}

// Record a movie of the same blocks.
static void check_blocks(const struct source *source, struct weir_capture_params params,
                         const struct given *given, size_t size, const uint8_t *data)
{
    struct given again = {.codec = given->codec};
    const struct weir_blocks_params blocks = {
        .width = source->width, .height = source->height, .release = release, .log = test_log};
    weir_capture *capture = NULL;
    params.callbacks.user = &again;
    params.like = NULL;
    params.encoding.effort = 0;
    params.rate.packing = WEIR_PACKING_AUTO;
    TEST_MUST(weir_capture_open_blocks(&blocks, &params, &capture));
    for (int i = 0; i < NUM_FRAMES; i++) {
        uint8_t *copy = aligned_alloc(16, size);
        memcpy(copy, data, size);
        const struct weir_blocks frame = {source->width, source->height, copy, i, copy};
        TEST_MUST(weir_capture_blocks(capture, &frame));
    }
    test_expect(weir_capture_close(&capture, NULL) == WEIR_OK && again.num_packets == NUM_FRAMES &&
                    memcmp(&again.track, &given->track, sizeof(again.track)) == 0,
                "%s: %u packets of the same track", given->codec->name, again.num_packets);
    for (uint32_t i = 0; i < again.num_packets && i < NUM_FRAMES; i++) {
        test_expect(again.sizes[i] == given->sizes[i] &&
                        memcmp(again.packets[i], given->packets[i], again.sizes[i]) == 0,
                    "%s: packet %u of blocks", given->codec->name, i);
    }
    free_packets(&again);
}

static void check_track(const struct given *given, const struct source *source, bool is_padded)
{
    const uint32_t unit = is_padded ? 4 : 1;
    const struct weir_capture_track *track = &given->track;
    test_expect(track->codec_tag == given->codec->codec_tag &&
                    track->bits_per_coded_sample == given->codec->bits_per_coded_sample &&
                    track->width == (source->width + unit - 1) / unit * unit &&
                    track->height == (source->height + unit - 1) / unit * unit &&
                    track->color_transfer == (given->codec->is_linear ? 8 : 13),
                "%s: the track", given->codec->name);
}

static void test(struct harness *h, const struct weir_movie_codec_info *codec, uint32_t width,
                 uint32_t height, struct weir_capture_params params)
{
    struct given given = {.codec = codec};
    struct source source;
    source_init(h, codec, width, height, &source);
    params.codec = codec->codec;
    params.encoding.effort = WEIR_EFFORT_FAST;
    capture_frames(h, &source, &params, &given);
    check_track(&given, &source, params.movie.pad);
    for (uint32_t i = 0; i < given.num_packets && i < NUM_FRAMES; i++) {
        test_expect(given.sizes[i] == given.sizes[0] &&
                        memcmp(given.packets[i], given.packets[0], given.sizes[0]) == 0,
                    "%s: packet %u is as the first", codec->name, i);
    }
    const struct weir_blocks_layout layout = weir_blocks_get_layout(codec->codec, width, height);
    uint8_t *data = calloc(layout.size, 1);
    if (given.num_packets > 0) {
        check_packet(h, &source, &given, &params, &layout, data);
    }
    if (params.rate.compression == WEIR_COMPRESSION_NONE ||
        params.rate.packing == WEIR_PACKING_CPU) { // the streams of the GPU are others
        check_blocks(&source, params, &given, layout.size, data);
    }
    free(data);
    free_packets(&given);
    fixture_image_finish(h, &source.image);
    free(source.texels);
}

int main(void)
{
    // tests/capture/packet_test.c packs every size in every way.
    static const struct {
        uint32_t width, height;
        enum weir_compression compression;
        uint32_t num_chunks;
        enum weir_packing packing;
        bool pad;
    } cases[] = {{1, 1, WEIR_COMPRESSION_NONE, 0, WEIR_PACKING_AUTO, false},
                 {3, 5, WEIR_COMPRESSION_SNAPPY, 1, WEIR_PACKING_CPU, true},
                 {33, 17, WEIR_COMPRESSION_NONE, 0, WEIR_PACKING_GPU, true},
                 {203, 117, WEIR_COMPRESSION_SNAPPY, 3, WEIR_PACKING_CPU, false},
                 {5, 3, WEIR_COMPRESSION_SNAPPY, 1, WEIR_PACKING_GPU, true},
                 {203, 117, WEIR_COMPRESSION_SNAPPY, 3, WEIR_PACKING_GPU, false}};
    enum { NUM_CASES = sizeof(cases) / sizeof(cases[0]) };
    struct harness h;
    harness_init(&h, true);
    size_t num_codecs;
    const struct weir_movie_codec_info *codecs = weir_movie_codec_list(&num_codecs);
    // Each codec in one of these ways. Which, the seed says: to make its encoders takes long.
    const size_t turn = test_random() % NUM_CASES;
    for (size_t i = 0; i < num_codecs; i++) {
        const size_t way = (i + turn) % NUM_CASES;
        test(&h, &codecs[i], cases[way].width, cases[way].height,
             (struct weir_capture_params){.rate = {.compression = cases[way].compression,
                                                   .num_chunks = cases[way].num_chunks,
                                                   .packing = cases[way].packing},
                                          .movie = {.pad = cases[way].pad}});
    }
    // Ordinary sizes.
    const struct weir_movie_codec_info *two = weir_movie_codec_get_info(
        WEIR_MOVIE_CODEC_HAP_Q_ALPHA);
    test(&h, two, 958, 538, (struct weir_capture_params){.rate = {.num_chunks = 7}});
    test(&h, two, 2048, 1080,
         (struct weir_capture_params){.rate = {.compression = WEIR_COMPRESSION_SNAPPY,
                                               .packing = WEIR_PACKING_CPU,
                                               .num_chunks = WEIR_CHUNKS_AUTO}});
    test(&h, two, 638, 358,
         (struct weir_capture_params){.rate = {.compression = WEIR_COMPRESSION_SNAPPY,
                                               .packing = WEIR_PACKING_GPU,
                                               .num_chunks = 16}});
    test_expect(harness_finish(&h) == 0, "the device has no complaints");
    return test_finish();
}
