// SPDX-License-Identifier: MIT
// BC6H at effort live: one line, fitted twice, in the finest mode that has it.
#ifndef WEIR_TESTS_REF_BC6H_LIVE_H
#define WEIR_TESTS_REF_BC6H_LIVE_H

#include <stdbool.h>
#include <stdint.h>

// Get the mode, the codes of the two endpoints and the indices of a block. Floats that every device
// rounds alike decide every bit.
void bc6h_fit_live(const int halves[16][3], bool is_signed, int *mode, int codes[4][3],
                   uint8_t indices[16]);

#endif
