// SPDX-License-Identifier: MIT
// Proxies of images, as weir-bench encode times them: the image that encoders write, and a kernel
// of its own that makes it by another look at the image. See shaders/proxy.comp.
#ifndef WEIR_TESTS_BENCH_ENCODE_PROXY_H
#define WEIR_TESTS_BENCH_ENCODE_PROXY_H

#include "capture/weir/gpu/compute.h"
#include "tests/bench/encode/encode.h"

struct bench_proxy {
    struct cli_gpu *gpu;
    uint32_t side; // a texel is the mean of side x side
    struct {
        uint32_t width, height;
    } size;                 // of the images [texels]
    struct cli_image image; // in VK_IMAGE_LAYOUT_GENERAL
    struct cli_layout layout;
    VkPipeline pipeline;
    VkDescriptorPool pool;
    VkImageView views[BENCH_MAX_IMAGES], written;
    VkDescriptorSet sets[BENCH_MAX_IMAGES];
};

// Finish it in every case.
enum weir_result bench_proxy_init(struct bench_proxy *proxy, struct cli_gpu *gpu, uint32_t level,
                                  const struct bench_images *images, VkCommandBuffer commands);
void bench_proxy_finish(struct bench_proxy *proxy);

// Record the kernel of its own.
void bench_proxy_record(const struct bench_proxy *proxy, uint32_t image, VkCommandBuffer commands);

#endif
