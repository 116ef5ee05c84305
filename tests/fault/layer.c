// SPDX-License-Identifier: MIT
// A Vulkan layer that fails one call of the program that it is loaded into.
//
// WEIR_FAULT and WEIR_FAULT_LOG are those of fault.c, with these kinds: submit, wait (for a
// semaphore, a fence or the device, and reading a semaphore), acquire, present, create (any
// object), allocate (memory, command buffers, sets), map (and bind, flush, invalidate) and record
// (begin and end of a command buffer). MODE is the name of a VkResult without VK_ and ERROR_, such
// as DEVICE_LOST. After a DEVICE_LOST every later submit, wait, acquire and present answers it too,
// as on a device that is gone.
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#define CALLER __builtin_return_address(0)
enum kind { SUBMIT, WAIT, ACQUIRE, PRESENT, CREATE, ALLOCATE, MAP, RECORD, NUM_KINDS };
static const char *const kind_names[NUM_KINDS] = {"submit", "wait",     "acquire", "present",
                                                  "create", "allocate", "map",     "record"};
static const struct {
    const char *name;
    VkResult result;
} modes[] = {
    {"DEVICE_LOST", VK_ERROR_DEVICE_LOST},
    {"OUT_OF_HOST_MEMORY", VK_ERROR_OUT_OF_HOST_MEMORY},
    {"OUT_OF_DEVICE_MEMORY", VK_ERROR_OUT_OF_DEVICE_MEMORY},
    {"SURFACE_LOST", VK_ERROR_SURFACE_LOST_KHR},
    {"OUT_OF_DATE", VK_ERROR_OUT_OF_DATE_KHR},
    {"SUBOPTIMAL", VK_SUBOPTIMAL_KHR},
    {"MEMORY_MAP_FAILED", VK_ERROR_MEMORY_MAP_FAILED},
    {"TIMEOUT", VK_TIMEOUT},
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct {
    bool is_on;
    enum kind kind;
    int number;
    VkResult result;
} fault;
static atomic_int calls[NUM_KINDS];
static atomic_bool is_lost;
static VkDevice device_to_lose;
static PFN_vkDeviceWaitIdle wait_idle;
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;

static void tell(const char *verb, const char *what, const char *name)
{
    const char *path = getenv("WEIR_FAULT_LOG");
    const int fd = path ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
    if (fd >= 0) {
        dprintf(fd, "%s %s %s\n", verb, what, name);
        close(fd);
    }
}

static void tell_calls(void)
{
    for (int i = 0; i < NUM_KINDS && !fault.is_on; i++) {
        char number[16];
        snprintf(number, sizeof(number), "%d", atomic_load(&calls[i]));
        tell("calls", kind_names[i], number);
    }
}

static void begin(void)
{
    const char *text = getenv("WEIR_FAULT");
    char kind[32], mode[32];
    atexit(tell_calls);
    if (!text || sscanf(text, "%31[a-z_]:%d:%31[A-Z_]", kind, &fault.number, mode) != 3) {
        return;
    }
    for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
        fault.result = strcmp(modes[i].name, mode) == 0 ? modes[i].result : fault.result;
    }
    for (int i = 0; i < NUM_KINDS; i++) {
        if (strcmp(kind_names[i], kind) == 0) {
            fault.kind = (enum kind)i;
            fault.is_on = fault.result != VK_SUCCESS;
        }
    }
}

// No work of a lost device goes on, and none begins. A call on a queue holds the lock already.
// Other threads hear of the loss when the work has ended: they may destroy what it uses.
static void lose_device(enum kind kind)
{
    const bool is_locked = kind == SUBMIT || kind == PRESENT;
    if (!is_locked) {
        pthread_mutex_lock(&queue_lock);
    }
    if (wait_idle) {
        wait_idle(device_to_lose);
    }
    atomic_store(&is_lost, true);
    if (!is_locked) {
        pthread_mutex_unlock(&queue_lock);
    }
}

// True if the call comes from what WEIR_FAULT_OBJECT names, if it names any.
static bool is_of_object(void *caller)
{
    static const char *only;
    if (!only) {
        only = getenv("WEIR_FAULT_OBJECT");
    }
    struct dl_find_object found;
    return !only || (_dl_find_object(caller, &found) == 0 &&
                     strstr(found.dlfo_link_map->l_name, only) != NULL);
}

