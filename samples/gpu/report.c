// SPDX-License-Identifier: MIT
// Messages of a sample about failures.
#include "report.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <weir/log.h>

static const char *program_name = "sample";

void report_as(const char *program)
{
    program_name = program;
}

const char *report_program(void)
{
    return program_name;
}

// The last messages. What failed for good fails again while all ends, and is told once.
enum { NUM_TOLD = 4 };
static char told[NUM_TOLD][8192]; // for a path of any length
static unsigned num_told;

static bool is_told(const char *text)
{
    for (int i = 0; i < NUM_TOLD; i++) {
        if (strcmp(text, told[i]) == 0) {
            return true;
        }
    }
    return false;
}

bool report(const char *format, ...)
{
    char text[sizeof(told[0])], line[2 * sizeof(text)];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    if (!is_told(text)) {
        weir_log_escape(text, line, sizeof(line));
        fprintf(stderr, "%s: %s\n", program_name, line);
        memcpy(told[num_told++ % NUM_TOLD], text, strlen(text) + 1);
    }
    return false;
}

bool vulkan_ok(VkResult result, const char *call)
{
    return result == VK_SUCCESS || report("%s failed with VkResult %d", call, (int)result);
}

bool vulkan_made(VkResult result, const char *call, void *handle)
{
    if (result != VK_SUCCESS) {
        memset(handle, 0, sizeof(uint64_t)); // which such handles are
    }
    return vulkan_ok(result, call);
}

bool weir_ok(enum weir_result result, const char *call)
{
    return result >= 0 || report("%s: %s", call, weir_result_name(result));
}
