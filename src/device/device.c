// SPDX-License-Identifier: MIT
// Makes a device with a graphics queue and, where there are such, queues of a compute-only family
// and of one that only copies.
#include <weir/device.h>

#include <string.h>

#include "base/check.h"
#include "device/features.h"

struct weir_device {
    struct weir_instance instance;
    struct weir_physical_device physical;
    VkSurfaceKHR surface;
    VkDevice device;
    struct weir_extensions extensions;
    struct weir_device_features features;
    struct weir_context_params import;
};

// Check that each name of an extension is given.
static enum weir_result check_names(const struct weir_device_params *params)
{
    WEIR_TRY(weir_check_names(&params->log, "weir_device_params", "instance_extensions",
                              params->instance_extensions, params->num_instance_extensions));
    return weir_check_names(&params->log, "weir_device_params", "device_extensions",
                            params->device_extensions, params->num_device_extensions);
}

static enum weir_result choose_physical(struct weir_device *self, uint32_t index)
{
    struct weir_physical_device devices[WEIR_MAX_DEVICES];
    uint32_t num = 0;
    WEIR_TRY(weir_devices_find(&self->instance, devices, &num));
    WEIR_FAIL_IF(index >= num, &self->instance.log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_NO_DEVICE,
                 "there is no device %u: this machine has %u, numbered from 0", index, num);
    self->physical = devices[index];
    const struct weir_device_entry *entry = &self->physical.entry;
    WEIR_FAIL_IF(entry->unusable, &self->instance.log, WEIR_ERROR_UNSUPPORTED,
                 WEIR_LOG_CODE_MISSING_FEATURE, "device %u, %s, cannot be used: %s", index,
                 entry->name, entry->unusable);
    return WEIR_OK;
}

static enum weir_result check_surface(const struct weir_device *self)
{
    const uint32_t family = self->physical.entry.graphics_family;
    VkBool32 supported = VK_FALSE;
    if (family != UINT32_MAX) {
        WEIR_INSTANCE_PROC(&self->instance, GetPhysicalDeviceSurfaceSupportKHR)
        (self->physical.handle, family, self->surface, &supported);
    }
    WEIR_FAIL_IF(!supported, &self->instance.log, WEIR_ERROR_UNSUPPORTED,
                 WEIR_LOG_CODE_MISSING_QUEUE,
                 "the graphics queue of %s cannot present to this window; choose another device",
                 self->physical.entry.name);
    return WEIR_OK;
}

static enum weir_result create_surface(struct weir_device *self,
                                       const struct weir_device_params *params)
{
    if (!params->create_surface) {
        return WEIR_OK;
    }
    const VkResult result = params->create_surface(params->surface_user, self->instance.instance,
                                                   &self->surface);
    if (result != VK_SUCCESS) {
        self->surface = VK_NULL_HANDLE;
        return weir_fail(&self->instance.log, WEIR_ERROR_VULKAN, WEIR_LOG_CODE_VULKAN_ERROR,
                         "the window's surface cannot be made (%d)", (int)result);
    }
    return check_surface(self);
}

static enum weir_result collect_extensions(struct weir_device *self,
                                           const struct weir_device_params *params)
{
    for (uint32_t i = 0; i < params->num_device_extensions; i++) {
        const char *name = params->device_extensions[i];
        WEIR_FAIL_IF(!weir_device_has_extension(&self->instance, self->physical.handle, name),
                     &self->instance.log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_MISSING_FEATURE,
                     "%s has no device extension %s", self->physical.entry.name, name);
        WEIR_FAIL_IF(!weir_extensions_add(&self->extensions, name), &self->instance.log,
                     WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                     "more than %d device extensions", WEIR_MAX_EXTENSIONS);
    }
    // VK_KHR_swapchain_mutable_format requires VK_KHR_swapchain.
    const bool has_swapchain = weir_has_name(
        params->device_extensions, params->num_device_extensions, VK_KHR_SWAPCHAIN_EXTENSION_NAME);
    size_t num_requirements;
    const struct weir_requirement *requirements = weir_requirement_list(&num_requirements);
    for (size_t i = 0; i < num_requirements; i++) {
        const bool wants_swapchain = strstr(requirements[i].name, "swapchain");
        if (requirements[i].kind == WEIR_REQUIREMENT_EXTENSION &&
            (!wants_swapchain || has_swapchain) && !params->no_recommended &&
            weir_device_has_extension(&self->instance, self->physical.handle,
                                      requirements[i].name)) {
            weir_extensions_add(&self->extensions, requirements[i].name);
        }
    }
    return WEIR_OK;
}

