// SPDX-License-Identifier: MIT
// The kernels of weir-bench pyramid itself: the floor in several forms, the empty one, and the one
// that fills images.
#ifndef WEIR_TESTS_BENCH_PYRAMID_FLOOR_H
#define WEIR_TESTS_BENCH_PYRAMID_FLOOR_H

#include "tests/bench/kernel.h"
#include "tests/bench/pyramid/images.h"
#include "tests/bench/pyramid/pyramid.h"

// `linear`: the format can be filtered. Finish it in every case.
enum weir_result bench_pyramid_kernel_init(struct bench_kernel *kernel, struct cli_gpu *gpu,
                                           bool linear);

// The sets by which the kernels use images, one for each. Finish them in every case.
enum weir_result bench_pyramid_sets_init(struct bench_sets *sets, const struct bench_kernel *kernel,
                                         const struct cli_images *images);

// Put the name of a form of the floor into a text.
void bench_pyramid_form_name(uint32_t form, char *text, size_t size);

void bench_pyramid_record_floor(const struct bench_sets *sets, const struct cli_images *images,
                                uint32_t form, uint32_t image, VkCommandBuffer commands);
void bench_pyramid_record_empty(const struct bench_sets *sets, VkCommandBuffer commands);
// Record the dispatches that fill level 0 of every image.
void bench_pyramid_record_fill(const struct bench_sets *sets, const struct cli_images *images,
                               VkCommandBuffer commands);

#endif
