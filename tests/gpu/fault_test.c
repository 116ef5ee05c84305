// SPDX-License-Identifier: MIT
// The n-th Vulkan call fails, for every n: an error comes back, nothing crashes and nothing leaks
// (the validation layer names every object that outlives its device). A palette, whose memory takes
// long to fill, loses its device at every third n, from one of the seed; with --all at every n.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vulkan/vulkan.h>

#include <weir/encode.h>
#include <weir/mips.h>
#include <weir/palette.h>
#include <weir/preview.h>
#include <weir/pyramid.h>
#include <weir/readback.h>
#include <weir/snappy.h>

#include "capture/base/fnv.h"
#include "tests/gpu/pyramid_images.h"
#include "tests/replaced_calls.h"

static atomic_int calls_until_fault; // counts down; the call that makes it 0 fails
static VkResult fault;

static bool is_faulty(void)
{
    return atomic_fetch_sub(&calls_until_fault, 1) == 1;
}

// A stand-in for each function that can fail, with the driver's behind it.
#define WRAP(name, parameters, arguments)                                                          \
    static PFN_vk##name real_##name;                                                               \
    static VKAPI_ATTR VkResult VKAPI_CALL wrap_##name parameters                                   \
    {                                                                                              \
        return is_faulty() ? fault : real_##name arguments;                                        \
    }
// Overwrite the output of a call that is to fail, which is undefined (Vulkan 1.3, Return Codes).
static bool spoils(void *output, size_t size)
{
    if (is_faulty()) {
        memset(output, 0xee, size);
        return true;
    }
    return false;
}
#define CREATE(name)                                                                               \
    static PFN_vkCreate##name real_Create##name;                                                   \
    static VKAPI_ATTR VkResult VKAPI_CALL wrap_Create##name(                                       \
        VkDevice d, const Vk##name##CreateInfo *i, const VkAllocationCallbacks *a, Vk##name *o)    \
    {                                                                                              \
        return spoils(o, sizeof(*o)) ? fault : real_Create##name(d, i, a, o);                      \
    }
CREATE(Buffer)
CREATE(CommandPool)
CREATE(DescriptorPool)
CREATE(Image)
CREATE(ImageView)
CREATE(PipelineLayout)
CREATE(QueryPool)
CREATE(Semaphore)

// Making pipelines would take nearly all the time, so each is made once and kept: a call for one
// with the same kernel and constants gets it again. The sets that it is made for are kept too, with
// the samplers in them, as those that are bound must be made alike. Objects that are handed out are
// counted, as the validation layer would not miss them.
enum { MAX_KEPT = 64 };
struct kept {
    const char *what;
    uint64_t keys[MAX_KEPT];
    void *handles[MAX_KEPT];
    int num, num_out;
};
static struct kept pipelines = {.what = "pipelines"}, samplers = {.what = "samplers"},
                   layouts = {.what = "set layouts"};

// Get the place of the object with that key. It is NULL until the object is made.
static void **kept_place(struct kept *kept, uint64_t key)
{
    int k = 0;
    while (k < kept->num && kept->keys[k] != key) {
        k++;
    }
    test_must(k < MAX_KEPT, "more objects than are kept");
    if (k == kept->num) {
        kept->keys[kept->num++] = key;
    }
    return &kept->handles[k];
}

static void kept_take_back(struct kept *kept, const void *handle)
{
    int k = 0;
    while (k < kept->num && kept->handles[k] != handle) {
        k++;
    }
    test_must(!handle || k < kept->num, "an object is destroyed that was not handed out");
    kept->num_out -= handle != NULL;
}

// Stand-ins for calls that make and destroy an object that is kept, by a key of what it is made of.
#define KEEP(name, list, key_of_info)                                                              \
    static PFN_vkCreate##name real_Create##name;                                                   \
    static VKAPI_ATTR VkResult VKAPI_CALL wrap_Create##name(                                       \
        VkDevice d, const Vk##name##CreateInfo *i, const VkAllocationCallbacks *a, Vk##name *o)    \
    {                                                                                              \
        if (spoils(o, sizeof(*o))) {                                                               \
            return fault;                                                                          \
        }                                                                                          \
        Vk##name *place = (Vk##name *)kept_place(&list, key_of_info(i));                           \
        const VkResult result = *place ? VK_SUCCESS : real_Create##name(d, i, a, place);           \
        *o = *place;                                                                               \
        list.num_out += result == VK_SUCCESS;                                                      \
        return result;                                                                             \
    }                                                                                              \
    static PFN_vkDestroy##name real_Destroy##name;                                                 \
    static VKAPI_ATTR void VKAPI_CALL wrap_Destroy##name(VkDevice d, Vk##name o,                   \
                                                         const VkAllocationCallbacks *a)           \
    {                                                                                              \
        (void)d;                                                                                   \
        (void)a;                                                                                   \
        kept_take_back(&list, o);                                                                  \
    }

