// SPDX-License-Identifier: MIT
// HAP packets: parsed back by a reader of their own, written from the specification, and by snappy.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <snappy-c.h>

#include "capture/stream/packet/packet.h"
#include "testing.h"

struct section {
    const uint8_t *payload;
    size_t size, header_size;
    uint8_t type;
};

// HapVideoDRAFT.md, "Section Headers". Returns false when the bytes do not hold the section.
static bool read_section(const uint8_t *bytes, size_t num_bytes, struct section *section)
{
    if (num_bytes < 4) {
        return false;
    }
    section->size = bytes[0] | bytes[1] << 8 | bytes[2] << 16;
    section->type = bytes[3];
    section->header_size = 4;
    if (section->size == 0) {
        if (num_bytes < 8) {
            return false;
        }
        section->header_size = 8;
        section->size = bytes[4] | bytes[5] << 8 | bytes[6] << 16 | (size_t)bytes[7] << 24;
    }
    section->payload = bytes + section->header_size;
    return section->size <= num_bytes - section->header_size;
}

static uint32_t read_le32(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static bool unsnap(const uint8_t *bytes, size_t size, uint8_t *out, size_t room, size_t *out_size)
{
    *out_size = room;
    return snappy_uncompress((const char *)bytes, size, (char *)out, out_size) == SNAPPY_OK;
}

// The chunks of a complex frame. Returns their number, 0 for nonsense.
static uint32_t read_chunks(const struct section *top, uint8_t *texture, size_t texture_size)
{
    struct section instructions, part, compressors = {0}, sizes = {0};
    if (!read_section(top->payload, top->size, &instructions) || instructions.type != 0x01) {
        return 0;
    }
    const uint8_t *end = instructions.payload + instructions.size;
    for (const uint8_t *at = instructions.payload; at < end; at = part.payload + part.size) {
        if (!read_section(at, (size_t)(end - at), &part)) {
            return 0;
        }
        compressors = part.type == 0x02 ? part : compressors;
        sizes = part.type == 0x03 ? part : sizes;
    }
    if (compressors.size == 0 || sizes.size != 4 * compressors.size) {
        return 0;
    }
    const uint8_t *chunk = end;
    size_t filled = 0;
    for (size_t i = 0; i < compressors.size; i++) {
        const size_t size = read_le32(sizes.payload + 4 * i);
        size_t got = size;
        if (size > (size_t)(top->payload + top->size - chunk) || size > texture_size - filled) {
            return 0;
        }
        if (compressors.payload[i] == 0x0a) {
            memcpy(texture + filled, chunk, size);
        } else if (compressors.payload[i] != 0x0b ||
                   !unsnap(chunk, size, texture + filled, texture_size - filled, &got)) {
            return 0;
        }
        // Equal chunks of whole blocks.
        if (got != texture_size / compressors.size || got % 16 != 0) {
            return 0;
        }
        filled += got;
        chunk += size;
    }
    return filled == texture_size && chunk == top->payload + top->size ? (uint32_t)compressors.size
                                                                       : 0;
}

// Check that the packet holds `want`. Returns its type, or 0 if it does not.
static uint8_t check_packet(const struct weir_packet *packet, const uint8_t *want, size_t size,
                            uint32_t want_chunks)
{
    struct section top;
    if (!read_section(packet->data, packet->size, &top) ||
        top.header_size + top.size != packet->size) {
        return 0;
    }
    if (top.header_size != (top.size < 1u << 24 ? 4u : 8u)) {
        return 0;
    }
    uint8_t *texture = malloc(size);
    size_t got = size;
    bool holds = true;
    if (top.type == 0xaf) {
        holds = top.size == size && memcmp(top.payload, want, size) == 0;
    } else if (top.type == 0xbf) {
        holds = unsnap(top.payload, top.size, texture, size, &got) && got == size &&
                memcmp(texture, want, size) == 0;
    } else {
        holds = top.type == 0xcf && read_chunks(&top, texture, size) == want_chunks &&
                memcmp(texture, want, size) == 0;
    }
    free(texture);
    return holds ? top.type : 0;
}

static struct weir_packer *make_packer(uint32_t size, bool snappy, uint32_t num_chunks)
{
    struct weir_packer *packer;
    const struct weir_packer_params params = {
        .texture = WEIR_HAP_YCOCG_BC3,
        .size = size,
        .block_size = 16,
        .snappy = snappy,
        .num_chunks = num_chunks,
    };
    if (weir_packer_create(&params, &test_log, &packer) != WEIR_OK) {
        exit(1);
    }
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
        read_section(header, SIZE_MAX, &section);
        test_expect(section.size == payloads[i] && section.type == 0xaf, "payload %u: says %zu",
                    payloads[i], section.size);
        test_expect(header[-1] == 0xee && bytes[16] == 0xee, "payload %u: wrote around its header",
                    payloads[i]);
    }
}

