// SPDX-License-Identifier: MIT
// The facts that pyramids report are right, and a chain of one level records nothing but the
// caller's barrier.
#include <stdio.h>
#include <string.h>

#include <vulkan/vulkan.h>

#include "tests/gpu/pyramid_test.h"
#include "tests/replaced_calls.h"

static int num_recorded; // commands that reached the driver

#define COUNT(name, parameters, arguments)                                                         \
    static PFN_vkCmd##name real_##name;                                                            \
    static VKAPI_ATTR void VKAPI_CALL count_##name parameters                                      \
    {                                                                                              \
        num_recorded++;                                                                            \
        real_##name arguments;                                                                     \
    }
COUNT(Dispatch, (VkCommandBuffer c, uint32_t x, uint32_t y, uint32_t z), (c, x, y, z))
COUNT(BindPipeline, (VkCommandBuffer c, VkPipelineBindPoint b, VkPipeline p), (c, b, p))

static struct weir_pyramid_run barrier; // the scopes of the last one
static PFN_vkCmdPipelineBarrier real_PipelineBarrier;
static VKAPI_ATTR void VKAPI_CALL count_PipelineBarrier(VkCommandBuffer c, VkPipelineStageFlags s,
                                                        VkPipelineStageFlags d, VkDependencyFlags f,
                                                        uint32_t m, const VkMemoryBarrier *mb,
                                                        uint32_t b, const VkBufferMemoryBarrier *bb,
                                                        uint32_t i, const VkImageMemoryBarrier *ib)
{
    num_recorded++;
    barrier = (struct weir_pyramid_run){.src_stages = s, .dst_stages = d};
    barrier.src_access = m > 0 ? mb->srcAccessMask : 0;
    barrier.dst_access = m > 0 ? mb->dstAccessMask : 0;
    real_PipelineBarrier(c, s, d, f, m, mb, b, bb, i, ib);
}
COUNT(BlitImage,
      (VkCommandBuffer c, VkImage s, VkImageLayout sl, VkImage d, VkImageLayout dl, uint32_t n,
       const VkImageBlit *r, VkFilter f),
      (c, s, sl, d, dl, n, r, f))

// clang-format off
REPLACE_CALLS(
    REPLACE(count_, vkCmd, Dispatch)
    REPLACE(count_, vkCmd, BindPipeline)
    REPLACE(count_, vkCmd, PipelineBarrier)
    REPLACE(count_, vkCmd, BlitImage))
// clang-format on

// Expect that an empty chain records only a barrier, and only if the caller names stages.
static void expect_barrier_only(const weir_pyramid_target *target, VkCommandBuffer cmd)
{
    for (int named = 0; named < 4; named++) {
        const struct weir_pyramid_run run = {
            .src_stages = named & 1 ? VK_PIPELINE_STAGE_TRANSFER_BIT : 0,
            .src_access = named & 1 ? VK_ACCESS_TRANSFER_WRITE_BIT : 0,
            .dst_stages = named & 2 ? VK_PIPELINE_STAGE_TRANSFER_BIT : 0,
            .dst_access = named & 2 ? VK_ACCESS_TRANSFER_READ_BIT : 0,
        };
        num_recorded = 0;
        test_expect(weir_cmd_pyramid(target, cmd, &run) == WEIR_OK && num_recorded == (named != 0),
                    "%d commands for stages %d of an empty chain", num_recorded, named);
    }
}

// A stage or an access that barriers of Vulkan 1.0 do not know becomes all of them.
static void expect_widened(const weir_pyramid_target *target, VkCommandBuffer cmd)
{
    const struct weir_pyramid_run run = {.src_stages = VK_PIPELINE_STAGE_2_COPY_BIT,
                                         .src_access = VK_ACCESS_2_TRANSFER_WRITE_BIT,
                                         .dst_stages = VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
                                         .dst_access = VK_ACCESS_2_SHADER_SAMPLED_READ_BIT};
    num_recorded = 0;
    test_expect(weir_cmd_pyramid(target, cmd, &run) == WEIR_OK && num_recorded == 1 &&
                    barrier.src_stages == VK_PIPELINE_STAGE_ALL_COMMANDS_BIT &&
                    barrier.src_access == run.src_access && barrier.dst_stages == run.dst_stages &&
                    barrier.dst_access == (VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT),
                "stages and accesses of synchronization2 become %#llx, %#llx and %#llx, %#llx",
                (unsigned long long)barrier.src_stages, (unsigned long long)barrier.src_access,
                (unsigned long long)barrier.dst_stages, (unsigned long long)barrier.dst_access);
}

