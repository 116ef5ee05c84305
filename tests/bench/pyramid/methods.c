// SPDX-License-Identifier: MIT
// The pyramids of weir-bench pyramid, and why some methods have none.
#include <stdio.h>

#include "capture/weir/common/report.h"
#include "tests/bench/pyramid/pyramid.h"

static void take(void *user, const struct weir_log_message *message)
{
    struct bench_pyramid_log *log = user;
    if (!log->keep) {
        cli_log.print(cli_log.user, message);
    } else if (log->text[0] == 0) {
        snprintf(log->text, sizeof(log->text), "%s", message->text);
    }
}

struct weir_log bench_pyramid_log_init(struct bench_pyramid_log *log)
{
    *log = (struct bench_pyramid_log){0};
    return (struct weir_log){.print = take, .user = log, .least_severity = cli_log.least_severity};
}

// The device may have graphics, but blits recorded for a queue without them hang it.
static void refuse_blits(struct bench_pyramid_methods *methods, const weir_context *context)
{
    if (!methods->pyramids[WEIR_PYRAMID_BLIT] || !weir_context_is_async(context)) {
        return;
    }
    weir_pyramid_destroy(&methods->pyramids[WEIR_PYRAMID_BLIT]);
    snprintf(methods->refused[WEIR_PYRAMID_BLIT], sizeof(methods->refused[WEIR_PYRAMID_BLIT]),
             "blits need a queue with graphics: --graphics");
}

// Make the pyramid of a method. If the device or the size does not allow it, the table says so; any
// other error is a failure.
static enum weir_result create(struct bench_pyramid_methods *methods,
                               const struct bench_pyramid_result *result,
                               enum weir_pyramid_method method)
{
    methods->log->keep = true;
    methods->log->text[0] = 0;
    const enum weir_result status = weir_pyramid_create(
        result->gpu->context,
        weir_pyramid_params(.method = method, .filter_srgb = result->options->filter_srgb,
                            .filter_half = result->options->filter_half,
                            .exact_srgb = result->options->exact_srgb,
                            .uint_views = result->options->uint_views,
                            .reduction = result->reduction, .format = result->format->format,
                            .source_format = result->is_depth ? VK_FORMAT_D32_SFLOAT : 0),
        &methods->pyramids[method]);
    methods->log->keep = false;
    if (status == WEIR_OK) {
        return WEIR_OK;
    }
    snprintf(methods->refused[method], sizeof(methods->refused[method]), "%s",
             methods->log->text[0] != 0 ? methods->log->text : weir_result_name(status));
    if (status == WEIR_ERROR_UNSUPPORTED || status == WEIR_ERROR_INVALID) {
        return WEIR_OK;
    }
    cli_report_error("%s: %s", weir_pyramid_method_get_info(method)->name,
                     methods->refused[method]);
    return status;
}

enum weir_result bench_pyramid_methods_init(struct bench_pyramid_methods *methods,
                                            const struct bench_pyramid_result *result,
                                            struct bench_pyramid_log *log)
{
    *methods = (struct bench_pyramid_methods){.log = log};
    enum weir_result status = create(methods, result, WEIR_PYRAMID_AUTO);
    for (int i = WEIR_PYRAMID_AUTO + 1; i < BENCH_PYRAMID_NUM_METHODS && status == WEIR_OK; i++) {
        if (result->methods[i]) {
            status = create(methods, result, (enum weir_pyramid_method)i);
        }
    }
    refuse_blits(methods, result->gpu->context);
    return status;
}

void bench_pyramid_methods_finish(struct bench_pyramid_methods *methods)
{
    for (int i = 0; i < BENCH_PYRAMID_NUM_METHODS; i++) {
        weir_pyramid_destroy(&methods->pyramids[i]);
    }
}
