// SPDX-License-Identifier: MIT
// Records the frames of a palette that follows from frame to frame.
#ifndef WEIR_PALETTE_LIVE_H
#define WEIR_PALETTE_LIVE_H

#include "palette/dispatch.h"

// Make the tables of nearest colours. Finish it in every case; a zeroed one may be finished.
enum weir_result weir_palette_live_init(weir_context *context, const char *tag,
                                        struct weir_palette_live *live);
void weir_palette_live_finish(weir_context *context, struct weir_palette_live *live);

// True if a run goes on with the colours of the run before it.
bool weir_palette_follows(const weir_palette *palette, const struct weir_palette_start *start);

// Record the mapping of the frame whose colours were found, and what the next frames begin with.
void weir_palette_record_live_first(weir_palette *palette, VkCommandBuffer cmd,
                                    struct weir_palette_images images);

// Record the mapping of a frame that follows, and its share of moving the colours.
void weir_palette_record_live(weir_palette *palette, VkCommandBuffer cmd,
                              struct weir_palette_images images);

// Sort colours, and leave out those that are there twice. Returns how many are left.
uint32_t weir_palette_sort_colors(uint32_t num, uint32_t *colors);

#endif
