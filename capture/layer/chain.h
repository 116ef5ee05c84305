// SPDX-License-Identifier: MIT
// Copies of what a program passes to vkCreateDevice: the chain of structs is the program's, and is
// never changed. What the layer needs is changed in a copy.
#ifndef WEIR_CAPTURE_LAYER_CHAIN_H
#define WEIR_CAPTURE_LAYER_CHAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <vulkan/vulkan_core.h>

struct layer_chain_size {
    VkStructureType type;
    size_t size; // [bytes]
};
extern const struct layer_chain_size layer_chain_sizes[];
extern const size_t layer_num_chain_sizes;

// A copied chain. `unknown` is the type of the first struct that is not known, and so was left out,
// or 0.
struct layer_chain {
    VkBaseOutStructure *first;
    VkStructureType unknown;
};

// Copy a chain, but for structs whose size is not known, which are left out. False: no memory.
bool layer_chain_copy(const void *chain, struct layer_chain *copy);
void layer_chain_finish(struct layer_chain *chain);

// Find a struct in a chain. NULL: it has none of that type.
void *layer_chain_find(const void *chain, VkStructureType type);

#endif
