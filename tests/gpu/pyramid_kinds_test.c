// SPDX-License-Identifier: MIT
// Methods, formats, reductions, contents and sizes of pyramids against the float64 reference.
//
// Every two of them meet; with --all every combination.
#include "tests/gpu/pyramid_check.h"

// One odd size, and one whose sides halve without a rest five times. Software devices compile a
// kernel again for powers of two: there are none.
static const struct {
    uint32_t width, height, last_level;
} sizes[] = {{117, 101, 5}, {96, 160, 5}};

// Return true if the texels of `content` can be ordered, so that the levels have bounds.
static bool has_order(enum ref_pyramid_content content)
{
    return content != REF_CONTENT_INFINITIES && content != REF_CONTENT_NANS;
}

// Return true if the method is defined well enough for the content. A driver's linear filter gives
// a tap of weight 0 a weight of some 1e-8, which of a large float may be any number, and of an
// infinity is an infinity.
static bool can_judge(const struct pyramid_case *c)
{
    return c->method != WEIR_PYRAMID_BLIT || !weir_pyramid_format_get_info(c->format)->is_float ||
           c->content == REF_CONTENT_SMOOTH || c->content == REF_CONTENT_CONSTANT;
}

static void run(struct pyramid_runner *runner, const struct pyramid_case *c)
{
    if (!ref_pyramid_content_exists(c->content, c->format) || !can_judge(c) ||
        !pyramid_run_on(runner, c, NULL) || !pyramid_compare(&runner->images, c)) {
        return;
    }
    // ALPHA_MEAN multiplies by alpha and divides by it; a colour of alpha 0 becomes 0.
    if (c->method != WEIR_PYRAMID_BLIT && c->reduction != WEIR_PYRAMID_ALPHA_MEAN &&
        has_order(c->content)) {
        pyramid_check_bounds(runner, c);
        if (c->content == REF_CONTENT_CONSTANT && c->reduction != WEIR_PYRAMID_MIN_MAX) {
            pyramid_check_constant(runner, c);
        }
    }
}

// Test every content at the sizes that the method takes. A software device, which compiles a kernel
// for each of the two, has one: the second if `in_turn` is true.
static void run_contents(struct pyramid_runner *runner, enum weir_pyramid_method method,
                         VkFormat format, enum weir_pyramid_reduction reduction, bool in_turn)
{
    const bool is_one = runner->is_cpu && !runner->all && !runner->subgroups;
    const int first = pyramid_needs_even_sides(method) || (is_one && in_turn);
    const int end = is_one ? first + 1 : 2;
    for (int s = first; s < end; s++) {
        for (int content = 0; content < REF_NUM_CONTENTS; content++) {
            run(runner, &(struct pyramid_case){
                            .method = method,
                            .reduction = reduction,
                            .format = format,
                            .width = sizes[s].width,
                            .height = sizes[s].height,
                            .last_level = sizes[s].last_level,
                            .content = (enum ref_pyramid_content)content,
                        });
        }
    }
}

static uint32_t reductions_of(const struct weir_pyramid_format_info *format,
                              enum weir_pyramid_method method, enum weir_pyramid_reduction *out)
{
    uint32_t num = 0;
    for (int r = 0; r < WEIR_PYRAMID_CUSTOM; r++) {
        if ((method == WEIR_PYRAMID_BLIT && r != WEIR_PYRAMID_MEAN) ||
            (r == WEIR_PYRAMID_ALPHA_MEAN && format->num_channels < 4) ||
            (r == WEIR_PYRAMID_MIN_MAX && format->num_channels < 2)) {
            continue;
        }
        out[num++] = (enum weir_pyramid_reduction)r;
    }
    return num;
}

// Return true if a combination is tested. `in_turn` is true for one reduction of each method and
// format, another for the next, so that every reduction meets every method and every format.
// Subgroups hand on the same numbers in every format: --subgroups tests one format, with SINGLE and
// every reduction, and test_even() has the rest.
static bool is_chosen(const struct pyramid_runner *runner, enum weir_pyramid_method method,
                      VkFormat format, bool in_turn)
{
    return runner->all ||
           (runner->subgroups ? method == WEIR_PYRAMID_SINGLE && format == VK_FORMAT_R8G8B8A8_SRGB
                              : in_turn);
}

static void test_formats(struct pyramid_runner *runner)
{
    size_t num_formats;
    const struct weir_pyramid_format_info *formats = weir_pyramid_format_list(&num_formats);
    for (uint32_t m = 0; m < PYRAMID_NUM_METHODS; m++) {
        for (uint32_t f = 0; f < num_formats; f++) {
            enum weir_pyramid_reduction reductions[WEIR_PYRAMID_CUSTOM];
            const uint32_t num = reductions_of(&formats[f], pyramid_methods[m], reductions);
            for (uint32_t r = 0; r < num; r++) {
                if (is_chosen(runner, pyramid_methods[m], formats[f].format, r == (f + m) % num)) {
                    run_contents(runner, pyramid_methods[m], formats[f].format, reductions[r],
                                 (f / 2 + m) % 2 != 0);
                }
            }
        }
    }
}

struct even_size {
    uint32_t width, height, last_level;
};

static void run_even(struct pyramid_runner *runner, enum weir_pyramid_method method,
                     enum weir_pyramid_reduction reduction, const struct even_size *even,
                     size_t num_sizes)
{
    for (int no_subgroups = 0; no_subgroups < (runner->subgroups ? 1 : 2); no_subgroups++) {
        for (size_t i = 0; i < num_sizes; i++) {
            run(runner, &(struct pyramid_case){
                            .method = method,
                            .reduction = reduction,
                            .format = VK_FORMAT_R8G8B8A8_SRGB,
                            .width = even[i].width,
                            .height = even[i].height,
                            .last_level = even[i].last_level,
                            .no_subgroups = no_subgroups != 0,
                        });
        }
    }
}

// Sides that halve without a rest: every number of levels a dispatch, tiles that the image ends
// within, and subgroups against shared memory.
static void test_even(struct pyramid_runner *runner)
{
    static const enum weir_pyramid_method methods[] = {WEIR_PYRAMID_FAST, WEIR_PYRAMID_SUBGROUP,
                                                       WEIR_PYRAMID_HYBRID};
    static const struct even_size others[] = {{14, 6, 1},  {36, 20, 2},  {40, 72, 3},
                                              {48, 80, 4}, {96, 160, 5}, {192, 320, 6}};
    static const struct even_size powers[] = {{2, 2, 1},     {64, 64, 0},    {128, 128, 0},
                                              {512, 512, 0}, {1024, 256, 8}, {128, 32, 5}};
    for (int m = 0; m < 3; m++) {
        for (int r = 0; r < WEIR_PYRAMID_CUSTOM; r++) {
            run_even(runner, methods[m], (enum weir_pyramid_reduction)r, others, 6);
            if (runner->all || r == WEIR_PYRAMID_MEAN) {
                run_even(runner, methods[m], (enum weir_pyramid_reduction)r, powers, 6);
            }
        }
    }
}

int main(int argc, char **argv)
{
    struct harness harness;
    struct pyramid_runner runner;
    harness_init(&harness, true);
    pyramid_runner_init(&runner, &harness, argc, argv);
    test_formats(&runner);
    test_even(&runner);
    pyramid_runner_finish(&runner);
    return harness_finish(&harness);
}
