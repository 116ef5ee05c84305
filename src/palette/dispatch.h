// SPDX-License-Identifier: MIT
// Records the dispatches of a palette reduction, and the barriers between them.
#ifndef WEIR_PALETTE_DISPATCH_H
#define WEIR_PALETTE_DISPATCH_H

#include "palette/palette.h"

// What a dispatch is bound to beside the memory: images, and a table of nearest colours. NULL sets
// are not bound.
struct weir_palette_images {
    VkDescriptorSet source, output, nearest;
    uint32_t width, height;
};

// Get the number of workgroups of a kernel over colours, points, cells or slots.
uint32_t weir_palette_num_groups(const weir_palette *palette);

// Record a barrier between what uses the memory of the reduction.
void weir_palette_record_barrier(const weir_palette *palette, VkCommandBuffer cmd);

// Record the filling of a part of a buffer with 0.
void weir_palette_record_fill(const weir_palette *palette, VkCommandBuffer cmd, uint32_t binding,
                              uint64_t offset, uint64_t size);

// Record a dispatch beside what was recorded since the last barrier.
void weir_palette_record_beside(const weir_palette *palette, VkCommandBuffer cmd,
                                enum weir_palette_kernel kernel,
                                const struct weir_palette_push *push,
                                const struct weir_palette_images *images, uint32_t groups_x,
                                uint32_t groups_y);

// Record a barrier, and a dispatch that uses the memory alone.
void weir_palette_record_dispatch(const weir_palette *palette, VkCommandBuffer cmd,
                                  enum weir_palette_kernel kernel,
                                  const struct weir_palette_push *push, uint32_t num_groups);

// Record a barrier, and a dispatch over the pixels of an image.
void weir_palette_record_pixels(const weir_palette *palette, VkCommandBuffer cmd,
                                enum weir_palette_kernel kernel,
                                const struct weir_palette_images *images);

// Record a barrier, and the copy of a report to the host: `size` bytes of the buffer at that
// binding.
void weir_palette_record_copy(const weir_palette *palette, VkCommandBuffer cmd, uint32_t binding,
                              uint64_t offset, uint64_t size);

// Record a barrier, and the copy of the report of a run to the host.
void weir_palette_record_report(const weir_palette *palette, VkCommandBuffer cmd);

#endif
