// SPDX-License-Identifier: MIT
// The entries that weir-bench pyramid times at one size, one for each floor and method, and their
// images and targets.
#include "tests/bench/pyramid/pyramid.h"

#include <stdlib.h>

#include "capture/weir/common/report.h"
#include "tests/bench/timing.h"

// More than twice the last level cache of any GPU of 2026.
static const double rotation_size = 256 << 20;
enum { MIN_ROTATION = 8, MAX_ROTATION = 32 };

static const struct weir_pyramid_format_info depth_format = {
    .format = VK_FORMAT_D32_SFLOAT,
    .name = "d32_sfloat",
    .red_bits = 32,
    .num_channels = 1,
    .texel_size = 4,
    .is_float = true,
};

// How many images of one size a rotation takes so that no cache keeps them.
static uint32_t rotation(double image_size)
{
    const double num = rotation_size / image_size + 1;
    return num < MIN_ROTATION ? MIN_ROTATION : num > MAX_ROTATION ? MAX_ROTATION : (uint32_t)num;
}

static void record_fill(VkCommandBuffer commands, const struct bench_pyramid_set *made,
                        VkBuffer buffer)
{
    const struct bench_pyramid_images *images = &made->images, *depths = &made->depths;
    VkBufferImageCopy region = {
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, images->layers},
        .imageExtent = {images->width, images->height, 1},
    };
    bench_pyramid_record_fill(&made->sets, images, commands);
    // Through a buffer: no image of colour is copied to one of depth.
    for (uint32_t i = 0; i < depths->num; i++) {
        bench_barrier(commands, BENCH_DEVICE_STAGES);
        region.imageSubresource.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT;
        vkCmdCopyImageToBuffer(commands, images->images[i].params.image, VK_IMAGE_LAYOUT_GENERAL,
                               buffer, 1, &region);
        bench_barrier(commands, BENCH_DEVICE_STAGES);
        region.imageSubresource.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
        vkCmdCopyBufferToImage(commands, buffer, depths->images[i].params.image,
                               VK_IMAGE_LAYOUT_GENERAL, 1, &region);
    }
    bench_barrier(commands, BENCH_DEVICE_STAGES);
}

static enum weir_result fill(struct cli_gpu *gpu, const struct bench_pyramid_set *made)
{
    const struct bench_pyramid_images *images = &made->images;
    struct weir_gpu_buffer buffer = {0};
    VkCommandBuffer commands;
    enum weir_result result = WEIR_OK;
    if (made->depths.num > 0) {
        result = cli_buffer_init(
            gpu, (uint64_t)images->width * images->height * images->layers * 4,
            VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT, false, &buffer);
    }
    if (result == WEIR_OK) {
        result = weir_gpu_begin(gpu->work, &commands);
    }
    if (result == WEIR_OK) {
        record_fill(commands, made, buffer.buffer);
        result = weir_gpu_run(gpu->work, commands);
    }
    weir_gpu_buffer_finish(gpu->work, &buffer);
    return result;
}

static struct bench_pyramid_images image_params(const struct bench_pyramid_entries *self,
                                                uint32_t layers)
{
    struct bench_pyramid_images images = {
        .gpu = self->gpu,
        .format = self->result->format,
        .width = self->size->width,
        .height = self->size->height,
        .layers = layers,
        .levels = self->size->levels,
        .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT |
                 (self->result->is_depth ? VK_IMAGE_USAGE_TRANSFER_SRC_BIT : 0u),
        .flags = self->result->options->uint_views ? VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT : 0,
    };
    for (int i = 0; i < BENCH_PYRAMID_NUM_METHODS; i++) {
        if (self->methods->pyramids[i]) {
            images.usage |= weir_pyramid_get_scope(self->methods->pyramids[i]).usage;
        }
    }
    return images;
}

