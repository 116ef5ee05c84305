// SPDX-License-Identifier: MIT
// Cases of pyramids: made, run, repeated, compared with the reference.
#include "tests/gpu/pyramid_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vulkan/vulkan.h>

#include "tests/ref/pyramid_compare.h"

const enum weir_pyramid_method pyramid_methods[PYRAMID_NUM_METHODS] = {
    WEIR_PYRAMID_SINGLE,   WEIR_PYRAMID_HYBRID,    WEIR_PYRAMID_FAST, WEIR_PYRAMID_GENERAL,
    WEIR_PYRAMID_SUBGROUP, WEIR_PYRAMID_PER_LEVEL, WEIR_PYRAMID_BLIT,
};

bool pyramid_needs_even_sides(enum weir_pyramid_method method)
{
    return method == WEIR_PYRAMID_FAST || method == WEIR_PYRAMID_SUBGROUP;
}

bool pyramid_fail(const struct pyramid_images *images, const struct pyramid_case *c,
                  const char *what)
{
    const struct ref_pyramid *ref = &images->ref;
    return test_expect(
        false,
        "%s%s%s%s%s %s %s %ux%u, %u images of %u layers, levels %u..%u of %u, source format %d "
        "%ux%u, "
        "content %s: %s",
        weir_pyramid_method_get_info(c->method)->name, c->is_fast ? " fast" : "",
        c->is_exact ? " exact" : "", c->is_mutable ? " mutable" : "",
        c->no_subgroups ? " no_subgroups" : "", weir_pyramid_reduction_get_info(c->reduction)->name,
        weir_pyramid_format_get_info(c->format)->name, c->width, c->height, images->num_images,
        ref->layers, ref->first_level, ref->last_level, ref->levels, (int)c->source_format,
        ref->source_width, ref->source_height, ref_pyramid_content_name(c->content), what);
}

static bool use_pyramid(struct pyramid_runner *runner, const struct pyramid_case *c)
{
    const struct weir_pyramid_params params =
        TEST_LIST(.method = c->method, .reduction = c->reduction, .format = c->format,
                  .source_format = c->source_format, .max_images = c->num_images,
                  .precision = c->is_exact  ? WEIR_PYRAMID_PRECISION_EXACT
                               : c->is_fast ? WEIR_PYRAMID_PRECISION_FAST
                                            : WEIR_PYRAMID_PRECISION_NEAREST,
                  .no_subgroups = c->no_subgroups);
    if (runner->pyramid && memcmp(&params, &runner->params, sizeof(params)) == 0) {
        return true;
    }
    weir_pyramid_destroy(&runner->pyramid);
    runner->params = params;
    const enum weir_result result = weir_pyramid_create(runner->harness->context, &params,
                                                        &runner->pyramid);
    test_expect(result == WEIR_OK || result == WEIR_ERROR_UNSUPPORTED,
                "weir_pyramid_create answers %s", weir_result_name(result));
    return result == WEIR_OK;
}

static bool submit(struct harness *harness, VkCommandBuffer cmd)
{
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &cmd};
    return test_expect(vkQueueSubmit(harness->host.queue, 1, &info, VK_NULL_HANDLE) == VK_SUCCESS &&
                           vkQueueWaitIdle(harness->host.queue) == VK_SUCCESS,
                       "the device is lost");
}

// Check that the input, and levels outside the part that the case asks for, are unchanged.
static bool is_rest_untouched(struct pyramid_runner *runner, const struct pyramid_case *c)
{
    const struct pyramid_images *images = &runner->images;
    const struct ref_pyramid *ref = &images->ref;
    for (uint32_t i = 0; i < images->num_images; i++) {
        const uint8_t *up = pyramid_images_uploaded(images, i);
        const uint8_t *down = pyramid_images_downloaded(images, i);
        for (uint32_t level = 0; level < ref->levels; level++) {
            const uint32_t first_made = ref->first_level + !ref->source_format;
            const size_t offset = ref_pyramid_offset(ref, level);
            const size_t size = (size_t)ref_pyramid_level_size(ref->width, level) *
                                ref_pyramid_level_size(ref->height, level) * ref->layers *
                                weir_pyramid_format_get_info(ref->format)->texel_size;
            if ((level < first_made || level > ref->last_level) &&
                memcmp(up + offset, down + offset, size) != 0) {
                return pyramid_fail(&runner->images, c,
                                    "a level that is not to be made was written");
            }
        }
    }
    return true;
}

// Check that the same commands give the same texels every time.
static bool repeat(struct pyramid_runner *runner, const struct pyramid_case *c, VkCommandBuffer cmd)
{
    const struct pyramid_images *images = &runner->images;
    const size_t size = images->num_images * images->size;
    uint8_t *down = pyramid_images_downloaded(images, 0);
    uint8_t *first = malloc(size);
    bool same = first;
    for (uint32_t i = 0; same && i < c->repeats; i++) {
        memcpy(first, down, i == 0 ? size : 0);
        same = submit(runner->harness, cmd) && memcmp(first, down, size) == 0;
        runner->num_repeats++;
    }
    free(first);
    return same || pyramid_fail(&runner->images, c, "a repeat gives other texels");
}

