// SPDX-License-Identifier: MIT
// HAP frames of every kind: what is said to be whole has its textures, in the opinion of libsnappy
// too.
#include <stdlib.h>
#include <string.h>

#include <snappy-c.h>

#include "capture/base/little_endian.h"
#include "capture/movie/boxes.h"
#include "capture/movie/hap.h"
#include "capture/movie/snappy.h"
#include "tests/fuzz/fuzz.h"

// The input: sides in blocks, then the frame.
enum { HEAD_SIZE = 2, MAX_SIDE = 16 };

static const uint8_t types[] = {WEIR_HAP_ALPHA_BC4, WEIR_HAP_RGB_BC6H, WEIR_HAP_RGB_BC6H_SIGNED,
                                WEIR_HAP_RGB_BC1,   WEIR_HAP_RGBA_BC7, WEIR_HAP_RGBA_BC3,
                                WEIR_HAP_YCOCG_BC3};
static const uint8_t compressors[] = {WEIR_HAP_NONE, WEIR_HAP_SNAPPY, WEIR_HAP_COMPLEX};
enum { NUM_TYPES = sizeof(types), NUM_KINDS = 3 * NUM_TYPES };

static uint32_t put_u32(uint8_t *data, uint32_t value)
{
    weir_put_u32(data, value);
    return 4;
}

// A header of 4 bytes, or of 8.
static uint8_t *put_header(uint8_t *data, uint32_t size, uint8_t type, bool is_long)
{
    data += put_u32(data, (is_long ? 0 : size) | (uint32_t)type << 24);
    return is_long ? data + put_u32(data, size) : data;
}

static size_t snap(const uint8_t *data, size_t size, uint8_t *out, size_t room)
{
    fuzz_expect(snappy_compress((const char *)data, size, (char *)out, &room) == SNAPPY_OK,
                "snappy compresses");
    return room;
}

// A texture of four blocks: stored, in one piece, or in two chunks of which the second is stored.
static uint8_t *put_texture(struct fuzz_random *random, uint8_t type, uint8_t compressor,
                            bool is_long, uint8_t *data)
{
    enum { MAX_TEXTURE = 64, ROOM = 256 };
    uint8_t texture[MAX_TEXTURE], payload[ROOM], *at = payload;
    const uint32_t size = (uint32_t)weir_hap_texture_size((enum weir_hap_texture)type, 8, 8);
    fuzz_fill(random, texture, size);
    memset(texture, 7, size / 4);
    if (compressor == WEIR_HAP_NONE) {
        memcpy(at, texture, size);
        at += size;
    } else if (compressor == WEIR_HAP_SNAPPY) {
        at += snap(texture, size, at, ROOM);
    } else {
        uint8_t chunk[ROOM];
        const uint32_t chunk_size = (uint32_t)snap(texture, size / 2, chunk, ROOM);
        at = put_header(at, 4 + 2 + 4 + 8, WEIR_HAP_DECODE_INSTRUCTIONS, false);
        at = put_header(at, 2, WEIR_HAP_CHUNK_COMPRESSORS, false);
        *at++ = WEIR_HAP_CHUNK_SNAPPY;
        *at++ = WEIR_HAP_CHUNK_NONE;
        at = put_header(at, 8, WEIR_HAP_CHUNK_SIZES, false);
        at += put_u32(at, chunk_size);
        at += put_u32(at, size / 2);
        memcpy(at, chunk, chunk_size);
        memcpy(at + chunk_size, texture + size / 2, size / 2);
        at += chunk_size + size / 2;
    }
    data = put_header(data, (uint32_t)(at - payload), (uint8_t)(compressor | type), is_long);
    memcpy(data, payload, (size_t)(at - payload));
    return data + (at - payload);
}

static size_t seed(unsigned index, uint8_t *data)
{
    struct fuzz_random random = fuzz_random(index);
    const bool is_long = index >= NUM_KINDS + 3;
    const unsigned kind = index % (NUM_KINDS + 3);
    if (index >= 2 * (NUM_KINDS + 3)) {
        return 0;
    }
    data[0] = data[1] = 1;
    uint8_t *at = data + HEAD_SIZE;
    if (kind < NUM_KINDS) {
        at = put_texture(&random, types[kind / 3], compressors[kind % 3], is_long, at);
    } else {
        uint8_t both[512], *end = both;
        end = put_texture(&random, WEIR_HAP_YCOCG_BC3, compressors[kind % 3], is_long, end);
        end = put_texture(&random, WEIR_HAP_ALPHA_BC4, compressors[kind % 3], is_long, end);
        at = put_header(at, (uint32_t)(end - both), WEIR_HAP_MULTIPLE, is_long);
        memcpy(at, both, (size_t)(end - both));
        at += end - both;
    }
    return (size_t)(at - data);
}

static bool read_bytes(void *user, uint64_t offset, uint8_t *bytes, size_t size)
{
    const struct fuzz_bytes *file = user;
    fuzz_expect(offset <= file->size && size <= file->size - offset, "reads lie in the frame");
    memcpy(bytes, file->data + offset, size);
    return true;
}

struct decoder {
    struct fuzz_bytes file;
    uint64_t size; // of the texture [bytes]
};