static uint64_t key_of_sampler(const VkSamplerCreateInfo *info)
{
    return info->magFilter;
}

static uint64_t key_of_layout(const VkDescriptorSetLayoutCreateInfo *info)
{
    uint64_t key = WEIR_FNV_START;
    for (uint32_t i = 0; i < info->bindingCount; i++) {
        const VkDescriptorSetLayoutBinding *binding = &info->pBindings[i];
        key = weir_fnv(key, binding, offsetof(VkDescriptorSetLayoutBinding, pImmutableSamplers));
        if (binding->pImmutableSamplers) {
            key = weir_fnv(key, binding->pImmutableSamplers,
                           binding->descriptorCount * sizeof(VkSampler));
        }
    }
    return key;
}

KEEP(Sampler, samplers, key_of_sampler)
KEEP(DescriptorSetLayout, layouts, key_of_layout)

// Several threads make pipelines, each of the module that it has just made.
static _Thread_local VkShaderModule last_module;
static _Thread_local uint64_t key_of_last_module;
static pthread_mutex_t pipelines_lock = PTHREAD_MUTEX_INITIALIZER;

static PFN_vkCreateShaderModule real_CreateShaderModule;
static VKAPI_ATTR VkResult VKAPI_CALL wrap_CreateShaderModule(VkDevice d,
                                                              const VkShaderModuleCreateInfo *i,
                                                              const VkAllocationCallbacks *a,
                                                              VkShaderModule *o)
{
    if (spoils(o, sizeof(*o))) {
        return fault;
    }
    const VkResult result = real_CreateShaderModule(d, i, a, o);
    last_module = *o;
    key_of_last_module = weir_fnv(WEIR_FNV_START, i->pCode, i->codeSize);
    return result;
}

static uint64_t key_of(const VkPipelineShaderStageCreateInfo *stage)
{
    test_must(stage->module == last_module, "a pipeline of another module than the last");
    uint64_t key = weir_fnv(key_of_last_module, &stage->flags, sizeof(stage->flags));
    if (stage->pNext) {
        const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo *required = stage->pNext;
        test_must(required->sType ==
                      VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
                  "a stage with a structure that this test does not know");
        key = weir_fnv(key, &required->requiredSubgroupSize, sizeof(uint32_t));
    }
    const VkSpecializationInfo *constants = stage->pSpecializationInfo;
    return constants ? weir_fnv(key, constants->pData, constants->dataSize) : key;
}

static PFN_vkCreateComputePipelines real_CreateComputePipelines;
static VKAPI_ATTR VkResult VKAPI_CALL wrap_CreateComputePipelines(
    VkDevice d, VkPipelineCache c, uint32_t n, const VkComputePipelineCreateInfo *i,
    const VkAllocationCallbacks *a, VkPipeline *o)
{
    test_must(n == 1, "several pipelines in one call");
    *o = VK_NULL_HANDLE; // a failed call leaves this (Vulkan 1.3, Pipelines)
    if (is_faulty()) {
        return fault;
    }
    pthread_mutex_lock(&pipelines_lock);
    VkPipeline *place = (VkPipeline *)kept_place(&pipelines, key_of(&i->stage));
    const VkResult result = *place ? VK_SUCCESS : real_CreateComputePipelines(d, c, n, i, a, place);
    *o = *place;
    pipelines.num_out += result == VK_SUCCESS;
    pthread_mutex_unlock(&pipelines_lock);
    return result;
}

static PFN_vkDestroyPipeline real_DestroyPipeline;
static VKAPI_ATTR void VKAPI_CALL wrap_DestroyPipeline(VkDevice d, VkPipeline p,
                                                       const VkAllocationCallbacks *a)
{
    (void)d;
    (void)a;
    pthread_mutex_lock(&pipelines_lock);
    kept_take_back(&pipelines, p);
    pthread_mutex_unlock(&pipelines_lock);
}

