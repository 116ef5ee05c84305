// SPDX-License-Identifier: MIT
// The plan of a frame: which bytes of the file become which of its textures. It is checked before
// anything is unpacked, so that threads need not.
#include <stdlib.h>

#include "capture/base/size.h"
#include "capture/movie/snappy.h"
#include "capture/play/play.h"

// What is stored is read in parts of this size, so that several threads copy it [bytes].
#define STORED_PART (1u << 20)

// Offsets of copies to images are multiples of the size of a block [bytes].
#define TEXTURE_ALIGNMENT 16u

static VkFormat format_of(enum weir_hap_texture texture)
{
    switch (texture) {
    case WEIR_HAP_ALPHA_BC4:
        return VK_FORMAT_BC4_UNORM_BLOCK;
    case WEIR_HAP_RGB_BC6H:
        return VK_FORMAT_BC6H_UFLOAT_BLOCK;
    case WEIR_HAP_RGB_BC6H_SIGNED:
        return VK_FORMAT_BC6H_SFLOAT_BLOCK;
    case WEIR_HAP_RGB_BC1:
        return VK_FORMAT_BC1_RGB_UNORM_BLOCK;
    case WEIR_HAP_RGBA_BC7:
        return VK_FORMAT_BC7_UNORM_BLOCK;
    default:
        return VK_FORMAT_BC3_UNORM_BLOCK;
    }
}

uint64_t weir_play_plan_begin(struct play_plan *plan, const struct weir_hap_format *format)
{
    *plan = (struct play_plan){.parts = NULL};
    for (uint32_t i = 0; i < format->codec->num_textures; i++) {
        const enum weir_hap_texture texture = weir_hap_texture_of(format->codec, i);
        const uint64_t size = weir_hap_texture_size(texture, format->width, format->height);
        plan->formats[i] = format_of(texture);
        plan->begins[i + 1] = plan->begins[i] + weir_round_up(size, TEXTURE_ALIGNMENT);
    }
    return plan->begins[format->codec->num_textures];
}

void weir_play_plan_finish(struct play_plan *plan)
{
    free(plan->parts);
    plan->parts = NULL;
}

static bool add_part(struct play_plan *plan, const struct play_part *part)
{
    struct play_part *parts = weir_grow(plan->parts, plan->num, &plan->room, sizeof(*parts));
    if (parts) {
        plan->parts = parts;
        parts[plan->num++] = *part;
    }
    return parts;
}

// Add what a piece of a texture becomes. Without memory the plan has no room.
static bool add_piece(void *user, const struct weir_hap_piece *piece)
{
    struct play_plan *plan = user;
    uint32_t length = (uint32_t)piece->size;
    if (piece->is_snappy &&
        weir_snappy_read_length(plan->view, piece->at, piece->size, &length) == 0) {
        return false;
    }
    // More than Snappy makes of so few bytes is nothing that any program writes.
    if (length > plan->end - plan->filled ||
        (piece->is_snappy && piece->size > weir_snappy_room(length))) {
        return false;
    }
    if (piece->is_snappy) {
        plan->most_packed = (size_t)weir_max(plan->most_packed, piece->size);
    }
    const uint32_t most = piece->is_snappy ? length : STORED_PART;
    for (uint32_t done = 0, size; done < length; done += size) {
        size = (uint32_t)weir_min(length - done, most);
        const struct play_part part = {.is_snappy = piece->is_snappy,
                                       .at = piece->at + done,
                                       .size = piece->is_snappy ? piece->size : size,
                                       .to = plan->filled,
                                       .to_size = size};
        if (!add_part(plan, &part)) {
            plan->room = 0;
            return false;
        }
        plan->filled += size;
    }
    return true;
}

static bool read_texture(struct play_plan *plan, const struct weir_hap_format *format,
                         const struct weir_hap_section_found *texture, uint32_t index)
{
    const enum weir_hap_texture wanted = weir_hap_texture_of(format->codec, index);
    const enum weir_hap_texture type = (enum weir_hap_texture)(texture->type & 0x0f);
    const bool is_right = type == wanted ||
                          (wanted == WEIR_HAP_RGB_BC6H && type == WEIR_HAP_RGB_BC6H_SIGNED);
    plan->formats[index] = format_of(type);
    plan->filled = plan->begins[index];
    plan->end = plan->filled + weir_hap_texture_size(wanted, format->width, format->height);
    return is_right && weir_hap_codec_has(format->codec, texture->type) &&
           weir_hap_pieces_read(plan->view, texture, add_piece, plan) && plan->filled == plan->end;
}

bool weir_play_plan_read(struct play_plan *plan, struct weir_view *view,
                         const struct weir_hap_format *format, const struct weir_piece *piece,
                         enum weir_result *result)
{
    struct weir_hap_frame frame;
    plan->view = view;
    plan->num = 0;
    plan->most_packed = 0;
    plan->bytes = piece->size;
    view->filled = 0; // the file may have grown
    bool is_read = weir_hap_frame_read(view, piece->offset, piece->offset + piece->size, &frame) &&
                   frame.num_textures == format->codec->num_textures;
    for (uint32_t i = 0; is_read && i < frame.num_textures; i++) {
        is_read = read_texture(plan, format, &frame.textures[i], i);
    }
    *result = is_read                          ? WEIR_OK
              : plan->room == 0 && plan->parts ? WEIR_ERROR_OUT_OF_MEMORY
                                               : WEIR_ERROR_DATA;
    if (*result == WEIR_ERROR_OUT_OF_MEMORY) {
        weir_play_plan_finish(plan);
    }
    return is_read;
}

enum weir_result weir_play_part_make(const struct play_part *part,
                                     const struct weir_view_source *source, uint8_t *packed,
                                     uint8_t *out)
{
    uint8_t *const to = out + part->to;
    if (!source->read(source->user, part->at, part->is_snappy ? packed : to, (size_t)part->size)) {
        return WEIR_ERROR_IO;
    }
    return !part->is_snappy || weir_snappy_unpack(packed, (size_t)part->size, to, part->to_size)
               ? WEIR_OK
               : WEIR_ERROR_DATA;
}