static bool run_target(struct pyramid_runner *runner, const struct pyramid_case *c,
                       const weir_pyramid_target *target)
{
    struct harness *harness = runner->harness;
    VkCommandBuffer cmd = pyramid_images_record(&runner->images, harness->pool, target);
    const bool passed = submit(harness, cmd) && is_rest_untouched(runner, c) &&
                        repeat(runner, c, cmd);
    vkFreeCommandBuffers(harness->vk, harness->pool, 1, &cmd);
    return passed;
}

static bool uses_subgroups(enum weir_pyramid_method method)
{
    return method == WEIR_PYRAMID_SINGLE || method == WEIR_PYRAMID_HYBRID ||
           method == WEIR_PYRAMID_FAST || method == WEIR_PYRAMID_SUBGROUP;
}

bool pyramid_run_on(struct pyramid_runner *runner, const struct pyramid_case *c, const void *input)
{
    if ((c->method == WEIR_PYRAMID_BLIT && runner->no_blits) ||
        (runner->subgroups && !uses_subgroups(c->method)) ||
        (runner->only && c->method != runner->only)) {
        return false;
    }
    runner->num_cases++;
    runner->by_method[c->method].cases++;
    enum weir_result result = WEIR_ERROR_UNSUPPORTED;
    bool passed = true;
    if (use_pyramid(runner, c)) {
        pyramid_images_finish(&runner->images);
        pyramid_images_init(&runner->memory, c, runner->pyramid,
                            runner->harness->random + runner->num_cases, input, &runner->images);
        weir_pyramid_target *target = NULL;
        result = pyramid_images_create_target(&runner->images, c, runner->pyramid, &target);
        passed = result == WEIR_OK ? run_target(runner, c, target)
                 : result == WEIR_ERROR_UNSUPPORTED
                     ? false
                     : pyramid_fail(&runner->images, c, weir_result_name(result));
        weir_pyramid_target_destroy(&target);
    }
    if (result == WEIR_ERROR_UNSUPPORTED) {
        runner->num_refused++;
        runner->by_method[c->method].refused++;
    }
    return result == WEIR_OK && passed;
}

bool pyramid_compare(struct pyramid_images *images, const struct pyramid_case *c)
{
    for (uint32_t i = 0; i < images->num_images; i++) {
        struct ref_pyramid_difference difference;
        images->ref.source = c->source_format ? pyramid_images_source(images, i) : NULL;
        const enum ref_pyramid_verdict verdict = ref_pyramid_compare(
            &images->ref, pyramid_images_downloaded(images, i), &difference);
        if (verdict == REF_PYRAMID_NO_MEMORY) {
            return pyramid_fail(images, c, "no memory");
        }
        if (verdict == REF_PYRAMID_DIFFERENT) {
            char text[512];
            ref_pyramid_describe(&images->ref, &difference, text, sizeof(text));
            return pyramid_fail(images, c, text);
        }
    }
    return true;
}

bool pyramid_run(struct pyramid_runner *runner, const struct pyramid_case *c)
{
    const int failures = test_num_failures();
    return pyramid_run_on(runner, c, NULL) ? pyramid_compare(&runner->images, c)
                                           : test_num_failures() == failures;
}

static void parse(struct pyramid_runner *runner, int argc, char **argv)
{
    bool ok = true;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--all") == 0) {
            runner->all = true;
        } else if (strcmp(argv[i], "--subgroups") == 0) {
            runner->subgroups = true;
        } else if (strcmp(argv[i], "--method") == 0) {
            ok = ok && ++i < argc && weir_pyramid_method_by_name(argv[i], &runner->only);
        } else {
            ok = false;
        }
    }
    if (!ok) {
        printf("FAILED: usage: %s [--all] [--subgroups] [--method NAME]\n", argv[0]);
        exit(1);
    }
}

void pyramid_runner_init(struct pyramid_runner *runner, struct harness *harness,
                         bool queue_is_shared, int argc, char **argv)
{
    harness_init(harness, queue_is_shared);
    *runner = (struct pyramid_runner){
        .harness = harness, .memory.harness = harness, .argc = argc, .argv = argv};
    parse(runner, argc, argv);
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(harness->import->physical_device, &properties);
    runner->is_cpu = properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    runner->no_blits = runner->is_cpu && strstr(properties.deviceName, "512 bits");
    printf("%s%s%s%s%s%s\n", properties.deviceName, runner->all ? ", every combination" : "",
           runner->subgroups ? ", what the size of subgroups changes" : "",
           runner->only ? ", only " : "",
           runner->only ? weir_pyramid_method_get_info(runner->only)->name : "",
           runner->no_blits ? ", no blits" : "");
}

int pyramid_runner_finish(struct pyramid_runner *runner)
{
    pyramid_images_finish(&runner->images);
    weir_pyramid_destroy(&runner->pyramid);
    pyramid_memory_finish(&runner->memory);
    printf("%u cases, %u of them refused, %u repeats\n", runner->num_cases, runner->num_refused,
           runner->num_repeats);
    for (int m = 0; m <= WEIR_PYRAMID_BLIT; m++) {
        const uint32_t cases = runner->by_method[m].cases, refused = runner->by_method[m].refused;
        test_expect(cases == 0 || refused < cases || m == WEIR_PYRAMID_BLIT,
                    "every case of %s is refused",
                    weir_pyramid_method_get_info((enum weir_pyramid_method)m)->name);
    }
    return harness_finish(runner->harness);
}
