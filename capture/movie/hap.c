// SPDX-License-Identifier: MIT
// HAP frames: sections of a header and a payload, written, and read from a file that may be
// damaged.
//
// Source: HAP Video specification (github.com/Vidvox/hap, documentation/HapVideoDRAFT.md).
#include "capture/movie/hap.h"

#include "capture/base/little_endian.h"
#include "capture/movie/snappy.h"

// A size of zero in the short form announces the long one, so an empty payload needs that too.
uint32_t weir_hap_header_size(uint32_t payload_size)
{
    return payload_size > 0 && payload_size < 1u << 24 ? 4 : 8;
}

uint8_t *weir_hap_write_header(uint8_t *payload, uint32_t payload_size, uint8_t type)
{
    uint8_t *header = payload - weir_hap_header_size(payload_size);
    if (payload - header == 4) {
        weir_put_u32(header, payload_size | (uint32_t)type << 24);
    } else {
        weir_put_u32(header, (uint32_t)type << 24);
        weir_put_u32(header + 4, payload_size);
    }
    return header;
}

uint32_t weir_hap_num_chunks(uint64_t num_blocks, uint32_t wish)
{
    for (uint32_t n = wish; n > 1; n--) {
        if (num_blocks % n == 0) {
            return n;
        }
    }
    return 1;
}

// Read the header of the section at `at`, in either of its lengths. False: it does not end before
// `limit`.
static bool read_section(struct weir_view *view, uint64_t at, uint64_t limit,
                         struct weir_hap_section_found *section)
{
    const uint8_t *head = at < limit && limit - at >= 4 ? weir_view_at(view, at, 4) : NULL;
    if (!head) {
        return false;
    }
    const uint8_t type = head[3];
    uint32_t size = weir_get_u32(head) & 0xffffffu, head_size = 4;
    if (size == 0) {
        head_size = 8;
        head = limit - at >= 8 ? weir_view_at(view, at, 8) : NULL;
        if (!head) {
            return false;
        }
        size = weir_get_u32(head + 4);
    }
    *section = (struct weir_hap_section_found){
        .type = type, .payload = at + head_size, .end = at + head_size + size};
    return section->end <= limit;
}

bool weir_hap_frame_read(struct weir_view *view, uint64_t at, uint64_t limit,
                         struct weir_hap_frame *frame)
{
    struct weir_hap_section_found outer;
    if (!read_section(view, at, limit, &outer) || !weir_hap_codec_of_type(outer.type)) {
        return false;
    }
    *frame = (struct weir_hap_frame){
        .type = outer.type, .num_textures = 1, .textures = {outer}, .end = outer.end};
    if (outer.type != WEIR_HAP_MULTIPLE) {
        return true;
    }
    frame->num_textures = 2;
    uint64_t next = outer.payload;
    for (uint32_t i = 0; i < 2; i++) {
        struct weir_hap_section_found *texture = &frame->textures[i];
        if (!read_section(view, next, outer.end, texture) || texture->type == WEIR_HAP_MULTIPLE ||
            !weir_hap_codec_of_type(texture->type)) {
            return false;
        }
        next = texture->end;
    }
    return next == outer.end;
}

// The tables of a texture in chunks; 0: the table is not there.
struct tables {
    uint64_t compressors, sizes, offsets;
    uint32_t num_chunks;
    uint64_t chunks; // where the first one begins
};

static bool read_tables(struct weir_view *view, const struct weir_hap_section_found *texture,
                        struct tables *tables)
{
    struct weir_hap_section_found box, table;
    uint64_t num_sizes = 0, num_offsets = 0;
    *tables = (struct tables){0};
    if (!read_section(view, texture->payload, texture->end, &box) ||
        box.type != WEIR_HAP_DECODE_INSTRUCTIONS) {
        return false;
    }
    tables->chunks = box.end;
    for (uint64_t at = box.payload; at < box.end; at = table.end) {
        if (!read_section(view, at, box.end, &table)) {
            return false;
        }
        const uint64_t size = table.end - table.payload;
        if (table.type == WEIR_HAP_CHUNK_COMPRESSORS) {
            tables->compressors = table.payload;
            tables->num_chunks = (uint32_t)size;
        } else if (table.type == WEIR_HAP_CHUNK_SIZES) {
            tables->sizes = table.payload;
            num_sizes = size;
        } else if (table.type == WEIR_HAP_CHUNK_OFFSETS) {
            tables->offsets = table.payload;
            num_offsets = size;
        }
    }
    const uint64_t wanted = (uint64_t)tables->num_chunks * 4;
    return wanted > 0 && num_sizes == wanted && (!tables->offsets || num_offsets == wanted);
}

static bool read_chunk(struct weir_view *view, const struct tables *tables, uint32_t index,
                       uint64_t next, struct weir_hap_piece *chunk)
{
    const uint8_t *bytes = weir_view_at(view, tables->compressors + index, 1);
    if (!bytes || (bytes[0] != WEIR_HAP_CHUNK_NONE && bytes[0] != WEIR_HAP_CHUNK_SNAPPY)) {
        return false;
    }
    chunk->is_snappy = bytes[0] == WEIR_HAP_CHUNK_SNAPPY;
    bytes = weir_view_at(view, tables->sizes + (uint64_t)4 * index, 4);
    if (!bytes) {
        return false;
    }
    chunk->size = weir_get_u32(bytes);
    chunk->at = next;
    if (tables->offsets) {
        bytes = weir_view_at(view, tables->offsets + (uint64_t)4 * index, 4);
        if (!bytes) {
            return false;
        }
        chunk->at = tables->chunks + weir_get_u32(bytes);
    }
    return true;
}

