// SPDX-License-Identifier: MIT
// The answers of calls: one enumeration for every library of Weir.
#ifndef WEIR_RESULT_H
#define WEIR_RESULT_H

#include <weir/macros.h>
#include <weir/renamed.h>

#ifdef __cplusplus
extern "C" {
#endif

// 0 is done, positive is not an error, negative is an error. Values are never renumbered.
enum weir_result {
    WEIR_OK = 0,
    WEIR_NOT_READY = 1, // nothing is wrong, the thing asked for is not there yet
    WEIR_DROPPED = 2,   // the frame was not taken; the statistics and the log say why

    WEIR_ERROR_INVALID = -1,       // an argument is wrong; the log names the field
    WEIR_ERROR_OUT_OF_MEMORY = -2, // host or device memory
    WEIR_ERROR_UNSUPPORTED = -3,   // the device, format or build lacks something; the log names it
    WEIR_ERROR_DEVICE_LOST = -4,   // sticky: every later call on the context answers the same
    WEIR_ERROR_VULKAN = -5,        // another Vulkan error; the log has its name
    WEIR_ERROR_IO = -6,            // a file or folder cannot be opened, read or written
    WEIR_ERROR_DISK_FULL = -7,     // what was written before is still a movie
    WEIR_ERROR_DATA = -8,          // the input is not what it should be: empty, truncated, unknown
};

// The name of a result, such as "WEIR_ERROR_IO". Never NULL. Thread-safe.
WEIR_API const char *weir_result_name(enum weir_result result);

#ifdef __cplusplus
}
#endif
#endif
