// SPDX-License-Identifier: MIT
// The kinds of frames: what frames of one size and format take, of which a capture with segments
// may have several, one after the other.
#include "capture/stream/kind.h"

#include <stdlib.h>

#include "capture/base/size.h"

static enum weir_result wait_for_readback(void *user, uint32_t slot, uint64_t timeout_ns,
                                          struct weir_readback_data *data)
{
    return weir_readback_wait(user, slot, timeout_ns, data);
}

static void release_readback(void *user, uint32_t slot)
{
    weir_readback_release(user, slot);
}

bool weir_kinds_takes(const struct weir_kinds *kinds, const weir_image *image)
{
    const struct weir_kind *kind = kinds->current;
    const struct weir_image_params params = weir_image_get_params(image);
    return params.width == kind->width && params.height == kind->height &&
           weir_textures_read(&kind->textures, image);
}

// Get the size of a frame of that kind [bytes].
static uint64_t frame_size(const struct weir_kinds *kinds, const struct weir_kind *kind)
{
    return weir_movie_codec_frame_size(kinds->params.codec, kind->width, kind->height);
}

static struct weir_packer_params packer_params(const struct weir_kinds *kinds,
                                               const struct weir_kind *kind)
{
    const struct weir_capture_params *params = &kinds->params;
    return (struct weir_packer_params){
        .codec = params->codec,
        .width = kind->width,
        .height = kind->height,
        .snappy = params->compression == WEIR_COMPRESSION_SNAPPY,
        .may_change = params->policy == WEIR_POLICY_DEGRADE,
        .is_rdo = kind->textures.rdos[0] != NULL,
        .is_packed = kind->is_packed,
        .num_chunks = params->num_chunks,
    };
}

// Make the packers of the GPU, where that is to pack.
static enum weir_result make_packers(const struct weir_kinds *kinds, struct weir_kind *kind,
                                     const char *tag)
{
    struct weir_packer_params params = packer_params(kinds, kind);
    const struct weir_packet_plan plan = weir_packet_plan(&params);
    kind->is_packed = weir_packers_are_wanted(kinds->context, &kinds->params, &plan);
    return kind->is_packed ? weir_packers_init(&kind->packers, kinds->context, &plan, tag)
                           : WEIR_OK;
}

static enum weir_result make_readback(const struct weir_kinds *kinds, struct weir_kind *kind,
                                      const char *tag)
{
    const struct weir_capture_params *params = &kinds->params;
    const struct weir_textures *textures = &kind->textures;
    struct weir_readback_params readback = {
        .debug_tag = tag,
        .size = frame_size(kinds, kind),
        // One more than are in flight: the writer keeps the last frame, to repeat it.
        .num_slots = params->num_slots + params->constant_rate,
        .headroom = kind->is_packed ? WEIR_PACKET_PACKED_HEADROOM : WEIR_PACKET_HEADROOM,
        .history_size = textures->history_size,
        .control_size = weir_controls_offset(&textures->controls, textures->controls.num),
        .timeline_of = kinds->current ? kinds->current->readback : NULL,
    };
    if (kind->is_packed) {
        readback.direct_size = kind->packers.plan.size;
    } else {
        readback.first_size = textures->num > 1 ? textures->sizes[0] : 0;
        readback.gap = weir_packet_gap(params->codec, kind->width, kind->height);
    }
    return weir_readback_create(kinds->context, &readback, &kind->readback);
}

static enum weir_result make_gpu(const struct weir_kinds *kinds, struct weir_kind *kind,
                                 const weir_image *like, const char *tag)
{
    struct weir_capture_params params = kinds->params;
    params.like = like;
    enum weir_result result = weir_textures_init(&kind->textures, kinds->context, &params, tag);
    if (result == WEIR_OK) {
        result = make_packers(kinds, kind, tag);
    }
    return result == WEIR_OK ? make_readback(kinds, kind, tag) : result;
}

