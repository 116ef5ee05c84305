// SPDX-License-Identifier: MIT
// The steady state: ten thousand frames without an allocation on the frame path and without growth.
// Nor does recording a pyramid allocate.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <vulkan/vulkan.h>

#include <weir/capture.h>
#include <weir/mips.h>

#include "tests/allocations.h"
#include "tests/gpu/pyramid_images.h"

struct bounds {
    enum weir_sink sink;
    enum weir_compression compression;
    enum weir_packing packing;
    int num_frames;
    int allocations; // on all threads in the steady state
    long growth;     // [bytes]
};

enum { WIDTH = 36, HEIGHT = 20, WARM_UP = 500 };

static void run(struct harness *h, weir_image *image, const struct bounds *bounds)
{
    char path[64];
    snprintf(path, sizeof(path), "/tmp/weir-steady-%d.mov", (int)getpid());
    weir_capture *capture = NULL;
    const enum weir_result opened = weir_capture_open(
        h->context,
        weir_capture_params(.path = path, .sink = bounds->sink,
                            .rate = {.compression = bounds->compression,
                                     .packing = bounds->packing},
                            .policy = WEIR_POLICY_WAIT, .num_slots = 4, .like = image),
        &capture);
    if (!test_expect(opened == WEIR_OK, "open: %s", weir_result_name(opened))) {
        return;
    }
    test_expect(atomic_load(&num_allocations) > 0, "the linker wraps no allocation");
    struct weir_frame frame = {.image = image,
                               .layout = VK_IMAGE_LAYOUT_GENERAL,
                               .queue_family = weir_context_get_queue(h->context).family};
    int all = 0, here = 0;
    long memory = 0;
    for (int i = 0; i < bounds->num_frames + WARM_UP; i++) {
        if (i == WARM_UP) {
            all = atomic_load(&num_allocations);
            here = num_allocations_here;
            memory = resident_size();
        }
        frame.time_ns = (int64_t)i * 16666667;
        const enum weir_result result = weir_capture_frame(capture, &frame, NULL);
        if (!test_expect(result == WEIR_OK, "frame %d: %s", i, weir_result_name(result))) {
            break;
        }
    }
    here = num_allocations_here - here;
    all = atomic_load(&num_allocations) - all;
    const long growth = resident_size() - memory;
    printf("sink %d: %d frames, %d allocations on the render thread, %d in all, %ld bytes more\n",
           (int)bounds->sink, bounds->num_frames, here, all, growth);
    test_expect(here == 0, "%d allocations on the render thread", here);
    test_expect(all <= bounds->allocations, "%d allocations in all", all);
    test_expect(growth <= bounds->growth, "memory grew by %ld bytes", growth);
    struct weir_capture_stats stats;
    TEST_OK(weir_capture_close(&capture, &stats));
    test_expect(stats.written == (uint64_t)bounds->num_frames + WARM_UP && stats.in_flight == 0,
                "%llu frames written", (unsigned long long)stats.written);
    remove(path);
}

// Record pyramids without submitting them. The driver's memory for commands is freed with them.
static void record_pyramids(struct harness *h, enum weir_pyramid_method method)
{
    const struct pyramid_case c = {
        .method = method, .format = VK_FORMAT_R8G8B8A8_SRGB, .width = 640, .height = 360};
    struct pyramid_memory memory = {.harness = h};
    struct pyramid_images images;
    weir_pyramid *pyramid = NULL;
    weir_pyramid_target *target = NULL;
    if (!TEST_OK(weir_pyramid_create(
            h->context, weir_pyramid_params(.method = method, .format = c.format), &pyramid))) {
        return;
    }
    pyramid_images_init(&memory, &c, pyramid, 1, NULL, &images);
    TEST_OK(pyramid_images_create_target(&images, &c, pyramid, &target));
    const int before = num_allocations_here;
    test_expect(before > 0, "the linker wraps no allocation");
    int num_runs = 0;
    for (int i = 0; target && i < 100; i++) {
        VkCommandBuffer cmd = harness_begin(h);
        while (num_runs < 100 * (i + 1) && weir_cmd_pyramid(target, cmd, NULL) == WEIR_OK) {
            num_runs++;
        }
        weir_gpu_discard(h->gpu, cmd);
    }
    const int allocations = num_allocations_here - before;
    printf("%s: %d runs recorded, %d allocations\n", weir_pyramid_method_get_info(method)->name,
           num_runs, allocations);
    test_expect(num_runs == 10000, "weir_cmd_pyramid fails");
    test_expect(allocations == 0, "%d allocations while recording", allocations);
    weir_pyramid_target_destroy(&target);
    weir_pyramid_destroy(&pyramid);
    pyramid_images_finish(&images);
    pyramid_memory_finish(&memory);
}

