// SPDX-License-Identifier: MIT
// HAP packets of every codec: parsed back by a reader of the tests' own.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <weir/capture.h>

#include "capture/stream/packet/packet.h"
#include "sections.h"
#include "testing.h"
#include "tests/kernels/snappy.h"
#include "tests/sanitized.h"

// HapVideoDRAFT.md, "Top-Level Sections": the low four bits of the types, and bytes a block.
static const struct kind {
    enum weir_movie_codec codec;
    uint8_t types[2];
    uint32_t block_sizes[2]; // 0: one texture
} kinds[] = {
    {WEIR_MOVIE_CODEC_HAP_Q, {0xf}, {16}},
    {WEIR_MOVIE_CODEC_HAP, {0xb}, {8}},
    {WEIR_MOVIE_CODEC_HAP_ALPHA, {0xe}, {16}},
    {WEIR_MOVIE_CODEC_HAP_Q_ALPHA, {0xf, 0x1}, {16, 8}},
    {WEIR_MOVIE_CODEC_HAP_ALPHA_ONLY, {0x1}, {8}},
    {WEIR_MOVIE_CODEC_HAP_R, {0xc}, {16}},
    {WEIR_MOVIE_CODEC_HAP_HDR, {0x2}, {16}},
};
enum { NUM_KINDS = sizeof(kinds) / sizeof(kinds[0]) };

// A texture as it has to come out again.
struct texture {
    uint8_t *blocks;
    size_t size;
    uint32_t block_size;
    uint8_t type; // low four bits
};

// Check that a section holds a texture. Returns the high four bits of its type, or 0 if it does
// not.
static uint8_t check_section(const struct section *section, const struct texture *want,
                             uint32_t want_chunks)
{
    const uint8_t compressor = section->type & 0xf0;
    uint8_t *got = malloc(want->size);
    const uint32_t num_chunks = section_unpack(section, want->block_size, got, want->size);
    const bool holds = (section->type & 0x0f) == want->type && num_chunks > 0 &&
                       (compressor == 0xa0 || num_chunks == want_chunks) &&
                       (compressor == 0xc0) == (num_chunks > 1) &&
                       memcmp(got, want->blocks, want->size) == 0;
    free(got);
    return holds ? compressor : 0;
}

// A frame as it comes from the GPU, and what its packet must hold.
struct frame {
    const struct kind *kind;
    uint32_t width, height, num_textures;
    struct texture textures[2];
    uint8_t *room, *data; // the first texture is at `data`
    size_t data_size;     // of all textures and what is between them [bytes]
    bool is_packed;       // by the GPU
    bool is_rdo;          // quality was given for bytes
    struct weir_packet_plan plan;
};

static void frame_init(struct frame *frame, const struct kind *kind, uint32_t width,
                       uint32_t height)
{
    *frame = (struct frame){.kind = kind, .width = width, .height = height};
    for (int i = 0; i < 2 && kind->block_sizes[i] > 0; i++) {
        struct texture *texture = &frame->textures[frame->num_textures++];
        texture->block_size = kind->block_sizes[i];
        texture->type = kind->types[i];
        texture->size = (size_t)((width + 3) / 4) * ((height + 3) / 4) * texture->block_size;
        texture->blocks = malloc(texture->size);
        frame->data_size += texture->size;
    }
    frame->data_size += weir_packet_gap(kind->codec, width, height);
    // What the GPU writes takes more: sizes of chunks, and room between the textures.
    frame->room = malloc(WEIR_PACKET_PACKED_HEADROOM + frame->data_size + 4096);
    frame->data = frame->room + WEIR_PACKET_PACKED_HEADROOM;
}

static void frame_finish(struct frame *frame)
{
    for (uint32_t i = 0; i < frame->num_textures; i++) {
        free(frame->textures[i].blocks);
    }
    free(frame->room);
}

// Blocks that do not compress; few different ones, which do; half of each.
enum content { NOISE, SIMPLE, MIXED };

