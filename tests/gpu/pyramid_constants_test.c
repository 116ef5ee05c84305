// SPDX-License-Identifier: MIT
// Pyramids keep constants, whatever the code. That their weights and symmetries are right is seen
// by the reference, whose own are in unit_pyramid_ref.
#include <stdlib.h>

#include "tests/gpu/pyramid_check.h"
#include "tests/gpu/pyramid_test.h"

// Every code of 8 bits in every channel: 256 layers of one colour each.
static void test_codes(struct pyramid_runner *runner, enum weir_pyramid_method method,
                       const struct weir_pyramid_format_info *format, bool is_even)
{
    struct pyramid_case c = {.method = method,
                             .format = format->format,
                             .width = is_even ? 24 : 13,
                             .height = is_even ? 20 : 15,
                             .layers = 256,
                             .last_level = 2};
    const size_t layer_size = (size_t)c.width * c.height * format->texel_size;
    uint8_t *input = malloc(256 * layer_size);
    for (uint32_t i = 0; i < 256 * layer_size; i++) {
        const uint32_t channel = i % format->texel_size;
        input[i] = (uint8_t)((2 * channel + 1) * (i / layer_size) + 85 * channel);
    }
    if (pyramid_run_on(runner, &c, input)) {
        pyramid_check_constant(runner, &c);
    }
    free(input);
}

// Test RGBA8_SRGB with every method, and every format with SINGLE: on a software device with the
// smallest kernel, and with SINGLE either RGBA8_SRGB or one of data, as the seed says. It has even
// sides or odd ones.
void pyramid_test_constants(struct pyramid_runner *runner)
{
    size_t num_formats;
    const struct weir_pyramid_format_info *formats = weir_pyramid_format_list(&num_formats);
    const bool is_part = runner->is_cpu && !runner->all;
    const enum weir_pyramid_method widest = is_part ? WEIR_PYRAMID_PER_LEVEL : WEIR_PYRAMID_SINGLE;
    static const VkFormat data[] = {VK_FORMAT_R8_UNORM, VK_FORMAT_R8G8_UNORM,
                                    VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_B8G8R8A8_UNORM};
    const VkFormat drawn = harness_random_below(runner->harness, 2)
                               ? VK_FORMAT_R8G8B8A8_SRGB
                               : data[harness_random_below(runner->harness, 4)];
    for (uint32_t m = 0; m < PYRAMID_NUM_METHODS; m++) {
        const enum weir_pyramid_method method = pyramid_methods[m];
        const uint32_t side = harness_random_below(runner->harness, 2);
        for (size_t f = 0; f < num_formats; f++) {
            const VkFormat one = is_part && method == WEIR_PYRAMID_SINGLE ? drawn
                                                                          : VK_FORMAT_R8G8B8A8_SRGB;
            const bool is_chosen = runner->all || method == widest || formats[f].format == one;
            if (formats[f].texel_size != formats[f].num_channels || !is_chosen ||
                method == WEIR_PYRAMID_BLIT) {
                continue;
            }
            for (uint32_t is_even = pyramid_needs_even_sides(method); is_even < 2; is_even++) {
                if (!is_part || pyramid_needs_even_sides(method) || is_even == (f + side) % 2) {
                    test_codes(runner, method, &formats[f], is_even != 0);
                }
            }
        }
    }
}
