// SPDX-License-Identifier: MIT
// Names of results, and the version of the library.
#include <weir/result.h>

#include <weir/version.h>

const char *weir_result_name(enum weir_result result)
{
    switch (result) {
    case WEIR_OK:
        return "WEIR_OK";
    case WEIR_NOT_READY:
        return "WEIR_NOT_READY";
    case WEIR_DROPPED:
        return "WEIR_DROPPED";
    case WEIR_SKIPPED:
        return "WEIR_SKIPPED";
    case WEIR_ERROR_INVALID:
        return "WEIR_ERROR_INVALID";
    case WEIR_ERROR_OUT_OF_MEMORY:
        return "WEIR_ERROR_OUT_OF_MEMORY";
    case WEIR_ERROR_UNSUPPORTED:
        return "WEIR_ERROR_UNSUPPORTED";
    case WEIR_ERROR_DEVICE_LOST:
        return "WEIR_ERROR_DEVICE_LOST";
    case WEIR_ERROR_VULKAN:
        return "WEIR_ERROR_VULKAN";
    case WEIR_ERROR_IO:
        return "WEIR_ERROR_IO";
    case WEIR_ERROR_DISK_FULL:
        return "WEIR_ERROR_DISK_FULL";
    case WEIR_ERROR_DATA:
        return "WEIR_ERROR_DATA";
    }
    return "unknown weir_result";
}

const char *weir_version(void)
{
    return WEIR_VERSION_STRING;
}