static enum weir_result make_packer(const struct weir_kinds *kinds, struct weir_kind *kind)
{
    const struct weir_packer_params params = packer_params(kinds, kind);
    return weir_packer_create(&params, kinds->log, &kind->writer.packer);
}

enum weir_result weir_cmd_kind(const struct weir_kind *kind, const struct weir_slot *slot,
                               const weir_image *image)
{
    const weir_buffer *buffer = weir_slot_buffer(kind->readback, slot);
    const weir_buffer *history = weir_readback_history(kind->readback);
    const struct weir_slot_control control = weir_slot_get_control(kind->readback, slot->index);
    const enum weir_result result = weir_cmd_textures(&kind->textures, slot->cmd, image, buffer,
                                                      history, control.buffer);
    return result == WEIR_OK && kind->is_packed
               ? weir_cmd_packers(&kind->packers, slot->tail, buffer,
                                  weir_slot_result(kind->readback, slot))
               : result;
}

static void destroy(struct weir_kind *kind)
{
    weir_packer_destroy(&kind->writer.packer);
    weir_readback_destroy(&kind->readback); // first: it waits for the GPU
    weir_packers_finish(&kind->packers);
    weir_textures_finish(&kind->textures);
    free(kind);
}

static enum weir_result make(const struct weir_kinds *kinds, struct weir_kind *kind,
                             const weir_image *like, const char *tag)
{
    const struct weir_image_params image = weir_image_get_params(like);
    const bool pads = kinds->params.pad;
    kind->width = image.width;
    kind->height = image.height;
    enum weir_result result = make_gpu(kinds, kind, like, tag);
    if (result == WEIR_OK) {
        result = make_packer(kinds, kind);
    }
    kind->writer.source = (struct weir_writer_source){
        .wait = wait_for_readback, .release = release_readback, .user = kind->readback};
    kind->writer.controls = kind->textures.controls;
    kind->writer.movie = (struct weir_mux_kind){
        .number = kinds->num,
        .width = pads ? (uint32_t)weir_round_up(image.width, 4) : image.width,
        .height = pads ? (uint32_t)weir_round_up(image.height, 4) : image.height,
        .nominal_size = (uint32_t)frame_size(kinds, kind),
    };
    return result;
}

enum weir_result weir_kinds_change(struct weir_kinds *kinds, const weir_image *image,
                                   const char *tag)
{
    struct weir_kind *kind = calloc(1, sizeof(*kind));
    if (!kind) {
        weir_log_printf(kinds->log, WEIR_LOG_ERROR, WEIR_LOG_CODE_OUT_OF_MEMORY,
                        "no memory for frames of another kind");
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    const enum weir_result result = make(kinds, kind, image, tag);
    if (result != WEIR_OK) {
        destroy(kind);
        return result;
    }
    kinds->num++;
    if (kinds->current) {
        kinds->current->next = kinds->old;
        kinds->old = kinds->current;
    }
    kinds->current = kind;
    return WEIR_OK;
}

void weir_kinds_set_snappy(struct weir_kinds *kinds, bool snappy)
{
    kinds->params.compression = snappy ? WEIR_COMPRESSION_SNAPPY : WEIR_COMPRESSION_NONE;
    weir_packer_set_snappy(kinds->current->writer.packer, snappy);
}

void weir_kinds_sweep(struct weir_kinds *kinds)
{
    for (struct weir_kind **at = &kinds->old; *at;) {
        struct weir_kind *kind = *at;
        if (atomic_load_explicit(&kind->writer.num_in_flight, memory_order_acquire) == 0 &&
            weir_readback_is_idle(kind->readback)) {
            *at = kind->next;
            destroy(kind);
        } else {
            at = &kind->next;
        }
    }
}

void weir_kinds_finish(struct weir_kinds *kinds)
{
    while (kinds->old) {
        struct weir_kind *kind = kinds->old;
        kinds->old = kind->next;
        destroy(kind);
    }
    if (kinds->current) {
        destroy(kinds->current);
        kinds->current = NULL;
    }
}
