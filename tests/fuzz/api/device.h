// SPDX-License-Identifier: MIT
// Makes any device, and the context on it.
#ifndef WEIR_TESTS_FUZZ_API_DEVICE_H
#define WEIR_TESTS_FUZZ_API_DEVICE_H

#include <weir/context.h>

// Make the stand-in a device with limits and queues that are drawn.
void device_make(void);

// Make a context on it. NULL where it is refused.
weir_context *device_make_context(void);

#endif
