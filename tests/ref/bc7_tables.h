// SPDX-License-Identifier: MIT
// Which texels are the subsets of a partition of BC7.
#ifndef WEIR_TESTS_REF_BC7_TABLES_H
#define WEIR_TESTS_REF_BC7_TABLES_H

#include <stdint.h>

// The texels of a subset, a bit each, texel 0 lowest.
uint32_t ref_bc7_subset(int num_subsets, int partition, int subset);

// The texel of a subset whose code's highest bit is not stored.
int ref_bc7_anchor(int num_subsets, int partition, int subset);

#endif
