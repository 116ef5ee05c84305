// SPDX-License-Identifier: MIT
// Which partitions of a BC7 mode are likely to fit.
#ifndef WEIR_TESTS_REF_BC7_PARTITION_H
#define WEIR_TESTS_REF_BC7_PARTITION_H

#include <stdint.h>

enum { REF_BC7_MAX_RANKS = 12 };

struct ref_bc7_ranks {
    int partition[REF_BC7_MAX_RANKS]; // the likeliest first
};

void ref_bc7_rank_partitions(const uint8_t texels[16][4], int mode, struct ref_bc7_ranks *ranks);

#endif
