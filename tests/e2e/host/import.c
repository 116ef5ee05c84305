// SPDX-License-Identifier: MIT
// The engine's device as Weir imports it.
#include "import.h"

#include <weir/log.h>

struct weir_context_params import_params(const struct engine *e)
{
    return (struct weir_context_params){
        .instance = e->instance,
        .physical_device = e->gpu,
        .device = e->device,
        .get_instance_proc_addr = vkGetInstanceProcAddr,
        .features = &e->features,
        .graphics = {.queue = e->queue, .family = e->family},
        .log = {.print = weir_log_print_stderr, .least_severity = WEIR_LOG_WARNING},
    };
}
