// SPDX-License-Identifier: MIT
// shaders/palette_copy.comp: an image copied by a kernel, in a few forms.
#ifndef WEIR_TESTS_BENCH_PALETTE_COPY_H
#define WEIR_TESTS_BENCH_PALETTE_COPY_H

#include "capture/weir/gpu/compute.h"
#include "capture/weir/gpu/gpu.h"

enum { BENCH_PALETTE_NUM_COPY_FORMS = 3 };

struct bench_palette_copy {
    struct cli_gpu *gpu;
    struct cli_layout layout;
    VkPipeline forms[BENCH_PALETTE_NUM_COPY_FORMS];
    VkImageView views[2]; // of source and target
    VkDescriptorPool pool;
    VkDescriptorSet set;
    uint32_t width, height;
};

// From `source`, in SHADER_READ_ONLY_OPTIMAL, to `target`, in GENERAL, of the same size. Finish it
// in every case.
enum weir_result bench_palette_copy_init(struct bench_palette_copy *copy, struct cli_gpu *gpu,
                                         const struct cli_image *source,
                                         const struct cli_image *target);
void bench_palette_copy_finish(struct bench_palette_copy *copy);

void bench_palette_copy_record(const struct bench_palette_copy *copy, uint32_t form,
                               VkCommandBuffer commands);

#endif
