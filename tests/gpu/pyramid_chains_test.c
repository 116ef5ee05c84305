// SPDX-License-Identifier: MIT
// Parts of chains, layers, batches and sources of pyramids against the float64 reference.
#include "tests/gpu/pyramid_test.h"

// Run a case by each method.
static void run_methods(struct pyramid_runner *runner, const struct pyramid_case *kind)
{
    for (int m = 0; m < PYRAMID_NUM_METHODS; m++) {
        struct pyramid_case c = *kind;
        c.method = pyramid_methods[m];
        pyramid_run(runner, &c);
    }
}

// Cases that one pyramid of a method can run. It takes longer to make than most of them.
struct list {
    struct {
        struct pyramid_case c;
        bool without_single;
    } items[32];
    size_t num;
};

static void add(struct list *list, bool without_single, const struct pyramid_case *cases,
                size_t num)
{
    test_must(list->num + num <= sizeof(list->items) / sizeof(list->items[0]), "a longer list");
    for (size_t i = 0; i < num; i++) {
        list->items[list->num].c = cases[i];
        list->items[list->num++].without_single = without_single;
    }
}

#define ADD(list, without_single, cases)                                                           \
    add(list, without_single, cases, sizeof(cases) / sizeof((cases)[0]))

static void run_list(struct pyramid_runner *runner, const struct list *list)
{
    for (int m = 0; m < PYRAMID_NUM_METHODS; m++) {
        for (size_t i = 0; i < list->num; i++) {
            struct pyramid_case c = list->items[i].c;
            c.method = pyramid_methods[m];
            if (c.method != WEIR_PYRAMID_SINGLE || !list->items[i].without_single) {
                pyramid_run(runner, &c);
            }
        }
    }
}

// Numbers of levels; where they start and end; layers. FAST and SUBGROUP refuse the odd ones.
//
// The software device compiles SINGLE again for a base with even sides, for one that is not level 0
// and for layers: it has none of these or even sides, as the seed says, and from there the other
// two together, with the sides left as they are, and one of them with the other sides.
static void add_parts(const struct pyramid_runner *runner, struct list *list)
{
#define ODD .format = VK_FORMAT_R8G8B8A8_SRGB, .width = 117, .height = 101
#define EVEN .format = VK_FORMAT_R8G8B8A8_SRGB, .width = 96, .height = 160
    static const struct pyramid_case odd[] = TEST_LIST({ODD, .levels = 1}, {ODD, .levels = 2},
                                                       {ODD, .levels = 6}, {ODD, .levels = 7},
                                                       {ODD, .levels = 7, .last_level = 3});
    static const struct pyramid_case even[] = {
        {EVEN, .levels = 2},
        {EVEN, .levels = 6},
        {EVEN, .levels = 7, .last_level = 5},
    };
    static const struct pyramid_case ends[] = {
        {ODD, .first_level = 6},
        {ODD, .first_level = 3, .last_level = 3},
    };
    static const struct pyramid_case both[2][2] = {
        {
            {ODD, .layers = 6, .first_level = 2, .last_level = 4},
            {ODD, .layers = 5, .first_level = 4},
        },
        {
            {EVEN, .layers = 6, .first_level = 2, .last_level = 3},
            {ODD, .layers = 7, .first_level = 1, .last_level = 4}, // which is even
        },
    };
    static const struct pyramid_case one[2][2][2] = {
        {
            {{EVEN, .first_level = 1, .last_level = 5}, {ODD, .first_level = 1}},
            {{EVEN, .layers = 6, .last_level = 5},
             {EVEN, .layers = 7, .last_level = 5, .content = REF_CONTENT_STEPS}},
        },
        {
            {{ODD, .first_level = 2}, {ODD, .first_level = 2, .last_level = 4}},
            {{ODD, .layers = 6}, {ODD, .layers = 2, .content = REF_CONTENT_STEPS}},
        },
    };
#undef ODD
#undef EVEN
    const bool is_part = runner->is_cpu && !runner->all;
    const uint32_t drawn = harness_random_below(runner->harness, 2);
    const uint32_t drawn_one = harness_random_below(runner->harness, 2);
    ADD(list, is_part && drawn != 0, odd);
    ADD(list, is_part && drawn != 1, even);
    for (uint32_t turn = 0; turn < 2; turn++) {
        if (!is_part || turn == drawn) {
            ADD(list, false, both[turn]);
            ADD(list, is_part && drawn_one, one[turn][0]);
            ADD(list, is_part && !drawn_one, one[turn][1]);
        }
    }
    ADD(list, false, ends);
}

