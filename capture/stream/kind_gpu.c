// SPDX-License-Identifier: MIT
// The GPU's half of a kind of frames: what encodes them, packs them and brings them to the host.
#include "capture/stream/kind_gpu.h"

// Make the packers of the GPU, where that is to pack.
static enum weir_result make_packers(struct weir_kind_gpu *gpu,
                                     const struct weir_kind_gpu_params *params,
                                     struct weir_packer_params *packer)
{
    const struct weir_packet_plan plan = weir_packet_plan(packer);
    gpu->is_packed = weir_packers_are_wanted(params->context, params->capture, &plan);
    packer->is_packed = gpu->is_packed;
    return gpu->is_packed ? weir_packers_init(&gpu->packers, params->context, &plan, params->tag)
                          : WEIR_OK;
}

static enum weir_result make_readback(struct weir_kind_gpu *gpu,
                                      const struct weir_kind_gpu_params *params,
                                      const struct weir_packer_params *packer)
{
    const struct weir_textures *textures = &gpu->textures;
    struct weir_readback_params readback = {
        .debug_tag = params->tag,
        .size = weir_movie_codec_frame_size(packer->codec, packer->width, packer->height),
        // One more than are in flight: the writer keeps the last frame, to repeat it.
        .num_slots = params->capture->num_slots + params->capture->timing.constant_rate,
        .headroom = gpu->is_packed ? WEIR_PACKET_PACKED_HEADROOM : WEIR_PACKET_HEADROOM,
        .history_size = textures->history_size,
        .control_size = weir_controls_offset(&textures->controls, textures->controls.num),
        .timeline_of = params->timeline_of,
    };
    if (gpu->is_packed) {
        readback.direct_size = gpu->packers.plan.size;
    } else {
        readback.first_size = textures->num > 1 ? textures->sizes[0] : 0;
        readback.gap = weir_packet_gap(packer->codec, packer->width, packer->height);
    }
    return weir_readback_create(params->context, &readback, &gpu->readback);
}

enum weir_result weir_kind_gpu_init(struct weir_kind_gpu *gpu,
                                    const struct weir_kind_gpu_params *params,
                                    struct weir_packer_params *packer)
{
    struct weir_capture_params capture = *params->capture;
    capture.like = params->like;
    enum weir_result result = weir_textures_init(&gpu->textures, params->context, &capture,
                                                 params->tag);
    packer->is_rdo = gpu->textures.rdos[0] != NULL;
    if (result == WEIR_OK) {
        result = make_packers(gpu, params, packer);
    }
    return result == WEIR_OK ? make_readback(gpu, params, packer) : result;
}

void weir_kind_gpu_finish(struct weir_kind_gpu *gpu)
{
    weir_readback_destroy(&gpu->readback); // first: it waits for the GPU
    weir_packers_finish(&gpu->packers);
    weir_textures_finish(&gpu->textures);
}

enum weir_result weir_cmd_kind(const struct weir_kind_gpu *gpu, const struct weir_slot *slot,
                               const weir_image *image)
{
    const weir_buffer *buffer = weir_slot_buffer(gpu->readback, slot);
    const weir_buffer *history = weir_readback_history(gpu->readback);
    const struct weir_slot_control control = weir_slot_get_control(gpu->readback, slot->index);
    const enum weir_result result = weir_cmd_textures(&gpu->textures, slot->cmd, image, buffer,
                                                      history, control.buffer);
    return result == WEIR_OK && gpu->is_packed
               ? weir_cmd_packers(&gpu->packers, slot->tail, buffer,
                                  weir_slot_result(gpu->readback, slot))
               : result;
}
