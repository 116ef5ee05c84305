// SPDX-License-Identifier: MIT
// The results of calls: one enumeration for every library of Weir.
#pragma once

#include <weir/macros.h>

// 0 means success, a positive value is not an error, a negative value is an error. Values are never
// renumbered.
enum weir_result {
    WEIR_OK = 0,
    WEIR_NOT_READY = 1, // not an error: what was asked for is not available yet
    WEIR_DROPPED = 2,   // the frame or chapter was dropped; the statistics and the log say why
    WEIR_SKIPPED = 3,   // the frame was left out on purpose: a pause, max_rate or constant_rate

    WEIR_ERROR_INVALID = -1,       // an argument is wrong; the log names the field
    WEIR_ERROR_OUT_OF_MEMORY = -2, // no host or device memory is left
    WEIR_ERROR_UNSUPPORTED = -3,   // the device, format or build lacks something; the log names it
    // Sticky: later calls on the context that make an object, submit or wait return it too.
    WEIR_ERROR_DEVICE_LOST = -4,
    WEIR_ERROR_VULKAN = -5,    // another Vulkan error; the log has its name
    WEIR_ERROR_IO = -6,        // a file or folder cannot be opened, read or written
    WEIR_ERROR_DISK_FULL = -7, // no space is left; a movie plays as far as it was written
    WEIR_ERROR_DATA = -8,      // the input is empty, truncated or of an unknown format
};

// Call, and return the result from the calling function unless it is WEIR_OK. For functions that
// have nothing to clean up.
#define WEIR_TRY(call)                                                                             \
    do {                                                                                           \
        const enum weir_result weir_tried = (call);                                                \
        if (weir_tried != WEIR_OK) {                                                               \
            return weir_tried;                                                                     \
        }                                                                                          \
    } while (0)

// Get the name of a result, such as "WEIR_ERROR_IO". Never NULL. Thread-safe.
WEIR_API const char *weir_result_name(enum weir_result result);