// A side of 16384 whose chain begins late, in an image thin enough for a software device, which has
// it by SINGLE, or by the others, as the seed says.
static void add_longest(const struct pyramid_runner *runner, struct list *list)
{
    static const struct pyramid_case cases[] = {
        {.format = VK_FORMAT_R8G8B8A8_SRGB, .width = 16384, .height = 3, .first_level = 9},
    };
    const bool is_part = runner->is_cpu && !runner->all;
    ADD(list, is_part && harness_random_below(runner->harness, 2), cases);
}

static void test_parts(struct pyramid_runner *runner)
{
    struct list list = {.num = 0};
    add_parts(runner, &list);
    add_longest(runner, &list); // its width is a power of two
    run_list(runner, &list);
}

static void run_batches(struct pyramid_runner *runner, uint32_t num_images, uint32_t layers,
                        bool is_even)
{
    const struct pyramid_case c = {.format = VK_FORMAT_R8G8B8A8_SRGB,
                                   .width = is_even ? 96 : 117,
                                   .height = is_even ? 160 : 101,
                                   .last_level = is_even ? 5 : 0,
                                   .layers = layers,
                                   .num_images = num_images};
    run_methods(runner, &c);
}

// Batches of 1, 3 and 5 images, of one layer and of two, of even sides and of odd ones. The
// software device has 3 images with one number of layers and one kind of sides, and 5 with the
// others.
static void test_batches(struct pyramid_runner *runner)
{
    if (runner->is_cpu && !runner->all) {
        const uint32_t layers = 1 + harness_random_below(runner->harness, 2);
        const bool is_even = harness_random_below(runner->harness, 2) != 0;
        run_batches(runner, 3, layers, is_even);
        run_batches(runner, 5, 3 - layers, !is_even);
        return;
    }
    for (uint32_t num_images = 1; num_images <= 5; num_images += 2) {
        for (uint32_t layers = 1; layers <= 2; layers++) {
            run_batches(runner, num_images, layers, true);
            run_batches(runner, num_images, layers, false);
        }
    }
}

struct conversion {
    VkFormat from, to;
    enum weir_pyramid_reduction reduction;
};

// `is_even`: the base, which is the source, has even sides.
static void run_conversion(struct pyramid_runner *runner, enum weir_pyramid_method method,
                           const struct conversion *conversion, bool is_even)
{
    static const enum ref_pyramid_content contents[] = {REF_CONTENT_RANDOM, REF_CONTENT_EXTREMES,
                                                        REF_CONTENT_STEPS};
    for (int i = 0; i < 8; i++) {
        const bool is_one = i >= 6; // a copy and nothing else, one reduction and nothing else
        pyramid_run(runner, &(struct pyramid_case){.method = method,
                                                   .reduction = conversion->reduction,
                                                   .format = conversion->to,
                                                   .source_format = conversion->from,
                                                   .source_above = i % 2 != 0,
                                                   .source_is_even = is_even,
                                                   .width = is_even ? 96 : 117,
                                                   .height = is_even ? 160 : 101,
                                                   .levels = is_one,
                                                   .last_level = is_one ? 0 : 5,
                                                   .content = contents[i / 2 % 3]});
    }
}

