// SPDX-License-Identifier: MIT
// The rows that weir-bench pyramid times at one size, one for each floor and method, and their
// images and targets.
#include "tests/bench/pyramid/pyramid.h"

#include <stdlib.h>

#include "capture/weir/common/report.h"

enum { MIN_ROTATION = 8 };

// Make `num` images or fewer, and fill them. Without a failure none are made where the device
// cannot, and size->skipped says why.
static enum weir_result make(struct bench_pyramid_run *run, struct bench_pyramid_size *size,
                             uint32_t least, uint32_t num, struct bench_images *images)
{
    size->skipped[0] = 0;
    run->reason = size->skipped;
    const enum weir_result result = bench_images_init(images, least, num);
    run->reason = NULL;
    if (result == WEIR_OK) {
        return bench_pyramid_fill(images);
    }
    bench_images_finish(images);
    if (result == WEIR_ERROR_OUT_OF_MEMORY) {
        snprintf(size->skipped, BENCH_REASON_SIZE,
                 "the device's memory does not hold %u of these images", least);
    }
    return result == WEIR_ERROR_OUT_OF_MEMORY || result == WEIR_ERROR_UNSUPPORTED ? WEIR_OK
                                                                                  : result;
}

// Make images of `layers` layers each.
static enum weir_result make_images(struct bench_pyramid_run *run, struct bench_pyramid_size *size,
                                    uint32_t layers, uint32_t least, uint32_t num,
                                    struct bench_images *images)
{
    const struct bench_pyramid_result *result = run->result;
    struct weir_image_params params = {
        .format = result->format->format,
        .width = size->width,
        .height = size->height,
        .levels = size->levels,
        .layers = layers,
        .usage = VK_IMAGE_USAGE_STORAGE_BIT,
        .flags = result->format->flags |
                 (result->options.uint_views ? VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT : 0u),
    };
    for (int i = 0; i < BENCH_PYRAMID_NUM_METHODS; i++) {
        if (run->pyramids[i]) {
            params.usage |= weir_pyramid_get_scope(run->pyramids[i]).usage;
        }
    }
    *images = (struct bench_images){.gpu = run->gpu, .format = result->format, .params = params};
    return make(run, size, least, num, images);
}

static struct bench_pyramid_row *add_row(struct bench_pyramid_size *size, const char *name,
                                         const char *more)
{
    struct bench_pyramid_row *row = &size->rows[size->num_rows++];
    *row = (struct bench_pyramid_row){.num_dispatches = 1};
    snprintf(row->name, sizeof(row->name), "%s%s", name, more);
    return row;
}

static enum weir_result make_target(const weir_pyramid *pyramid, const struct bench_images *images,
                                    uint32_t i, weir_pyramid_target **target)
{
    const weir_image *image = images->images[i].weir;
    const struct weir_pyramid_target_params params = {.images = &image};
    return weir_pyramid_target_create(pyramid, &params, target);
}

// Targets on each image, or why there are none in row->refused.
static enum weir_result make_targets(struct bench_pyramid_run *run, const weir_pyramid *pyramid,
                                     const struct bench_images *images,
                                     struct bench_pyramid_row *row)
{
    row->targets = calloc(images->num, sizeof(weir_pyramid_target *));
    if (!row->targets) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    enum weir_result result = WEIR_OK;
    run->reason = row->refused;
    for (uint32_t i = 0; i < images->num && result == WEIR_OK; i++) {
        result = make_target(pyramid, images, i, &row->targets[i]);
        row->num_targets += result == WEIR_OK;
    }
    run->reason = NULL;
    if (result == WEIR_OK) {
        row->refused[0] = 0; // a warning
    } else if (row->refused[0] == 0) {
        snprintf(row->refused, BENCH_REASON_SIZE, "%s", weir_result_name(result));
    }
    return result;
}

