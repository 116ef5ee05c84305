// SPDX-License-Identifier: MIT
// Methods, formats, reductions, contents and sizes of pyramids against the float64 reference.
//
// Every run has every format, every kind of texels with each method and with each reduction, every
// reduction with every number of channels, and each of these with every content; on a GPU every
// reduction by each method too. Left out are those two that gpu_pyramid_sizes has in every run: the
// mean by each method, and the maximum by SINGLE. The seed draws the combinations in which they
// meet: a software device, which compiles a kernel for each, has three of each method, and the rest
// by the one that it compiles soonest. With --all every combination.
#include "tests/gpu/pyramid_check.h"
#include "tests/gpu/pyramid_test.h"

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
    // ALPHA_MEAN multiplies by alpha and divides by it, which rounds.
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

static bool has_reduction(const struct weir_pyramid_format_info *format,
                          enum weir_pyramid_method method, enum weir_pyramid_reduction reduction)
{
    return !(method == WEIR_PYRAMID_BLIT && reduction != WEIR_PYRAMID_MEAN) &&
           !(reduction == WEIR_PYRAMID_ALPHA_MEAN && format->num_channels < 4) &&
           !(reduction == WEIR_PYRAMID_MIN_MAX && format->num_channels < 2);
}

enum { MAX_FORMATS = 32, NUM_TEXELS = 3, NUM_CHANNELS = 5 };

// Kernels read and write data, sRGB and floats by other code each. What is between formats of one
// of these is the driver's, and reductions know of channels.
static uint32_t texels_of(const struct weir_pyramid_format_info *format)
{
    return format->is_srgb ? 1 : format->is_float ? 2 : 0;
}

// A combination, by its numbers in the lists of methods, formats and reductions.
struct kind {
    uint8_t method, format, reduction;
    bool is_refused; // by the device
};

struct kinds {
    struct kind all[PYRAMID_NUM_METHODS * MAX_FORMATS * WEIR_PYRAMID_CUSTOM];
    uint32_t num;
    bool is_part; // of a software device
    const struct weir_pyramid_format_info *formats;
    // what has been tested
    bool methods[PYRAMID_NUM_METHODS][NUM_TEXELS], reductions[WEIR_PYRAMID_CUSTOM][NUM_TEXELS];
    bool channels[WEIR_PYRAMID_CUSTOM][NUM_CHANNELS];
    bool both[PYRAMID_NUM_METHODS][WEIR_PYRAMID_CUSTOM], seen[MAX_FORMATS];
    bool is_second[PYRAMID_NUM_METHODS]; // the size of the method's next combination
};

// List all combinations, in an order of the seed. Subgroups hand on the same numbers in every
// format: --subgroups tests one.
static void list_kinds(const struct pyramid_runner *runner, struct kinds *kinds)
{
    size_t num_formats;
    kinds->formats = weir_pyramid_format_list(&num_formats);
    kinds->is_part = runner->is_cpu && !runner->all && !runner->subgroups;
    test_must(num_formats <= MAX_FORMATS, "more formats than this test expects");
    for (uint8_t m = 0; m < PYRAMID_NUM_METHODS; m++) {
        for (uint8_t f = 0; f < num_formats; f++) {
            for (uint8_t r = 0; r < WEIR_PYRAMID_CUSTOM; r++) {
                if (has_reduction(&kinds->formats[f], pyramid_methods[m],
                                  (enum weir_pyramid_reduction)r) &&
                    !(runner->subgroups && kinds->formats[f].format != VK_FORMAT_R8G8B8A8_SRGB)) {
                    kinds->all[kinds->num++] = (struct kind){m, f, r, false};
                }
            }
        }
        kinds->is_second[m] = harness_random_below(runner->harness, 2) != 0;
        kinds->both[m][WEIR_PYRAMID_MEAN] = pyramid_methods[m] != WEIR_PYRAMID_BLIT;
        kinds->both[m][WEIR_PYRAMID_MAX] = pyramid_methods[m] == WEIR_PYRAMID_SINGLE;
    }
    for (uint32_t i = kinds->num; i > 1; i--) {
        const uint32_t other = harness_random_below(runner->harness, i);
        const struct kind kind = kinds->all[i - 1];
        kinds->all[i - 1] = kinds->all[other];
        kinds->all[other] = kind;
    }
}

// Get what no other combination has tested: the format, and pairs of the method, the reduction and
// what the format holds. BLIT is no test of the mean: the driver makes it.
static int count_new(const struct kinds *kinds, const struct kind *kind)
{
    const struct weir_pyramid_format_info *format = &kinds->formats[kind->format];
    const enum weir_pyramid_method method = pyramid_methods[kind->method];
    const bool is_blit = method == WEIR_PYRAMID_BLIT;
    if (kinds->is_part && method != WEIR_PYRAMID_PER_LEVEL &&
        kinds->methods[kind->method][texels_of(format)]) {
        return 0;
    }
    return !kinds->methods[kind->method][texels_of(format)] +
           (!is_blit && !kinds->reductions[kind->reduction][texels_of(format)]) +
           (!is_blit && !kinds->channels[kind->reduction][format->num_channels]) +
           (!kinds->is_part && !kinds->both[kind->method][kind->reduction]) +
           (!is_blit && !kinds->seen[kind->format]);
}