// Count a call. Returns what it is to fail with, or VK_SUCCESS.
static VkResult next_result(enum kind kind, const char *name, void *caller)
{
    if (atomic_load(&is_lost) && kind <= PRESENT) {
        return VK_ERROR_DEVICE_LOST;
    }
    if (!is_of_object(caller)) {
        return VK_SUCCESS;
    }
    const int number = atomic_fetch_add(&calls[kind], 1) + 1;
    if (!fault.is_on || kind != fault.kind || number != fault.number) {
        return VK_SUCCESS;
    }
    tell("failed", kind_names[kind], name);
    if (fault.result == VK_ERROR_DEVICE_LOST) {
        lose_device(kind);
    }
    return fault.result;
}

// True if the call is not to be made. VK_SUBOPTIMAL_KHR is a success with a word.
static bool is_failure(VkResult result)
{
    return result < 0 || result == VK_TIMEOUT;
}

// What a call answers that was made.
static VkResult join(VkResult real, VkResult wanted)
{
    return real == VK_SUCCESS ? wanted : real;
}

// A stand-in for a function of the device, with the next layer's behind it.
#define WRAP(kind, name, parameters, arguments)                                                    \
    static PFN_vk##name real_##name;                                                               \
    static VKAPI_ATTR VkResult VKAPI_CALL wrap_##name parameters                                   \
    {                                                                                              \
        const VkResult result = next_result(kind, "vk" #name, CALLER);                             \
        return is_failure(result) ? result : join(real_##name arguments, result);                  \
    }
#define WRAP_QUEUE(kind, name, parameters, arguments)                                              \
    static PFN_vk##name real_##name;                                                               \
    static VKAPI_ATTR VkResult VKAPI_CALL wrap_##name parameters                                   \
    {                                                                                              \
        pthread_mutex_lock(&queue_lock);                                                           \
        VkResult result = next_result(kind, "vk" #name, CALLER);                                   \
        result = is_failure(result) ? result : join(real_##name arguments, result);                \
        pthread_mutex_unlock(&queue_lock);                                                         \
        return result;                                                                             \
    }
// The output of a failed call is undefined (Vulkan 1.3, Return Codes): it is overwritten.
#define WRAP_CREATE(name, object, info)                                                            \
    static PFN_vkCreate##name real_Create##name;                                                   \
    static VKAPI_ATTR VkResult VKAPI_CALL wrap_Create##name(                                       \
        VkDevice d, const info *i, const VkAllocationCallbacks *a, object *o)                      \
    {                                                                                              \
        const VkResult result = next_result(CREATE, "vkCreate" #name, CALLER);                     \
        if (result != VK_SUCCESS) {                                                                \
            memset(o, 0xee, sizeof(*o));                                                           \
            return result;                                                                         \
        }                                                                                          \
        return real_Create##name(d, i, a, o);                                                      \
    }
#define CREATED(X)                                                                                 \
    X(Buffer, VkBuffer, VkBufferCreateInfo)                                                        \
    X(CommandPool, VkCommandPool, VkCommandPoolCreateInfo)                                         \
    X(DescriptorPool, VkDescriptorPool, VkDescriptorPoolCreateInfo)                                \
    X(DescriptorSetLayout, VkDescriptorSetLayout, VkDescriptorSetLayoutCreateInfo)                 \
    X(Fence, VkFence, VkFenceCreateInfo)                                                           \
    X(Framebuffer, VkFramebuffer, VkFramebufferCreateInfo)                                         \
    X(Image, VkImage, VkImageCreateInfo)                                                           \
    X(ImageView, VkImageView, VkImageViewCreateInfo)                                               \
    X(PipelineLayout, VkPipelineLayout, VkPipelineLayoutCreateInfo)                                \
    X(QueryPool, VkQueryPool, VkQueryPoolCreateInfo)                                               \
    X(RenderPass, VkRenderPass, VkRenderPassCreateInfo)                                            \
    X(Sampler, VkSampler, VkSamplerCreateInfo)                                                     \
    X(Semaphore, VkSemaphore, VkSemaphoreCreateInfo)                                               \
    X(ShaderModule, VkShaderModule, VkShaderModuleCreateInfo)                                      \
    X(SwapchainKHR, VkSwapchainKHR, VkSwapchainCreateInfoKHR)
CREATED(WRAP_CREATE)

// The other calls, by what they are: on a queue or not.
#define OTHERS(X, QUEUE)                                                                           \
    QUEUE(SUBMIT, QueueSubmit, (VkQueue q, uint32_t n, const VkSubmitInfo *s, VkFence f),          \
          (q, n, s, f))                                                                            \
    X(WAIT, WaitSemaphores, (VkDevice d, const VkSemaphoreWaitInfo *i, uint64_t t), (d, i, t))     \
    X(WAIT, WaitForFences, (VkDevice d, uint32_t n, const VkFence *f, VkBool32 all, uint64_t t),   \
      (d, n, f, all, t))                                                                           \
    X(WAIT, GetSemaphoreCounterValue, (VkDevice d, VkSemaphore s, uint64_t * v), (d, s, v))        \
    X(WAIT, DeviceWaitIdle, (VkDevice d), (d))                                                     \
    X(WAIT, QueueWaitIdle, (VkQueue q), (q))                                                       \
    X(ACQUIRE, AcquireNextImageKHR,                                                                \
      (VkDevice d, VkSwapchainKHR s, uint64_t t, VkSemaphore w, VkFence f, uint32_t * i),          \
      (d, s, t, w, f, i))                                                                          \
    QUEUE(PRESENT, QueuePresentKHR, (VkQueue q, const VkPresentInfoKHR *i), (q, i))                \
    X(ALLOCATE, AllocateMemory,                                                                    \
      (VkDevice d, const VkMemoryAllocateInfo *i, const VkAllocationCallbacks *a,                  \
       VkDeviceMemory *m),                                                                         \
      (d, i, a, m))                                                                                \
    X(ALLOCATE, AllocateCommandBuffers,                                                            \
      (VkDevice d, const VkCommandBufferAllocateInfo *i, VkCommandBuffer *c), (d, i, c))           \
    X(ALLOCATE, AllocateDescriptorSets,                                                            \
      (VkDevice d, const VkDescriptorSetAllocateInfo *i, VkDescriptorSet *s), (d, i, s))           \
    X(MAP, MapMemory,                                                                              \
      (VkDevice d, VkDeviceMemory m, VkDeviceSize o, VkDeviceSize s, VkMemoryMapFlags f,           \
       void **p),                                                                                  \
      (d, m, o, s, f, p))                                                                          \
    X(MAP, BindBufferMemory, (VkDevice d, VkBuffer b, VkDeviceMemory m, VkDeviceSize o),           \
      (d, b, m, o))                                                                                \
    X(MAP, BindImageMemory, (VkDevice d, VkImage i, VkDeviceMemory m, VkDeviceSize o),             \
      (d, i, m, o))                                                                                \
    X(MAP, FlushMappedMemoryRanges, (VkDevice d, uint32_t n, const VkMappedMemoryRange *r),        \
      (d, n, r))                                                                                   \
    X(MAP, InvalidateMappedMemoryRanges, (VkDevice d, uint32_t n, const VkMappedMemoryRange *r),   \
      (d, n, r))                                                                                   \
    X(RECORD, BeginCommandBuffer, (VkCommandBuffer c, const VkCommandBufferBeginInfo *i), (c, i))  \
    X(RECORD, EndCommandBuffer, (VkCommandBuffer c), (c))                                          \
    X(CREATE, CreateComputePipelines,                                                              \
      (VkDevice d, VkPipelineCache c, uint32_t n, const VkComputePipelineCreateInfo *i,            \
       const VkAllocationCallbacks *a, VkPipeline *p),                                             \
      (d, c, n, i, a, p))                                                                          \
    X(CREATE, CreateGraphicsPipelines,                                                             \
      (VkDevice d, VkPipelineCache c, uint32_t n, const VkGraphicsPipelineCreateInfo *i,           \
       const VkAllocationCallbacks *a, VkPipeline *p),                                             \
      (d, c, n, i, a, p))                                                                          \
    X(CREATE, GetSwapchainImagesKHR, (VkDevice d, VkSwapchainKHR s, uint32_t * n, VkImage * i),    \
      (d, s, n, i))
OTHERS(WRAP, WRAP_QUEUE)

// The functions of the next layer. Programs here have one instance and one device at a time.
static PFN_vkGetInstanceProcAddr next_instance_proc;
static PFN_vkGetDeviceProcAddr next_device_proc;

static VkLayerInstanceCreateInfo *instance_link(const VkInstanceCreateInfo *info)
{
    VkLayerInstanceCreateInfo *link = (void *)info->pNext;
    while (link && (link->sType != VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO ||
                    link->function != VK_LAYER_LINK_INFO)) {
        link = (void *)link->pNext;
    }
    return link;
}

static VKAPI_ATTR VkResult VKAPI_CALL wrap_CreateInstance(const VkInstanceCreateInfo *info,
                                                          const VkAllocationCallbacks *allocator,
                                                          VkInstance *out)
{
    pthread_once(&once, begin);
    VkLayerInstanceCreateInfo *link = instance_link(info);
    next_instance_proc = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    const PFN_vkCreateInstance create = (PFN_vkCreateInstance)next_instance_proc(
        NULL, "vkCreateInstance");
    return create(info, allocator, out);
}

static VKAPI_ATTR VkResult VKAPI_CALL wrap_CreateDevice(VkPhysicalDevice physical,
                                                        const VkDeviceCreateInfo *info,
                                                        const VkAllocationCallbacks *allocator,
                                                        VkDevice *out)
{
    VkLayerDeviceCreateInfo *link = (void *)info->pNext;
    while (link->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO ||
           link->function != VK_LAYER_LINK_INFO) {
        link = (void *)link->pNext;
    }
    const VkResult result = next_result(CREATE, "vkCreateDevice", CALLER);
    if (result != VK_SUCCESS) {
        return result;
    }
    next_device_proc = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    const PFN_vkGetInstanceProcAddr instance_proc = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    const PFN_vkCreateDevice create = (PFN_vkCreateDevice)instance_proc(NULL, "vkCreateDevice");
    const VkResult created = create(physical, info, allocator, out);
    if (created == VK_SUCCESS) {
        device_to_lose = *out;
        wait_idle = (PFN_vkDeviceWaitIdle)next_device_proc(*out, "vkDeviceWaitIdle");
    }
    return created;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_proc(VkDevice device, const char *name)
{
    const PFN_vkVoidFunction next = next_device_proc(device, name);
#define REPLACE(function)                                                                          \
    if (next && strcmp(name, "vk" #function) == 0) {                                               \
        real_##function = (PFN_vk##function)next;                                                  \
        return (PFN_vkVoidFunction)wrap_##function;                                                \
    }
#define REPLACE_CREATE(function, object, info) REPLACE(Create##function)
#define REPLACE_OTHER(kind, function, parameters, arguments) REPLACE(function)
    CREATED(REPLACE_CREATE)
    OTHERS(REPLACE_OTHER, REPLACE_OTHER)
    return strcmp(name, "vkGetDeviceProcAddr") == 0 ? (PFN_vkVoidFunction)device_proc : next;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instance_proc(VkInstance instance, const char *name)
{
    if (strcmp(name, "vkCreateInstance") == 0) {
        return (PFN_vkVoidFunction)wrap_CreateInstance;
    }
    if (strcmp(name, "vkCreateDevice") == 0) {
        return (PFN_vkVoidFunction)wrap_CreateDevice;
    }
    if (strcmp(name, "vkGetDeviceProcAddr") == 0) {
        return (PFN_vkVoidFunction)device_proc;
    }
    return strcmp(name, "vkGetInstanceProcAddr") == 0 ? (PFN_vkVoidFunction)instance_proc
           : next_instance_proc                       ? next_instance_proc(instance, name)
                                                      : NULL;
}

// The loader's way into the layer (its LoaderLayerInterface.md).
__attribute__((visibility("default"))) VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *interface);
__attribute__((visibility("default"))) VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *interface)
{
    interface->loaderLayerInterfaceVersion = 2;
    interface->pfnGetInstanceProcAddr = instance_proc;
    interface->pfnGetDeviceProcAddr = device_proc;
    interface->pfnGetPhysicalDeviceProcAddr = NULL;
    return VK_SUCCESS;
}
