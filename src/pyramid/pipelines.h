// SPDX-License-Identifier: MIT
// The pipelines of a pyramid, each compiled when the first target needs it.
#ifndef WEIR_PYRAMID_PIPELINES_H
#define WEIR_PYRAMID_PIPELINES_H

#include "pyramid/pyramid.h"

// The number of channels, 1 to 4, of the values that kernels make levels of. One channel takes 4
// bytes of scratch memory, two take 8, and more take 16.
uint32_t weir_pyramid_num_channels(const weir_pyramid *pyramid);

// Get the method of a target: that of the pyramid, or the one that AUTO chooses for the size.
enum weir_pyramid_method weir_pyramid_method_of(const weir_pyramid *pyramid,
                                                const struct weir_pyramid_geometry *geometry,
                                                uint32_t num_layers);

// True if the first step of a plan reads the input as words: weir_pyramid_words_of().
bool weir_pyramid_reads_words(const weir_pyramid *pyramid,
                              const struct weir_pyramid_geometry *geometry,
                              const struct weir_pyramid_plan *plan);

// Make the table of pipelines, and with a kernel of the user's all that targets may need: its code
// is the user's after weir_pyramid_create().
enum weir_result weir_pyramid_pipelines_init(weir_pyramid *pyramid);
void weir_pyramid_pipelines_finish(weir_pyramid *pyramid);

// Get the pipeline of a step, not of KERNEL_BLIT. It is compiled unless it is there, and lives as
// long as the pyramid. Thread-safe.
enum weir_result weir_pyramid_pipeline_of(const weir_pyramid *pyramid,
                                          const struct weir_pyramid_geometry *geometry,
                                          const struct weir_pyramid_plan *plan, uint32_t step,
                                          const struct weir_vk_pipeline **out);

#endif
