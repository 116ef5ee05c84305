// SPDX-License-Identifier: MIT
// Runs the README's program on an engine whose window is resized: a movie for each size.
#include <stdio.h>

#include <weir/log.h>

#include "record.h"

bool run(struct engine *e)
{
    const struct weir_context_params vulkan = {
        .instance = e->instance,
        .physical_device = e->gpu,
        .device = e->device,
        .get_instance_proc_addr = vkGetInstanceProcAddr,
        .features = &e->features,
        .graphics = {.queue = e->queue, .family = e->family},
        .log = {.print = weir_log_print_stderr, .least_severity = WEIR_LOG_WARNING},
    };
    enum weir_result result = WEIR_OK;
    for (int i = 1; result >= WEIR_OK && e->num_drawn < NUM_FRAMES; i++) {
        char path[32];
        snprintf(path, sizeof(path), "movie-%d.mov", i);
        result = record(e, &vulkan, path);
        if (engine_wants_resize(e)) {
            engine_resize(e);
        }
    }
    return result >= WEIR_OK;
}