static void destroy_kept(VkDevice device)
{
    for (int k = 0; k < MAX_KEPT; k++) {
        vkDestroyPipeline(device, pipelines.handles[k], NULL);
        vkDestroyDescriptorSetLayout(device, layouts.handles[k], NULL);
    }
    for (int k = 0; k < MAX_KEPT; k++) {
        vkDestroySampler(device, samplers.handles[k], NULL);
    }
}

WRAP(AllocateCommandBuffers, (VkDevice d, const VkCommandBufferAllocateInfo *i, VkCommandBuffer *o),
     (d, i, o))
WRAP(AllocateDescriptorSets, (VkDevice d, const VkDescriptorSetAllocateInfo *i, VkDescriptorSet *o),
     (d, i, o))
static PFN_vkAllocateMemory real_AllocateMemory;
static VKAPI_ATTR VkResult VKAPI_CALL wrap_AllocateMemory(VkDevice d, const VkMemoryAllocateInfo *i,
                                                          const VkAllocationCallbacks *a,
                                                          VkDeviceMemory *o)
{
    return spoils(o, sizeof(*o)) ? fault : real_AllocateMemory(d, i, a, o);
}
WRAP(BindBufferMemory, (VkDevice d, VkBuffer b, VkDeviceMemory m, VkDeviceSize o), (d, b, m, o))
WRAP(BindImageMemory, (VkDevice d, VkImage b, VkDeviceMemory m, VkDeviceSize o), (d, b, m, o))
WRAP(MapMemory,
     (VkDevice d, VkDeviceMemory m, VkDeviceSize o, VkDeviceSize s, VkMemoryMapFlags f, void **p),
     (d, m, o, s, f, p))
WRAP(BeginCommandBuffer, (VkCommandBuffer c, const VkCommandBufferBeginInfo *i), (c, i))
WRAP(EndCommandBuffer, (VkCommandBuffer c), (c))
WRAP(QueueSubmit, (VkQueue q, uint32_t n, const VkSubmitInfo *s, VkFence f), (q, n, s, f))
WRAP(GetSemaphoreCounterValue, (VkDevice d, VkSemaphore s, uint64_t *v), (d, s, v))

static bool no_wait_has_memory; // every wait fails, after it has waited

// A lost device executes nothing more. This one does, so wait for it.
static PFN_vkWaitSemaphores real_WaitSemaphores;
static VKAPI_ATTR VkResult VKAPI_CALL wrap_WaitSemaphores(VkDevice d, const VkSemaphoreWaitInfo *i,
                                                          uint64_t t)
{
    const bool faulty = is_faulty();
    if (!faulty || fault == VK_ERROR_DEVICE_LOST) {
        const VkResult result = real_WaitSemaphores(d, i, t);
        return faulty ? fault : no_wait_has_memory ? VK_ERROR_OUT_OF_HOST_MEMORY : result;
    }
    return fault;
}

// clang-format off
REPLACE_CALLS(
    REPLACE(wrap_, vk, CreateBuffer)
    REPLACE(wrap_, vk, CreateCommandPool)
    REPLACE(wrap_, vk, CreateDescriptorPool)
    REPLACE(wrap_, vk, CreateDescriptorSetLayout)
    REPLACE(wrap_, vk, CreateImage)
    REPLACE(wrap_, vk, CreateImageView)
    REPLACE(wrap_, vk, CreatePipelineLayout)
    REPLACE(wrap_, vk, CreateQueryPool)
    REPLACE(wrap_, vk, CreateSampler)
    REPLACE(wrap_, vk, CreateSemaphore)
    REPLACE(wrap_, vk, CreateShaderModule)
    REPLACE(wrap_, vk, CreateComputePipelines)
    REPLACE(wrap_, vk, DestroyDescriptorSetLayout)
    REPLACE(wrap_, vk, DestroyPipeline)
    REPLACE(wrap_, vk, DestroySampler)
    REPLACE(wrap_, vk, AllocateCommandBuffers)
    REPLACE(wrap_, vk, AllocateDescriptorSets)
    REPLACE(wrap_, vk, AllocateMemory)
    REPLACE(wrap_, vk, BindBufferMemory)
    REPLACE(wrap_, vk, BindImageMemory)
    REPLACE(wrap_, vk, MapMemory)
    REPLACE(wrap_, vk, BeginCommandBuffer)
    REPLACE(wrap_, vk, EndCommandBuffer)
    REPLACE(wrap_, vk, QueueSubmit)
    REPLACE(wrap_, vk, WaitSemaphores)
    REPLACE(wrap_, vk, GetSemaphoreCounterValue))