// Record levels of images of two sizes, whose format came before.
static void record_mips(struct harness *h)
{
    struct weir_gpu_image textures[2];
    weir_mips *mips = NULL;
    TEST_MUST(weir_mips_create(h->context, weir_mips_params(.max_in_flight = 8), &mips));
    const VkFormat format = VK_FORMAT_R8G8B8A8_SRGB;
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t side = i == 0 ? 2 : 301;
        TEST_MUST(weir_gpu_image_init(
            h->gpu,
            weir_image_params(.format = format, .width = side, .height = side,
                              .levels = weir_pyramid_full_chain(side, side),
                              .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT,
                              .flags = weir_pyramid_format_get_info(format)->flags),
            0, &textures[i]));
    }
    const struct weir_mips_uses uses = {.src_layout = VK_IMAGE_LAYOUT_GENERAL};
    int before = 0;
    for (int i = 0; i < 1000; i++) {
        VkCommandBuffer cmd = harness_begin(h);
        TEST_OK(weir_cmd_generate_mips(mips, cmd, &textures[i > 0].params, &uses));
        weir_gpu_discard(h->gpu, cmd);
        before = i == 0 ? num_allocations_here : before;
    }
    test_expect(num_allocations_here == before, "%d allocations by levels of textures",
                num_allocations_here - before);
    weir_mips_destroy(&mips);
    weir_gpu_image_finish(h->gpu, &textures[0]);
    weir_gpu_image_finish(h->gpu, &textures[1]);
}

int main(void)
{
    struct harness h;
    harness_init(&h, true);
    static uint32_t texels[WIDTH * HEIGHT];
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        texels[i] = harness_random(&h);
    }
    struct weir_gpu_image image;
    harness_image_init(&h, VK_FORMAT_R8G8B8A8_UNORM, WIDTH, HEIGHT, VK_IMAGE_USAGE_SAMPLED_BIT, 0,
                       texels, 4, VK_IMAGE_LAYOUT_GENERAL, &image);
    weir_image *wrapped = harness_wrap(&h, &image, WEIR_TRANSFER_DEFAULT);
    // The validation layer and a movie's index take memory with every frame; a leaked frame of
    // 3 KB would show as 12 MB.
    static const struct bounds all[] = {
        {WEIR_SINK_NULL, WEIR_COMPRESSION_NONE, WEIR_PACKING_AUTO, 10000, 0, 4 << 20},
        {WEIR_SINK_NULL, WEIR_COMPRESSION_SNAPPY, WEIR_PACKING_CPU, 2000, 0, 4 << 20},
        {WEIR_SINK_NULL, WEIR_COMPRESSION_SNAPPY, WEIR_PACKING_GPU, 2000, 0, 4 << 20},
        {WEIR_SINK_MOV, WEIR_COMPRESSION_NONE, WEIR_PACKING_AUTO, 4000, 0, 8 << 20},
    };
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        run(&h, wrapped, &all[i]);
    }
    weir_image_destroy(&wrapped);
    harness_image_finish(&h, &image);
    record_pyramids(&h, WEIR_PYRAMID_SINGLE);
    record_pyramids(&h, WEIR_PYRAMID_HYBRID);
    record_mips(&h);
    return harness_finish(&h);
}
