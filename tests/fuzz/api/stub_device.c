// SPDX-License-Identifier: MIT
// A Vulkan device that computes nothing.
#include "tests/fuzz/api/stub.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"

// A stand-in takes what the driver takes, and uses little of it.
#pragma GCC diagnostic ignored "-Wunused-parameter"

// Memory is made when it is mapped, and no more than this, so that large objects cost nothing.
enum { MAX_MAPPED = 1 << 20 };

// Every object, whatever its type.
struct object {
    uint64_t size;        // of memory, buffers and images [bytes]
    atomic_ullong value;  // of a semaphore
    struct object *first; // sets and command buffers that go with their pool
    struct object *next;
    void *mapped;
};

static struct stub_device stub; // what it can do
static atomic_int num_objects;
static atomic_uint num_calls, num_pipelines;

void stub_device_init(const struct stub_device *device)
{
    fuzz_expect(stub_device_num_objects() == 0, "objects of the device before are gone");
    stub = *device;
    atomic_store(&num_calls, 0);
}

const struct stub_device *stub_device_get(void)
{
    return &stub;
}

int stub_device_num_objects(void)
{
    return atomic_load(&num_objects);
}

unsigned stub_device_num_pipelines(void)
{
    return atomic_load(&num_pipelines);
}

static VkResult next_result(void)
{
    return atomic_fetch_add(&num_calls, 1) + 1 == stub.calls_until_fault ? stub.fault : VK_SUCCESS;
}

static struct object *create(uint64_t size)
{
    struct object *object = calloc(1, sizeof(*object));
    fuzz_expect(object, "memory");
    object->size = size;
    atomic_fetch_add(&num_objects, 1);
    return object;
}

static void destroy(struct object *object)
{
    while (object) {
        struct object *next = object->next;
        destroy(object->first);
        free(object->mapped);
        free(object);
        atomic_fetch_sub(&num_objects, 1);
        object = next;
    }
}

static VkResult create_in(struct object *pool, void *out, uint32_t num)
{
    const VkResult result = next_result();
    for (uint32_t i = 0; i < num && result == VK_SUCCESS; i++) {
        struct object *object = create(0);
        object->next = pool->first;
        pool->first = object;
        memcpy((char *)out + i * sizeof(object), &object, sizeof(object));
    }
    return result;
}

#define DESTROY(call, type)                                                                        \
    static VKAPI_ATTR void VKAPI_CALL call(VkDevice d, type o, const VkAllocationCallbacks *a)     \
    {                                                                                              \
        destroy((struct object *)o);                                                               \
    }