// clang-format on

// The objects that an attempt starts with, made without faults.
struct subject {
    struct weir_gpu_image image, storage;
    struct pyramid_case c;
    struct pyramid_images images;
    bool copies_apart; // a frame is copied on a queue for that, and not packed into host memory
};

struct objects {
    weir_context *context;
    weir_image *image;
    weir_encoder *encoder;
    weir_snappy *snappy;
    weir_readback *readback;
    weir_pyramid *pyramid;
    weir_pyramid_target *target;
    weir_mips *mips;
    weir_preview *preview;
    weir_palette *palette;
    weir_image *palette_image;
    struct weir_frame frame;
};

static enum weir_result create_context(struct harness *h, const struct subject *subject,
                                       struct objects *o)
{
    struct weir_context_params params = *h->import;
    params.get_instance_proc_addr = replaced_instance_proc;
    params.graphics = h->host;
    params.compute = (struct weir_queue){0};
    memset(params.transfer, 0, sizeof(params.transfer));
    if (subject->copies_apart) {
        params.transfer[0] = h->host;
    }
    return weir_context_create(&params, &o->context);
}

// An attempt on the objects. Returns the first result that is not WEIR_OK.
typedef enum weir_result attempt(struct harness *h, struct subject *subject, struct objects *o);

// One frame, from the context to the bytes.
static enum weir_result run_frame(struct harness *h, struct subject *subject, struct objects *o)
{
    const struct weir_image_params wrap = subject->image.params;
    const uint64_t size = weir_codec_image_size(WEIR_CODEC_DEFAULT, wrap.width, wrap.height);
    const bool packs = !subject->copies_apart;
    struct weir_slot slot;
    struct weir_readback_data data;
    WEIR_TRY(create_context(h, subject, o));
    WEIR_TRY(weir_image_create(o->context, &wrap, &o->image));
    WEIR_TRY(weir_encoder_create(o->context, weir_encoder_params(.like = o->image), &o->encoder));
    if (packs) {
        WEIR_TRY(weir_snappy_create(o->context, weir_snappy_params(.size = size), &o->snappy));
    }
    WEIR_TRY(weir_readback_create(
        o->context,
        weir_readback_params(.size = size, .num_slots = 2,
                             .direct_size = packs ? weir_snappy_destination_size(size, 1) : 0),
        &o->readback));
    o->frame = (struct weir_frame){
        .image = o->image, .layout = VK_IMAGE_LAYOUT_GENERAL, .queue_family = h->host.family};
    WEIR_TRY(weir_readback_begin(o->readback, &o->frame, &slot));
    const struct weir_encode encode = {.source = o->image,
                                       .buffer = weir_slot_buffer(o->readback, &slot)};
    const struct weir_snappy_run run = {.source = encode.buffer,
                                        .destination = weir_slot_result(o->readback, &slot)};
    weir_cmd_encode(o->encoder, slot.cmd, &encode);
    if (packs) {
        weir_cmd_snappy(o->snappy, slot.tail, &run);
    }
    WEIR_TRY(weir_readback_submit(o->readback, &slot, NULL));
    return weir_readback_wait(o->readback, slot.index, UINT64_MAX, &data);
}

// A pyramid and a target.
static enum weir_result make_pyramid(struct harness *h, struct subject *subject, struct objects *o)
{
    const struct pyramid_case *c = &subject->c;
    WEIR_TRY(create_context(h, subject, o));
    WEIR_TRY(weir_pyramid_create(o->context,
                                 weir_pyramid_params(.method = c->method, .format = c->format,
                                                     .source_format = c->source_format),
                                 &o->pyramid));
    return pyramid_images_create_target(&subject->images, c, o->pyramid, &o->target);
}

