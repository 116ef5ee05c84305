// SPDX-License-Identifier: MIT
// A stream of frames of one size: the memory in which a layer hands them over, and who has which
// slot of it.
#include "capture/weir/record/recording.h"

#include <stdlib.h>
#include <unistd.h>

#include <weir/blocks.h>
#include <weir/encode.h>

#include "capture/base/size.h"

static struct link_accept make_accept(const struct record_settings *settings,
                                      const struct link_stream *facts)
{
    const struct weir_blocks_layout layout = weir_blocks_get_layout(settings->capture.codec,
                                                                    facts->width, facts->height);
    struct link_accept accept = {
        .stream = facts->stream,
        .num_slots = settings->setup.num_slots,
        .slot_size = weir_round_up(layout.size, LINK_ALIGNMENT),
    };
    for (uint32_t i = 0; i < layout.num_textures; i++) {
        accept.offsets[i] = layout.offsets[i];
        accept.sizes[i] = layout.sizes[i];
    }
    const uint32_t most = settings->setup.preview;
    if (facts->preview_width <= most && facts->preview_height <= most) {
        accept.offsets[LINK_PREVIEW] = layout.size;
        accept.sizes[LINK_PREVIEW] = weir_codec_image_size(WEIR_CODEC_BC1, facts->preview_width,
                                                           facts->preview_height);
        accept.slot_size = weir_round_up(layout.size + accept.sizes[LINK_PREVIEW], LINK_ALIGNMENT);
    }
    return accept;
}

struct record_stream *record_stream_create(const struct record_settings *settings,
                                           const struct link_stream *facts, uint64_t most, int *fd)
{
    const struct link_accept accept = make_accept(settings, facts);
    struct record_stream *stream = calloc(1, sizeof(*stream));
    if (!stream || accept.slot_size == 0 || accept.slot_size > most / accept.num_slots) {
        free(stream);
        return NULL;
    }
    stream->number = facts->stream;
    stream->width = facts->width;
    stream->height = facts->height;
    stream->preview_width = facts->preview_width;
    stream->preview_height = facts->preview_height;
    stream->accept = accept;
    for (uint32_t i = 0; i < accept.num_slots; i++) {
        stream->slots[i].number = i;
    }
    *fd = link_memory_create(&accept);
    stream->memory = *fd >= 0 ? link_memory_map(*fd, &accept) : NULL;
    if (!stream->memory) {
        if (*fd >= 0) {
            close(*fd);
        }
        free(stream);
        return NULL;
    }
    return stream;
}

void record_stream_destroy(struct record_stream *stream)
{
    if (stream) {
        link_memory_unmap(stream->memory, &stream->accept);
        free(stream);
    }
}

uint64_t record_stream_size(const struct record_stream *stream)
{
    return stream->accept.num_slots * stream->accept.slot_size;
}

struct record_slot *record_stream_take(struct record_stream *stream, uint32_t slot)
{
    if (slot >= stream->accept.num_slots ||
        atomic_load(&stream->slots[slot].state) != RECORD_SLOT_FREE) {
        return NULL;
    }
    atomic_store(&stream->slots[slot].state, RECORD_SLOT_USED);
    return &stream->slots[slot];
}

uint8_t *record_stream_data(const struct record_stream *stream, const struct record_slot *slot)
{
    return stream->memory + slot->number * stream->accept.slot_size;
}

void record_slot_release(struct record_slot *slot)
{
    atomic_store(&slot->state, RECORD_SLOT_DONE);
}

struct record_slot *record_stream_next_done(struct record_stream *stream)
{
    for (uint32_t i = 0; i < stream->accept.num_slots; i++) {
        int done = RECORD_SLOT_DONE;
        if (atomic_compare_exchange_strong(&stream->slots[i].state, &done, RECORD_SLOT_FREE)) {
            return &stream->slots[i];
        }
    }
    return NULL;
}

bool record_stream_is_idle(const struct record_stream *stream)
{
    for (uint32_t i = 0; i < stream->accept.num_slots; i++) {
        if (atomic_load(&stream->slots[i].state) == RECORD_SLOT_USED) {
            return false;
        }
    }
    return true;
}
