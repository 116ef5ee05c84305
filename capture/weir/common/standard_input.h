// SPDX-License-Identifier: MIT
// Standard input as a picture: "-" on a command line.
#ifndef WEIR_CAPTURE_WEIR_COMMON_STANDARD_INPUT_H
#define WEIR_CAPTURE_WEIR_COMMON_STANDARD_INPUT_H

#include <stdint.h>

#include <weir/result.h>

#include "capture/weir/common/inputs.h"

// If the only input is "-", take all of standard input, and make "/dev/stdin" of the input: a file
// that can be opened several times and read from any place, which decoders of pictures do. What
// comes by a pipe is kept in memory, and may have `max_memory` bytes; 0 = the default.
// Prints the reason of a failure. Errors: WEIR_ERROR_IO, WEIR_ERROR_UNSUPPORTED (too large),
// WEIR_ERROR_OUT_OF_MEMORY.
enum weir_result cli_standard_input_take(struct cli_inputs *inputs, uint64_t max_memory);

#endif
