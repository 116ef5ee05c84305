// SPDX-License-Identifier: MIT
// Commands, and the time that parts of them take by the device's time stamps.
#ifndef WEIR_CAPTURE_WEIR_GPU_TIMER_H
#define WEIR_CAPTURE_WEIR_GPU_TIMER_H

#include <stdint.h>

#include "capture/weir/gpu/gpu.h"

struct cli_timer {
    struct cli_gpu *gpu;
    VkCommandBuffer commands; // of cli_timer_begin()
    VkQueryPool queries; // null where nothing is timed: no parts, or no time stamps on the queue
    uint32_t num_parts;
};

// Finish it in every case; a zeroed one may be finished.
enum weir_result cli_timer_init(struct cli_timer *timer, struct cli_gpu *gpu, uint32_t num_parts);
void cli_timer_finish(struct cli_timer *timer);

// Begin timer->commands. A part is what is recorded between its start and its stop.
enum weir_result cli_timer_begin(struct cli_timer *timer);
void cli_timer_start(struct cli_timer *timer, uint32_t part);
void cli_timer_stop(struct cli_timer *timer, uint32_t part);
// End, submit, and wait until it is done. `ns` gets the times of the first `num` parts, all of them
// started and stopped; without time stamps it stays as it is.
enum weir_result cli_timer_run(struct cli_timer *timer, uint32_t num, double *ns);

#endif