static void run_kind(struct pyramid_runner *runner, struct kinds *kinds, struct kind *kind)
{
    const struct weir_pyramid_format_info *format = &kinds->formats[kind->format];
    const bool is_blit = pyramid_methods[kind->method] == WEIR_PYRAMID_BLIT;
    const uint32_t num_refused = runner->num_refused;
    run_contents(runner, pyramid_methods[kind->method], format->format,
                 (enum weir_pyramid_reduction)kind->reduction, kinds->is_second[kind->method]);
    kind->is_refused = runner->num_refused > num_refused;
    if (!kind->is_refused) {
        kinds->methods[kind->method][texels_of(format)] = true;
        kinds->reductions[kind->reduction][texels_of(format)] |= !is_blit;
        kinds->channels[kind->reduction][format->num_channels] |= !is_blit;
        kinds->both[kind->method][kind->reduction] = true;
        kinds->seen[kind->format] |= !is_blit;
        kinds->is_second[kind->method] = !kinds->is_second[kind->method];
    }
}

// Test those that have the most that is new first, until nothing is left.
static void test_formats(struct pyramid_runner *runner)
{
    struct kinds kinds = {.num = 0};
    list_kinds(runner, &kinds);
    for (int least = runner->all ? 0 : 5; least >= (runner->all ? 0 : 1); least--) {
        for (uint32_t i = 0; i < kinds.num; i++) {
            if (!kinds.all[i].is_refused && count_new(&kinds, &kinds.all[i]) >= least) {
                run_kind(runner, &kinds, &kinds.all[i]);
            }
        }
    }
}

struct even_size {
    uint32_t width, height, last_level;
};

static void run_even(struct pyramid_runner *runner, const struct pyramid_case *kind,
                     const struct even_size *even, size_t num_sizes)
{
    struct pyramid_case c = *kind;
    c.format = VK_FORMAT_R8G8B8A8_SRGB;
    for (size_t i = 0; i < num_sizes; i++) {
        c.width = even[i].width;
        c.height = even[i].height;
        c.last_level = even[i].last_level;
        run(runner, &c);
    }
}

// Sides that halve without a rest: every number of levels a dispatch, tiles that the image ends
// within, and subgroups against shared memory. They hand on numbers, whatever the reduction is: the
// mean, and one of the seed. A software device has the mean by subgroups and the other reduction by
// shared memory, or the other way round, with one of the methods; with the others the mean alone,
// and powers of two so too.
static void test_even(struct pyramid_runner *runner)
{
    static const enum weir_pyramid_method methods[] = {WEIR_PYRAMID_FAST, WEIR_PYRAMID_SUBGROUP,
                                                       WEIR_PYRAMID_HYBRID};
    static const struct even_size others[] = {{14, 6, 1},  {36, 20, 2},  {40, 72, 3},
                                              {48, 80, 4}, {96, 160, 5}, {192, 320, 6}};
    static const struct even_size powers[] = {{2, 2, 1},     {64, 64, 0},    {128, 128, 0},
                                              {512, 512, 0}, {1024, 256, 8}, {128, 32, 5}};
    const bool is_part = runner->is_cpu && !runner->all && !runner->subgroups;
    const uint32_t drawn_method = harness_random_below(runner->harness, 3);
    for (uint32_t m = 0; m < 3; m++) {
        const uint32_t drawn = 1 + harness_random_below(runner->harness, WEIR_PYRAMID_CUSTOM - 1);
        const uint32_t turn = harness_random_below(runner->harness, 2);
        for (uint32_t i = 0; i < 2 * WEIR_PYRAMID_CUSTOM; i++) {
            const struct pyramid_case c = {
                .method = methods[m],
                .reduction = (enum weir_pyramid_reduction)(i / 2),
                .no_subgroups = i % 2 != 0,
            };
            const bool is_mean = c.reduction == WEIR_PYRAMID_MEAN;
            if ((runner->subgroups && c.no_subgroups) ||
                (is_part && i % 2 != (is_mean ? turn : 1 - turn))) {
                continue;
            }
            if (runner->all || is_mean || (i / 2 == drawn && !(is_part && m != drawn_method))) {
                run_even(runner, &c, others, 6);
            }
            if (runner->all || is_mean) {
                run_even(runner, &c, powers, 6);
            }
        }
    }
}

void pyramid_test_kinds(struct pyramid_runner *runner)
{
    test_formats(runner);
    test_even(runner);
}
