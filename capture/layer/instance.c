// SPDX-License-Identifier: MIT
// The program's instances.
#include "capture/layer/instance.h"

#include <pthread.h>
#include <stdlib.h>
#include <vulkan/vk_layer.h>

#include "capture/layer/request.h"

static struct {
    pthread_mutex_t mutex;
    struct layer_instance *first;
} instances = {.mutex = PTHREAD_MUTEX_INITIALIZER};

struct layer_instance *layer_instance_of(const void *handle)
{
    pthread_mutex_lock(&instances.mutex);
    struct layer_instance *instance = instances.first;
    while (instance && layer_key(instance->handle) != layer_key(handle)) {
        instance = instance->next;
    }
    pthread_mutex_unlock(&instances.mutex);
    return instance;
}

static void add(struct layer_instance *instance)
{
    pthread_mutex_lock(&instances.mutex);
    instance->next = instances.first;
    instances.first = instance;
    pthread_mutex_unlock(&instances.mutex);
}

static struct layer_instance *take(VkInstance handle)
{
    pthread_mutex_lock(&instances.mutex);
    struct layer_instance **at = &instances.first;
    while (*at && (*at)->handle != handle) {
        at = &(*at)->next;
    }
    struct layer_instance *instance = *at;
    if (instance) {
        *at = instance->next;
    }
    pthread_mutex_unlock(&instances.mutex);
    return instance;
}

// Find the loader's link to the next layer.
static VkLayerInstanceCreateInfo *find_link(const VkInstanceCreateInfo *info)
{
    VkLayerInstanceCreateInfo *link = layer_chain_find(
        info->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
    while (link && link->function != VK_LAYER_LINK_INFO) {
        link = layer_chain_find(link->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
    }
    return link;
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
    VkLayerInstanceCreateInfo *link = find_link(info);
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
    add(instance);
    return VK_SUCCESS;
}

void layer_destroy_instance(VkInstance handle, const VkAllocationCallbacks *allocator)
{
    struct layer_instance *instance = handle ? take(handle) : NULL;
    if (instance) {
        instance->DestroyInstance(handle, allocator);
        free(instance);
    }
}
