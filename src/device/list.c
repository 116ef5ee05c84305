// SPDX-License-Identifier: MIT
// Lists physical devices with the facts about them that Weir needs.
#include "device/features.h"

#include <stdio.h>
#include <string.h>

#include "base/check.h"

// True for a family that copies and does nothing else but bind sparse memory. Families of video
// copy too, but are there for something else.
static bool only_copies(VkQueueFlags flags)
{
    return (flags & ~(VkQueueFlags)VK_QUEUE_SPARSE_BINDING_BIT) == VK_QUEUE_TRANSFER_BIT;
}

static void describe_queues(const struct weir_instance *instance, VkPhysicalDevice handle,
                            struct weir_device_entry *entry)
{
    entry->num_queue_families = WEIR_MAX_QUEUE_FAMILIES;
    WEIR_INSTANCE_PROC(instance, GetPhysicalDeviceQueueFamilyProperties)
    (handle, &entry->num_queue_families, entry->queue_families);
    entry->graphics_family = entry->compute_family = entry->transfer_family = UINT32_MAX;
    for (uint32_t i = entry->num_queue_families; i-- > 0;) {
        const VkQueueFlags flags = entry->queue_families[i].queueFlags;
        if (flags & VK_QUEUE_GRAPHICS_BIT) {
            entry->graphics_family = i;
        } else if (flags & VK_QUEUE_COMPUTE_BIT) {
            entry->compute_family = i;
        } else if (only_copies(flags)) {
            entry->transfer_family = i;
        }
    }
}

static bool has_cached_memory(const struct weir_instance *instance, VkPhysicalDevice handle)
{
    const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                         VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
    VkPhysicalDeviceMemoryProperties memory;
    WEIR_INSTANCE_PROC(instance, GetPhysicalDeviceMemoryProperties)(handle, &memory);
    for (uint32_t i = 0; i < memory.memoryTypeCount; i++) {
        if ((memory.memoryTypes[i].propertyFlags & wanted) == wanted) {
            return true;
        }
    }
    return false;
}

static const char *find_obstacle(const struct weir_device_entry *entry)
{
    if (entry->api_version < VK_API_VERSION_1_2) {
        return "older than Vulkan 1.2";
    }
    if (!entry->timeline_semaphore) {
        return "no feature timelineSemaphore";
    }
    if (entry->graphics_family == UINT32_MAX && entry->compute_family == UINT32_MAX) {
        return "no queue family with compute";
    }
    return NULL;
}

static void describe(const struct weir_instance *instance, VkPhysicalDevice handle,
                     struct weir_device_entry *entry)
{
    *entry = (struct weir_device_entry){0};
    VkPhysicalDeviceProperties properties;
    WEIR_INSTANCE_PROC(instance, GetPhysicalDeviceProperties)(handle, &properties);
    memcpy(entry->name, properties.deviceName, sizeof(entry->name));
    entry->api_version = properties.apiVersion;
    entry->type = properties.deviceType;
    entry->max_image_side = properties.limits.maxImageDimension2D;
    entry->max_storage_buffer = properties.limits.maxStorageBufferRange;
    if (properties.apiVersion >= VK_API_VERSION_1_2) {
        VkPhysicalDeviceVulkan12Properties driver = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES};
        VkPhysicalDeviceProperties2 properties2 = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &driver};
        WEIR_INSTANCE_PROC(instance, GetPhysicalDeviceProperties2)(handle, &properties2);
        snprintf(entry->driver, sizeof(entry->driver), "%.120s %.120s", driver.driverName,
                 driver.driverInfo);
    } else { // which cannot be asked for a name
        snprintf(entry->driver, sizeof(entry->driver), "version %#x", properties.driverVersion);
    }
    entry->host_cached = has_cached_memory(instance, handle);
    describe_queues(instance, handle, entry);
    weir_device_find_met(instance, handle, entry);
    entry->unusable = find_obstacle(entry);
}

static int rank(const struct weir_device_entry *entry)
{
    static const int by_type[] = {
        [VK_PHYSICAL_DEVICE_TYPE_OTHER] = 3,        [VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU] = 1,
        [VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU] = 0, [VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU] = 2,
        [VK_PHYSICAL_DEVICE_TYPE_CPU] = 4,
    };
    const int type = entry->type <= VK_PHYSICAL_DEVICE_TYPE_CPU ? by_type[entry->type] : 3;
    return type + (entry->unusable ? 8 : 0);
}

// Insertion sort: stable, so equal devices keep the loader's order.
static void insert(struct weir_physical_device *devices, uint32_t num,
                   const struct weir_physical_device *device)
{
    uint32_t i = num;
    for (; i > 0 && rank(&devices[i - 1].entry) > rank(&device->entry); i--) {
        devices[i] = devices[i - 1];
    }
    devices[i] = *device;
}

enum weir_result weir_devices_find(const struct weir_instance *instance,
                                   struct weir_physical_device *devices, uint32_t *num)
{
    VkPhysicalDevice handles[WEIR_MAX_DEVICES];
    uint32_t num_handles = WEIR_MAX_DEVICES;
    const VkResult result = WEIR_INSTANCE_PROC(instance, EnumeratePhysicalDevices)(
        instance->instance, &num_handles, handles);
    *num = 0;
    WEIR_FAIL_IF(result < 0 || num_handles == 0, &instance->log, WEIR_ERROR_UNSUPPORTED,
                 WEIR_LOG_CODE_NO_DEVICE,
                 "no Vulkan device was found; install a driver, such as "
                 "mesa-vulkan-drivers for a software device");
    for (uint32_t i = 0; i < num_handles; i++) {
        struct weir_physical_device device = {.handle = handles[i]};
        describe(instance, handles[i], &device.entry);
        insert(devices, (*num)++, &device);
    }
    return WEIR_OK;
}

enum weir_result weir_device_list(PFN_vkGetInstanceProcAddr get_instance_proc_addr,
                                  const struct weir_log *log, struct weir_device_entry *entries,
                                  uint32_t *num)
{
    WEIR_TRY(WEIR_CHECK_GIVEN(log, num));
    if (*num > 0) {
        WEIR_TRY(WEIR_CHECK_GIVEN(log, entries));
    }
    struct weir_instance instance = {0};
    struct weir_physical_device devices[WEIR_MAX_DEVICES];
    uint32_t num_devices = 0;
    enum weir_result result = weir_instance_init(&instance, get_instance_proc_addr,
                                                 log ? log : &(struct weir_log){0}, NULL, 0, false);
    if (result == WEIR_OK) {
        result = weir_devices_find(&instance, devices, &num_devices);
    }
    *num = num_devices < *num ? num_devices : *num;
    for (uint32_t i = 0; i < *num; i++) {
        entries[i] = devices[i].entry;
    }
    weir_instance_finish(&instance);
    return result;
}
