// SPDX-License-Identifier: MIT
// Movies of frames that are blocks already: where their textures lie, opening one, and its frames.
#include <weir/blocks.h>

#include "capture/base/size.h"
#include "capture/stream/packet/packet.h"
#include "capture/stream/state.h"

enum { ALIGNMENT = 16, MAX_SIDE = 65535 };

static uint64_t headroom(void)
{
    return weir_round_up(WEIR_PACKET_HEADROOM, ALIGNMENT);
}

struct weir_blocks_layout weir_blocks_get_layout(enum weir_movie_codec codec, uint32_t width,
                                                 uint32_t height)
{
    const struct weir_movie_codec_info *info = weir_movie_codec_get_info(codec);
    struct weir_blocks_layout layout = {.num_textures = 0};
    if (!info || width < 1 || width > MAX_SIDE || height < 1 || height > MAX_SIDE) {
        return layout;
    }
    layout.num_textures = info->num_textures;
    uint64_t end = headroom();
    for (uint32_t i = 0; i < info->num_textures; i++) {
        layout.offsets[i] = end;
        layout.sizes[i] = weir_codec_image_size(info->textures[i], width, height);
        end += layout.sizes[i] + (i == 0 ? weir_packet_gap(codec, width, height) : 0);
    }
    layout.size = weir_round_up(end, ALIGNMENT);
    return layout;
}

static enum weir_result require(const struct weir_log *log, const char *what)
{
    return weir_fail(log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_NULL_ARGUMENT,
                     "weir_capture_open_blocks: %s is required", what);
}

// Refuse what is for frames that are yet to be encoded.
static enum weir_result check_unused(const struct weir_log *log,
                                     const struct weir_capture_params *params)
{
    const struct {
        const char *what;
        bool is_set;
    } unused[] = {
        {"like", params->like != NULL},
        {"on_resize", (int)params->on_resize != 0},
        {"encoding.decoder", (int)params->encoding.decoder != 0},
        {"encoding.effort", (int)params->encoding.effort != 0},
        {"encoding.steady", params->encoding.steady},
        {"rate.quality", params->rate.quality != 0},
        {"rate.bytes_per_second", params->rate.bytes_per_second != 0},
        {"encoding.no_dither", params->encoding.no_dither},
        {"rate.packing GPU", params->rate.packing == WEIR_PACKING_GPU},
        {"preview.show", params->preview.show != NULL},
    };
    for (size_t i = 0; i < sizeof(unused) / sizeof(unused[0]); i++) {
        if (unused[i].is_set) {
            return weir_fail(log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                             "weir_capture_params.%s is not for frames of blocks, which are "
                             "encoded already; leave it out",
                             unused[i].what);
        }
    }
    return WEIR_OK;
}

enum weir_result weir_capture_open_blocks(const struct weir_blocks_params *blocks,
                                          const struct weir_capture_params *params,
                                          weir_capture **out)
{
    if (out) {
        *out = NULL;
    }
    if (!blocks) {
        return WEIR_ERROR_INVALID;
    }
    if (!params || !out) {
        return require(&blocks->log, params ? "out" : "params");
    }
    if (!blocks->release) {
        return require(&blocks->log, "release");
    }
    if (blocks->width == 0 || blocks->height == 0) {
        return weir_fail(&blocks->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                         "weir_blocks_params.%s is 0; it must be 1 to %d",
                         blocks->width == 0 ? "width" : "height", MAX_SIDE);
    }
    WEIR_TRY(check_unused(&blocks->log, params));
    const struct weir_capture_origin origin = {
        .blocks = blocks,
        .log = blocks->log,
        .format = {.width = blocks->width, .height = blocks->height},
    };
    return weir_capture_open_at(&origin, params, out);
}

// There is nothing to wait for: the blocks are in memory.
static enum weir_result wait_for_slot(void *user, uint32_t slot, uint64_t timeout_ns,
                                      struct weir_readback_data *data)
{
    const struct weir_block_slots *slots = user;
    (void)timeout_ns;
    *data = (struct weir_readback_data){.data = slots->slots[slot].textures};
    return WEIR_OK;
}

static void release_slot(void *user, uint32_t slot)
{
    const struct weir_block_slots *slots = user;
    slots->release(slots->user, slots->slots[slot].owner);
}

struct weir_slot_source weir_block_slots_source(struct weir_block_slots *slots)
{
    return (struct weir_slot_source){.wait = wait_for_slot, .release = release_slot, .user = slots};
}

// The next slot is free: the writer gives slots back in their order, each before its room in the
// ring, and there is one slot more than the ring has room for.
void weir_submit_blocks(weir_capture *capture, const struct weir_submission *submission,
                        struct weir_ring_item *item)
{
    struct weir_block_slots *slots = &capture->slots;
    const struct weir_blocks *blocks = submission->blocks;
    slots->slots[slots->next] = (struct weir_block_slot){.textures = blocks->data + headroom(),
                                                         .owner = blocks->owner};
    item->encoding = capture->encodings.current;
    item->slot = slots->next;
    item->is_submitted = true;
    item->is_encoded = true;
    slots->next = (slots->next + 1) % slots->num;
}

// Check the frame itself, and, where one movie has to go on, that it has the size of those before.
static enum weir_result check_blocks(const weir_capture *capture, const struct weir_blocks *blocks)
{
    if (blocks->width == 0 || blocks->height == 0) {
        return weir_fail(&capture->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_FRAME_SIZE,
                         "weir_capture_blocks: a frame of %ux%u; its sides are 1 to %d",
                         blocks->width, blocks->height, MAX_SIDE);
    }
    if ((uintptr_t)blocks->data % ALIGNMENT != 0) {
        return weir_fail(&capture->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                         "weir_blocks.data is not aligned to %d bytes", ALIGNMENT);
    }
    const struct weir_frame_format format = {.width = blocks->width, .height = blocks->height};
    return capture->params.segments.enable ? WEIR_OK : weir_submit_check_size(capture, &format);
}

enum weir_result weir_capture_blocks(weir_capture *capture, const struct weir_blocks *blocks)
{
    if (!capture) {
        return WEIR_ERROR_INVALID;
    }
    if (!blocks) {
        return weir_fail(&capture->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_NULL_ARGUMENT,
                         "weir_capture_blocks: blocks is required");
    }
    if (capture->context) {
        return weir_fail(&capture->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_FORMAT_MISMATCH,
                         "weir_capture_blocks: this is a capture of rendered frames; open it by "
                         "weir_capture_open_blocks()");
    }
    weir_submit_begin(capture);
    WEIR_TRY(check_blocks(capture, blocks));
    const struct weir_submission submission = {
        .format = {.width = blocks->width, .height = blocks->height},
        .time_ns = blocks->time_ns,
        .blocks = blocks,
    };
    return weir_submit(capture, &submission);
}
