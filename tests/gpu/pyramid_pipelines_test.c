// SPDX-License-Identifier: MIT
// A pyramid compiles a kernel when the first target needs it, once for all targets, also of several
// threads at a time; those of one target side by side; a kernel of a program's own when the pyramid
// is made, whose code is then free. One that fails is named, and the target that needs it refused.
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vulkan/vulkan.h>

#include "tests/gpu/heard.h"
#include "tests/gpu/pyramid_test.h"
#include "tests/replaced_calls.h"

static const uint32_t kernel[] =
#include "custom_user.inc"
    ;
enum { NUM_THREADS = 4, NUM_ROUNDS = 8 };

static atomic_int num_compiled;
static atomic_int calls_until_fault; // counts down; the call that makes it 0 fails
static bool waits_beside;            // this thread compiles when one of Weir's does
static atomic_bool is_beside;        // one of Weir's does

// Threads of Weir's block the host's signals.
static void wait_beside(void)
{
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    if (sigismember(&blocked, SIGTERM)) {
        is_beside = true;
    }
    for (int i = 0; i < 1000 && !is_beside; i++) {
        usleep(10000);
    }
}

static PFN_vkCreateComputePipelines real_CreateComputePipelines;
static VKAPI_ATTR VkResult VKAPI_CALL replace_CreateComputePipelines(
    VkDevice device, VkPipelineCache cache, uint32_t num, const VkComputePipelineCreateInfo *infos,
    const VkAllocationCallbacks *allocator, VkPipeline *pipelines)
{
    num_compiled += (int)num;
    if (waits_beside) {
        wait_beside();
    }
    if (atomic_fetch_sub(&calls_until_fault, 1) == 1) {
        *pipelines = VK_NULL_HANDLE;
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    }
    return real_CreateComputePipelines(device, cache, num, infos, allocator, pipelines);
}

REPLACE_CALLS(REPLACE(replace_, vk, CreateComputePipelines))

static pthread_mutex_t queue = PTHREAD_MUTEX_INITIALIZER;

static void lock_queue(void *user, uint32_t family, uint32_t index)
{
    (void)family;
    (void)index;
    pthread_mutex_lock(user);
}

static void unlock_queue(void *user, uint32_t family, uint32_t index)
{
    (void)family;
    (void)index;
    pthread_mutex_unlock(user);
}

static weir_pyramid *make_pyramid(weir_context *context, struct weir_pyramid_params params,
                                  int least, int most)
{
    weir_pyramid *pyramid = NULL;
    const int before = num_compiled;
    TEST_MUST(weir_pyramid_create(context, &params, &pyramid));
    const int compiled = num_compiled - before;
    test_expect(compiled >= least && compiled <= most,
                "a pyramid compiles %d kernels, not %d to %d", compiled, least, most);
    return pyramid;
}

// A target of this size compiles so many kernels.
static void expect_target(struct pyramid_memory *memory, const weir_pyramid *pyramid,
                          struct pyramid_case c, int least, int most)
{
    struct pyramid_images images;
    weir_pyramid_target *target = NULL;
    pyramid_images_init(memory, &c, pyramid, 1, NULL, &images);
    const int before = num_compiled;
    const enum weir_result result = pyramid_images_create_target(&images, &c, pyramid, &target);
    test_expect(result == WEIR_OK, "a target of %ux%u by method %d: %s", c.width, c.height,
                (int)c.method, weir_result_name(result));
    const int compiled = num_compiled - before;
    test_expect(compiled >= least && compiled <= most,
                "a target of %ux%u compiles %d kernels, not %d to %d", c.width, c.height, compiled,
                least, most);
    weir_pyramid_target_destroy(&target);
    pyramid_images_finish(&images);
}

static void test_methods(struct pyramid_memory *memory, weir_context *context)
{
    for (int m = 0; m < PYRAMID_NUM_METHODS; m++) {
        struct pyramid_case c = {.method = pyramid_methods[m],
                                 .format = VK_FORMAT_R8G8B8A8_UNORM,
                                 .width = 64,
                                 .height = 64};
        if (c.method == WEIR_PYRAMID_BLIT) {
            continue;
        }
        weir_pyramid *pyramid = make_pyramid(
            context, (struct weir_pyramid_params){.method = c.method, .format = c.format}, 0, 0);
        expect_target(memory, pyramid, c, 1, 4);
        expect_target(memory, pyramid, c, 0, 0);
        if (c.method == WEIR_PYRAMID_SINGLE) { // one for even sides, and one for odd ones
            c.width = 61;
            expect_target(memory, pyramid, c, 1, 1);
            c.height = 37;
            expect_target(memory, pyramid, c, 0, 0);
        }
        weir_pyramid_destroy(&pyramid);
    }
}

// The code of the kernel is gone after the pyramid is made.
static void test_custom(struct pyramid_memory *memory, weir_context *context)
{
    struct pyramid_case c = {.method = WEIR_PYRAMID_SINGLE,
                             .reduction = WEIR_PYRAMID_CUSTOM,
                             .format = VK_FORMAT_R32_SFLOAT,
                             .width = 61,
                             .height = 37};
    uint32_t *code = malloc(sizeof(kernel));
    test_must(code != NULL, "memory");
    memcpy(code, kernel, sizeof(kernel));
    weir_pyramid *pyramid = make_pyramid(
        context,
        (struct weir_pyramid_params){.format = c.format,
                                     .reduction = c.reduction,
                                     .kernel = code,
                                     .kernel_size = sizeof(kernel)},
        1, 3);
    memset(code, 0, sizeof(kernel));
    free(code);
    expect_target(memory, pyramid, c, 0, 0);
    c.width = 64;
    c.height = 32;
    expect_target(memory, pyramid, c, 0, 0);
    weir_pyramid_destroy(&pyramid);
}