// A generator, and the levels of a texture.
static enum weir_result make_mips(struct harness *h, struct subject *subject, struct objects *o)
{
    const struct weir_image_params texture =
        TEST_LIST(.image = subject->images.levels[0], .format = subject->c.format,
                  .width = subject->c.width, .height = subject->c.height, .levels = 4,
                  .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT);
    WEIR_TRY(create_context(h, subject, o));
    WEIR_TRY(weir_mips_create(o->context, weir_mips_params(.max_in_flight = 2), &o->mips));
    VkCommandBuffer cmd = harness_begin(h);
    const enum weir_result result = weir_cmd_generate_mips(o->mips, cmd, &texture, NULL);
    weir_gpu_discard(h->gpu, cmd);
    return result;
}

// A preview, and the first picture of a frame.
static enum weir_result make_preview(struct harness *h, struct subject *subject, struct objects *o)
{
    WEIR_TRY(create_context(h, subject, o));
    WEIR_TRY(weir_image_create(o->context, &subject->storage.params, &o->image));
    WEIR_TRY(weir_preview_create(
        o->context, weir_preview_params(.like = o->image, .max_side = 8, .num_levels = 2),
        &o->preview));
    const struct weir_preview_run run = {.source = o->image};
    VkCommandBuffer cmd = harness_begin(h);
    const enum weir_result result = weir_cmd_preview(o->preview, cmd, &run);
    weir_gpu_discard(h->gpu, cmd);
    return result;
}

// An image that is read and written, and a palette reduction of it.
static enum weir_result make_palette(struct harness *h, struct subject *subject, struct objects *o)
{
    WEIR_TRY(create_context(h, subject, o));
    WEIR_TRY(weir_image_create(o->context, &subject->storage.params, &o->palette_image));
    return weir_palette_create(o->context,
                               weir_palette_params(.max_colors = 1,
                                                   .weight = WEIR_PALETTE_WEIGHT_FREQUENCY,
                                                   .like = o->palette_image),
                               &o->palette);
}

static void destroy_objects(struct objects *o)
{
    weir_palette_destroy(&o->palette);
    weir_image_destroy(&o->palette_image);
    weir_mips_destroy(&o->mips);
    weir_preview_destroy(&o->preview);
    weir_pyramid_target_destroy(&o->target);
    weir_pyramid_destroy(&o->pyramid);
    weir_readback_destroy(&o->readback);
    weir_snappy_destroy(&o->snappy);
    weir_encoder_destroy(&o->encoder);
    weir_image_destroy(&o->image);
    weir_context_destroy(&o->context);
}

// A lost device takes nothing more.
static void expect_lost(struct subject *subject, struct objects *o)
{
    const enum weir_result lost = WEIR_ERROR_DEVICE_LOST;
    weir_encoder *encoder = NULL;
    weir_pyramid *pyramid = NULL;
    weir_palette *palette = NULL;
    weir_image *image = NULL;
    struct weir_slot slot;
    const enum weir_result results[] = {
        weir_encoder_create(o->context, weir_encoder_params(.like = o->image), &encoder),
        weir_pyramid_create(o->context, weir_pyramid_params(.format = VK_FORMAT_R8G8B8A8_UNORM),
                            &pyramid),
        weir_palette_create(
            o->context, weir_palette_params(.max_colors = 1, .like = o->palette_image), &palette),
        subject->image.params.image ? weir_image_create(o->context, &subject->image.params, &image)
                                    : lost,
        o->readback ? weir_readback_begin(o->readback, &o->frame, &slot) : lost,
        o->pyramid
            ? pyramid_images_create_target(&subject->images, &subject->c, o->pyramid, &o->target)
            : lost,
    };
    for (size_t i = 0; i < sizeof(results) / sizeof(results[0]); i++) {
        test_expect(results[i] == lost, "a lost device, call %zu: %s", i,
                    weir_result_name(results[i]));
    }
}

// Let the `first` call fail, then each `step` after it. Returns the first number without a call.
static int run_until_clean(struct harness *h, attempt *run, struct subject *subject, VkResult with,
                           int first, int step)
{
    for (int n = first;; n += step) {
        calls_until_fault = n;
        fault = with;
        struct objects o = {0};
        const enum weir_result result = run(h, subject, &o);
        const bool happened = calls_until_fault <= 0;
        if (result == WEIR_ERROR_DEVICE_LOST && o.context) {
            expect_lost(subject, &o);
        }
        calls_until_fault = 0;
        vkQueueWaitIdle(h->host.queue);
        destroy_objects(&o);
        const struct kept *const lists[] = {&pipelines, &samplers, &layouts};
        for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
            test_expect(lists[i]->num_out == 0, "call %d fails, %d are left: %s", n,
                        lists[i]->num_out, lists[i]->what);
        }
        if (!happened) {
            test_expect(result == WEIR_OK, "without a fault: %s", weir_result_name(result));
            return n;
        }
        test_expect(result < 0, "call %d fails, the result is %s", n, weir_result_name(result));
    }
}

