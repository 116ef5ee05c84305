// SPDX-License-Identifier: MIT
// Images with levels: filled with known texels and poison, and read back.
#pragma once

#include <weir/pyramid.h>

#include "tests/gpu/harness.h"
#include "tests/ref/pyramid.h"
#include "tests/ref/pyramid_content.h"

// One image, or a batch of images alike, with all its levels, and what is made of it.
struct pyramid_case {
    enum weir_pyramid_method method;
    enum weir_pyramid_reduction reduction;
    VkFormat format;
    VkFormat source_format; // 0: none
    bool source_above;      // the source is the level above first_level, not a copy of it,
    bool source_is_even;    // and both of its sides are even; else one is odd, or both
    uint32_t width, height; // size of level 0 [texels]
    uint32_t layers, levels, first_level, last_level; // 0 = default
    uint32_t num_images;                              // 0 = 1
    enum ref_pyramid_content content;
    bool is_fast, is_exact; // the precision; neither: NEAREST
    bool is_mutable;        // the input allows views of words
    bool no_subgroups;
    bool is_sampled;  // is_fast, on a device whose sampler is not exact
    uint32_t repeats; // run again with every level poisoned before, 0 = once
};

enum { PYRAMID_MAX_IMAGES = 8, PYRAMID_POISON = 0xa5 };

// Memory of images. One set of images of any size at a time lies in it; it grows as they need.
struct pyramid_memory {
    struct harness *harness;
    struct {
        VkDeviceMemory memory;
        uint64_t size;
        uint32_t types; // memory types that the last images allowed
    } levels, sources;
    struct weir_gpu_buffer staging;
};
void pyramid_memory_finish(struct pyramid_memory *memory);

// The images of one case, and their texels in staging memory.
struct pyramid_images {
    struct pyramid_memory *memory;
    struct ref_pyramid ref; // the reference's params of each image, resolved
    bool has_words;         // the last target reads the inputs as words
    uint32_t num_images;
    VkImage levels[PYRAMID_MAX_IMAGES], sources[PYRAMID_MAX_IMAGES];
    size_t size, source_size;                 // size of one image's texels in staging [bytes]
    uint64_t upload, source_upload, download; // starts of the first image's texels [bytes]
    uint64_t poison; // start of texels without the input, for a case with repeats [bytes]
};

// Make images for a pyramid of the case's kind. Their texels are drawn from `seed`, or are those of
// `input`: of level first_level or the source, one image after the other, without padding.
void pyramid_images_init(struct pyramid_memory *memory, const struct pyramid_case *c,
                         const weir_pyramid *pyramid, uint64_t seed, const void *input,
                         struct pyramid_images *out);
void pyramid_images_finish(struct pyramid_images *images);

// Make a target for the images. Levels at which its dispatches end are rounded: this is set in the
// reference of `images`.
enum weir_result pyramid_images_create_target(struct pyramid_images *images,
                                              const struct pyramid_case *c,
                                              const weir_pyramid *pyramid,
                                              weir_pyramid_target **out);

// Record commands: fill every level but the input with poison, run `target`, and copy every level
// to staging memory. The commands may be submitted again and again. If the case has repeats, a run
// on poison comes first, so that it leaves wrong data in scratch memory.
VkCommandBuffer pyramid_images_record(const struct pyramid_images *images, VkCommandPool pool,
                                      const weir_pyramid_target *target);
// Record the parts of these commands.
void pyramid_images_cmd_poison(const struct pyramid_images *images, VkCommandBuffer cmd);
void pyramid_images_cmd_upload(const struct pyramid_images *images, VkCommandBuffer cmd);
void pyramid_images_cmd_download(const struct pyramid_images *images, VkCommandBuffer cmd);

// Get the texels that were uploaded or downloaded. Levels are laid out as by ref_pyramid_offset().
uint8_t *pyramid_images_uploaded(const struct pyramid_images *images, uint32_t image);
uint8_t *pyramid_images_downloaded(const struct pyramid_images *images, uint32_t image);
// Get one layer of a downloaded level.
const uint8_t *pyramid_images_level(const struct pyramid_images *images, uint32_t image,
                                    uint32_t level, uint32_t layer);
const uint8_t *pyramid_images_source(const struct pyramid_images *images, uint32_t image);
