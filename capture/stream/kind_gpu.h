// SPDX-License-Identifier: MIT
// The GPU's half of a kind of frames: what encodes them, packs them and brings them to the host.
#ifndef WEIR_CAPTURE_STREAM_KIND_GPU_H
#define WEIR_CAPTURE_STREAM_KIND_GPU_H

#include <stdbool.h>

#include <weir/capture.h>
#include <weir/readback.h>

#include "capture/stream/packers.h"
#include "capture/stream/packet/packet.h"
#include "capture/stream/textures.h"

struct weir_kind_gpu {
    struct weir_textures textures;
    struct weir_packers packers; // none: the processor packs
    bool is_packed;              // the GPU packs
    weir_readback *readback;     // NULL: frames do not come from the GPU
};

struct weir_kind_gpu_params {
    weir_context *context;
    const struct weir_capture_params *capture; // whose `like` is not read
    const weir_image *like;
    const char *tag;            // names Vulkan objects, or is NULL
    weir_readback *timeline_of; // a readback whose timeline is used; NULL: one of its own
};

// Make it. Of `packer` is_rdo and is_packed are set, and the rest is read. Finish it in every case.
// Errors: those of weir_encoder_create(), weir_snappy_create() and weir_readback_create().
enum weir_result weir_kind_gpu_init(struct weir_kind_gpu *gpu,
                                    const struct weir_kind_gpu_params *params,
                                    struct weir_packer_params *packer);
void weir_kind_gpu_finish(struct weir_kind_gpu *gpu);

// Record what makes a frame of an image into the result of a slot: encoders, optimiser, packers.
enum weir_result weir_cmd_kind(const struct weir_kind_gpu *gpu, const struct weir_slot *slot,
                               const weir_image *image);

#endif
