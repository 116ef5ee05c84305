// SPDX-License-Identifier: MIT
// The data format descriptor of a KTX2 file, with one basic block: it describes the format of the
// texture beside its VkFormat. Source: Khronos Data Format Specification 1.3, "The basic descriptor
// block", and its examples of compressed formats.
#ifndef WEIR_CAPTURE_FILES_TEXTURE_KTX2_DESCRIPTOR_H
#define WEIR_CAPTURE_FILES_TEXTURE_KTX2_DESCRIPTOR_H

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

// The largest size of a descriptor: the size field, the block, and at most two samples [bytes].
enum { WEIR_KTX2_MAX_DESCRIPTOR_SIZE = 4 + 24 + 2 * 16 };

// Write the descriptor of one of weir_block_formats(). Returns its size [bytes], or 0 for another
// format.
uint32_t weir_ktx2_descriptor(VkFormat format, bool is_premultiplied,
                              uint8_t bytes[WEIR_KTX2_MAX_DESCRIPTOR_SIZE]);

// True if a descriptor says that colours are multiplied by alpha. The bytes may be of any origin.
bool weir_ktx2_descriptor_is_premultiplied(const uint8_t *bytes, uint32_t size);

#endif
