// SPDX-License-Identifier: MIT
// Weir on the program's device.
#include "capture/layer/stream.h"

#include <stdlib.h>
#include <string.h>

#include "capture/layer/sender.h"

// Command buffers that the layer makes itself bypass the loader's trampoline, which would make
// them known to the layers below.
static VkResult allocate_command_buffers(VkDevice handle, const VkCommandBufferAllocateInfo *info,
                                         VkCommandBuffer *buffers)
{
    const struct layer_device *device = layer_device_of(handle);
    const VkResult result = device->AllocateCommandBuffers(handle, info, buffers);
    for (uint32_t i = 0; result == VK_SUCCESS && i < info->commandBufferCount; i++) {
        device->set_loader_data(handle, buffers[i]);
    }
    return result;
}

static PFN_vkVoidFunction get_device_proc(VkDevice handle, const char *name)
{
    if (strcmp(name, "vkAllocateCommandBuffers") == 0) {
        return (PFN_vkVoidFunction)allocate_command_buffers;
    }
    return layer_device_of(handle)->get_proc(handle, name);
}

// What Weir loads its functions by: those of the next layer.
static PFN_vkVoidFunction get_instance_proc(VkInstance handle, const char *name)
{
    const struct layer_instance *instance = layer_instance_of(handle);
    if (strcmp(name, "vkGetDeviceProcAddr") == 0) {
        return (PFN_vkVoidFunction)get_device_proc;
    }
#define FIND(function)                                                                             \
    if (strcmp(name, "vk" #function) == 0) {                                                       \
        return (PFN_vkVoidFunction)instance->function;                                             \
    }
    LAYER_INSTANCE_FUNCTIONS(FIND)
#undef FIND
    return NULL;
}

static void print(void *user, const struct weir_log_message *message)
{
    layer_sender_say(user, message->severity <= WEIR_LOG_ERROR, message->text);
}

static bool open_host(struct layer_device *device, const struct layer_queue *queue,
                      struct layer_host *host)
{
    const struct weir_context_params *params = weir_context_params(
            .instance = device->instance->handle, .physical_device = device->physical,
            .device = device->handle, .get_instance_proc_addr = get_instance_proc,
            .api_version = device->instance->api_version,
            .device_extensions = (const char *const *)device->extensions,
            .num_device_extensions = device->num_extensions, .features = &device->features,
            .graphics = {.queue = queue->handle, .family = queue->family, .index = queue->index},
            .log = {.print = print, .user = device->sender, .least_severity = WEIR_LOG_WARNING});
    return weir_context_create(params, &host->context) == WEIR_OK;
}

struct layer_host *layer_host_of(struct layer_device *device, const struct layer_queue *queue)
{
    struct layer_host *host = device->hosts;
    while (host && host->queue.handle != queue->handle) {
        host = host->next;
    }
    if (host) {
        return host;
    }
    host = calloc(1, sizeof(*host));
    if (!host || !open_host(device, queue, host)) {
        free(host);
        return NULL;
    }
    host->queue = *queue;
    host->next = device->hosts;
    device->hosts = host;
    return host;
}

static void destroy_encoders(struct layer_encoders *encoders)
{
    while (encoders) {
        struct layer_encoders *next = encoders->next;
        for (uint32_t i = 0; i < encoders->num; i++) {
            weir_encoder_destroy(&encoders->encoders[i]);
        }
        free(encoders);
        encoders = next;
    }
}

static enum weir_result create_encoder(const struct layer_host *host, const weir_image *image,
                                       const struct link_setup *setup, uint32_t texture,
                                       weir_encoder **out)
{
    const enum weir_codec codec = (enum weir_codec)setup->codecs[texture];
    return weir_encoder_create(
        host->context,
        weir_encoder_params(.codec = codec, .decoder = (enum weir_decoder_model)setup->decoder,
                            .effort = (enum weir_effort)setup->effort, .like = image,
                            .no_dither = setup->no_dither, .bc4_alpha = codec == WEIR_CODEC_BC4,
                            .steady = setup->steady),
        out);
}

const struct layer_encoders *layer_host_get_encoders(struct layer_host *host,
                                                     const weir_image *image,
                                                     const struct link_setup *setup)
{
    struct layer_encoders *encoders = host->encoders;
    while (encoders && !weir_encoder_reads(encoders->encoders[0], image)) {
        encoders = encoders->next;
    }
    if (encoders) {
        return encoders;
    }
    encoders = calloc(1, sizeof(*encoders));
    if (!encoders) {
        return NULL;
    }
    encoders->num = setup->num_textures;
    for (uint32_t i = 0; i < encoders->num; i++) {
        if (create_encoder(host, image, setup, i, &encoders->encoders[i]) != WEIR_OK) {
            destroy_encoders(encoders);
            return NULL;
        }
    }
    encoders->next = host->encoders;
    host->encoders = encoders;
    return encoders;
}

void layer_hosts_finish(struct layer_device *device)
{
    while (device->hosts) {
        struct layer_host *host = device->hosts;
        device->hosts = host->next;
        destroy_encoders(host->encoders);
        weir_context_destroy(&host->context);
        free(host);
    }
}