static void fill(struct texture *texture, enum content content)
{
    const size_t noise = content == NOISE   ? texture->size
                         : content == MIXED ? texture->size / 2
                                            : 0;
    uint8_t blocks[4][16];
    test_random_bytes(blocks[0], sizeof(blocks));
    test_random_bytes(texture->blocks, noise);
    for (size_t i = noise; i < texture->size; i += texture->block_size) {
        memcpy(texture->blocks + i, blocks[test_random() % 97 == 0 ? test_random() % 4 : 0],
               texture->size - i < texture->block_size ? texture->size - i : texture->block_size);
    }
}

// Put the textures where the encoders write them, or packed as the GPU does.
static void bring(struct frame *frame)
{
    const uint32_t gap = weir_packet_gap(frame->kind->codec, frame->width, frame->height);
    memset(frame->room, 0xee, WEIR_PACKET_PACKED_HEADROOM + frame->data_size);
    for (uint32_t i = 0; i < frame->num_textures; i++) {
        const struct texture *texture = &frame->textures[i];
        const struct weir_snappy_params *packed = &frame->plan.textures[i];
        if (frame->is_packed) {
            kernel_snappy(packed, texture->blocks, frame->data + frame->plan.offsets[i]);
        } else {
            memcpy(frame->data + (i > 0 ? frame->textures[0].size + gap : 0), texture->blocks,
                   texture->size);
        }
    }
}

// Pack the frame. `compressors` become those of its textures, 0 for one that is not there.
static struct weir_packet pack(struct frame *frame, struct weir_packer *packer,
                               uint32_t want_chunks, uint8_t compressors[2])
{
    bring(frame);
    const struct weir_packet packet = weir_packer_pack(packer, frame->data);
    struct section sections[2];
    compressors[0] = compressors[1] = 0;
    if (section_read_textures(packet.data, packet.size, sections, frame->num_textures)) {
        for (uint32_t i = 0; i < frame->num_textures; i++) {
            compressors[i] = check_section(&sections[i], &frame->textures[i], want_chunks);
        }
    }
    return packet;
}

static struct weir_packer *make_packer(struct frame *frame, bool snappy, uint32_t num_chunks)
{
    struct weir_packer *packer;
    const struct weir_packer_params params = TEST_LIST(.codec = frame->kind->codec,
                                                       .width = frame->width,
                                                       .height = frame->height, .snappy = snappy,
                                                       .is_packed = frame->is_packed,
                                                       .is_rdo = frame->is_rdo,
                                                       .num_chunks = num_chunks);
    frame->plan = weir_packet_plan(&params);
    TEST_MUST(weir_packer_create(&params, &test_log, &packer));
    return packer;
}

static void test_headers(void)
{
    const uint32_t payloads[] = {0, 1, 255, 65536, (1u << 24) - 1, 1u << 24, UINT32_MAX};
    for (size_t i = 0; i < sizeof(payloads) / sizeof(payloads[0]); i++) {
        uint8_t bytes[32];
        memset(bytes, 0xee, sizeof(bytes));
        const uint8_t *header = weir_hap_write_header(bytes + 16, payloads[i], 0xaf);
        const size_t want = payloads[i] == 0 || payloads[i] >= 1u << 24 ? 8 : 4;
        test_expect((size_t)(bytes + 16 - header) == want, "payload %u: header of %zu bytes",
                    payloads[i], (size_t)(bytes + 16 - header));
        struct section section;
        section_read(header, SIZE_MAX, &section);
        test_expect(section.size == payloads[i] && section.type == 0xaf, "payload %u: says %zu",
                    payloads[i], section.size);
        test_expect(header[-1] == 0xee && bytes[16] == 0xee, "payload %u: wrote around its header",
                    payloads[i]);
    }
}

// With a sanitizer, large frames are of one kind alone, whose textures have blocks of both sizes.
// Threads know nothing of sizes.
static bool is_left_out(const struct kind *kind, uint32_t num_blocks)
{
    return num_blocks > 500000 &&
           (SANITIZED_THREAD || (SANITIZED_ADDRESS && kind->block_sizes[1] == 0));
}