// Enable the features of the params, and those of the device that weir_requirement_list() requires
// or recommends.
static void enable_features(struct weir_device *self, const struct weir_device_params *params)
{
    struct weir_device_features available, *enabled = &self->features;
    weir_device_features_query(&available, &self->instance, self->physical.handle);
    weir_device_features_init(enabled, weir_has_name(self->extensions.names, self->extensions.num,
                                                     VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME));
    if (params->features) {
        enabled->core.features = *params->features;
    }
    size_t num = 0;
    const struct weir_requirement *asked = weir_requirement_list(&num);
    for (size_t i = 0; i < num; i++) {
        const VkBool32 *has = weir_device_features_find(&available, asked[i].name);
        if (has && *has && (asked[i].required || !params->no_recommended)) {
            *weir_device_features_find(enabled, asked[i].name) = VK_TRUE;
        }
    }
    enabled->subgroup_sizes.computeFullSubgroups = enabled->subgroup_sizes.subgroupSizeControl;
    if (params->no_timeline) {
        enabled->v12.timelineSemaphore = VK_FALSE;
    }
}

enum { MAX_WISHES = 2 + WEIR_MAX_TRANSFER_QUEUES };

// A queue that the device gets.
struct wish {
    struct weir_queue *queue; // of the import
    uint32_t family, index;
};

// List the queues by their families. Returns their number.
static uint32_t wish_queues(struct weir_device *self, const struct weir_device_params *params,
                            struct wish *wishes)
{
    const struct weir_device_entry *entry = &self->physical.entry;
    const bool has_graphics = entry->graphics_family != UINT32_MAX;
    uint32_t num = 0;
    if (has_graphics) {
        wishes[num++] = (struct wish){&self->import.graphics, entry->graphics_family, 0};
    }
    if (entry->compute_family != UINT32_MAX && !(params->no_async && has_graphics)) {
        wishes[num++] = (struct wish){&self->import.compute, entry->compute_family, 0};
    }
    const uint32_t transfer = entry->transfer_family;
    const bool has_transfer = transfer != UINT32_MAX && !params->no_transfer;
    for (uint32_t i = 0; has_transfer && i < WEIR_MAX_TRANSFER_QUEUES &&
                         i < entry->queue_families[transfer].queueCount;
         i++) {
        wishes[num++] = (struct wish){&self->import.transfer[i], transfer, i};
    }
    return num;
}

static enum weir_result refuse_device(const struct weir_device *self, VkResult result)
{
    const struct weir_log *log = &self->instance.log;
    const char *name = self->physical.entry.name;
    WEIR_FAIL_IF(
        result == VK_ERROR_FEATURE_NOT_PRESENT, log, WEIR_ERROR_UNSUPPORTED,
        WEIR_LOG_CODE_MISSING_FEATURE,
        "%s lacks one of weir_device_params.features: ask for fewer, or choose another device",
        name);
    return weir_fail(log, WEIR_ERROR_VULKAN, WEIR_LOG_CODE_VULKAN_ERROR,
                     "vkCreateDevice on %s failed with %d", name, (int)result);
}

static enum weir_result create_device(struct weir_device *self,
                                      const struct weir_device_params *params)
{
    static const float priorities[MAX_WISHES] = {1.0f, 1.0f, 1.0f, 1.0f};
    struct wish wishes[MAX_WISHES];
    const uint32_t num_wishes = wish_queues(self, params, wishes);
    VkDeviceQueueCreateInfo queues[MAX_WISHES];
    uint32_t num_queues = 0;
    for (uint32_t i = 0; i < num_wishes; i++) {
        if (wishes[i].index > 0) { // one more of the family before it
            queues[num_queues - 1].queueCount++;
            continue;
        }
        queues[num_queues++] = (VkDeviceQueueCreateInfo){
            .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
            .queueFamilyIndex = wishes[i].family,
            .queueCount = 1,
            .pQueuePriorities = priorities,
        };
    }
    enable_features(self, params);
    VkBaseOutStructure *last = (void *)&self->features.core;
    while (last->pNext) {
        last = last->pNext;
    }
    last->pNext = (void *)params->extension_features;
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &self->features.core,
        .queueCreateInfoCount = num_queues,
        .pQueueCreateInfos = queues,
        .enabledExtensionCount = self->extensions.num,
        .ppEnabledExtensionNames = self->extensions.names,
    };
    const VkResult result = WEIR_INSTANCE_PROC(&self->instance, CreateDevice)(
        self->physical.handle, &info, NULL, &self->device);
    last->pNext = NULL; // the caller's chain is read during the call only
    if (result != VK_SUCCESS) {
        self->device = VK_NULL_HANDLE;
        return refuse_device(self, result);
    }
    const PFN_vkGetDeviceQueue get_queue = WEIR_INSTANCE_PROC(&self->instance, GetDeviceQueue);
    for (uint32_t i = 0; i < num_wishes; i++) {
        wishes[i].queue->family = wishes[i].family;
        wishes[i].queue->index = wishes[i].index;
        get_queue(self->device, wishes[i].family, wishes[i].index, &wishes[i].queue->queue);
    }
    return WEIR_OK;
}

