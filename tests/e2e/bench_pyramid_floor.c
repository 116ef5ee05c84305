// SPDX-License-Identifier: MIT
// The floor of weir-bench pyramid is honest: every form writes every texel of every further level,
// of hard sizes and of some that are drawn. WEIR_SEED repeats a run.
#include "tests/bench/pyramid/pyramid.h"
#include "tests/bench/timing.h"
#include "tests/expect.h"
#include "tests/seeded.h"

struct area {
    uint32_t width, height, layers;
};

// Around the sides of workgroups and of what one covers, and one texel narrow.
static const struct area hard_sizes[] = {
    {2, 1, 1},     {1, 2, 1},     {3, 1, 2},     {1, 1024, 1},   {2000, 3, 1},
    {31, 33, 1},   {64, 64, 2},   {63, 65, 1},   {127, 129, 1},  {128, 128, 1},
    {255, 257, 1}, {512, 512, 1}, {511, 513, 1}, {1366, 768, 1},
};
enum { NUM_HARD_SIZES = sizeof(hard_sizes) / sizeof(hard_sizes[0]), NUM_DRAWN_SIZES = 10 };

// All further levels become 0, then the floor runs. Level 0 has an alpha of 1/4 at least.
static enum weir_result run(const struct bench_kernel *kernel, const struct bench_images *images,
                            uint32_t form, const struct weir_gpu_buffer *result,
                            const VkBufferImageCopy *copies)
{
    VkCommandBuffer commands;
    const VkImage image = images->images[0].gpu.params.image;
    const uint32_t levels = images->params.levels;
    WEIR_TRY(weir_gpu_begin(images->gpu->work, &commands));
    const VkClearColorValue zero = {{0}};
    const VkImageSubresourceRange further = {VK_IMAGE_ASPECT_COLOR_BIT, 1, levels - 1, 0,
                                             images->params.layers};
    vkCmdClearColorImage(commands, image, VK_IMAGE_LAYOUT_GENERAL, &zero, 1, &further);
    bench_barrier(commands, BENCH_DEVICE_STAGES);
    bench_pyramid_record_floor(kernel, images, form, 0, commands);
    bench_barrier(commands, BENCH_DEVICE_STAGES);
    vkCmdCopyImageToBuffer(commands, image, VK_IMAGE_LAYOUT_GENERAL, result->buffer, levels,
                           copies);
    bench_barrier(commands, BENCH_DEVICE_STAGES);
    return weir_gpu_run(images->gpu->work, commands);
}

// Lay out the levels in a buffer. Returns the size of the buffer [bytes].
static uint64_t place_levels(const struct weir_image_params *images, VkBufferImageCopy *copies)
{
    uint64_t size = 0;
    for (uint32_t i = 0; i < images->levels; i++) {
        const VkExtent2D extent = weir_pyramid_level_extent(images->width, images->height, i);
        copies[i] = (VkBufferImageCopy){
            .bufferOffset = size,
            .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, i, 0, images->layers},
            .imageExtent = {extent.width, extent.height, 1},
        };
        size += (uint64_t)4 * extent.width * extent.height * images->layers;
    }
    return size;
}

static void check_forms(const struct bench_kernel *kernel, const struct bench_images *images)
{
    VkBufferImageCopy copies[BENCH_PYRAMID_MAX_LEVELS];
    struct weir_gpu_buffer result;
    const uint64_t size = place_levels(&images->params, copies);
    test_must(cli_buffer_init(images->gpu, size, VK_BUFFER_USAGE_TRANSFER_DST_BIT, true, &result) ==
                  WEIR_OK,
              "a buffer");
    for (uint32_t form = 0; form < BENCH_PYRAMID_NUM_FORMS; form++) {
        test_must(run(kernel, images, form, &result, copies) == WEIR_OK, "a run");
        uint64_t i = 0;
        while (i < size && result.mapped[i + 3] != 0) {
            i += 4;
        }
        test_expect(i == size, "%ux%ux%u, form %u: texel %llu of the chain was not written",
                    images->params.width, images->params.height, images->params.layers, form,
                    (unsigned long long)(i / 4));
    }
    weir_gpu_buffer_finish(images->gpu->work, &result);
}

static void check_size(struct cli_gpu *gpu, struct bench_kernel *kernel, const struct area *area)
{
    const struct weir_pyramid_format_info *format = weir_pyramid_format_get_info(
        VK_FORMAT_R8G8B8A8_SRGB);
    struct bench_images images = {
        .gpu = gpu,
        .format = format,
        .params = {.format = format->format,
                   .width = area->width,
                   .height = area->height,
                   .layers = area->layers,
                   .levels = weir_pyramid_full_chain(area->width, area->height),
                   .usage = VK_IMAGE_USAGE_STORAGE_BIT,
                   .flags = format->flags},
    };
    test_must(bench_images_init(&images, 1, 1) == WEIR_OK &&
                  bench_pyramid_fill(&images) == WEIR_OK &&
                  bench_pyramid_add_sets(kernel, &images) == WEIR_OK,
              "an image");
    check_forms(kernel, &images);
    bench_kernel_clear(kernel);
    bench_images_finish(&images);
}

int main(void)
{
    struct cli_gpu gpu;
    if (cli_gpu_open(&gpu, weir_device_params(.validation = true)) != WEIR_OK) {
        test_skip("no Vulkan device with a validation layer");
    }
    if (!gpu.import->features->features.shaderStorageImageWriteWithoutFormat) {
        test_skip("the device lacks shaderStorageImageWriteWithoutFormat");
    }
    seeded_start();
    struct bench_kernel kernel;
    test_must(bench_pyramid_kernel_init(&kernel, &gpu, true) == WEIR_OK, "a kernel");
    for (int i = 0; i < NUM_HARD_SIZES; i++) {
        check_size(&gpu, &kernel, &hard_sizes[i]);
    }
    for (int i = 0; i < NUM_DRAWN_SIZES; i++) {
        struct area area;
        area.width = 1 + (uint32_t)seeded_below(300);
        area.height = 2 + (uint32_t)seeded_below(300);
        area.layers = 1 + (uint32_t)seeded_below(3);
        check_size(&gpu, &kernel, &area);
    }
    bench_kernel_finish(&kernel);
    test_expect(cli_gpu_close(&gpu), "the validation layer has nothing to say");
    return test_finish();
}
