// SPDX-License-Identifier: MIT
// Pyramids of hard sizes against the float64 reference: odd and even, thin and large, every small
// one. On a GPU units of work run in threads, as the reference of large ones takes long on a CPU.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <vulkan/vulkan.h>

#include "tests/gpu/pyramid_test.h"

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
    {.method = WEIR_PYRAMID_SINGLE, .format = VK_FORMAT_R8G8B8A8_SRGB, .is_fast = true},
    {.method = WEIR_PYRAMID_SINGLE, .format = VK_FORMAT_R16G16B16A16_SFLOAT, .is_fast = true},
    {.method = WEIR_PYRAMID_AUTO, .format = VK_FORMAT_R8G8B8A8_UNORM, .is_fast = true},
    {.method = WEIR_PYRAMID_GENERAL, .format = VK_FORMAT_R8G8B8A8_UNORM, .is_fast = true},
    {.method = WEIR_PYRAMID_SINGLE, .format = VK_FORMAT_R32G32_SFLOAT},
    {.method = WEIR_PYRAMID_SINGLE, .format = VK_FORMAT_R16G16B16A16_SFLOAT, .is_mutable = true},
    {.method = WEIR_PYRAMID_HYBRID, .format = VK_FORMAT_R8G8B8A8_SRGB},
    {.method = WEIR_PYRAMID_PER_LEVEL, .format = VK_FORMAT_R8G8B8A8_SRGB},
    {.method = WEIR_PYRAMID_FAST, .format = VK_FORMAT_R32_SFLOAT},
    {.method = WEIR_PYRAMID_SUBGROUP, .format = VK_FORMAT_R32_SFLOAT},
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
    c.is_sampled = kind->is_fast && kind->format != VK_FORMAT_R8G8B8A8_UNORM &&
                   !(runner->is_cpu && kind->format == VK_FORMAT_R8G8B8A8_SRGB);
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

// The reference takes longest for the sizes of these widths: a software device has one of them, as
// the seed says, by SINGLE alone.
static const uint32_t large_widths[] = {1921, 2047, 3095};

// What a run leaves out, beside sizes that are too large. A software device compiles each kernel
// again for an image whose width is a power of two, whose height is, or both, and SINGLE for even
// sides too. SINGLE and GENERAL have all these; of them a software device has even sides that are
// both powers, and one kind of the others, the maximum has even sides or not, and the sampler has
// one of its options, as the seed says.
struct part {
    const struct pyramid_runner *runner;
    uint32_t powers; // as by powers_of()
    bool has_even_max;
    bool has_half;  // the option for half floats, and else that for sRGB
    uint32_t large; // the width of the one of large_widths that is tested
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
    const uint64_t most = is_first ? 1400 * 800 : 1024 * 512;
    const bool is_large = kind == 0 && !runner->subgroups && num_texels <= 2047 * 2047 &&
                          (runner->all || size->width == part->large);
    return (is_first ? has_powers(part, size->width, size->height)
                     : powers_of(size->width, size->height) == 0) &&
           (num_texels <= most || is_large);
}

static void run_hard_sizes(struct pyramid_runner *runner, const struct part *part, size_t kind)
{
    char left_out[NUM_SIZES * 13 + 1] = "";
    for (size_t i = 0; i < NUM_SIZES; i++) {
        if (is_chosen(part, &sizes[i], kind) && fits(runner, &sizes[i])) {
            run_hard_size(runner, &kinds[kind], &sizes[i]);
        } else {
            snprintf(left_out + strlen(left_out), sizeof(left_out) - strlen(left_out), " %ux%u",
                     sizes[i].width, sizes[i].height);
        }
    }
    printf("%s%s%s of %s %s\n", left_out[0] ? "left out:" : "every size", left_out,
           left_out[0] ? "," : "", weir_pyramid_method_get_info(kinds[kind].method)->name,
           weir_pyramid_format_get_info(kinds[kind].format)->name);
}