// Make `num` images or fewer. Without a failure none are made where the device cannot, and
// size->skipped says why.
static enum weir_result init_images(struct bench_pyramid_entries *self, uint32_t least,
                                    uint32_t num, struct bench_pyramid_images *images)
{
    struct bench_pyramid_log *log = self->methods->log;
    *log = (struct bench_pyramid_log){.keep = true};
    const enum weir_result result = bench_pyramid_images_init(images, least, num);
    log->keep = false;
    if (result != WEIR_ERROR_UNSUPPORTED && result != WEIR_ERROR_OUT_OF_MEMORY) {
        return result;
    }
    if (result == WEIR_ERROR_UNSUPPORTED) {
        snprintf(self->size->skipped, BENCH_REASON_SIZE, "%s", log->text);
    } else {
        snprintf(self->size->skipped, BENCH_REASON_SIZE,
                 "the device's memory does not hold %u of these images", least);
    }
    bench_pyramid_images_finish(images);
    return WEIR_OK;
}

// Make images of `layers` layers each, and fill them.
static enum weir_result make_images(struct bench_pyramid_entries *self,
                                    const struct bench_kernel *kernel, uint32_t layers,
                                    uint32_t least, uint32_t num, struct bench_pyramid_set *made)
{
    made->images = image_params(self, layers);
    made->depths = made->images;
    WEIR_TRY(init_images(self, least, num, &made->images));
    if (made->images.num == 0) {
        return WEIR_OK;
    }
    if (self->result->is_depth) {
        made->depths.format = &depth_format;
        made->depths.levels = 1;
        made->depths.usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
        made->depths.flags = 0;
        WEIR_TRY(init_images(self, made->images.num, made->images.num, &made->depths));
    }
    WEIR_TRY(bench_pyramid_sets_init(&made->sets, kernel, &made->images));
    return fill(self->gpu, made);
}

static void finish_images(struct bench_pyramid_set *made)
{
    bench_sets_finish(&made->sets);
    bench_pyramid_images_finish(&made->depths);
    bench_pyramid_images_finish(&made->images);
}

static struct bench_pyramid_row *add_row(struct bench_pyramid_entries *self, const char *name,
                                         const char *more)
{
    struct bench_pyramid_row *row = &self->size->rows[self->size->num_rows++];
    *row = (struct bench_pyramid_row){.num_dispatches = 1};
    snprintf(row->name, sizeof(row->name), "%s%s", name, more);
    return row;
}

// A target on the i-th image, whose input is its level 0, or the depth buffer above it.
static enum weir_result make_target(const struct bench_pyramid_entries *self,
                                    enum weir_pyramid_method method,
                                    const struct bench_pyramid_set *made, uint32_t i,
                                    weir_pyramid_target **target)
{
    const bool is_depth = made->depths.num > 0;
    const struct weir_pyramid_target_params params = {
        .images = (const weir_image *const *)&made->images.wrapped[i],
        .sources = is_depth ? (const weir_image *const *)&made->depths.wrapped[i] : NULL,
        .source_layout = is_depth ? VK_IMAGE_LAYOUT_GENERAL : VK_IMAGE_LAYOUT_UNDEFINED,
        .first_level = is_depth, // half as large
    };
    return weir_pyramid_target_create(self->methods->pyramids[method], &params, target);
}

// Targets on each image, or why there are none in row->refused.
static enum weir_result make_targets(struct bench_pyramid_entries *self,
                                     struct bench_pyramid_entry *entry,
                                     enum weir_pyramid_method method,
                                     const struct bench_pyramid_set *made)
{
    struct bench_pyramid_log *log = self->methods->log;
    entry->targets = calloc(made->images.num, sizeof(weir_pyramid_target *));
    if (!entry->targets) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    enum weir_result result = WEIR_OK;
    *log = (struct bench_pyramid_log){.keep = true};
    for (uint32_t i = 0; i < made->images.num && result == WEIR_OK; i++) {
        result = make_target(self, method, made, i, &entry->targets[i]);
        entry->num_targets += result == WEIR_OK;
    }
    log->keep = false;
    if (result != WEIR_OK) {
        snprintf(entry->row->refused, BENCH_REASON_SIZE, "%s",
                 log->text[0] != 0 ? log->text : weir_result_name(result));
    }
    return result;
}

