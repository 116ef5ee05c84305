// SPDX-License-Identifier: MIT
// BC7 at efforts live and fast: one line, or two where the texels are opaque.
#ifndef WEIR_TESTS_REF_BC7_LINES_H
#define WEIR_TESTS_REF_BC7_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/ref/bc7_block.h"

// Get a block of mode 6 or, of opaque texels, 1: in one of the `num_ranked` likeliest ways of
// dividing them, or where that is 0 in the one that parts bright texels from dark ones best. Floats
// that every device rounds alike decide every bit.
void ref_bc7_fit_lines(const uint8_t texels[16][4], bool is_opaque, bool alpha_unread,
                       int num_ranked, struct ref_bc7_block *block);

#endif
