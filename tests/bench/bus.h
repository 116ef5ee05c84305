// SPDX-License-Identifier: MIT
// The floor of what crosses the bus.
#pragma once

#include "capture/weir/gpu/gpu.h"

// Measure copies of `size` bytes to host memory, or from there to the device, one behind the other
// for `least_ns`, on the queue that results are copied on.
enum weir_result bench_bus_measure(struct cli_gpu *gpu, uint64_t size, bool to_host,
                                   uint64_t least_ns, double *gb_per_s);