static enum weir_result add_method(struct bench_pyramid_entries *self,
                                   enum weir_pyramid_method method, bool apart)
{
    const weir_pyramid *pyramid = self->methods->pyramids[method];
    struct bench_pyramid_entry *entry = &self->entries[self->num];
    struct bench_pyramid_row *row = add_row(self, weir_pyramid_method_get_info(method)->name,
                                            apart ? ", one by one" : "");
    entry->type = apart ? BENCH_PYRAMID_ENTRY_APART : BENCH_PYRAMID_ENTRY_METHOD;
    entry->row = row;
    if (!pyramid) {
        snprintf(row->refused, BENCH_REASON_SIZE, "%s", self->methods->refused[method]);
        return WEIR_OK;
    }
    self->num++; // its targets are freed in every case
    const struct weir_pyramid_scope scope = weir_pyramid_get_scope(pyramid);
    entry->run = (struct weir_pyramid_run){.src_stages = scope.stages, .src_access = scope.writes};
    const enum weir_result result = make_targets(self, entry, method,
                                                 apart ? &self->apart : &self->all);
    if (result == WEIR_OK) {
        row->num_dispatches = weir_pyramid_target_get_num_dispatches(entry->targets[0]) *
                              (apart ? entry->num_targets : 1);
    } else if (result != WEIR_ERROR_UNSUPPORTED) {
        cli_report_error("%s, %ux%u: %s", row->name, self->size->width, self->size->height,
                         row->refused);
        return result;
    }
    return WEIR_OK;
}

// Find the method that AUTO takes, on images that exist.
static void ask_auto(struct bench_pyramid_entries *self)
{
    weir_pyramid_target *target = NULL;
    if (self->methods->pyramids[WEIR_PYRAMID_AUTO] &&
        make_target(self, WEIR_PYRAMID_AUTO, &self->all, 0, &target) == WEIR_OK) {
        self->size->automatic = weir_pyramid_target_get_method(target);
    }
    weir_pyramid_target_destroy(&target);
}

static enum weir_result add_methods(struct bench_pyramid_entries *self)
{
    enum weir_pyramid_method first = WEIR_PYRAMID_AUTO;
    for (int i = WEIR_PYRAMID_AUTO + 1; i < BENCH_PYRAMID_NUM_METHODS; i++) {
        if (!self->result->methods[i]) {
            continue;
        }
        if (first == WEIR_PYRAMID_AUTO && self->methods->pyramids[i]) {
            first = (enum weir_pyramid_method)i;
        }
        WEIR_TRY(add_method(self, (enum weir_pyramid_method)i, false));
    }
    return self->apart.images.num > 0 && first != WEIR_PYRAMID_AUTO ? add_method(self, first, true)
                                                                    : WEIR_OK;
}

enum weir_result bench_pyramid_entries_init(struct bench_pyramid_entries *entries,
                                            const struct bench_kernel *kernel)
{
    struct bench_pyramid_size *size = entries->size;
    struct bench_pyramid_set *all = &entries->all;
    const uint32_t wanted = entries->result->options->no_cold ? 1 : rotation(size->bytes);
    WEIR_TRY(make_images(entries, kernel, size->layers, 1, wanted, all));
    size->num_images = entries->result->is_depth ? all->depths.num : all->images.num;
    size->image_size = (double)all->images.image_size;
    if (size->num_images == 0) {
        return WEIR_OK;
    }
    if (size->layers > 1) {
        WEIR_TRY(make_images(entries, kernel, 1, size->layers, size->layers, &entries->apart));
    }
    struct bench_pyramid_row *floor = add_row(entries, "floor", "");
    for (uint32_t i = 0; i < BENCH_PYRAMID_NUM_FORMS; i++) {
        struct bench_pyramid_entry *entry = &entries->entries[entries->num++];
        entry->type = BENCH_PYRAMID_ENTRY_FLOOR;
        entry->form = i;
        entry->row = floor;
    }
    struct bench_pyramid_entry *empty = &entries->entries[entries->num++];
    empty->type = BENCH_PYRAMID_ENTRY_EMPTY;
    empty->row = add_row(entries, "empty", "");
    ask_auto(entries);
    return add_methods(entries);
}

void bench_pyramid_entries_finish(struct bench_pyramid_entries *entries)
{
    for (uint32_t i = 0; i < entries->num; i++) {
        struct bench_pyramid_entry *entry = &entries->entries[i];
        for (uint32_t j = 0; j < entry->num_targets; j++) {
            weir_pyramid_target_destroy(&entry->targets[j]);
        }
        free(entry->targets);
    }
    finish_images(&entries->apart);
    finish_images(&entries->all);
}
