// SPDX-License-Identifier: MIT
// A stranger's program, built against the installed libraries by install.sh.
#include <stdio.h>
#include <weir/capture.h>
#include <weir/device.h>

int main(void)
{
    const struct weir_log log = {.print = weir_log_print_stderr};
    weir_device *device = NULL;
    weir_context *context = NULL;
    weir_capture *capture = NULL;
    if (weir_device_create(weir_device_params(.log = log), &device) != WEIR_OK) {
        return 77; // no Vulkan device
    }
    const enum weir_result result = weir_context_create(weir_device_import(device), &context);
    const enum weir_result closed = weir_capture_close(&capture, NULL);
    printf("weir %s: %s, %s\n", weir_version(), weir_result_name(result), weir_result_name(closed));
    weir_context_destroy(&context);
    weir_device_destroy(&device);
    return result != WEIR_OK || closed != WEIR_OK;
}