static void fill_import(struct weir_device *self, const struct weir_device_params *params)
{
    struct weir_context_params *import = &self->import;
    import->debug_tag = "weir_device";
    import->instance = self->instance.instance;
    import->physical_device = self->physical.handle;
    import->device = self->device;
    import->get_instance_proc_addr = self->instance.get_proc;
    import->api_version = VK_API_VERSION_1_2;
    import->device_extensions = self->extensions.names;
    import->num_device_extensions = self->extensions.num;
    import->instance_extensions = self->instance.extensions.names;
    import->num_instance_extensions = self->instance.extensions.num;
    import->features = &self->features.core;
    import->log = params->log;
    weir_log_printf(&params->log, WEIR_LOG_INFO, WEIR_LOG_CODE_DEVICE_CHOSEN,
                    "device %u: %s, kernels on %s%s", params->index, self->physical.entry.name,
                    import->compute.queue ? "an async compute queue" : "the graphics queue",
                    import->transfer[0].queue ? ", copies on a queue of their own" : "");
}

static enum weir_result device_init(struct weir_device *self,
                                    const struct weir_device_params *params)
{
    WEIR_TRY(weir_instance_init(&self->instance, params->get_instance_proc_addr, &params->log,
                                params->instance_extensions, params->num_instance_extensions,
                                params->validation));
    WEIR_TRY(choose_physical(self, params->index));
    WEIR_TRY(create_surface(self, params));
    WEIR_TRY(collect_extensions(self, params));
    WEIR_TRY(create_device(self, params));
    fill_import(self, params);
    return WEIR_OK;
}

enum weir_result weir_device_create(const struct weir_device_params *params, weir_device **out)
{
    const struct weir_log *log = params ? &params->log : NULL;
    WEIR_TRY(WEIR_CHECK_OUT(log, out, params));
    WEIR_TRY(check_names(params));
    struct weir_device *self = weir_alloc(log, 1, sizeof(*self), "a device");
    if (!self) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    const enum weir_result result = device_init(self, params);
    if (result != WEIR_OK) {
        weir_device_destroy(&self);
    }
    *out = self;
    return result;
}

void weir_device_destroy(weir_device **device)
{
    if (!device || !*device) {
        return;
    }
    struct weir_device *self = *device;
    if (self->device) {
        const PFN_vkDeviceWaitIdle wait_idle = WEIR_INSTANCE_PROC(&self->instance, DeviceWaitIdle);
        VkResult waited = VK_SUCCESS;
        // Work is over without an error, and on a lost device; while memory is short it may not be.
        do {
            waited = wait_idle(self->device);
        } while (waited == VK_ERROR_OUT_OF_HOST_MEMORY || waited == VK_ERROR_OUT_OF_DEVICE_MEMORY);
        WEIR_INSTANCE_PROC(&self->instance, DestroyDevice)(self->device, NULL);
    }
    if (self->surface) {
        WEIR_INSTANCE_PROC(&self->instance, DestroySurfaceKHR)
        (self->instance.instance, self->surface, NULL);
    }
    weir_instance_finish(&self->instance);
    free(self);
    *device = NULL;
}

const struct weir_context_params *weir_device_import(const weir_device *device)
{
    return device ? &device->import : NULL;
}

VkSurfaceKHR weir_device_get_surface(const weir_device *device)
{
    return device ? device->surface : VK_NULL_HANDLE;
}

uint32_t weir_device_get_num_messages(const weir_device *device)
{
    return device ? atomic_load(&device->instance.num_messages) : 0;
}