// Stored frames are not copied: the headers stand around the blocks where these are.
static void test_stored(const struct kind *kind)
{
    // Both sides of the border between the header forms, for textures of 16 and of 8 bytes a block.
    static const uint32_t num_blocks[] = {1,        129600,         (1u << 20) - 1,
                                          1u << 20, (1u << 21) - 1, 1u << 21};
    for (size_t i = 0; i < sizeof(num_blocks) / sizeof(num_blocks[0]); i++) {
        if (is_left_out(kind, num_blocks[i])) {
            continue;
        }
        struct frame frame;
        frame_init(&frame, kind, 4 * num_blocks[i], 4);
        for (uint32_t t = 0; t < frame.num_textures; t++) {
            fill(&frame.textures[t], NOISE);
        }
        struct weir_packer *packer = make_packer(&frame, false, 0);
        uint8_t compressors[2];
        const struct weir_packet packet = pack(&frame, packer, 1, compressors);
        test_expect(compressors[0] == 0xa0 && (frame.num_textures == 1 || compressors[1] == 0xa0),
                    "codec %d, %u blocks: stored", (int)kind->codec, num_blocks[i]);
        test_expect(packet.data + packet.size == frame.data + frame.data_size,
                    "codec %d, %u blocks: was copied", (int)kind->codec, num_blocks[i]);
        weir_packer_destroy(&packer);
        frame_finish(&frame);
    }
}

// The largest divisor of the number of blocks that is not above the wish.
static uint32_t chunks_of(uint32_t width, uint32_t height, uint32_t wish)
{
    const uint32_t num_blocks = (width + 3) / 4 * ((height + 3) / 4);
    const long num_cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (wish == WEIR_CHUNKS_AUTO) {
        wish = width <= 1920 && height <= 1088 ? 1 : num_cores < 64 ? (uint32_t)num_cores : 64;
    }
    while (wish > 1 && num_blocks % wish != 0) {
        wish--;
    }
    return wish > 0 ? wish : 1;
}

// What the section of a texture with that content is. Small textures may be either.
static bool is_right(const struct texture *texture, enum content content, uint32_t num_chunks,
                     uint8_t compressor)
{
    const uint8_t snappy = num_chunks > 1 ? 0xc0 : 0xb0;
    if (texture->size < 4096) {
        return compressor == 0xa0 || compressor == snappy;
    }
    return compressor == (content == NOISE ? 0xa0 : snappy);
}

static void test_size(const struct kind *kind, uint32_t width, uint32_t height, bool is_packed)
{
    static const uint32_t wishes[] = {0, 1, 2, 3, 7, 64, WEIR_CHUNKS_AUTO};
    static const enum content contents[][2] = {{MIXED, SIMPLE}, {NOISE, SIMPLE}, {SIMPLE, NOISE}};
    struct frame frame;
    frame_init(&frame, kind, width, height);
    frame.is_packed = is_packed;
    for (size_t i = 0; i < sizeof(contents) / sizeof(contents[0]); i++) {
        for (uint32_t t = 0; t < frame.num_textures; t++) {
            fill(&frame.textures[t], contents[i][t]);
        }
        // Which chunks there are does not depend on what is in them.
        for (size_t w = i == 0 ? 0 : 3; w < (i == 0 ? sizeof(wishes) / sizeof(wishes[0]) : 5);
             w++) {
            const uint32_t num_chunks = chunks_of(width, height, wishes[w]);
            struct weir_packer *packer = make_packer(&frame, true, wishes[w]);
            test_expect(weir_packer_num_chunks(packer) == num_chunks, "%ux%u, wish %u: %u chunks",
                        width, height, wishes[w], weir_packer_num_chunks(packer));
            uint8_t compressors[2];
            const struct weir_packet packet = pack(&frame, packer, num_chunks, compressors);
            for (uint32_t t = 0; t < frame.num_textures; t++) {
                test_expect(
                    is_right(&frame.textures[t], contents[i][t], num_chunks, compressors[t]),
                    "codec %d, %ux%u, wish %u, content %zu: texture %u is %#x", (int)kind->codec,
                    width, height, wishes[w], i, t, compressors[t]);
            }
            test_expect(packet.size <= frame.data_size + WEIR_PACKET_HEADROOM, "grew to %u",
                        packet.size);
            weir_packer_destroy(&packer);
        }
    }
    frame_finish(&frame);
}