// W x H in 1 .. 130: up to three tiles an axis, and every odd and even size on the way down from
// them; those of the heights from `least` to `most`. A GPU has every fourth of them, as an H200
// takes 2.7 ms for each, and all with --all. A software device has every 41st of them, and with
// --subgroups every 61st, less those that the part leaves out: each width and each height, odd and
// even ones with odd and even ones. The seed says which.
static void run_small_sizes(struct pyramid_runner *runner, const struct part *part,
                            const struct pyramid_case *kind, uint32_t least, uint32_t most)
{
    const uint32_t step = runner->subgroups ? 61 : runner->all ? 1 : runner->is_cpu ? 41 : 4;
    const uint32_t first = harness_random_below(runner->harness, step);
    struct pyramid_case c = *kind;
    for (c.height = least; c.height <= most; c.height++) {
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
    return kind->is_fast && (kind->format != VK_FORMAT_R8G8B8A8_SRGB) != part->has_half;
}

// What one thread does after another: the hard sizes of a kind, or small ones of some heights.
struct unit {
    size_t kind;
    uint32_t least, most; // heights of small sizes; 0: the hard sizes
};
enum { NUM_SLICES = 5, MAX_UNITS = NUM_KINDS + NUM_EXHAUSTIVE * NUM_SLICES, MAX_THREADS = 8 };

struct work {
    struct part part;
    struct unit units[MAX_UNITS];
    uint32_t num;
    atomic_uint next;
    uint64_t seed; // of the first unit
};

static void add_unit(struct work *work, size_t kind, uint32_t least, uint32_t most)
{
    work->units[work->num++] = (struct unit){kind, least, most};
}

// Return true if the hard sizes of a kind are tested. Subgroups hand on the same numbers whatever
// the format is. A software device does not filter data, and so makes the same of codes as of data;
// and gpu_pyramid_words has what it needs of views of words.
static bool has_hard_sizes(const struct part *part, const struct pyramid_case *kind)
{
    const struct pyramid_runner *runner = part->runner;
    return (!runner->subgroups || (kind->format == VK_FORMAT_R8G8B8A8_SRGB && !kind->is_fast)) &&
           !(runner->is_cpu && kind->is_fast && kind->format == VK_FORMAT_R8G8B8A8_UNORM) &&
           !(runner->is_cpu && kind->method == WEIR_PYRAMID_SINGLE &&
             (kind->format == VK_FORMAT_R8G8B8A8_UNORM || kind->format == VK_FORMAT_R32G32_SFLOAT ||
              kind->is_mutable || is_other_option(part, kind)));
}

static void list_units(struct work *work)
{
    const uint32_t num_slices = work->part.runner->is_cpu ? 1 : NUM_SLICES;
    for (size_t k = 0; k < NUM_KINDS; k++) {
        if (has_hard_sizes(&work->part, &kinds[k])) {
            add_unit(work, k, 0, 0);
        }
        for (uint32_t i = 0; k < NUM_EXHAUSTIVE && i < num_slices; i++) {
            // with the same pyramid, compiled already
            add_unit(work, k, 130 * i / num_slices + 1, 130 * (i + 1) / num_slices);
        }
    }
}

// Run units until none is left. The texels of a unit are the same in whatever thread it runs.
static void run_units(struct pyramid_runner *runner, struct work *work)
{
    for (uint32_t i; (i = atomic_fetch_add(&work->next, 1)) < work->num;) {
        const struct unit *unit = &work->units[i];
        runner->harness->random = work->seed + (uint64_t)i * 0x100000 - runner->num_cases;
        if (unit->most == 0) {
            run_hard_sizes(runner, &work->part, unit->kind);
        } else {
            run_small_sizes(runner, &work->part, &kinds[unit->kind], unit->least, unit->most);
        }
    }
}

// Run units on a device of the thread's own.
static void *run_thread(void *user)
{
    struct work *work = user;
    struct harness harness;
    struct pyramid_runner runner;
    pyramid_runner_init(&runner, &harness, true, work->part.runner->argc, work->part.runner->argv);
    run_units(&runner, work);
    pyramid_runner_finish(&runner);
    return NULL;
}

static void run_threads(struct work *work)
{
    const long num_processors = sysconf(_SC_NPROCESSORS_ONLN);
    const int num = num_processors < MAX_THREADS ? (int)num_processors : MAX_THREADS;
    pthread_t threads[MAX_THREADS];
    for (int i = 0; i < num; i++) {
        test_must(pthread_create(&threads[i], NULL, run_thread, work) == 0, "a thread");
    }
    for (int i = 0; i < num; i++) {
        pthread_join(threads[i], NULL);
    }
}

static void test_sizes(struct pyramid_runner *runner)
{
    static struct work work;
    work.part = (struct part){
        .runner = runner,
        .powers = 1 + harness_random_below(runner->harness, 3),
        .has_even_max = harness_random_below(runner->harness, 2) != 0 || runner->all,
        .has_half = harness_random_below(runner->harness, 2) != 0,
        .large = large_widths[harness_random_below(runner->harness, 3)],
    };
    work.seed = runner->harness->random;
    list_units(&work);
    if (runner->is_cpu) {
        run_units(runner, &work);
    } else {
        run_threads(&work);
    }
}

void pyramid_test_sizes(struct pyramid_runner *runner)
{
    test_sizes(runner);
}
