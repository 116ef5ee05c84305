// SPDX-License-Identifier: MIT
// Pyramids whose inputs are read as words have the same texels, bit for bit, as those whose inputs
// are fetched; and inputs that allow no such views are fetched.
#include <stdlib.h>
#include <string.h>

#include "tests/gpu/pyramid_test.h"
#include "tests/ref/texel.h"

struct kind {
    VkFormat format, source_format;
    enum weir_pyramid_reduction reduction;
};

// Both formats that have words, with the reductions that load or bound texels in their own ways,
// and as sources.
static const struct kind kinds[] = {
    {VK_FORMAT_R16G16_SFLOAT, 0, WEIR_PYRAMID_MIN_MAX},
    {VK_FORMAT_R16G16_SFLOAT, 0, WEIR_PYRAMID_MEAN},
    {VK_FORMAT_R16G16B16A16_SFLOAT, 0, WEIR_PYRAMID_MEAN},
    {VK_FORMAT_R16G16B16A16_SFLOAT, 0, WEIR_PYRAMID_MAX},
    {VK_FORMAT_R16G16B16A16_SFLOAT, 0, WEIR_PYRAMID_ALPHA_MEAN},
    {VK_FORMAT_R8G8B8A8_SRGB, VK_FORMAT_R16G16B16A16_SFLOAT, WEIR_PYRAMID_MEAN},
    {VK_FORMAT_B10G11R11_UFLOAT_PACK32, VK_FORMAT_R16G16B16A16_SFLOAT, WEIR_PYRAMID_MIN},
    {VK_FORMAT_R32G32_SFLOAT, VK_FORMAT_R16G16_SFLOAT, WEIR_PYRAMID_MEAN},
};
enum { NUM_KINDS = sizeof(kinds) / sizeof(kinds[0]) };

// What came of one content by fetches.
struct kept {
    uint8_t *input, *levels;
};

static void make_input(struct pyramid_runner *runner, const struct pyramid_case *c,
                       struct kept *kept)
{
    const VkFormat format = c->source_format ? c->source_format : c->format;
    kept->input = malloc((size_t)c->width * c->height * c->layers *
                         ref_texel_get_format(format)->texel_size);
    test_must(kept->input, "memory");
    ref_pyramid_content_fill(c->content, format, c->reduction, c->width, c->height, c->layers,
                             runner->harness->random + runner->num_cases, kept->input);
}

static void run_fetched(struct pyramid_runner *runner, const struct pyramid_case *c,
                        struct kept *kept)
{
    make_input(runner, c, kept);
    if (pyramid_run_on(runner, c, kept->input)) { // which other tests compare with the reference
        kept->levels = malloc(runner->images.size);
        test_must(kept->levels, "memory");
        memcpy(kept->levels, pyramid_images_downloaded(&runner->images, 0), runner->images.size);
    }
}

static void run_words(struct pyramid_runner *runner, const struct pyramid_case *c,
                      const struct kept *kept)
{
    if (kept->levels && pyramid_run_on(runner, c, kept->input) &&
        memcmp(kept->levels, pyramid_images_downloaded(&runner->images, 0), runner->images.size) !=
            0) {
        pyramid_fail(&runner->images, c, "words give other texels than fetches");
    }
}

// Run every content by fetches, and then by words, so that each pyramid is made once.
static void run_contents(struct pyramid_runner *runner, struct pyramid_case c)
{
    struct kept kept[REF_NUM_CONTENTS] = {0};
    for (int turn = 0; turn < 2; turn++) {
        c.is_mutable = turn != 0;
        for (int i = 0; i < REF_NUM_CONTENTS; i++) {
            c.content = (enum ref_pyramid_content)i;
            const bool exists = ref_pyramid_content_exists(
                c.content, c.source_format ? c.source_format : c.format);
            if (!exists || i == REF_CONTENT_NANS) { // whose bits nobody promises
                continue;
            }
            if (turn == 0) {
                run_fetched(runner, &c, &kept[i]);
            } else {
                run_words(runner, &c, &kept[i]);
            }
        }
    }
    for (int i = 0; i < REF_NUM_CONTENTS; i++) {
        free(kept[i].input);
        free(kept[i].levels);
    }
}

// Odd sides, of two layers, and even ones, and thin images. The software device, which compiles
// both kernels for each kind of sides, has one size, as the seed says.
static void test_kind(struct pyramid_runner *runner, const struct kind *kind)
{
    static const struct {
        uint32_t width, height, layers;
    } sizes[] = {{117, 101, 2}, {96, 160, 1}, {3, 5, 1}, {1, 5, 1}, {1055, 66, 1}};
    const uint32_t num_sizes = sizeof(sizes) / sizeof(sizes[0]);
    const bool is_part = runner->is_cpu && !runner->all;
    const uint32_t drawn = harness_random_below(runner->harness, num_sizes);
    for (uint32_t i = 0; i < num_sizes; i++) {
        if (!is_part || i == drawn) {
            run_contents(runner, (struct pyramid_case){.method = WEIR_PYRAMID_SINGLE,
                                                       .reduction = kind->reduction,
                                                       .format = kind->format,
                                                       .source_format = kind->source_format,
                                                       .width = sizes[i].width,
                                                       .height = sizes[i].height,
                                                       .layers = sizes[i].layers});
        }
    }
}

// Every kind; a software device one of them, that of the seed.
static void test_kinds(struct pyramid_runner *runner)
{
    const uint32_t step = runner->is_cpu && !runner->all ? NUM_KINDS : 1;
    for (uint32_t i = harness_random_below(runner->harness, step); i < NUM_KINDS; i += step) {
        test_kind(runner, &kinds[i]);
    }
}

// The images of one pyramid are read as words where their flags allow it, and fetched elsewhere.
static void test_flags(struct pyramid_runner *runner)
{
    struct pyramid_case c = {.method = WEIR_PYRAMID_SINGLE,
                             .format = VK_FORMAT_R16G16B16A16_SFLOAT,
                             .width = 9,
                             .height = 7};
    for (int turn = 0; turn < 2; turn++) {
        c.is_mutable = turn != 0;
        test_expect(!pyramid_run_on(runner, &c, NULL) || runner->images.has_words == c.is_mutable,
                    "words of images that are mutable %d", c.is_mutable);
    }
}

void pyramid_test_words(struct pyramid_runner *runner)
{
    test_kinds(runner);
    test_flags(runner);
}