static void test_chunks(void)
{
    static const struct {
        uint32_t num_blocks, wish, want;
    } cases[] = {
        {1, 8, 1},        {2, 2, 2},       {7, 4, 1},         {7, 7, 7},
        {30, 4, 3},       {129600, 8, 8},  {518400, 16, 16},  {518400, 17, 16},
        {518400, 64, 64}, {100003, 64, 1}, {480 * 270, 7, 6},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct frame frame = {.kind = &kinds[0], .width = 4 * cases[i].num_blocks, .height = 4};
        struct weir_packer *packer = make_packer(&frame, true, cases[i].wish);
        test_expect(weir_packer_num_chunks(packer) == cases[i].want,
                    "%u blocks, wish %u: %u chunks", cases[i].num_blocks, cases[i].wish,
                    weir_packer_num_chunks(packer));
        weir_packer_destroy(&packer);
    }
}

// Half noise, half simple: chunks of both kinds in one frame.
static void test_mixed_chunks(void)
{
    struct frame frame;
    frame_init(&frame, &kinds[0], 1024, 1024);
    fill(&frame.textures[0], MIXED);
    struct weir_packer *packer = make_packer(&frame, true, 8);
    uint8_t compressor[2];
    const struct weir_packet packet = pack(&frame, packer, 8, compressor);
    test_expect(compressor[0] == 0xc0, "mixed chunks");
    const uint8_t *compressors = packet.data + 4 + 4 + 4;
    test_expect(compressors[0] == 0x0a && compressors[7] == 0x0b, "mixed chunks: kinds %#x %#x",
                compressors[0], compressors[7]);
    weir_packer_destroy(&packer);
    frame_finish(&frame);
}

// Noise is stored, and after some frames not even tried; when the picture becomes simple again,
// that is found out. Each texture has its own rest. Where quality was given for bytes none has.
static void test_rest(bool is_rdo)
{
    struct frame frame;
    frame_init(&frame, &kinds[3], 256, 256);
    frame.is_rdo = is_rdo;
    struct weir_packer *packer = make_packer(&frame, true, 1);
    uint8_t types[2];
    fill(&frame.textures[0], NOISE);
    fill(&frame.textures[1], SIMPLE);
    for (int i = 0; i < 20; i++) {
        pack(&frame, packer, 1, types);
        test_expect(types[0] == 0xa0 && types[1] == 0xb0, "noise %d: %#x, %#x", i, types[0],
                    types[1]);
    }
    fill(&frame.textures[0], SIMPLE);
    int first = -1;
    for (int i = 0; i < 100; i++) {
        pack(&frame, packer, 1, types);
        test_expect((types[0] == 0xa0 || types[0] == 0xb0) && types[1] == 0xb0,
                    "simple %d: %#x, %#x", i, types[0], types[1]);
        first = first < 0 && types[0] == 0xb0 ? i : first;
        test_expect(first < 0 || types[0] == 0xb0, "simple %d: stored after %d", i, first);
    }
    test_expect(is_rdo ? first == 0 : first > 0,
                "noise made snappy rest, and simple frames woke it (frame %d)", first);
    weir_packer_destroy(&packer);
    frame_finish(&frame);
}

int main(void)
{
    static const uint32_t sizes[][2] = {{1, 1},     {3, 5},       {33, 17},
                                        {500, 270}, {1918, 1078}, {4096, 2160}};
    test_headers();
    for (int i = 0; i < NUM_KINDS; i += SANITIZED_THREAD ? 3 : 1) {
        test_stored(&kinds[i]);
        for (size_t j = 0; j < sizeof(sizes) / sizeof(sizes[0]); j++) {
            if (!is_left_out(&kinds[i], sizes[j][0] / 4 * (sizes[j][1] / 4))) {
                test_size(&kinds[i], sizes[j][0], sizes[j][1], false);
            }
            if (sizes[j][0] < 1000) {
                test_size(&kinds[i], sizes[j][0], sizes[j][1], true);
            }
        }
    }
    test_chunks();
    test_mixed_chunks();
    test_rest(false);
    test_rest(true);
    return test_finish();
}
