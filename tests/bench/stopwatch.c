// SPDX-License-Identifier: MIT
// The time of a part of one submission: by the device's time stamps, or by the host's clock on a
// software device.
#include "tests/bench/stopwatch.h"

#include "capture/base/clock.h"
#include "capture/weir/common/report.h"

bool bench_stopwatch_is_host(const struct cli_gpu *gpu)
{
    return gpu->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
}

enum weir_result bench_stopwatch_check(const struct cli_gpu *gpu)
{
    if (gpu->timestamp_bits > 0 || bench_stopwatch_is_host(gpu)) {
        return WEIR_OK;
    }
    cli_report_error("queue family %u of %s has no timestamps", gpu->queue.family,
                     gpu->properties.deviceName);
    return WEIR_ERROR_UNSUPPORTED;
}

enum weir_result bench_stopwatch_init(struct cli_timer *watch, struct cli_gpu *gpu)
{
    return cli_timer_init(watch, gpu, bench_stopwatch_is_host(gpu) ? 0 : 1);
}

enum weir_result bench_stopwatch_submit(struct cli_timer *watch, double *ns)
{
    const uint64_t start = weir_clock_ns();
    const enum weir_result result = cli_timer_run(watch, 1, ns);
    if (watch->queries == VK_NULL_HANDLE) {
        *ns = (double)(weir_clock_ns() - start);
    }
    return result;
}
