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
    static const struct {
        VkResult result;
        const char *name;
    } names[] = {
        {VK_ERROR_OUT_OF_HOST_MEMORY, "out of host memory"},
        {VK_ERROR_OUT_OF_DEVICE_MEMORY, "out of device memory"},
        {VK_ERROR_DEVICE_LOST, "the device was lost"},
        {VK_ERROR_SURFACE_LOST_KHR, "the surface was lost"},
        {VK_ERROR_OUT_OF_DATE_KHR, "the surface has changed"},
        {VK_TIMEOUT, "the GPU did not answer in time"},
    };
    if (result == VK_SUCCESS) {
        return true;
    }
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i) {
        if (names[i].result == result) {
            return report("%s: %s", call, names[i].name);
        }
    }
    return report("%s failed with VkResult %d", call, (int)result);
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