static void test_calls(struct harness *h, const char *name, attempt *run, struct subject *subject,
                       int least, int step_of_loss)
{
    const int calls = run_until_clean(h, run, subject, VK_ERROR_OUT_OF_DEVICE_MEMORY, 1, 1) - 1;
    const int first = 1 + (int)harness_random_below(h, (uint32_t)step_of_loss);
    test_expect(calls > least, "%s: only %d calls can fail", name, calls);
    run_until_clean(h, run, subject, VK_ERROR_DEVICE_LOST, first, step_of_loss);
    printf("%s: %d calls, each failed once\n", name, calls);
}

// Memory never comes back: what waits for its work gives up.
static void test_no_memory(struct harness *h, struct subject *subject)
{
    struct objects o = {0};
    no_wait_has_memory = true;
    const enum weir_result result = make_palette(h, subject, &o);
    no_wait_has_memory = false;
    test_expect(result == WEIR_ERROR_OUT_OF_MEMORY, "no wait has memory: %s",
                weir_result_name(result));
    destroy_objects(&o);
}

// The method with scratch memory and a copied source, and the one with the most kernels.
static void test_pyramids(struct harness *h)
{
    static const struct pyramid_case cases[] = {{.method = WEIR_PYRAMID_SINGLE,
                                                 .format = VK_FORMAT_R8G8B8A8_SRGB,
                                                 .source_format = VK_FORMAT_R8G8B8A8_UNORM,
                                                 .width = 300,
                                                 .height = 200},
                                                {.method = WEIR_PYRAMID_HYBRID,
                                                 .format = VK_FORMAT_R8G8B8A8_UNORM,
                                                 .width = 40,
                                                 .height = 24}};
    for (int i = 0; i < 2; i++) {
        struct subject subject = {.c = cases[i]};
        struct pyramid_memory memory = {.harness = h};
        weir_pyramid *pyramid = NULL;
        if (TEST_OK(weir_pyramid_create(
                h->context,
                weir_pyramid_params(.method = cases[i].method, .format = cases[i].format,
                                    .source_format = cases[i].source_format),
                &pyramid))) {
            pyramid_images_init(&memory, &cases[i], pyramid, 1, NULL, &subject.images);
            test_calls(h, weir_pyramid_method_get_info(cases[i].method)->name, make_pyramid,
                       &subject, 20, 1);
            if (!cases[i].source_format) {
                test_calls(h, "levels of a texture", make_mips, &subject, 20, 1);
            }
            pyramid_images_finish(&subject.images);
            pyramid_memory_finish(&memory);
        }
        weir_pyramid_destroy(&pyramid);
    }
}

// usage: fault_test [--all]
int main(int argc, char **argv)
{
    const bool has_all = argc == 2 && strcmp(argv[1], "--all") == 0;
    struct harness h;
    harness_init(&h, true);
    static const uint8_t texels[12 * 8 * 4];
    struct subject subject = {0};
    harness_image_init(&h, VK_FORMAT_R8G8B8A8_UNORM, 12, 8,
                       VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT, 0, texels, 4,
                       VK_IMAGE_LAYOUT_GENERAL, &subject.storage);
    harness_image_init(&h, VK_FORMAT_R8G8B8A8_UNORM, 12, 8, VK_IMAGE_USAGE_TRANSFER_SRC_BIT, 0,
                       texels, 4, VK_IMAGE_LAYOUT_GENERAL, &subject.image);
    test_calls(&h, "a frame", run_frame, &subject, 30, 1);
    subject.copies_apart = true;
    test_calls(&h, "a frame that is copied apart", run_frame, &subject, 30, 1);
    test_pyramids(&h);
    test_no_memory(&h, &subject);
    test_calls(&h, "a preview", make_preview, &subject, 30, 1);
    test_calls(&h, "a palette", make_palette, &subject, 100, has_all ? 1 : 3);
    destroy_kept(h.vk);
    harness_image_finish(&h, &subject.storage);
    harness_image_finish(&h, &subject.image);
    return harness_finish(&h);
}
