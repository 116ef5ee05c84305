// SPDX-License-Identifier: MIT
// Pyramids of hard sizes against the float64 reference: odd and even, thin and large, every small
// one.
#include <stdio.h>

#include <vulkan/vulkan.h>

#include "tests/gpu/pyramid_run.h"

struct size {
    uint32_t width, height;
};

// The pyramids that are tested at every size. The other tests have more reductions and formats, and
// few sizes.
static const struct pyramid_case kinds[] = {
    {.method = WEIR_PYRAMID_SINGLE, .format = VK_FORMAT_R8G8B8A8_SRGB},
    {.method = WEIR_PYRAMID_GENERAL, .format = VK_FORMAT_R8G8B8A8_SRGB},
    {.method = WEIR_PYRAMID_SINGLE, .format = VK_FORMAT_R8G8B8A8_UNORM},
    {.method = WEIR_PYRAMID_SINGLE, .format = VK_FORMAT_R32_SFLOAT, .reduction = WEIR_PYRAMID_MAX},
    {.method = WEIR_PYRAMID_SINGLE, .format = VK_FORMAT_R8G8B8A8_SRGB, .filter_srgb = true},
    {.method = WEIR_PYRAMID_SINGLE, .format = VK_FORMAT_R16G16B16A16_SFLOAT, .filter_half = true},
    {.method = WEIR_PYRAMID_SINGLE, .format = VK_FORMAT_R32G32_SFLOAT},
    {.method = WEIR_PYRAMID_HYBRID, .format = VK_FORMAT_R8G8B8A8_SRGB},
    {.method = WEIR_PYRAMID_PER_LEVEL, .format = VK_FORMAT_R8G8B8A8_SRGB},
    {.method = WEIR_PYRAMID_FAST, .format = VK_FORMAT_R8G8B8A8_SRGB},
    {.method = WEIR_PYRAMID_SUBGROUP, .format = VK_FORMAT_R8G8B8A8_SRGB},
    {.method = WEIR_PYRAMID_BLIT, .format = VK_FORMAT_R8G8B8A8_UNORM},
};
enum { NUM_KINDS = sizeof(kinds) / sizeof(kinds[0]), NUM_EXHAUSTIVE = 2 };

// FAST and SUBGROUP make as many levels as the sides halve without a rest.
static uint32_t even_levels(const struct size *size)
{
    uint32_t levels = 0;
    while (((size->width | size->height) >> levels & 1) == 0) {
        levels++;
    }
    return levels;
}

static void run_hard_size(struct pyramid_runner *runner, const struct pyramid_case *kind,
                          const struct size *size)
{
    struct pyramid_case c = *kind;
    c.width = size->width;
    c.height = size->height;
    c.is_sampled = kind->filter_half || (kind->filter_srgb && !runner->is_cpu); // which is exact
    if (pyramid_needs_even_sides(c.method)) {
        c.last_level = even_levels(size);
        if (c.last_level == 0) {
            return; // refused; the errors are tested elsewhere
        }
    }
    pyramid_run(runner, &c);
}

// Those without a power of two come first: of the variants of a kernel that the software device
// compiles in a process, other processes find the first.
static const struct size sizes[] = {
    {3, 3},       {5, 5},       {7, 7},        {15, 17},     {31, 31},     {31, 33},
    {33, 33},     {63, 63},     {63, 65},      {65, 65},     {127, 127},   {127, 129},
    {129, 129},   {511, 3},     {3, 700},      {255, 257},   {640, 360},   {683, 384},
    {515, 600},   {1023, 511},  {1366, 768},   {1921, 1081}, {2047, 2047}, {2049, 2049},
    {2052, 2052}, {3095, 990},  {4094, 4094},  {4095, 4095}, {4097, 4097}, {6000, 4000},
    {5000, 3},    {3, 5000},    {16383, 3},    {1, 1},       {2, 1},       {3, 1},
    {1, 3},       {32, 32},     {64, 64},      {128, 128},   {1025, 1},    {66, 64},
    {512, 256},   {16384, 1},   {3, 16384},    {5, 16384},   {8192, 64},   {2048, 2048},
    {4096, 4096}, {8192, 8192}, {16384, 16384}};
enum { NUM_SIZES = sizeof(sizes) / sizeof(sizes[0]) };

// Return true if the device can have the image, and has memory for it and for uploading and
// downloading its texels.
static bool fits(const struct pyramid_runner *runner, const struct size *size)
{
    const VkPhysicalDevice device = runner->harness->import->physical_device;
    VkPhysicalDeviceProperties properties;
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceProperties(device, &properties);
    vkGetPhysicalDeviceMemoryProperties(device, &memory);
    uint64_t heap = 0;
    for (uint32_t i = 0; i < memory.memoryHeapCount; i++) {
        heap = memory.memoryHeaps[i].size > heap ? memory.memoryHeaps[i].size : heap;
    }
    const uint32_t side = size->width > size->height ? size->width : size->height;
    return side <= properties.limits.maxImageDimension2D &&
           (uint64_t)size->width * size->height * 20 < heap;
}

// What a run leaves out, beside sizes that are too large. A software device compiles each kernel
// again for an image whose width is a power of two, whose height is, or both, and SINGLE for even
// sides too. SINGLE and GENERAL have all these; of them a software device has even sides that are
// both powers, and one kind of the others, the maximum has even sides or not, and the sampler has
// one of its options, as the seed says.
struct part {
    const struct pyramid_runner *runner;
    uint32_t powers; // as by powers_of()
    bool has_even_max;
    bool has_half; // the option for half floats, and else that for sRGB
};

