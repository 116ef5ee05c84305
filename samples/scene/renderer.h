// SPDX-License-Identifier: MIT
// The renderer: records the scene into a command buffer, for an image that it is given.
#ifndef SAMPLE_RENDERER_H
#define SAMPLE_RENDERER_H

#include "gpu.h"
#include "passes.h"
#include "picture.h"
#include "pipelines.h"
#include "scene.h"

#define RENDERER_MAX_SLOTS 4

// A renderer of the scene. Each frame in flight has a slot, whose data the host writes while the
// GPU reads that of another slot.
struct renderer {
    const struct gpu *gpu;
    struct passes passes;
    struct pipelines pipelines;
    struct mesh_range meshes[MESH_NUM_KINDS];
    struct weir_gpu_buffer vertices, indices;
    struct scene scene; // set anew for each frame
    // As the shaders read them.
    struct weir_gpu_buffer views[RENDERER_MAX_SLOTS], instances[RENDERER_MAX_SLOTS];
    VkDescriptorSet sets[RENDERER_MAX_SLOTS];
};

struct renderer_params {
    struct passes_params passes; // the images to which it draws
    struct scene_light light;
    uint32_t num_slots; // 1 .. RENDERER_MAX_SLOTS
};
bool renderer_init(const struct gpu *gpu, const struct renderer_params *params,
                   struct renderer *renderer);
// The GPU must not be using the renderer.
void renderer_finish(struct renderer *renderer);

// Record a frame, on a framebuffer of passes_framebuffer(). The slot's last frame must have been
// executed. Leaves the picture's render pass open, for a caller who draws over it and ends it.
void renderer_record(struct renderer *renderer, uint32_t slot, VkCommandBuffer cmd,
                     const struct picture *picture);

#endif
