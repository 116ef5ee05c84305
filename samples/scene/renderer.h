// SPDX-License-Identifier: MIT
// The renderer: records the scene into a command buffer, for an image that it is given.
#pragma once

#include "graphics.h"
#include "pass.h"
#include "sample.h"
#include "scene.h"
#include "screen.h"

#define SHADOW_SIDE 1536

enum pipeline_kind {
    PIPELINE_SHADOW,
    PIPELINE_SKY,
    PIPELINE_FLOOR,                                           // blended over the mirrored objects
    PIPELINE_OBJECTS,                                         // and one more for each pattern
    PIPELINE_MIRRORED = PIPELINE_OBJECTS + PATTERN_NUM_KINDS, // their images in the floor
    PIPELINE_NUM_KINDS = PIPELINE_MIRRORED + PATTERN_NUM_KINDS,
};

struct renderer_params {
    struct sample_images images; // the images to which it draws
    struct scene_light light;
    bool keeps_depth; // shaders read the picture's depth from `depth_texture`
    // The floor mirrors nothing, and alpha is 1 less the share of what it is to mirror. Else the
    // scene is drawn upside down below the floor.
    bool bare_floor;
};

// A renderer of the scene. Each frame in flight has a slot, whose data the host writes while the
// GPU reads that of another slot.
struct renderer {
    struct gpu *gpu;
    struct renderer_params params;
    VkFormat depth_format;
    VkSampleCountFlagBits samples;
    struct pass pass; // 0: the shadow map, 1: the view, 2: the instances
    VkPipeline pipelines[PIPELINE_NUM_KINDS];
    struct mesh_range meshes[MESH_NUM_KINDS];
    struct weir_gpu_buffer vertices, indices;
    struct scene scene; // set anew for each frame
    // As the shaders read them.
    struct weir_gpu_buffer views[SAMPLE_MAX_SLOTS], instances[SAMPLE_MAX_SLOTS];
    struct gpu_image shadow_map;

    uint32_t width, height; // size of the attachments below; 0 before renderer_resize()
    struct gpu_image depth, color;
    struct gpu_image depth_texture; // with params.keeps_depth; DEPTH_STENCIL_READ_ONLY_OPTIMAL
    struct rendering picture;       // that renderer_record() has begun
};

// Make a renderer, which the device owns. The picture has four samples, or one if the device cannot
// have four.
bool renderer_init(struct gpu *gpu, const struct renderer_params *params,
                   struct renderer *renderer);
// Make the attachments for pictures of this size; those of another size were released.
bool renderer_resize(struct renderer *renderer, uint32_t width, uint32_t height);

// Record a frame to an image of the size of renderer_resize(). renderer_end() follows; between them
// a caller may draw over the picture.
void renderer_record(struct renderer *renderer, VkCommandBuffer cmd, const struct gpu_image *image,
                     const struct picture *picture);
void renderer_end(const struct renderer *renderer, VkCommandBuffer cmd);

// ---- The scene's light as an image that effects read, and the last pass, which shows it.

#define HDR_FORMAT VK_FORMAT_R16G16B16A16_SFLOAT

struct hdr {
    struct renderer renderer; // draws to `light`, and keeps the depth
    struct gpu_image light;   // without an upper bound, in VK_IMAGE_LAYOUT_GENERAL
    struct screen screen;
};

bool hdr_init(struct gpu *gpu, const struct sample_images *images, struct scene_light light,
              bool bare_floor, struct hdr *hdr);
// `usage` is what the light needs beside being an attachment and being sampled.
bool hdr_resize(struct hdr *hdr, VkImageUsageFlags usage, uint32_t width, uint32_t height);

// Record the scene. Compute shaders can read its light and depth then.
void hdr_record(struct hdr *hdr, VkCommandBuffer cmd, const struct picture *picture);

// What an effect adds to the light. The images may have any size and are in
// VK_IMAGE_LAYOUT_GENERAL.
struct hdr_effect {
    VkImageView added; // times `strength`; with 0 it is not read
    VkImageView stops; // one texel: the exposure that adapts [stops]; null: there is none
    float strength;
    float exposure; // [stops]
};
// Record the last pass: the light and what is added, exposed and developed into the picture's
// image.
void hdr_show(const struct hdr *hdr, VkCommandBuffer cmd, const struct picture *picture,
              const struct hdr_effect *effect);