static bool decode_piece(void *user, const struct weir_hap_piece *piece)
{
    struct decoder *decoder = user;
    const char *data = (const char *)decoder->file.data + piece->at;
    size_t size = (size_t)piece->size;
    fuzz_expect(piece->at + piece->size <= decoder->file.size, "a piece lies in the frame");
    if (piece->is_snappy) {
        fuzz_expect(snappy_validate_compressed_buffer(data, (size_t)piece->size) == SNAPPY_OK &&
                        snappy_uncompressed_length(data, (size_t)piece->size, &size) == SNAPPY_OK,
                    "libsnappy takes it");
    }
    decoder->size += size;
    return true;
}

static void check_whole(struct weir_view *view, const struct weir_hap_format *kind,
                        struct fuzz_bytes file)
{
    uint64_t end;
    if (!weir_hap_check(view, kind, 0, file.size, WEIR_HAP_WHOLE, &end)) {
        return;
    }
    struct weir_hap_frame frame;
    fuzz_expect(weir_hap_check(view, kind, 0, file.size, WEIR_HAP_HEADERS, &end) &&
                    weir_hap_frame_read(view, 0, file.size, &frame) && frame.end == end,
                "its headers are sound");
    for (uint32_t i = 0; i < frame.num_textures; i++) {
        struct decoder decoder = {.file = file};
        fuzz_expect(weir_hap_pieces_read(view, &frame.textures[i], decode_piece, &decoder) &&
                        decoder.size == weir_hap_texture_size(
                                            (enum weir_hap_texture)(frame.textures[i].type & 0x0f),
                                            kind->width, kind->height),
                    "texture %u is whole", i);
    }
}

// libsnappy takes a literal of 2^32 bytes, which no data has, for one of none.
static bool has_endless_literal(struct fuzz_bytes file)
{
    static const uint8_t tag[] = {0xfc, 0xff, 0xff, 0xff, 0xff};
    for (size_t i = 0; i + sizeof(tag) <= file.size; i++) {
        if (memcmp(file.data + i, tag, sizeof(tag)) == 0) {
            return true;
        }
    }
    return false;
}

// Decompressed into memory of its size, so that a sanitizer sees what goes beyond it.
static void check_decompressed(struct weir_view *view, struct fuzz_bytes file, bool is_whole)
{
    uint32_t length;
    if (weir_snappy_read_length(view, 0, file.size, &length) == 0 || length == 0 ||
        length > 1 << 20) {
        return;
    }
    uint8_t *ours = malloc(length);
    char *theirs = malloc(length);
    size_t num = length;
    fuzz_expect(ours && theirs, "memory");
    const bool is_right = weir_snappy_unpack(file.data, file.size, ours, length);
    fuzz_expect(is_right == weir_snappy_is_whole(view, 0, file.size), "it is whole, or not");
    fuzz_expect(
        !is_right || !is_whole ||
            (snappy_uncompress((const char *)file.data, file.size, theirs, &num) == SNAPPY_OK &&
             num == length && memcmp(ours, theirs, length) == 0),
        "libsnappy has other bytes");
    free(ours);
    free(theirs);
}

static void run(const uint8_t *data, size_t size)
{
    if (size < HEAD_SIZE) {
        return;
    }
    struct fuzz_bytes file = {data + HEAD_SIZE, size - HEAD_SIZE};
    const struct weir_view_source source = {.read = read_bytes, .user = &file, .size = file.size};
    const struct weir_hap_format kind = {.width = 4u * (1u + data[0] % MAX_SIDE),
                                         .height = 4u * (1u + data[1] % MAX_SIDE)};
    struct weir_view view;
    fuzz_expect(weir_view_init(&view, &source, 64), "memory");
    check_whole(&view, &kind, file);
    // The same bytes as compressed data.
    const bool is_whole = snappy_validate_compressed_buffer((const char *)file.data, file.size) ==
                          SNAPPY_OK;
    fuzz_expect(weir_snappy_is_whole(&view, 0, file.size) == is_whole || has_endless_literal(file),
                "libsnappy says %d", is_whole);
    check_decompressed(&view, file, is_whole);
    weir_view_finish(&view);
}

// Valid frames are said to be valid: else nothing would be tested.
static void init(void)
{
    static uint8_t data[FUZZ_MAX_SIZE];
    size_t size;
    for (unsigned i = 0; (size = seed(i, data)) > 0; i++) {
        struct fuzz_bytes file = {data + HEAD_SIZE, size - HEAD_SIZE};
        const struct weir_view_source source = {
            .read = read_bytes, .user = &file, .size = file.size};
        const struct weir_hap_format kind = {.width = 8, .height = 8};
        struct weir_view view;
        uint64_t end = 0;
        fuzz_expect(weir_view_init(&view, &source, 64), "memory");
        fuzz_expect(weir_hap_check(&view, &kind, 0, file.size, WEIR_HAP_WHOLE, &end) &&
                        end == file.size,
                    "the frame of index %u is whole", i);
        weir_view_finish(&view);
    }
}

const struct fuzz_target fuzz_target = TEST_LIST(.name = "packet", .num_runs = 20000, .init = init,
                                                 .seed = seed, .run = run);