// A chain of one level: 1x1, `levels` = 1, or its first level is its last. Another one shows that
// commands are counted. NULL is a run; a NULL command buffer is not one.
static void test_nothing(struct harness *harness, weir_context *context,
                         enum weir_pyramid_method method)
{
    weir_pyramid *pyramid = NULL;
    const enum weir_result made = weir_pyramid_create(
        context, weir_pyramid_params(.format = VK_FORMAT_R8G8B8A8_UNORM, .method = method),
        &pyramid);
    if (made != WEIR_OK) { // a device need not have blits
        test_expect(method == WEIR_PYRAMID_BLIT, "%s: %s",
                    weir_pyramid_method_get_info(method)->name, weir_result_name(made));
        return;
    }
    static const struct pyramid_case chains[] = {
        {.width = 1, .height = 1},
        {.width = 40, .height = 24, .levels = 1},
        {.width = 40, .height = 24, .levels = 3, .first_level = 2},
        {.width = 40, .height = 24, .levels = 3, .first_level = 1, .last_level = 1},
        {.width = 40, .height = 24, .levels = 2}};
    VkCommandBuffer cmd = harness_begin(harness);
    for (int i = 0; i < 5; i++) {
        const bool is_empty = i < 4;
        struct pyramid_case c = chains[i];
        c.method = method;
        c.format = VK_FORMAT_R8G8B8A8_UNORM;
        struct pyramid_memory memory = {.harness = harness};
        struct pyramid_images images;
        pyramid_images_init(&memory, &c, pyramid, 1, NULL, &images);
        weir_pyramid_target *target = NULL;
        const int num_logged = harness->log_codes[WEIR_LOG_CODE_ONE_LEVEL];
        test_expect(pyramid_images_create_target(&images, &c, pyramid, &target) == WEIR_OK,
                    "chain %d", i);
        test_expect(harness->log_codes[WEIR_LOG_CODE_ONE_LEVEL] - num_logged == (i == 1),
                    "chain %d: images of one level are logged", i);
        num_recorded = 0;
        if (is_empty) {
            expect_widened(target, cmd);
            expect_barrier_only(target, cmd);
            num_recorded = 0;
            test_expect(weir_cmd_pyramid(target, cmd, NULL) == WEIR_OK, "chain %d", i);
        } else {
            // in a command buffer that is not submitted: its image is gone then
            VkCommandBuffer other = pyramid_images_record(&images, harness->pool, target);
            vkFreeCommandBuffers(harness->vk, harness->pool, 1, &other);
        }
        test_expect(weir_cmd_pyramid(target, VK_NULL_HANDLE, NULL) == WEIR_ERROR_INVALID,
                    "no command buffer");
        test_expect((num_recorded == 0) == is_empty, "%s: %d commands for chain %d",
                    weir_pyramid_method_get_info(method)->name, num_recorded, i);
        test_expect((weir_pyramid_target_get_num_dispatches(target) == 0) == is_empty,
                    "%s: %u dispatches for chain %d", weir_pyramid_method_get_info(method)->name,
                    weir_pyramid_target_get_num_dispatches(target), i);
        weir_pyramid_target_destroy(&target);
        pyramid_images_finish(&images);
        pyramid_memory_finish(&memory);
    }
    harness_submit(harness, cmd, NULL, 0);
    weir_pyramid_destroy(&pyramid);
}

static void test_sizes(void)
{
    test_expect(weir_pyramid_full_chain(0, 5) == 0 && weir_pyramid_full_chain(1, 1) == 1 &&
                    weir_pyramid_full_chain(4095, 7) == 12 &&
                    weir_pyramid_full_chain(7, 4096) == 13,
                "lengths of full chains");
    static const struct {
        uint32_t width, height, level;
        VkExtent2D extent;
    } levels[] = {{7, 4096, 0, {7, 4096}},
                  {7, 4096, 2, {1, 1024}},
                  {7, 4096, 12, {1, 1}},
                  {1, 1, 31, {1, 1}}};
    for (int i = 0; i < 4; i++) {
        const VkExtent2D extent = weir_pyramid_level_extent(levels[i].width, levels[i].height,
                                                            levels[i].level);
        test_expect(extent.width == levels[i].extent.width &&
                        extent.height == levels[i].extent.height,
                    "level %u of %ux%u is %ux%u", levels[i].level, levels[i].width,
                    levels[i].height, extent.width, extent.height);
    }
}

// The params of a pyramid have the defaults filled in, and no pointers.
static void test_resolved(struct harness *harness, weir_context *context)
{
    weir_pyramid *pyramid = NULL;
    if (!test_expect(weir_pyramid_create(context,
                                         weir_pyramid_params(.format = VK_FORMAT_R8G8B8A8_UNORM),
                                         &pyramid) == WEIR_OK,
                     "a pyramid of the default method")) {
        return;
    }
    const struct weir_pyramid_params params = weir_pyramid_get_params(pyramid);
    test_expect(params.method != WEIR_PYRAMID_AUTO && params.max_images == 1 && !params.debug_tag &&
                    !params.kernel,
                "params of a pyramid are not resolved");
    const struct pyramid_case c = {.format = VK_FORMAT_R8G8B8A8_UNORM, .width = 40, .height = 24};
    struct pyramid_memory memory = {.harness = harness};
    struct pyramid_images images;
    weir_pyramid_target *target = NULL;
    pyramid_images_init(&memory, &c, pyramid, 1, NULL, &images);
    test_expect(pyramid_images_create_target(&images, &c, pyramid, &target) == WEIR_OK,
                "a target of the default chain");
    if (target) {
        const struct weir_pyramid_target_params t = weir_pyramid_target_get_params(target);
        test_expect(t.num_images == 1 && t.last_level == 5 && !t.debug_tag && !t.images &&
                        !t.sources && weir_pyramid_target_get_method(target) == params.method,
                    "params of a target are not resolved");
    }
    weir_pyramid_target_destroy(&target);
    pyramid_images_finish(&images);
    pyramid_memory_finish(&memory);
    weir_pyramid_destroy(&pyramid);
}

void pyramid_test_facts(struct pyramid_runner *runner)
{
    struct weir_context_params params = *runner->harness->import;
    params.get_instance_proc_addr = replaced_instance_proc;
    weir_context *context = NULL;
    if (TEST_OK(weir_context_create(&params, &context))) {
        test_sizes();
        test_resolved(runner->harness, context);
        for (int m = 0; m < PYRAMID_NUM_METHODS; m++) {
            test_nothing(runner->harness, context, pyramid_methods[m]);
        }
    }
    weir_context_destroy(&context);
}