// 0: no side is a power of two; 1: the width is; 2: the height is; 3: both are.
static uint32_t powers_of(uint32_t width, uint32_t height)
{
    return ((width & (width - 1)) == 0) + 2 * ((height & (height - 1)) == 0);
}

// Return true if sides that are such powers are tested by SINGLE and GENERAL.
static bool has_powers(const struct part *part, uint32_t width, uint32_t height)
{
    const uint32_t powers = powers_of(width, height);
    const bool is_even = ((width | height) & 1) == 0;
    return powers == 0 || !part->runner->is_cpu || part->runner->all ||
           (!part->runner->subgroups && (powers == part->powers || (powers == 3 && is_even)));
}

// Return true if a size is tested with a kind. The largest sizes are for SINGLE and GENERAL only,
// and the very largest for --all. Tiles of subgroups are as in smaller ones.
static bool is_chosen(const struct part *part, const struct size *size, size_t kind)
{
    const struct pyramid_runner *runner = part->runner;
    const uint64_t num_texels = (uint64_t)size->width * size->height;
    const bool is_first = kind < NUM_EXHAUSTIVE;
    if (!runner->is_cpu) {
        return num_texels <= 6000 * 4000 ||
               (is_first && (runner->all || num_texels <= 8192 * 8192));
    }
    const bool is_even = ((size->width | size->height) & 1) == 0;
    if (kinds[kind].reduction == WEIR_PYRAMID_MAX && is_even && !part->has_even_max) {
        return false;
    }
    const uint64_t most = kind == 0 && !runner->subgroups ? 2047 * 2047
                          : is_first                      ? 1400 * 800
                                                          : 1024 * 512;
    return (is_first ? has_powers(part, size->width, size->height)
                     : powers_of(size->width, size->height) == 0) &&
           num_texels <= most;
}

static void run_hard_sizes(struct pyramid_runner *runner, const struct part *part, size_t kind)
{
    uint32_t num_left_out = 0;
    for (size_t i = 0; i < NUM_SIZES; i++) {
        if (is_chosen(part, &sizes[i], kind) && fits(runner, &sizes[i])) {
            run_hard_size(runner, &kinds[kind], &sizes[i]);
        } else {
            printf(num_left_out++ ? " %ux%u" : "left out: %ux%u", sizes[i].width, sizes[i].height);
        }
    }
    printf("%s%s %s\n", num_left_out ? ", of " : "every size of ",
           weir_pyramid_method_get_info(kinds[kind].method)->name,
           weir_pyramid_format_get_info(kinds[kind].format)->name);
}

// W x H in 1 .. 130: up to three tiles an axis, and every odd and even size on the way down from
// them. A software device has every 41st of them, and with --subgroups every 61st, less those that
// the part leaves out: each width and each height, odd and even ones with odd and even ones. The
// seed says which.
static void run_small_sizes(struct pyramid_runner *runner, const struct part *part,
                            const struct pyramid_case *kind)
{
    const uint32_t step = runner->subgroups ? 61 : runner->is_cpu && !runner->all ? 41 : 1;
    const uint32_t first = harness_random_below(runner->harness, step);
    struct pyramid_case c = *kind;
    for (c.height = 1; c.height <= 130; c.height++) {
        for (c.width = 1; c.width <= 130; c.width++) {
            if ((c.width + 2 * c.height) % step == first && has_powers(part, c.width, c.height)) {
                pyramid_run(runner, &c);
            }
        }
    }
}

// Return true for one of the two options of the sampler. A software device has the other one.
static bool is_other_option(const struct part *part, const struct pyramid_case *kind)
{
    return (kind->filter_srgb || kind->filter_half) && kind->filter_half != part->has_half;
}

static void test_sizes(struct pyramid_runner *runner)
{
    const struct part part = {
        .runner = runner,
        .powers = 1 + harness_random_below(runner->harness, 3),
        .has_even_max = harness_random_below(runner->harness, 2) != 0 || runner->all,
        .has_half = harness_random_below(runner->harness, 2) != 0,
    };
    for (size_t k = 0; k < NUM_KINDS; k++) {
        // Subgroups hand on the same numbers whatever the format is. A software device does not
        // filter data, and so makes the same of codes as of data.
        if ((!runner->subgroups ||
             (kinds[k].format == VK_FORMAT_R8G8B8A8_SRGB && !kinds[k].filter_srgb)) &&
            !(runner->is_cpu && kinds[k].method == WEIR_PYRAMID_SINGLE &&
              (kinds[k].format == VK_FORMAT_R8G8B8A8_UNORM ||
               kinds[k].format == VK_FORMAT_R32G32_SFLOAT || is_other_option(&part, &kinds[k])))) {
            run_hard_sizes(runner, &part, k);
        }
        if (k < NUM_EXHAUSTIVE) {
            run_small_sizes(runner, &part, &kinds[k]); // with the same pyramid, compiled already
        }
    }
}

int main(int argc, char **argv)
{
    struct harness harness;
    struct pyramid_runner runner;
    harness_init(&harness, true);
    pyramid_runner_init(&runner, &harness, argc, argv);
    test_sizes(&runner);
    pyramid_runner_finish(&runner);
    return harness_finish(&harness);
}
