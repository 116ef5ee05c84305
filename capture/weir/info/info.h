// SPDX-License-Identifier: MIT
// The parts of weir info: devices, movies and textures.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <weir/context.h>
#include <weir/device.h>
#include <weir/result.h>

#include "capture/base/json.h"
#include "capture/weir/common/program.h"

enum { CLI_MAX_PYRAMID_FORMATS = 64 };

// What Weir uses of a device.
struct cli_device_report {
    struct weir_device_entry entry;
    char obstacle[512]; // why Weir cannot use it; empty when it can
    bool opened;        // what follows is known
    struct weir_queue queue;
    uint32_t copy_family; // that copies results to host memory
    bool async;
    // names of those that kernels read and write
    const char *pyramid_formats[CLI_MAX_PYRAMID_FORMATS];
    size_t num_pyramid_formats;
};

// Open device `index` of weir_device_list() and look. Prints nothing.
void cli_device_report_make(struct cli_device_report *report, const struct weir_device_entry *entry,
                            uint32_t index);

const char *cli_device_type(VkPhysicalDeviceType type);
// Such as "graphics compute transfer".
void cli_queue_kinds(VkQueueFlags flags, char *text, size_t size);

// Print a movie of HAP or a texture, or add it to the array of `json`, unless that is NULL. A
// failure is reported. What is a texture the head of the file says.
enum weir_result info_file_print(const char *path, struct weir_json *json);

// Say what the layer of weir record is.
void info_layer_print(void);
void info_layer_json(struct weir_json *json);

// Compile the kernels of the codecs that are named, or of all commands, and print where they are
// kept. Prints the reason of a failure.
enum cli_status info_warm(char *const *names, uint32_t device);
