// SPDX-License-Identifier: MIT
// The program's instances.
#include "capture/layer/device.h"

#include <pthread.h>
#include <stdlib.h>
#include <vulkan/vk_layer.h>

static struct layer_registry instances = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static const void *key_of(const void *handle)
{
    return *(const void *const *)handle;
}

void layer_registry_add(struct layer_registry *registry, struct layer_node *node,
                        const void *handle)
{
    node->handle = handle;
    pthread_mutex_lock(&registry->mutex);
    node->next = registry->first;
    registry->first = node;
    pthread_mutex_unlock(&registry->mutex);
}

void layer_registry_remove(struct layer_registry *registry, const struct layer_node *node)
{
    pthread_mutex_lock(&registry->mutex);
    struct layer_node **at = &registry->first;
    while (*at != node) {
        at = &(*at)->next;
    }
    *at = node->next;
    pthread_mutex_unlock(&registry->mutex);
}

void *layer_registry_find(struct layer_registry *registry, const void *handle)
{
    pthread_mutex_lock(&registry->mutex);
    struct layer_node *node = registry->first;
    while (node && key_of(node->handle) != key_of(handle)) {
        node = node->next;
    }
    pthread_mutex_unlock(&registry->mutex);
    return node;
}

struct layer_instance *layer_instance_of(const void *handle)
{
    return layer_registry_find(&instances, handle);
}

// Make the instance of the next layer, for Vulkan 1.2 at least if it can be.
static VkResult create_next(PFN_vkGetInstanceProcAddr get_proc, const VkInstanceCreateInfo *info,
                            const VkAllocationCallbacks *allocator, VkInstance *out,
                            uint32_t *api_version)
{
    const PFN_vkCreateInstance create = (PFN_vkCreateInstance)get_proc(NULL, "vkCreateInstance");
    if (!create) {
        return VK_ERROR_INITIALIZATION_FAILED;
    }
    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO};
    if (info->pApplicationInfo) {
        application = *info->pApplicationInfo;
    }
    *api_version = application.apiVersion ? application.apiVersion : VK_API_VERSION_1_0;
    if (*api_version < VK_API_VERSION_1_2) {
        VkInstanceCreateInfo raised = *info;
        raised.pApplicationInfo = &application;
        application.apiVersion = VK_API_VERSION_1_2;
        if (create(&raised, allocator, out) == VK_SUCCESS) {
            *api_version = VK_API_VERSION_1_2;
            return VK_SUCCESS;
        }
    }
    return create(info, allocator, out);
}

VkResult layer_create_instance(const VkInstanceCreateInfo *info,
                               const VkAllocationCallbacks *allocator, VkInstance *out)
{
    VkLayerInstanceCreateInfo *link = layer_chain_find_loader(
        info->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO, VK_LAYER_LINK_INFO);
    struct layer_instance *instance = calloc(1, sizeof(*instance));
    if (!link || !instance) {
        free(instance);
        return link ? VK_ERROR_OUT_OF_HOST_MEMORY : VK_ERROR_INITIALIZATION_FAILED;
    }
    VkLayerInstanceLink *next = link->u.pLayerInfo;
    instance->get_proc = next->pfnNextGetInstanceProcAddr;
    link->u.pLayerInfo = next->pNext; // the loader gives each layer its own by this
    const VkResult result = create_next(instance->get_proc, info, allocator, out,
                                        &instance->api_version);
    if (result != VK_SUCCESS) {
        free(instance);
        return result;
    }
    instance->handle = *out;
#define LOAD(name) instance->name = (PFN_vk##name)instance->get_proc(*out, "vk" #name);
    LAYER_INSTANCE_FUNCTIONS(LOAD)
#undef LOAD
    layer_registry_add(&instances, &instance->node, *out);
    return VK_SUCCESS;
}

void layer_destroy_instance(VkInstance handle, const VkAllocationCallbacks *allocator)
{
    struct layer_instance *instance = handle ? layer_instance_of(handle) : NULL;
    if (instance) {
        layer_registry_remove(&instances, &instance->node);
        instance->DestroyInstance(handle, allocator);
        free(instance);
    }
}
