// SPDX-License-Identifier: MIT
// What encoders are compared with: the floor, which reads an image once and writes 8 or 16 bytes a
// block (shaders/floor.comp), a kernel that makes a proxy by another look at the image
// (shaders/proxy.comp), and a plain copy.
#ifndef WEIR_TESTS_BENCH_ENCODE_FLOORS_H
#define WEIR_TESTS_BENCH_ENCODE_FLOORS_H

#include "tests/bench/encode/encode.h"
#include "tests/bench/kernel.h"

// Specialization constants of the floor, besides the size of a block.
struct bench_floor_shape {
    uint32_t width, height; // size of a workgroup [blocks]
    uint32_t rows;          // invocations read texels side by side, not their own blocks
    uint32_t gathers;       // by gathers of whole texels as words, not by texelFetch
};
enum { BENCH_NUM_FLOOR_SHAPES = 16 };
extern const struct bench_floor_shape bench_floor_shapes[BENCH_NUM_FLOOR_SHAPES];

// A kernel and a set for each of the images. A zeroed one may be finished.
struct bench_image_kernel {
    const struct bench_images *images;
    struct bench_kernel kernel;
    struct bench_sets sets;
    struct cli_image proxy; // that the proxy's kernel writes, in VK_IMAGE_LAYOUT_GENERAL
    uint32_t side;          // of a proxy: a texel is the mean of side x side
};
// Finish them in every case.
enum weir_result bench_floor_init(struct bench_image_kernel *floor, struct cli_gpu *gpu,
                                  const struct bench_images *images, VkBuffer target,
                                  uint32_t block_size);
enum weir_result bench_proxy_init(struct bench_image_kernel *proxy, struct cli_gpu *gpu,
                                  const struct bench_images *images, uint32_t level);
void bench_image_kernel_finish(struct bench_image_kernel *kernel);

void bench_floor_record(const struct bench_image_kernel *floor, uint32_t shape, uint32_t image,
                        VkCommandBuffer commands);
void bench_proxy_record(const struct bench_image_kernel *proxy, uint32_t image,
                        VkCommandBuffer commands);

// Copies read the images as transfers do: change their layouts and that of the target before them,
// and with `back` give the images back to the kernels.
enum weir_result bench_copy_change(struct cli_gpu *gpu, const struct bench_images *images,
                                   const struct cli_image *target, bool back);

#endif
