// SPDX-License-Identifier: MIT
// The features that weir_requirement_list() names, asked of a physical device or enabled on one.
#include "device/features.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

void weir_device_features_init(struct weir_device_features *features, bool has_subgroup_sizes)
{
    *features = (struct weir_device_features){
        .core = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &features->v12},
        .v12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                .pNext = has_subgroup_sizes ? &features->subgroup_sizes : NULL},
        .subgroup_sizes = {.sType =
                               VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES},
    };
}

void weir_device_features_query(struct weir_device_features *features,
                                const struct weir_instance *instance, VkPhysicalDevice handle)
{
    weir_device_features_init(
        features,
        weir_device_has_extension(instance, handle, VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME));
    WEIR_INSTANCE_PROC(instance, GetPhysicalDeviceFeatures2)(handle, &features->core);
    // The one is of no use without the other.
    VkPhysicalDeviceSubgroupSizeControlFeatures *sizes = &features->subgroup_sizes;
    sizes->subgroupSizeControl = sizes->subgroupSizeControl && sizes->computeFullSubgroups;
}

VkBool32 *weir_device_features_find(struct weir_device_features *features, const char *name)
{
    // clang-format off
#define FEATURE(part, name) {#name, offsetof(struct weir_device_features, part.name)}
    // clang-format on
    static const struct {
        const char *name;
        size_t offset;
    } table[] = {
        FEATURE(v12, timelineSemaphore),
        FEATURE(core.features, shaderStorageImageWriteWithoutFormat),
        FEATURE(core.features, shaderStorageImageArrayDynamicIndexing),
        FEATURE(core.features, shaderSampledImageArrayDynamicIndexing),
        FEATURE(core.features, shaderInt64),
        FEATURE(v12, shaderBufferInt64Atomics),
        FEATURE(subgroup_sizes, subgroupSizeControl),
    };
#undef FEATURE
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        if (strcmp(table[i].name, name) == 0) {
            return (VkBool32 *)((char *)features + table[i].offset);
        }
    }
    return NULL;
}

void weir_device_find_met(const struct weir_instance *instance, VkPhysicalDevice handle,
                          struct weir_device_entry *entry)
{
    struct weir_device_features features;
    // Before 1.2 the chain may not be asked for, and the device is of no use.
    if (entry->api_version >= VK_API_VERSION_1_2) {
        weir_device_features_query(&features, instance, handle);
    } else {
        weir_device_features_init(&features, false);
        WEIR_INSTANCE_PROC(instance, GetPhysicalDeviceFeatures)(handle, &features.core.features);
    }
    entry->timeline_semaphore = features.v12.timelineSemaphore;
    size_t num = 0;
    const struct weir_requirement *asked = weir_requirement_list(&num);
    for (size_t i = 0; i < num; i++) {
        unsigned major = 0, minor = 0;
        const VkBool32 *feature = weir_device_features_find(&features, asked[i].name);
        const bool there = asked[i].kind == WEIR_REQUIREMENT_VERSION
                               ? sscanf(asked[i].name, "%u.%u", &major, &minor) == 2 &&
                                     entry->api_version >= VK_MAKE_API_VERSION(0, major, minor, 0)
                           : asked[i].kind == WEIR_REQUIREMENT_EXTENSION
                               ? weir_device_has_extension(instance, handle, asked[i].name)
                               : feature && *feature;
        entry->met |= (uint64_t)there << i;
    }
}
