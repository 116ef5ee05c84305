// SPDX-License-Identifier: MIT
// Pyramids again and again, side by side and on two queues: always the same texels.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vulkan/vulkan.h>

#include "tests/gpu/pyramid_test.h"

// Workgroups hand on the same numbers in every format. A software device compiles each kernel again
// for even sides, for powers of two and for layers: with it there is one format, no powers, and of
// even sides and layers one, as the seed says.
static bool is_chosen(const struct pyramid_runner *runner, const struct pyramid_case *c)
{
    const bool is_one_format = runner->subgroups || (runner->is_cpu && !runner->all);
    return !is_one_format || (c->format == VK_FORMAT_R8G8B8A8_SRGB && c->width != 512);
}

// The same commands again and again. Small ones have several stages; the larger one has many tiles
// a stage.
static void test_repeats(struct pyramid_runner *runner)
{
    const uint32_t many = runner->is_cpu ? 10 : runner->all ? 10000 : 1000;
    const struct pyramid_case cases[] = {
        {.width = 257, .height = 131, .repeats = many},
        {.width = 131, .height = 257, .layers = 3, .repeats = many},
        {.width = 700, .height = 3, .repeats = many},
        {.width = 512, .height = 256, .repeats = many / 5},
        {.width = 480, .height = 270, .repeats = many / 5},
        {.width = 1023, .height = 517, .repeats = many / 10},
        {.width = 2047, .height = 1025, .repeats = many / 10},
    };
    static const struct pyramid_case kinds[] = {
        {.method = WEIR_PYRAMID_SINGLE, .format = VK_FORMAT_R8G8B8A8_SRGB},
        {.method = WEIR_PYRAMID_SINGLE, .format = VK_FORMAT_R8G8B8A8_UNORM},
        {.method = WEIR_PYRAMID_SINGLE,
         .format = VK_FORMAT_R32_SFLOAT,
         .reduction = WEIR_PYRAMID_MAX},
        {.method = WEIR_PYRAMID_HYBRID, .format = VK_FORMAT_R8G8B8A8_SRGB},
        {.method = WEIR_PYRAMID_GENERAL, .format = VK_FORMAT_R8G8B8A8_SRGB},
    };
    const bool is_part = runner->is_cpu && !runner->all && !runner->subgroups;
    const uint32_t left_out = harness_random_below(runner->harness, 2) ? 131 : 480;
    for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
        for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
            struct pyramid_case c = cases[i];
            c.method = kinds[k].method;
            c.format = kinds[k].format;
            c.reduction = kinds[k].reduction;
            c.repeats = c.method == WEIR_PYRAMID_SINGLE ? c.repeats : c.repeats / 10;
            const bool is_left_out = is_part && (c.width == left_out || c.width == 2047);
            if (is_chosen(runner, &c) && c.repeats > 0 && !is_left_out) {
                pyramid_run(runner, &c);
            }
        }
    }
}

// A pyramid of its own images, on its way through a queue.
struct flight {
    struct pyramid_memory memory;
    struct pyramid_images images;
    weir_pyramid_target *target;
    struct weir_queue queue;
    VkCommandPool pool;
    VkCommandBuffer cmd;
    uint8_t *first; // the texels of the first run
};

static bool flight_init(struct harness *harness, const weir_pyramid *pyramid,
                        const struct pyramid_case *c, struct weir_queue queue, struct flight *out)
{
    *out = (struct flight){.memory.harness = harness, .queue = queue};
    pyramid_images_init(&out->memory, c, pyramid, harness_random(harness), NULL, &out->images);
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .queueFamilyIndex = queue.family};
    return test_expect(pyramid_images_create_target(&out->images, c, pyramid, &out->target) ==
                               WEIR_OK &&
                           vkCreateCommandPool(harness->vk, &pool, NULL, &out->pool) == VK_SUCCESS,
                       "a target or its command pool cannot be made");
}

static void flight_finish(struct harness *harness, struct flight *flight)
{
    vkDestroyCommandPool(harness->vk, flight->pool, NULL);
    weir_pyramid_target_destroy(&flight->target);
    pyramid_images_finish(&flight->images);
    pyramid_memory_finish(&flight->memory);
    free(flight->first);
}

// The first time compare with the reference, then with the first time.
static bool flight_check(struct flight *flight, const struct pyramid_case *c)
{
    const size_t size = flight->images.num_images * flight->images.size;
    uint8_t *texels = pyramid_images_downloaded(&flight->images, 0);
    bool passed;
    if (!flight->first) {
        passed = pyramid_compare(&flight->images, c);
        flight->first = malloc(size);
        memcpy(flight->first, texels, size);
    } else {
        passed = memcmp(flight->first, texels, size) == 0 ||
                 pyramid_fail(&flight->images, c, "another pyramid in flight changes the texels");
    }
    memset(texels, 0, size);
    return passed;
}

static void submit(VkQueue queue, VkCommandBuffer cmd)
{
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &cmd};
    test_expect(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE) == VK_SUCCESS, "submit");
}

