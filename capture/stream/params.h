// SPDX-License-Identifier: MIT
// The params of a capture: what is allowed, and what zero means.
#ifndef WEIR_CAPTURE_STREAM_PARAMS_H
#define WEIR_CAPTURE_STREAM_PARAMS_H

#include <weir/capture.h>
#include <weir/log.h>
#include <weir/result.h>

// Fill in the defaults and refuse what is out of range, by name. `like`: of params->like. What the
// device and the formats allow is checked by the encoder and the readback. Errors:
// WEIR_ERROR_INVALID.
enum weir_result weir_capture_check_params(const struct weir_log *log,
                                           const struct weir_image_params *like,
                                           struct weir_capture_params *params);

#endif
