// SPDX-License-Identifier: MIT
// The renderer: records the scene into a command buffer, for an image that it is given.
#ifndef SAMPLE_CAPTURE_RENDERER_H
#define SAMPLE_CAPTURE_RENDERER_H

#include "gpu.h"
#include "passes.h"
#include "pipelines.h"
#include "scene.h"

#define RENDERER_MAX_SLOTS 4

// Frames in flight have a slot each: what the host writes for one while the GPU reads another.
struct renderer {
    const struct gpu *gpu;
    struct passes passes;
    struct pipelines pipelines;
    struct mesh_range meshes[MESH_NUM_KINDS];
    struct gpu_buffer vertices, indices;
    struct scene scene; // set anew for each frame
    struct gpu_buffer
        scenes[RENDERER_MAX_SLOTS]; // the view and the instances, as the shaders read them
    VkDescriptorPool descriptors;
    VkDescriptorSet sets[RENDERER_MAX_SLOTS];
};

// For images of this format, which a frame leaves in `final_layout`.
bool renderer_init(const struct gpu *gpu, VkFormat format, VkImageLayout final_layout,
                   uint32_t num_slots, struct renderer *renderer);
// The GPU must not be using it.
void renderer_finish(struct renderer *renderer);

// What frame `number` shows and where.
struct picture {
    VkFramebuffer framebuffer; // of passes_framebuffer()
    uint64_t number;           // shown by the cells and by the display
    double seconds;
};

// Record a frame. The slot's last frame must have been executed.
void renderer_record(struct renderer *renderer, uint32_t slot, VkCommandBuffer cmd,
                     const struct picture *picture);

#endif
