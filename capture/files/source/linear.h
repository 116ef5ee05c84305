// SPDX-License-Identifier: MIT
// Linear light: frames of floats become upright rows of half floats.
#ifndef WEIR_CAPTURE_FILES_SOURCE_LINEAR_H
#define WEIR_CAPTURE_FILES_SOURCE_LINEAR_H

#include "capture/files/source/convert.h"

// Fill rows of four half floats a texel. Errors: WEIR_ERROR_UNSUPPORTED (a frame that holds no
// linear light, or is to be scaled).
enum weir_result weir_linear_run(const struct weir_convert_params *params, const AVFrame *frame,
                                 int orientation, uint8_t *pixels, size_t pitch);

#endif
