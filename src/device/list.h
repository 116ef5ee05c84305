// SPDX-License-Identifier: MIT
// Physical devices in order of preference.
#ifndef WEIR_DEVICE_LIST_H
#define WEIR_DEVICE_LIST_H

#include "device/instance.h"

enum { WEIR_MAX_DEVICES = 16 };

struct weir_physical_device {
    VkPhysicalDevice handle;
    struct weir_device_entry entry;
};

// Fill `devices` with at most WEIR_MAX_DEVICES devices, the best first. Errors:
// WEIR_ERROR_UNSUPPORTED (there is no device).
enum weir_result weir_devices_find(const struct weir_instance *instance,
                                   struct weir_physical_device *devices, uint32_t *num);

#endif
