// SPDX-License-Identifier: MIT
// Messages of a sample about failures.
#pragma once

#include <stdbool.h>
#include <vulkan/vulkan_core.h>

#include <weir/result.h>

// Set and get the name of the program that messages begin with. main() sets it first.
void report_as(const char *program);
const char *report_program(void);

// Print a message as printf does, on standard error, unless it was told just before. Always
// returns false, so that a caller can return that. Of one thread.
bool report(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Return true if a call succeeded. Otherwise print the reason; `call` is the name of the call.
bool vulkan_ok(VkResult result, const char *call);

// Do the same for a call that makes an object, and clear its handle if it failed: such a call
// leaves the handle undefined (Vulkan 1.3, Return Codes). `handle` is not of a dispatchable object.
bool vulkan_made(VkResult result, const char *call, void *handle);

// Do the same for a call of Weir, whose log has given details.
bool weir_ok(enum weir_result result, const char *call);
