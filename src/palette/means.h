// SPDX-License-Identifier: MIT
// Records what k-means does between counting and mapping.
#ifndef WEIR_PALETTE_MEANS_H
#define WEIR_PALETTE_MEANS_H

#include "palette/palette.h"

// The passes that end k-means with any colours, unless few of them can be told apart.
uint32_t weir_palette_means_num_passes(const struct weir_palette_start *start);

// The most rare colours that are kept.
uint32_t weir_palette_means_max_kept(const struct weir_palette_start *start);

void weir_palette_record_means_start(const weir_palette *palette, VkCommandBuffer cmd);
void weir_palette_record_means_passes(const weir_palette *palette, VkCommandBuffer cmd,
                                      uint32_t num_passes);
void weir_palette_record_means_finish(const weir_palette *palette, VkCommandBuffer cmd);

#endif