static const struct pyramid_case several_kernels = {
    .method = WEIR_PYRAMID_HYBRID, .format = VK_FORMAT_R8G8B8A8_UNORM, .width = 40, .height = 24};

static void test_side_by_side(struct pyramid_memory *memory, weir_context *context)
{
    const struct pyramid_case *c = &several_kernels;
    weir_pyramid *pyramid = make_pyramid(
        context, (struct weir_pyramid_params){.method = c->method, .format = c->format}, 0, 0);
    waits_beside = true;
    expect_target(memory, pyramid, *c, 2, 4);
    test_expect(is_beside, "kernels are compiled one after the other");
    waits_beside = false;
    weir_pyramid_destroy(&pyramid);
}

// The first kernel of a target fails. The next target of the pyramid gets all of them.
static void test_failure(struct pyramid_memory *memory, struct weir_context_params params)
{
    const struct pyramid_case *c = &several_kernels;
    struct heard heard = {0};
    struct pyramid_images images;
    weir_context *context = NULL;
    weir_pyramid_target *target = NULL;
    params.log = heard_log(&heard);
    TEST_MUST(weir_context_create(&params, &context));
    weir_pyramid *pyramid = make_pyramid(
        context, (struct weir_pyramid_params){.method = c->method, .format = c->format}, 0, 0);
    pyramid_images_init(memory, c, pyramid, 1, NULL, &images);
    calls_until_fault = 1;
    heard_expect(&heard, "a target", pyramid_images_create_target(&images, c, pyramid, &target),
                 WEIR_ERROR_OUT_OF_MEMORY, WEIR_LOG_CODE_OUT_OF_MEMORY,
                 "vkCreateComputePipelines(pyramid_");
    test_expect(!target, "a target without its kernels");
    pyramid_images_finish(&images);
    expect_target(memory, pyramid, *c, 1, 4);
    weir_pyramid_destroy(&pyramid);
    weir_context_destroy(&context);
}

struct maker {
    const weir_pyramid *pyramid;
    struct pyramid_images images; // its own, as making a target writes to it
    const struct pyramid_case *c;
    pthread_barrier_t *begin;
    weir_pyramid_target *target;
};

static void *make_target(void *user)
{
    struct maker *maker = user;
    pthread_barrier_wait(maker->begin);
    if (pyramid_images_create_target(&maker->images, maker->c, maker->pyramid, &maker->target) !=
        WEIR_OK) {
        maker->target = NULL;
    }
    return NULL;
}

// Threads that make the first targets at once all get one; the validation layer sees what is left
// behind or used by two threads. By the kernel that is made soonest: what it is does not matter.
static void test_threads(struct pyramid_memory *memory, weir_context *context)
{
    const struct pyramid_case c = {.method = WEIR_PYRAMID_PER_LEVEL,
                                   .format = VK_FORMAT_R8G8B8A8_UNORM,
                                   .width = 61,
                                   .height = 37};
    for (int round = 0; round < NUM_ROUNDS; round++) {
        weir_pyramid *pyramid = make_pyramid(
            context, (struct weir_pyramid_params){.method = c.method, .format = c.format}, 0, 0);
        struct pyramid_images images;
        pyramid_images_init(memory, &c, pyramid, 1, NULL, &images);
        pthread_barrier_t begin;
        pthread_barrier_init(&begin, NULL, NUM_THREADS);
        struct maker makers[NUM_THREADS];
        pthread_t threads[NUM_THREADS];
        for (int i = 0; i < NUM_THREADS; i++) {
            makers[i] = (struct maker){pyramid, images, &c, &begin, NULL};
            test_must(pthread_create(&threads[i], NULL, make_target, &makers[i]) == 0, "a thread");
        }
        for (int i = 0; i < NUM_THREADS; i++) {
            pthread_join(threads[i], NULL);
            test_expect(makers[i].target != NULL, "thread %d has no target", i);
            weir_pyramid_target_destroy(&makers[i].target);
        }
        pthread_barrier_destroy(&begin);
        pyramid_images_finish(&images);
        expect_target(memory, pyramid, c, 0, 0);
        weir_pyramid_destroy(&pyramid);
    }
}

void pyramid_test_pipelines(struct pyramid_runner *runner)
{
    struct weir_context_params params = *runner->harness->import;
    params.get_instance_proc_addr = replaced_instance_proc;
    params.lock_queue = lock_queue;
    params.unlock_queue = unlock_queue;
    params.lock_user = &queue;
    weir_context *context = NULL;
    TEST_MUST(weir_context_create(&params, &context));
    test_methods(&runner->memory, context);
    test_custom(&runner->memory, context);
    test_side_by_side(&runner->memory, context);
    test_threads(&runner->memory, context);
    weir_context_destroy(&context);
    test_failure(&runner->memory, params);
}