// vkCreateX and vkDestroyX. The size and what must hold are expressions of the create info `i`.
#define MAKE(call, type, info, expected, size)                                                     \
    static VKAPI_ATTR VkResult VKAPI_CALL call(VkDevice d, const info *i,                          \
                                               const VkAllocationCallbacks *a, type *o)            \
    {                                                                                              \
        fuzz_expect(expected, "%s", #call);                                                        \
        const VkResult result = next_result();                                                     \
        *o = result == VK_SUCCESS ? (type)create(size) : STUB_HANDLE(type);                        \
        return result;                                                                             \
    }
#define OBJECT(name, expected, size)                                                               \
    MAKE(Create##name, Vk##name, Vk##name##CreateInfo, expected, size)                             \
    DESTROY(Destroy##name, Vk##name)
#define OBJECTS(X)                                                                                 \
    X(Buffer, true, i->size)                                                                       \
    X(CommandPool, true, 0)                                                                        \
    X(DescriptorPool, true, i->maxSets)                                                            \
    X(DescriptorSetLayout, true, 0)                                                                \
    X(Image, true, (uint64_t)i->extent.width * i->extent.height * 16)                              \
    X(ImageView, i->image && i->format && stub_has_range(&i->subresourceRange), 0)                 \
    X(PipelineCache, i->initialDataSize == 0, 0)                                                   \
    X(PipelineLayout, true, 0)                                                                     \
    X(QueryPool, true, 0)                                                                          \
    X(Sampler, true, 0)                                                                            \
    X(Semaphore, true, 0)                                                                          \
    X(ShaderModule, true, 0)
OBJECTS(OBJECT)
MAKE(AllocateMemory, VkDeviceMemory, VkMemoryAllocateInfo, i->memoryTypeIndex == 0,
     i->allocationSize)
DESTROY(FreeMemory, VkDeviceMemory)
DESTROY(DestroyPipeline, VkPipeline)

static VKAPI_ATTR VkResult VKAPI_CALL CreateComputePipelines(VkDevice d, VkPipelineCache c,
                                                             uint32_t n,
                                                             const VkComputePipelineCreateInfo *i,
                                                             const VkAllocationCallbacks *a,
                                                             VkPipeline *o)
{
    fuzz_expect(n == 1 && i->stage.module && i->layout, "a pipeline of a kernel");
    atomic_fetch_add(&num_pipelines, 1);
    const VkResult result = next_result();
    *o = result == VK_SUCCESS ? (VkPipeline)create(0) : VK_NULL_HANDLE;
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL GetPipelineCacheData(VkDevice d, VkPipelineCache c,
                                                           size_t *size, void *data)
{
    *size = 0;
    return next_result();
}

static VKAPI_ATTR VkResult VKAPI_CALL MapMemory(VkDevice d, VkDeviceMemory m, VkDeviceSize offset,
                                                VkDeviceSize size, VkMemoryMapFlags f, void **out)
{
    struct object *memory = (struct object *)m;
    fuzz_expect(offset == 0 && size == VK_WHOLE_SIZE, "all memory is mapped");
    const VkResult result = memory->size > MAX_MAPPED ? VK_ERROR_MEMORY_MAP_FAILED : next_result();
    if (result == VK_SUCCESS) {
        memory->mapped = malloc((size_t)memory->size);
        fuzz_expect(memory->mapped, "memory");
        *out = memory->mapped;
    }
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL AllocateCommandBuffers(VkDevice d,
                                                             const VkCommandBufferAllocateInfo *i,
                                                             VkCommandBuffer *o)
{
    return create_in((struct object *)i->commandPool, o, i->commandBufferCount);
}

static VKAPI_ATTR VkResult VKAPI_CALL AllocateDescriptorSets(VkDevice d,
                                                             const VkDescriptorSetAllocateInfo *i,
                                                             VkDescriptorSet *o)
{
    struct object *pool = (struct object *)i->descriptorPool;
    fuzz_expect(pool->size >= i->descriptorSetCount, "a pool has room for its sets");
    pool->size -= i->descriptorSetCount;
    return create_in(pool, o, i->descriptorSetCount);
}

static VKAPI_ATTR VkResult VKAPI_CALL ResetDescriptorPool(VkDevice d, VkDescriptorPool p,
                                                          VkDescriptorPoolResetFlags f)
{
    struct object *pool = (struct object *)p;
    for (const struct object *set = pool->first; set; set = set->next) {
        pool->size++;
    }
    destroy(pool->first);
    pool->first = NULL;
    return VK_SUCCESS;
}

#define REQUIREMENTS(name)                                                                         \
    static VKAPI_ATTR void VKAPI_CALL Get##name##MemoryRequirements(VkDevice d, Vk##name o,        \
                                                                    VkMemoryRequirements *out)     \
    {                                                                                              \
        *out = (VkMemoryRequirements){((struct object *)o)->size, 1, 1};                           \
    }
REQUIREMENTS(Buffer)
REQUIREMENTS(Image)

static void signal(const VkSubmitInfo *submit)
{
    const VkTimelineSemaphoreSubmitInfo *values = submit->pNext;
    for (uint32_t i = 0; i < submit->signalSemaphoreCount; i++) {
        struct object *semaphore = (struct object *)submit->pSignalSemaphores[i];
        if (submit->pSignalSemaphores[i] != STUB_HANDLE(VkSemaphore)) {
            fuzz_expect(values->pSignalSemaphoreValues[i] > atomic_load(&semaphore->value),
                        "a timeline rises");
            atomic_store(&semaphore->value, values->pSignalSemaphoreValues[i]);
        }
    }
}

static VKAPI_ATTR VkResult VKAPI_CALL QueueSubmit(VkQueue q, uint32_t n, const VkSubmitInfo *s,
                                                  VkFence f)
{
    const VkResult result = next_result();
    for (uint32_t i = 0; i < n && result == VK_SUCCESS; i++) {
        signal(&s[i]);
    }
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL GetSemaphoreCounterValue(VkDevice d, VkSemaphore s,
                                                               uint64_t *value)
{
    *value = atomic_load(&((struct object *)s)->value);
    return next_result();
}

static VKAPI_ATTR VkResult VKAPI_CALL WaitSemaphores(VkDevice d, const VkSemaphoreWaitInfo *i,
                                                     uint64_t t)
{
    for (uint32_t k = 0; k < i->semaphoreCount; k++) {
        const struct object *semaphore = (struct object *)i->pSemaphores[k];
        fuzz_expect(atomic_load(&semaphore->value) >= i->pValues[k], "what is waited for comes");
    }
    return next_result();
}

static VKAPI_ATTR void VKAPI_CALL UpdateDescriptorSets(VkDevice d, uint32_t n,
                                                       const VkWriteDescriptorSet *w, uint32_t m,
                                                       const VkCopyDescriptorSet *c)
{
}

#define SUCCEEDS(name, ...)                                                                        \
    static VKAPI_ATTR VkResult VKAPI_CALL name(__VA_ARGS__)                                        \
    {                                                                                              \
        return next_result();                                                                      \
    }
SUCCEEDS(BeginCommandBuffer, VkCommandBuffer c, const VkCommandBufferBeginInfo *i)
SUCCEEDS(BindBufferMemory, VkDevice d, VkBuffer b, VkDeviceMemory m, VkDeviceSize o)
SUCCEEDS(BindImageMemory, VkDevice d, VkImage i, VkDeviceMemory m, VkDeviceSize o)
SUCCEEDS(EndCommandBuffer, VkCommandBuffer c)
SUCCEEDS(FlushMappedMemoryRanges, VkDevice d, uint32_t n, const VkMappedMemoryRange *r)
SUCCEEDS(InvalidateMappedMemoryRanges, VkDevice d, uint32_t n, const VkMappedMemoryRange *r)

static VKAPI_ATTR VkResult VKAPI_CALL GetQueryPoolResults(VkDevice d, VkQueryPool p, uint32_t f,
                                                          uint32_t n, size_t size, void *data,
                                                          VkDeviceSize stride,
                                                          VkQueryResultFlags flags)
{
    memset(data, 0, size);
    return next_result();
}

static VKAPI_ATTR void VKAPI_CALL GetPhysicalDeviceFormatProperties(VkPhysicalDevice p, VkFormat f,
                                                                    VkFormatProperties *out)
{
    fuzz_expect((f > 0 && f <= VK_FORMAT_ASTC_12x12_SRGB_BLOCK) || f >= 1000000000,
                "VkFormat %d is one", (int)f);
    *out = (VkFormatProperties){.optimalTilingFeatures = stub.format_features};
}

static VKAPI_ATTR void VKAPI_CALL
GetPhysicalDeviceMemoryProperties(VkPhysicalDevice p, VkPhysicalDeviceMemoryProperties *out)
{
    *out = (VkPhysicalDeviceMemoryProperties){
        .memoryTypeCount = 1,
        .memoryTypes = {{.propertyFlags = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT |
                                          VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                          VK_MEMORY_PROPERTY_HOST_CACHED_BIT}}};
}

static VKAPI_ATTR void VKAPI_CALL GetPhysicalDeviceProperties2(VkPhysicalDevice p,
                                                               VkPhysicalDeviceProperties2 *out)
{
    out->properties = (VkPhysicalDeviceProperties){
        .apiVersion = VK_API_VERSION_1_2, .deviceType = stub.type, .limits = stub.limits};
    VkPhysicalDeviceSubgroupProperties *subgroup = out->pNext;
    if (!subgroup) {
        return;
    }
    subgroup->subgroupSize = stub.subgroup.subgroupSize;
    subgroup->supportedStages = stub.subgroup.supportedStages;
    subgroup->supportedOperations = stub.subgroup.supportedOperations;
}

static VKAPI_ATTR void VKAPI_CALL GetPhysicalDeviceQueueFamilyProperties(
    VkPhysicalDevice p, uint32_t *num, VkQueueFamilyProperties *families)
{
    *num = *num < stub.num_families ? *num : stub.num_families;
    memcpy(families, stub.families, *num * sizeof(*families));
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL GetDeviceProcAddr(VkDevice d, const char *name)
{
    return stub_device_proc(VK_NULL_HANDLE, name);
}

PFN_vkVoidFunction stub_device_proc(VkInstance instance, const char *name)
{
#define OBJECT_ENTRIES(name, expected, size) STUB_ENTRY(Create##name), STUB_ENTRY(Destroy##name),
    static const struct stub_entry entries[] = TEST_LIST(
        OBJECTS(OBJECT_ENTRIES) STUB_ENTRY(AllocateCommandBuffers),
        STUB_ENTRY(AllocateDescriptorSets), STUB_ENTRY(AllocateMemory),
        STUB_ENTRY(BeginCommandBuffer), STUB_ENTRY(BindBufferMemory), STUB_ENTRY(BindImageMemory),
        STUB_ENTRY(CreateComputePipelines), STUB_ENTRY(DestroyPipeline),
        STUB_ENTRY(EndCommandBuffer), STUB_ENTRY(FreeMemory),
        STUB_ENTRY(GetBufferMemoryRequirements), STUB_ENTRY(GetDeviceProcAddr),
        STUB_ENTRY(GetImageMemoryRequirements), STUB_ENTRY(GetPhysicalDeviceFormatProperties),
        STUB_ENTRY(GetPipelineCacheData), STUB_ENTRY(GetPhysicalDeviceMemoryProperties),
        STUB_ENTRY(GetPhysicalDeviceProperties2),
        STUB_ENTRY(GetPhysicalDeviceQueueFamilyProperties), STUB_ENTRY(GetQueryPoolResults),
        STUB_ENTRY(GetSemaphoreCounterValue), STUB_ENTRY(FlushMappedMemoryRanges),
        STUB_ENTRY(InvalidateMappedMemoryRanges), STUB_ENTRY(MapMemory), STUB_ENTRY(QueueSubmit),
        STUB_ENTRY(ResetDescriptorPool), STUB_ENTRY(UpdateDescriptorSets),
        STUB_ENTRY(WaitSemaphores));
    PFN_vkVoidFunction found = stub_find(entries, sizeof(entries) / sizeof(entries[0]), name);
    return found ? found : stub_command_proc(name);
}