static bool read_chunks(struct weir_view *view, const struct weir_hap_section_found *texture,
                        bool (*piece)(void *user, const struct weir_hap_piece *piece), void *user)
{
    struct tables tables;
    if (!read_tables(view, texture, &tables)) {
        return false;
    }
    uint64_t next = tables.chunks;
    for (uint32_t i = 0; i < tables.num_chunks; i++) {
        struct weir_hap_piece chunk;
        if (!read_chunk(view, &tables, i, next, &chunk) || chunk.at > texture->end ||
            chunk.size > texture->end - chunk.at || (piece && !piece(user, &chunk))) {
            return false;
        }
        next = chunk.at + chunk.size;
    }
    return tables.offsets || next == texture->end;
}

bool weir_hap_pieces_read(struct weir_view *view, const struct weir_hap_section_found *texture,
                          bool (*piece)(void *user, const struct weir_hap_piece *piece), void *user)
{
    const uint32_t compressor = texture->type & 0xf0u;
    if (compressor == WEIR_HAP_COMPLEX) {
        return read_chunks(view, texture, piece, user);
    }
    const struct weir_hap_piece whole = {
        .is_snappy = compressor == WEIR_HAP_SNAPPY,
        .at = texture->payload,
        .size = texture->end - texture->payload,
    };
    return !piece || piece(user, &whole);
}

// Two blocks. No block of scaled YCoCg is all zeros: there is no colour whose Co and Cg are both at
// their least. Nor has Snappy such a row of zeros where the texture has none. A hole that a power
// cut left has.
#define ZEROS_OF_A_HOLE 32

struct check {
    struct weir_view *view;
    bool zeros_are_holes;
    enum weir_hap_depth depth;
    uint64_t size; // of the texture so far [bytes]
};

// Read all bytes of a piece. False: some cannot be read, or are a hole.
static bool check_bytes(const struct check *check, const struct weir_hap_piece *piece)
{
    struct weir_view *view = check->view;
    uint32_t num_zeros = 0;
    for (uint64_t done = 0, part; done < piece->size; done += part) {
        part = piece->size - done < view->room ? piece->size - done : view->room;
        const uint8_t *bytes = weir_view_at(view, piece->at + done, (size_t)part);
        if (!bytes) {
            return false;
        }
        for (size_t i = 0; check->zeros_are_holes && i < part; i++) {
            num_zeros = bytes[i] == 0 ? num_zeros + 1 : 0;
            if (num_zeros == ZEROS_OF_A_HOLE) {
                return false;
            }
        }
    }
    return !piece->is_snappy || weir_snappy_is_whole(view, piece->at, piece->size);
}

static bool check_piece(void *user, const struct weir_hap_piece *piece)
{
    struct check *check = user;
    uint32_t length = (uint32_t)piece->size;
    if (piece->is_snappy &&
        weir_snappy_read_length(check->view, piece->at, piece->size, &length) == 0) {
        return false;
    }
    check->size += length;
    return check->depth == WEIR_HAP_HEADERS || check_bytes(check, piece);
}

static bool check_texture(struct weir_view *view, const struct weir_hap_format *format,
                          const struct weir_hap_section_found *texture, enum weir_hap_depth depth)
{
    const enum weir_hap_texture blocks = (enum weir_hap_texture)(texture->type & 0x0f);
    const bool is_complex = (texture->type & 0xf0) == WEIR_HAP_COMPLEX;
    struct check check = {.view = view,
                          .zeros_are_holes = blocks == WEIR_HAP_YCOCG_BC3 ||
                                             blocks == WEIR_HAP_RGBA_BC7,
                          .depth = depth};
    // The chunks of a frame lie far apart: their headers are read with the rest of them only.
    if (depth == WEIR_HAP_HEADERS && is_complex) {
        return weir_hap_pieces_read(view, texture, NULL, NULL);
    }
    return weir_hap_pieces_read(view, texture, check_piece, &check) &&
           check.size == weir_hap_texture_size(blocks, format->width, format->height);
}

bool weir_hap_check(struct weir_view *view, const struct weir_hap_format *format, uint64_t at,
                    uint64_t limit, enum weir_hap_depth depth, uint64_t *end)
{
    struct weir_hap_frame frame;
    if (!weir_hap_frame_read(view, at, limit, &frame)) {
        return false;
    }
    const struct weir_movie_codec_info *codec = format->codec ? format->codec
                                                              : weir_hap_codec_of_type(frame.type);
    if (weir_hap_codec_of_type(frame.type) != codec) {
        return false;
    }
    for (uint32_t i = 0; i < frame.num_textures; i++) {
        if (!weir_hap_codec_has(codec, frame.textures[i].type) ||
            !check_texture(view, format, &frame.textures[i], depth)) {
            return false;
        }
    }
    *end = frame.end;
    return true;
}