// Run two flights at a time, each on its queue, again and again. If there is one queue only, they
// run one after the other without a wait.
static void test_queues(struct pyramid_runner *runner, const weir_pyramid *pyramid,
                        const struct pyramid_case *c, uint32_t num_times)
{
    struct harness *harness = runner->harness;
    const struct weir_queue queues[] = {
        harness->host, harness->import->compute.queue ? harness->import->compute : harness->host};
    struct flight flights[2];
    bool passed = true;
    for (int i = 0; i < 2; i++) {
        passed = flight_init(harness, pyramid, c, queues[i], &flights[i]) && passed;
    }
    for (int i = 0; i < 2 && passed; i++) {
        flights[i].cmd = pyramid_images_record(&flights[i].images, flights[i].pool,
                                               flights[i].target);
    }
    for (uint32_t time = 0; time < num_times && passed; time++) {
        for (int i = 0; i < 2; i++) {
            submit(flights[i].queue.queue, flights[i].cmd);
        }
        for (int i = 0; i < 2; i++) {
            passed = test_expect(vkQueueWaitIdle(flights[i].queue.queue) == VK_SUCCESS,
                                 "vkQueueWaitIdle") &&
                     passed;
        }
        for (int i = 0; i < 2; i++) {
            passed = flight_check(&flights[i], c) && passed;
        }
        runner->num_repeats++;
    }
    for (int i = 0; i < 2; i++) {
        flight_finish(harness, &flights[i]);
    }
}

static void reduce_twice(struct harness *harness, const struct flight *flights, int num,
                         VkCommandBuffer cmd)
{
    const VkPipelineStageFlags transfer = VK_PIPELINE_STAGE_TRANSFER_BIT;
    const VkPipelineStageFlags compute = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    const VkAccessFlags writes = VK_ACCESS_SHADER_WRITE_BIT, copies = VK_ACCESS_TRANSFER_WRITE_BIT;
    weir_cmd_barrier(harness->gpu, cmd, NULL, (struct weir_gpu_scope){transfer, copies, 0},
                     (struct weir_gpu_scope){compute, VK_ACCESS_SHADER_READ_BIT | writes, 0});
    for (int i = 0; i < 2 * num; i++) {
        TEST_OK(weir_cmd_pyramid(flights[i % num].target, cmd, NULL));
    }
    weir_cmd_barrier(harness->gpu, cmd, NULL, (struct weir_gpu_scope){compute, writes, 0},
                     (struct weir_gpu_scope){transfer, VK_ACCESS_TRANSFER_READ_BIT | copies, 0});
}

// Run three pyramids in one command buffer without barriers between them, and each a second time:
// Weir records the barrier between two runs on one target. Do all of it on poison, then on the
// input.
static void test_back_to_back(struct pyramid_runner *runner, const weir_pyramid *pyramid,
                              const struct pyramid_case *c, uint32_t num_times)
{
    enum { NUM = 3 };
    struct harness *harness = runner->harness;
    struct flight flights[NUM];
    bool passed = true;
    for (int i = 0; i < NUM; i++) {
        passed = flight_init(harness, pyramid, c, harness->host, &flights[i]) && passed;
    }
    for (uint32_t time = 0; time < num_times && passed; time++) {
        VkCommandBuffer cmd = harness_begin(harness);
        for (int i = 0; i < NUM; i++) {
            pyramid_images_cmd_poison(&flights[i].images, cmd);
        }
        reduce_twice(harness, flights, NUM, cmd);
        for (int i = 0; i < NUM; i++) {
            pyramid_images_cmd_upload(&flights[i].images, cmd);
        }
        reduce_twice(harness, flights, NUM, cmd);
        for (int i = 0; i < NUM; i++) {
            pyramid_images_cmd_download(&flights[i].images, cmd);
        }
        harness_submit(harness, cmd, NULL, 0);
        for (int i = 0; i < NUM; i++) {
            passed = flight_check(&flights[i], c) && passed;
        }
        runner->num_repeats++;
    }
    for (int i = 0; i < NUM; i++) {
        flight_finish(harness, &flights[i]);
    }
}

static void test_flights(struct pyramid_runner *runner)
{
    // `repeats` gives a case its poison. The number of its flights is set below.
    static const struct pyramid_case cases[] = {
        TEST_LIST(.method = WEIR_PYRAMID_SINGLE, .format = VK_FORMAT_R8G8B8A8_SRGB, .width = 257,
                  .height = 131, .repeats = 1),
        TEST_LIST(.method = WEIR_PYRAMID_SINGLE, .format = VK_FORMAT_R8G8B8A8_SRGB, .width = 1023,
                  .height = 517, .layers = 2, .repeats = 1),
        TEST_LIST(.method = WEIR_PYRAMID_SINGLE, .format = VK_FORMAT_R8G8B8A8_UNORM, .width = 512,
                  .height = 256, .repeats = 1),
        TEST_LIST(.method = WEIR_PYRAMID_HYBRID, .format = VK_FORMAT_R8G8B8A8_SRGB, .width = 257,
                  .height = 131, .repeats = 1),
    };
    const uint32_t many = runner->is_cpu ? 5 : runner->all ? 5000 : 500;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct pyramid_case *c = &cases[i];
        if (!is_chosen(runner, c)) {
            continue;
        }
        const uint32_t num_times = c->width > 1000 ? (many + 9) / 10 : many;
        weir_pyramid *pyramid = NULL;
        const enum weir_result result = weir_pyramid_create(
            runner->harness->context,
            weir_pyramid_params(.method = c->method, .format = c->format,
                                .precision = WEIR_PYRAMID_PRECISION_NEAREST),
            &pyramid);
        if (test_expect(result == WEIR_OK, "weir_pyramid_create answers %s",
                        weir_result_name(result))) {
            test_queues(runner, pyramid, c, num_times);
            test_back_to_back(runner, pyramid, c, num_times);
        }
        weir_pyramid_destroy(&pyramid);
    }
    printf("pyramids in flight: %s\n", runner->harness->import->compute.queue
                                           ? "on a queue with graphics and one without"
                                           : "one queue, as this device has no second kind");
}

void pyramid_test_races(struct pyramid_runner *runner)
{
    test_repeats(runner);
    test_flights(runner);
}