static void run_batch(struct pyramid_runner *runner, enum weir_pyramid_method method,
                      const struct conversion *conversion)
{
    pyramid_run(runner, &(struct pyramid_case){.method = method,
                                               .reduction = conversion->reduction,
                                               .format = conversion->to,
                                               .source_format = conversion->from,
                                               .width = 117,
                                               .height = 101,
                                               .layers = 3,
                                               .num_images = 3,
                                               .first_level = 1,
                                               .last_level = 3});
}

// Run a conversion with even sides and with odd ones; a software device, which compiles a kernel
// for each, with even ones if `in_turn` is true.
static void run_sides(struct pyramid_runner *runner, enum weir_pyramid_method method,
                      const struct conversion *conversion, bool in_turn)
{
    const bool is_one = runner->is_cpu && !runner->all && !pyramid_needs_even_sides(method);
    if (!pyramid_needs_even_sides(method) && !(is_one && in_turn)) {
        run_conversion(runner, method, conversion, false);
    }
    if (!(is_one && !in_turn)) {
        run_conversion(runner, method, conversion, true);
    }
}

// Test every conversion with SINGLE and with one of the other methods in turn, or with every method
// with --all. Batches are tested with a colour and a depth. With SINGLE a software device has one
// conversion, as the seed says, and a batch with a depth where that is a colour, or with a colour.
static void test_sources(struct pyramid_runner *runner)
{
    static const struct conversion conversions[] = {
        {VK_FORMAT_R8G8B8A8_SRGB, VK_FORMAT_R8G8B8A8_SRGB, WEIR_PYRAMID_MEAN},
        {VK_FORMAT_R16G16B16A16_SFLOAT, VK_FORMAT_B10G11R11_UFLOAT_PACK32, WEIR_PYRAMID_LUMA_MEAN},
        {VK_FORMAT_B8G8R8A8_SRGB, VK_FORMAT_R8G8B8A8_UNORM, WEIR_PYRAMID_ALPHA_MEAN},
        {VK_FORMAT_A2B10G10R10_UNORM_PACK32, VK_FORMAT_R16G16B16A16_SFLOAT, WEIR_PYRAMID_MEAN},
        {VK_FORMAT_D32_SFLOAT, VK_FORMAT_R32_SFLOAT, WEIR_PYRAMID_MAX},
        {VK_FORMAT_D16_UNORM, VK_FORMAT_R32_SFLOAT, WEIR_PYRAMID_MIN},
        {VK_FORMAT_D32_SFLOAT_S8_UINT, VK_FORMAT_R32G32_SFLOAT, WEIR_PYRAMID_MIN_MAX},
        {VK_FORMAT_R32G32_SFLOAT, VK_FORMAT_R16G16_SFLOAT, WEIR_PYRAMID_MIN_MAX},
    };
    const bool is_part = runner->is_cpu && !runner->all;
    const uint32_t drawn = harness_random_below(runner->harness, 8); // SINGLE's
    const bool is_even = harness_random_below(runner->harness, 2) != 0;
    for (uint32_t m = 0; m < PYRAMID_NUM_METHODS; m++) {
        const enum weir_pyramid_method method = pyramid_methods[m];
        for (uint32_t i = 0; i < sizeof(conversions) / sizeof(conversions[0]); i++) {
            const bool is_single = method == WEIR_PYRAMID_SINGLE;
            if (method == WEIR_PYRAMID_BLIT || // takes no source
                !(runner->all || is_single || i % (PYRAMID_NUM_METHODS - 2) + 1 == m)) {
                continue;
            }
            if (!(is_part && is_single) || i == drawn) {
                run_sides(runner, method, &conversions[i],
                          ((i / 2 + i / 4 + m) % 2 != 0) == is_even);
            }
            if (runner->all || (is_part && is_single ? i == (drawn + 4) / 4 % 2 * 4 : i % 4 == 0)) {
                run_batch(runner, method, &conversions[i]);
            }
        }
    }
}

void pyramid_test_chains(struct pyramid_runner *runner)
{
    test_parts(runner);
    test_batches(runner);
    test_sources(runner);
}
