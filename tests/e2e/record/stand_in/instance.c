// SPDX-License-Identifier: MIT
// The program's instances.
#include "tests/e2e/record/stand_in/instance.h"

#include <stdlib.h>
#include <vulkan/vk_layer.h>

#include "tests/e2e/record/stand_in/extensions.h"

static struct stand_in_registry instances = {.mutex = PTHREAD_MUTEX_INITIALIZER};

struct stand_in_instance *stand_in_instance_of(const void *handle)
{
    return stand_in_registry_find(&instances, handle);
}

// Find the loader's link to the next layer.
static VkLayerInstanceCreateInfo *find_link(const VkInstanceCreateInfo *info)
{
    const VkLayerInstanceCreateInfo *link = info->pNext;
    while (link && (link->sType != VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO ||
                    link->function != VK_LAYER_LINK_INFO)) {
        link = link->pNext;
    }
    return (void *)link;
}

// Make the instance of the next layer.
static VkResult create_next(struct stand_in_instance *instance, const VkInstanceCreateInfo *info,
                            const VkAllocationCallbacks *allocator, VkInstance *out)
{
    VkInstanceCreateInfo stripped = *info;
    const PFN_vkCreateInstance create = (PFN_vkCreateInstance)instance->get_proc(
        NULL, "vkCreateInstance");
    const char **names = stand_in_strip(info->ppEnabledExtensionNames,
                                        &stripped.enabledExtensionCount);
    if (!create || !names) {
        free(names);
        return create ? VK_ERROR_OUT_OF_HOST_MEMORY : VK_ERROR_INITIALIZATION_FAILED;
    }
    stripped.ppEnabledExtensionNames = names;
    const VkResult result = create(&stripped, allocator, out);
    free(names);
    return result;
}

VkResult stand_in_create_instance(const VkInstanceCreateInfo *info,
                                  const VkAllocationCallbacks *allocator, VkInstance *out)
{
    VkLayerInstanceCreateInfo *link = find_link(info);
    struct stand_in_instance *instance = calloc(1, sizeof(*instance));
    if (!link || !instance) {
        free(instance);
        return link ? VK_ERROR_OUT_OF_HOST_MEMORY : VK_ERROR_INITIALIZATION_FAILED;
    }
    instance->get_proc = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext; // the loader gives each layer its own by this
    const VkResult result = create_next(instance, info, allocator, out);
    if (result != VK_SUCCESS) {
        free(instance);
        return result;
    }
#define LOAD(name) instance->name = (PFN_vk##name)instance->get_proc(*out, "vk" #name);
    STAND_IN_INSTANCE_FUNCTIONS(LOAD)
#undef LOAD
    stand_in_registry_add(&instances, &instance->entry, *out);
    return VK_SUCCESS;
}

void stand_in_destroy_instance(VkInstance handle, const VkAllocationCallbacks *allocator)
{
    struct stand_in_instance *instance = handle ? stand_in_instance_of(handle) : NULL;
    if (instance) {
        stand_in_registry_remove(&instances, &instance->entry);
        instance->DestroyInstance(handle, allocator);
        free(instance);
    }
}