static enum weir_result add_method(struct bench_pyramid_run *run, struct bench_pyramid_size *size,
                                   enum weir_pyramid_method method,
                                   const struct bench_images *images, bool is_apart)
{
    const weir_pyramid *pyramid = run->pyramids[method];
    struct bench_pyramid_row *row = add_row(size, weir_pyramid_method_get_info(method)->name,
                                            is_apart ? ", one by one" : "");
    if (!pyramid) {
        snprintf(row->refused, BENCH_REASON_SIZE, "%s", run->refused[method]);
        return WEIR_OK;
    }
    const struct weir_pyramid_scope scope = weir_pyramid_get_scope(pyramid);
    row->run = (struct weir_pyramid_run){.src_stages = scope.stages, .src_access = scope.writes};
    row->is_apart = is_apart;
    const enum weir_result result = make_targets(run, pyramid, images, row);
    if (result == WEIR_OK) {
        row->num_dispatches = weir_pyramid_target_get_num_dispatches(row->targets[0]) *
                              (is_apart ? row->num_targets : 1);
    } else if (result != WEIR_ERROR_UNSUPPORTED) {
        cli_report_error("%s, %ux%u: %s", row->name, size->width, size->height, row->refused);
        return result;
    }
    return WEIR_OK;
}

// Find the method that AUTO takes, on images that exist.
static enum weir_pyramid_method ask_auto(const struct bench_pyramid_run *run,
                                         const struct bench_images *images)
{
    const weir_pyramid *pyramid = run->pyramids[WEIR_PYRAMID_AUTO];
    enum weir_pyramid_method method = WEIR_PYRAMID_AUTO;
    weir_pyramid_target *target = NULL;
    if (pyramid && make_target(pyramid, images, 0, &target) == WEIR_OK) {
        method = weir_pyramid_target_get_method(target);
    }
    weir_pyramid_target_destroy(&target);
    return method;
}

static enum weir_result add_methods(struct bench_pyramid_run *run, struct bench_pyramid_size *size,
                                    const struct bench_images *all,
                                    const struct bench_images *apart)
{
    enum weir_pyramid_method first = WEIR_PYRAMID_AUTO;
    for (int i = WEIR_PYRAMID_AUTO + 1; i < BENCH_PYRAMID_NUM_METHODS; i++) {
        if (run->result->methods[i]) {
            const enum weir_pyramid_method method = (enum weir_pyramid_method)i;
            first = first == WEIR_PYRAMID_AUTO && run->pyramids[i] ? method : first;
            WEIR_TRY(add_method(run, size, method, all, false));
        }
    }
    return apart->num > 0 && first != WEIR_PYRAMID_AUTO ? add_method(run, size, first, apart, true)
                                                        : WEIR_OK;
}

enum weir_result bench_pyramid_rows_init(struct bench_pyramid_run *run,
                                         struct bench_pyramid_size *size, struct bench_images *all,
                                         struct bench_images *apart)
{
    const uint32_t wanted = run->result->options.no_cold
                                ? 1
                                : bench_rotation(size->bytes, MIN_ROTATION);
    WEIR_TRY(make_images(run, size, size->layers, 1, wanted, all));
    size->num_images = all->num;
    size->image_size = (double)all->image_size;
    if (size->num_images == 0) {
        return WEIR_OK;
    }
    WEIR_TRY(bench_pyramid_add_sets(&run->kernel, all));
    if (size->layers > 1) {
        WEIR_TRY(make_images(run, size, 1, size->layers, size->layers, apart));
    }
    for (uint32_t i = 0; i <= BENCH_PYRAMID_FLOOR; i++) {
        add_row(size, "floor", "");
    }
    add_row(size, "empty", "");
    size->automatic = ask_auto(run, all);
    return add_methods(run, size, all, apart);
}

void bench_pyramid_rows_finish(struct bench_pyramid_size *size, struct bench_images *all,
                               struct bench_images *apart)
{
    for (uint32_t i = 0; i < size->num_rows; i++) {
        struct bench_pyramid_row *row = &size->rows[i];
        for (uint32_t j = 0; j < row->num_targets; j++) {
            weir_pyramid_target_destroy(&row->targets[j]);
        }
        free(row->targets);
    }
    bench_images_finish(apart);
    bench_images_finish(all);
}
