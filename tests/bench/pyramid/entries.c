// SPDX-License-Identifier: MIT
// The entries that weir-bench pyramid times at one size, one for each floor and method, and their
// images and targets.
#include "tests/bench/pyramid/entries.h"

#include <stdio.h>
#include <stdlib.h>

#include "capture/weir/common/report.h"
#include "capture/weir/gpu/commands.h"
#include "tests/bench/pyramid/depth.h"

// More than twice the last level cache of any GPU of 2026.
static const double rotation_size = 256 << 20;
enum { MIN_ROTATION = 8, MAX_ROTATION = 32 };

// How many images of one size a rotation takes so that no cache keeps them.
static uint32_t rotation(double image_size)
{
    const double num = rotation_size / image_size + 1;
    return num < MIN_ROTATION ? MIN_ROTATION : num > MAX_ROTATION ? MAX_ROTATION : (uint32_t)num;
}

static enum weir_result add_entry(struct bench_pyramid_entries *self,
                                  const struct bench_pyramid_entry *from)
{
    struct bench_pyramid_entry *entry = &self->entries[self->num++];
    *entry = *from;
    const size_t num = (size_t)self->result->options->submits;
    for (int i = 0; i < 2; i++) {
        if (!(entry->samples[i] = calloc(num, sizeof(uint64_t)))) {
            return WEIR_ERROR_OUT_OF_MEMORY;
        }
    }
    return WEIR_OK;
}

static struct bench_pyramid_row *add_row(struct bench_pyramid_entries *self, const char *name,
                                         const char *more, uint32_t num_dispatches)
{
    struct bench_pyramid_row *row = &self->size->rows[self->size->num_rows++];
    *row = (struct bench_pyramid_row){.num_dispatches = num_dispatches};
    snprintf(row->name, sizeof(row->name), "%s%s", name, more);
    return row;
}

// The params of a target on the i-th of `images`, whose input is its level 0, or that of `depths`.
static struct weir_pyramid_target_params target_params(const struct cli_images *images,
                                                       const struct cli_images *depths, uint32_t i)
{
    const bool is_depth = depths->num > 0;
    return (struct weir_pyramid_target_params){
        .images = (const weir_image *const *)&images->wrapped[i],
        .sources = is_depth ? (const weir_image *const *)&depths->wrapped[i] : NULL,
        .source_layout = is_depth ? VK_IMAGE_LAYOUT_GENERAL : VK_IMAGE_LAYOUT_UNDEFINED,
        .first_level = is_depth, // half as large
    };
}

// Targets on each of `images`, or why there are none in row->refused.
static enum weir_result make_targets(struct bench_pyramid_entries *self,
                                     struct bench_pyramid_entry *entry,
                                     enum weir_pyramid_method method,
                                     const struct cli_images *images,
                                     const struct cli_images *depths)
{
    struct bench_pyramid_log *log = self->methods->log;
    entry->targets = calloc(images->num, sizeof(weir_pyramid_target *));
    if (!entry->targets) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    enum weir_result result = WEIR_OK;
    log->keep = true;
    log->text[0] = 0;
    for (uint32_t i = 0; i < images->num && result == WEIR_OK; i++) {
        const struct weir_pyramid_target_params params = target_params(images, depths, i);
        result = weir_pyramid_target_create(self->methods->pyramids[method], &params,
                                            &entry->targets[i]);
        entry->num_targets += result == WEIR_OK;
    }
    log->keep = false;
    if (result == WEIR_OK) {
        return WEIR_OK;
    }
    snprintf(entry->row->refused, sizeof(entry->row->refused), "%s",
             log->text[0] != 0 ? log->text : weir_result_name(result));
    return result == WEIR_ERROR_UNSUPPORTED ? WEIR_OK : result;
}

static enum weir_result add_method(struct bench_pyramid_entries *self,
                                   enum weir_pyramid_method method, bool apart)
{
    const weir_pyramid *pyramid = self->methods->pyramids[method];
    struct bench_pyramid_entry entry = {.kind = apart ? BENCH_PYRAMID_KIND_APART
                                                      : BENCH_PYRAMID_KIND_METHOD};
    entry.row = add_row(self, weir_pyramid_method_get_info(method)->name,
                        apart ? ", one by one" : "", 0);
    if (!pyramid) {
        snprintf(entry.row->refused, sizeof(entry.row->refused), "%s",
                 self->methods->refused[method]);
        return WEIR_OK;
    }
    const struct weir_pyramid_scope scope = weir_pyramid_get_scope(pyramid);
    entry.run = (struct weir_pyramid_run){.src_stages = scope.stages, .src_access = scope.writes};
    const enum weir_result result = make_targets(self, &entry, method,
                                                 apart ? &self->apart : &self->images,
                                                 apart ? &self->apart_depths : &self->depths);
    if (result == WEIR_OK && entry.row->refused[0] == 0) {
        entry.row->num_dispatches = weir_pyramid_target_get_num_dispatches(entry.targets[0]) *
                                    (apart ? entry.num_targets : 1);
        return add_entry(self, &entry);
    }
    if (result != WEIR_OK) {
        cli_report_error("%s, %ux%u: %s", entry.row->name, self->size->width, self->size->height,
                         entry.row->refused);
    }
    for (uint32_t i = 0; i < entry.num_targets; i++) {
        weir_pyramid_target_destroy(&entry.targets[i]);
    }
    free(entry.targets);
    return result;
}

