// SPDX-License-Identifier: MIT
// How a sample says that something failed.
#ifndef SAMPLE_REPORT_H
#define SAMPLE_REPORT_H

#include <stdbool.h>
#include <vulkan/vulkan_core.h>

#include <weir/result.h>

// The program that messages come from; main() sets it first.
void report_as(const char *program);
const char *report_program(void);

// Print a message as printf does, on standard error. Always false, so that a caller can return it.
bool report(const char *format, ...) __attribute__((format(printf, 1, 2)));

// True when a call went well; else the reason was printed. `call` names it.
bool vulkan_ok(VkResult result, const char *call);

// The same for a call of Weir, whose log has said more.
bool weir_ok(enum weir_result result, const char *call);

#endif
