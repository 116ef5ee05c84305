// SPDX-License-Identifier: MIT
// A picture that has all colours, each once: 64 steps a channel, as a palette with `table` counts.
#ifndef SAMPLE_CUBE_H
#define SAMPLE_CUBE_H

#include "gpu.h"

#define CUBE_NUM_COLORS (64 * 64 * 64)

struct cube {
    const struct gpu *gpu;
    struct weir_gpu_buffer texels;
    struct gpu_image picture; // of the scene's format, so that one palette can count both
};

bool cube_init(const struct gpu *gpu, VkFormat format, struct cube *cube);
// The GPU must not be using it.
void cube_finish(struct cube *cube);

// Record the writing of the picture, which compute shaders can then read in
// SHADER_READ_ONLY_OPTIMAL.
void cube_record(const struct cube *cube, VkCommandBuffer cmd);

#endif
