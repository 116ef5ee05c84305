// SPDX-License-Identifier: MIT
// The params of a capture: their ranges and defaults.
#ifndef WEIR_CAPTURE_STREAM_PARAMS_H
#define WEIR_CAPTURE_STREAM_PARAMS_H

#include <weir/capture.h>
#include <weir/log.h>
#include <weir/result.h>

// Fill in the defaults, and check the ranges; an error names the field. The frames have width x
// height texels. The encoder and the readback check the limits of the device and the formats.
// Errors: WEIR_ERROR_INVALID, WEIR_ERROR_UNSUPPORTED.
enum weir_result weir_capture_check_params(const struct weir_log *log, uint32_t width,
                                           uint32_t height, struct weir_capture_params *params);

// Check if frames of that size can be captured, and warn of players that do not show it.
// Errors: WEIR_ERROR_INVALID.
enum weir_result weir_capture_check_size(const struct weir_log *log, uint32_t width,
                                         uint32_t height, const struct weir_capture_params *params);

// Log that a field's value lies outside its range. Returns WEIR_ERROR_INVALID.
enum weir_result weir_params_out_of_range(const struct weir_log *log, const char *field,
                                          uint64_t value, uint64_t least, uint64_t most);

// Set a number that is 0 to its default, and check the range of any other one.
enum weir_result weir_params_set_number(const struct weir_log *log, const char *field,
                                        uint32_t *value, uint32_t when_zero, uint32_t least,
                                        uint32_t most);

#endif