// Find the method that AUTO takes, on images that exist.
static void ask_auto(struct bench_pyramid_entries *self)
{
    const weir_pyramid *pyramid = self->methods->pyramids[WEIR_PYRAMID_AUTO];
    weir_pyramid_target *target = NULL;
    const struct weir_pyramid_target_params params = target_params(&self->images, &self->depths, 0);
    if (pyramid && weir_pyramid_target_create(pyramid, &params, &target) == WEIR_OK) {
        self->size->automatic = weir_pyramid_target_get_method(target);
    }
    weir_pyramid_target_destroy(&target);
}

static enum weir_result add_entries(struct bench_pyramid_entries *self)
{
    struct bench_pyramid_row *floor = add_row(self, "floor", "", 1);
    enum weir_result result = WEIR_OK;
    for (uint32_t i = 0; i < BENCH_PYRAMID_NUM_FORMS && result == WEIR_OK; i++) {
        result = add_entry(self, &(struct bench_pyramid_entry){
                                     .kind = BENCH_PYRAMID_KIND_FLOOR, .form = i, .row = floor});
    }
    struct bench_pyramid_row *empty = add_row(self, "empty", "", 1);
    if (result == WEIR_OK) {
        result = add_entry(
            self, &(struct bench_pyramid_entry){.kind = BENCH_PYRAMID_KIND_EMPTY, .row = empty});
    }
    ask_auto(self);
    enum weir_pyramid_method first = WEIR_PYRAMID_AUTO;
    for (int i = WEIR_PYRAMID_AUTO + 1; i < BENCH_PYRAMID_NUM_METHODS && result == WEIR_OK; i++) {
        if (!self->result->methods[i]) {
            continue;
        }
        if (first == WEIR_PYRAMID_AUTO && self->methods->pyramids[i]) {
            first = (enum weir_pyramid_method)i;
        }
        result = add_method(self, (enum weir_pyramid_method)i, false);
    }
    if (result == WEIR_OK && self->apart.num > 0 && first != WEIR_PYRAMID_AUTO) {
        result = add_method(self, first, true);
    }
    return result;
}

static enum weir_result fill(struct bench_pyramid_entries *self,
                             const struct bench_pyramid_sets *sets)
{
    VkCommandBuffer commands;
    const enum weir_result result = cli_once_begin(self->gpu, &commands);
    if (result != WEIR_OK) {
        return result;
    }
    bench_pyramid_record_fill(sets, commands);
    return cli_once_run(self->gpu, commands);
}

// `images`, `num` or fewer of `layers` layers each, filled.
static enum weir_result make_images(struct bench_pyramid_entries *self,
                                    const struct bench_pyramid_kernels *kernels, uint32_t layers,
                                    uint32_t least, uint32_t num, struct cli_images *images,
                                    struct cli_images *depths, struct bench_pyramid_sets *sets)
{
    struct bench_pyramid_size *size = self->size;
    VkImageUsageFlags usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT;
    usage |= self->result->is_depth ? VK_IMAGE_USAGE_TRANSFER_SRC_BIT : 0;
    for (int i = 0; i < BENCH_PYRAMID_NUM_METHODS; i++) {
        if (self->methods->pyramids[i]) {
            usage |= weir_pyramid_get_scope(self->methods->pyramids[i]).usage;
        }
    }
    *images = (struct cli_images){
        .gpu = self->gpu,
        .format = self->result->format,
        .width = size->width,
        .height = size->height,
        .layers = layers,
        .levels = size->levels,
        .usage = usage,
        .flags = self->result->options->uint_views ? VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT : 0,
    };
    enum weir_result result = cli_images_init(images, least, num, size->skipped,
                                              sizeof(size->skipped));
    if (result != WEIR_OK || images->num == 0) {
        return result;
    }
    result = bench_pyramid_sets_init(sets, kernels, images);
    if (result == WEIR_OK) {
        result = fill(self, sets);
    }
    if (result == WEIR_OK && self->result->is_depth) {
        result = bench_pyramid_depths_init(depths, images, size->skipped, sizeof(size->skipped));
    }
    return result;
}

enum weir_result bench_pyramid_entries_init(struct bench_pyramid_entries *entries,
                                            struct cli_gpu *gpu,
                                            const struct bench_pyramid_result *result,
                                            const struct bench_pyramid_methods *methods,
                                            const struct bench_pyramid_kernels *kernels,
                                            struct bench_pyramid_size *size)
{
    *entries = (struct bench_pyramid_entries){
        .gpu = gpu, .result = result, .methods = methods, .size = size};
    const uint32_t wanted = result->options->no_cold ? 1 : rotation(size->bytes);
    enum weir_result status = make_images(entries, kernels, size->layers, 1, wanted,
                                          &entries->images, &entries->depths, &entries->sets);
    size->num_images = result->is_depth ? entries->depths.num : entries->images.num;
    size->image_size = (double)entries->images.image_size;
    if (status == WEIR_OK && size->num_images > 0 && size->layers > 1) {
        status = make_images(entries, kernels, 1, size->layers, size->layers, &entries->apart,
                             &entries->apart_depths, &entries->apart_sets);
    }
    return status == WEIR_OK && size->num_images > 0 ? add_entries(entries) : status;
}

void bench_pyramid_entries_finish(struct bench_pyramid_entries *entries)
{
    for (uint32_t i = 0; i < entries->num; i++) {
        struct bench_pyramid_entry *entry = &entries->entries[i];
        for (uint32_t j = 0; j < entry->num_targets; j++) {
            weir_pyramid_target_destroy(&entry->targets[j]);
        }
        free(entry->targets);
        free(entry->samples[0]);
        free(entry->samples[1]);
    }
    bench_pyramid_sets_finish(&entries->apart_sets);
    bench_pyramid_sets_finish(&entries->sets);
    cli_images_finish(&entries->apart_depths);
    cli_images_finish(&entries->depths);
    cli_images_finish(&entries->apart);
    cli_images_finish(&entries->images);
}
