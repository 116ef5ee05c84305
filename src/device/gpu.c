// SPDX-License-Identifier: MIT
// A queue of a device: its command buffers, submissions, and the timeline that counts them.
#include "device/gpu.h"

#include "base/check.h"
#include "vk/barrier.h"

static enum weir_result init(weir_gpu *self, const struct weir_gpu_params *params)
{
    self->queue = params->queue;
    const struct weir_context_params *import = params->import;
    self->get_proc = import->get_instance_proc_addr;
    self->instance = import->instance;
    self->has_mutable_swapchains = weir_has_name(import->device_extensions,
                                                 import->num_device_extensions,
                                                 VK_KHR_SWAPCHAIN_MUTABLE_FORMAT_EXTENSION_NAME);
    WEIR_TRY(weir_vk_import(&self->context, import));
    WEIR_TRY(weir_vk_command_pool_init(&self->context, params->queue.family,
                                       VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT |
                                           VK_COMMAND_POOL_CREATE_TRANSIENT_BIT,
                                       &self->pool));
    return weir_vk_timeline_init(&self->context, &self->timeline);
}

enum weir_result weir_gpu_create(const struct weir_gpu_params *params, weir_gpu **out)
{
    const struct weir_context_params *import = params ? params->import : NULL;
    const struct weir_log *log = import ? &import->log : NULL;
    WEIR_TRY(WEIR_CHECK_OUT(log, out, params, import));
    const VkQueue queue = params->queue.queue;
    const void *get_instance_proc_addr = import->get_instance_proc_addr ? import : NULL;
    WEIR_TRY(WEIR_CHECK_GIVEN(log, import->instance, import->physical_device, import->device, queue,
                              get_instance_proc_addr));
    weir_gpu *self = weir_alloc(log, 1, sizeof(*self), "a queue");
    if (!self) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    const enum weir_result result = init(self, params);
    if (result != WEIR_OK) {
        weir_gpu_destroy(&self);
    }
    *out = self;
    return result;
}

void weir_gpu_destroy(weir_gpu **gpu)
{
    if (!gpu || !*gpu) {
        return;
    }
    weir_gpu *self = *gpu;
    weir_context *context = &self->context;
    weir_gpu_wait(self, weir_gpu_get_last(self), UINT64_MAX);
    if (context->vk.DestroyCommandPool) {
        context->vk.DestroySemaphore(context->device, self->timeline, NULL);
        context->vk.DestroyCommandPool(context->device, self->pool, NULL);
    }
    while (self->commands) {
        struct weir_gpu_commands *next = self->commands->next;
        free(self->commands);
        self->commands = next;
    }
    free(self);
    *gpu = NULL;
}

static struct weir_gpu_commands *add_commands(weir_gpu *gpu, enum weir_result *result)
{
    struct weir_gpu_commands *commands = weir_alloc(&gpu->context.log, 1, sizeof(*commands),
                                                    "commands");
    *result = commands ? weir_vk_commands_allocate(&gpu->context, gpu->pool, 1, &commands->cmd)
                       : WEIR_ERROR_OUT_OF_MEMORY;
    if (*result != WEIR_OK) {
        free(commands);
        return NULL;
    }
    commands->next = gpu->commands;
    gpu->commands = commands;
    return commands;
}

enum weir_result weir_gpu_begin(weir_gpu *gpu, VkCommandBuffer *out)
{
    WEIR_TRY(WEIR_CHECK_OUT(weir_gpu_log(gpu), out, gpu));
    enum weir_result result = WEIR_OK;
    struct weir_gpu_commands *commands = gpu->commands;
    const uint64_t executed = atomic_load(&gpu->executed);
    while (commands && commands->done > executed) {
        commands = commands->next;
    }
    if (!commands) {
        commands = add_commands(gpu, &result);
    }
    if (result == WEIR_OK) {
        result = weir_vk_commands_begin(&gpu->context, commands->cmd,
                                        VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    }
    if (result == WEIR_OK) {
        commands->done = UINT64_MAX;
        *out = commands->cmd;
    }
    return result;
}

// Remember the value at which a command buffer may be used again.
static void set_done(weir_gpu *gpu, VkCommandBuffer cmd, uint64_t done)
{
    struct weir_gpu_commands *commands = gpu->commands;
    while (commands && commands->cmd != cmd) {
        commands = commands->next;
    }
    if (commands) {
        commands->done = done;
    }
}

void weir_gpu_discard(weir_gpu *gpu, VkCommandBuffer cmd)
{
    if (gpu && cmd && weir_vk_commands_end(&gpu->context, cmd) == WEIR_OK) {
        set_done(gpu, cmd, 0);
    }
}

static enum weir_result submit_to_queue(weir_gpu *gpu, VkCommandBuffer cmd,
                                        const struct weir_gpu_submission *submit)
{
    struct weir_vk_batch batch = {
        .wait = submit->wait.semaphore,
        .wait_value = submit->wait.value,
        .wait_stage = weir_vk_stages(submit->wait_stages),
        .cmds = {cmd},
        .signals = {gpu->timeline, submit->signals[0], submit->signals[1]},
        .signal_values = {gpu->submitted + 1},
    };
    weir_vk_batch_link(&batch);
    return weir_context_submit(&gpu->context, &gpu->queue, 1, &batch.submit);
}

enum weir_result weir_gpu_submit(weir_gpu *gpu, VkCommandBuffer cmd,
                                 const struct weir_gpu_submission *submit, struct weir_point *done)
{
    static const struct weir_gpu_submission nothing;
    WEIR_TRY(WEIR_CHECK_GIVEN(weir_gpu_log(gpu), gpu, cmd));
    WEIR_TRY(weir_vk_commands_end(&gpu->context, cmd));
    WEIR_TRY(submit_to_queue(gpu, cmd, submit ? submit : &nothing));
    gpu->submitted++;
    set_done(gpu, cmd, gpu->submitted);
    if (done) {
        *done = weir_gpu_get_last(gpu);
    }
    return WEIR_OK;
}

enum weir_result weir_gpu_run(weir_gpu *gpu, VkCommandBuffer cmd)
{
    struct weir_point done;
    WEIR_TRY(weir_gpu_submit(gpu, cmd, NULL, &done));
    return weir_gpu_wait(gpu, done, UINT64_MAX);
}

struct weir_point weir_gpu_get_last(const weir_gpu *gpu)
{
    return gpu && gpu->submitted > 0 ? (struct weir_point){gpu->timeline, gpu->submitted}
                                     : (struct weir_point){0};
}

enum weir_result weir_gpu_wait(weir_gpu *gpu, struct weir_point point, uint64_t timeout_ns)
{
    enum weir_result result = WEIR_CHECK_GIVEN(weir_gpu_log(gpu), gpu);
    if (result != WEIR_OK || !point.semaphore) {
        return result;
    }
    result = weir_vk_timeline_wait(&gpu->context, point.semaphore, point.value, timeout_ns);
    if (result == WEIR_OK && point.semaphore == gpu->timeline &&
        point.value > atomic_load(&gpu->executed)) {
        atomic_store(&gpu->executed, point.value); // a lower one of another thread does no harm
    }
    return result;
}