static void test_stored(void)
{
    // Both sides of the border between the header forms, in whole blocks.
    const uint32_t sizes[] = {16, 2073600, (1u << 24) - 16, 1u << 24};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        uint8_t *room = malloc(sizes[i] + 8), *copy = malloc(sizes[i]);
        test_random_bytes(room + 8, sizes[i]);
        memcpy(copy, room + 8, sizes[i]);
        struct weir_packer *packer = make_packer(sizes[i], false, 0);
        const struct weir_packet packet = weir_packer_pack(packer, room + 8);
        test_expect(check_packet(&packet, copy, sizes[i], 1) == 0xaf, "stored %u", sizes[i]);
        test_expect(packet.data + packet.size == room + 8 + sizes[i], "stored %u: was copied",
                    sizes[i]);
        weir_packer_destroy(&packer);
        free(room);
        free(copy);
    }
}

// Blocks that compress: few different ones.
static void fill_simple(uint8_t *bytes, size_t size)
{
    uint8_t blocks[4][16];
    test_random_bytes(blocks[0], sizeof(blocks));
    for (size_t i = 0; i < size; i += 16) {
        memcpy(bytes + i, blocks[test_random() % 97 == 0 ? test_random() % 4 : 0], 16);
    }
}

static void test_compressed(void)
{
    static const struct {
        uint32_t num_blocks, wish, want;
    } cases[] = {
        {1, 1, 1},       {1, 8, 1},      {2, 2, 2},         {7, 4, 1},        {7, 7, 7},
        {30, 4, 3},      {129600, 8, 8}, {518400, 16, 16},  {518400, 17, 16}, {518400, 64, 64},
        {100003, 64, 1}, {129600, 0, 1}, {480 * 270, 7, 6}, {129600, 64, 64},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const uint32_t size = cases[i].num_blocks * 16;
        uint8_t *room = malloc(size + 8), *copy = malloc(size);
        fill_simple(room + 8, size);
        memcpy(copy, room + 8, size);
        struct weir_packer *packer = make_packer(size, true, cases[i].wish);
        test_expect(weir_packer_num_chunks(packer) == cases[i].want,
                    "%u blocks, wish %u: %u chunks", cases[i].num_blocks, cases[i].wish,
                    weir_packer_num_chunks(packer));
        for (int frame = 0; frame < 3; frame++) {
            const struct weir_packet packet = weir_packer_pack(packer, room + 8);
            const uint8_t type = check_packet(&packet, copy, size, cases[i].want);
            const uint8_t want = size < 1000 ? type : cases[i].want > 1 ? 0xcf : 0xbf;
            test_expect(type != 0 && type == want, "%u blocks, wish %u: type %#x",
                        cases[i].num_blocks, cases[i].wish, type);
            test_expect(packet.size <= size + 8, "%u blocks, wish %u: grew to %u",
                        cases[i].num_blocks, cases[i].wish, packet.size);
        }
        weir_packer_destroy(&packer);
        free(room);
        free(copy);
    }
}

// Half noise, half simple: chunks of both kinds in one frame.
static void test_mixed_chunks(void)
{
    const uint32_t size = 1u << 20;
    uint8_t *room = malloc(size + 8), *copy = malloc(size);
    test_random_bytes(room + 8, size / 2);
    fill_simple(room + 8 + size / 2, size / 2);
    memcpy(copy, room + 8, size);
    struct weir_packer *packer = make_packer(size, true, 8);
    const struct weir_packet packet = weir_packer_pack(packer, room + 8);
    test_expect(check_packet(&packet, copy, size, 8) == 0xcf, "mixed chunks");
    const uint8_t *compressors = packet.data + 4 + 4 + 4;
    test_expect(compressors[0] == 0x0a && compressors[7] == 0x0b, "mixed chunks: kinds %#x %#x",
                compressors[0], compressors[7]);
    weir_packer_destroy(&packer);
    free(room);
    free(copy);
}

// Noise is stored, and after some frames not even tried; when the picture becomes simple again,
// that is found out.
static void test_rest(void)
{
    const uint32_t size = 1u << 16;
    uint8_t *noise = malloc(size + 8), *simple = malloc(size + 8);
    test_random_bytes(noise + 8, size);
    fill_simple(simple + 8, size);
    struct weir_packer *packer = make_packer(size, true, 1);
    for (int frame = 0; frame < 20; frame++) {
        const struct weir_packet packet = weir_packer_pack(packer, noise + 8);
        test_expect(check_packet(&packet, noise + 8, size, 1) == 0xaf, "noise %d", frame);
    }
    int first = -1;
    for (int frame = 0; frame < 100; frame++) {
        const struct weir_packet packet = weir_packer_pack(packer, simple + 8);
        const uint8_t type = check_packet(&packet, simple + 8, size, 1);
        test_expect(type == 0xaf || type == 0xbf, "simple %d: type %#x", frame, type);
        first = first < 0 && type == 0xbf ? frame : first;
        test_expect(first < 0 || type == 0xbf, "simple %d: stored after %d", frame, first);
    }
    test_expect(first > 0, "noise made snappy rest, and simple frames woke it (frame %d)", first);
    weir_packer_destroy(&packer);
    free(noise);
    free(simple);
}

int main(void)
{
    test_headers();
    test_stored();
    test_compressed();
    test_mixed_chunks();
    test_rest();
    return test_finish();
}
