// SPDX-License-Identifier: MIT
// The compiled kernels of a device, in a file of the user's cache folder.
#include "capture/weir/gpu/kernel_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vulkan/vulkan.h>

#include "capture/base/file.h"
#include "capture/base/place.h"
#include "capture/weir/common/file.h"

// All kernels take some MB. Larger files are neither read nor written.
#define MAX_SIZE ((size_t)64 << 20)

// Name the file by device and driver. That of another version of the driver, which the context does
// not take, is replaced.
static void find_path(struct weir_kernel_file *file, VkPhysicalDevice physical)
{
    char cache[sizeof(file->path)];
    const bool has_cache = weir_place_cache(cache, sizeof(cache));
    VkPhysicalDeviceDriverProperties driver = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
    VkPhysicalDeviceProperties2 device = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                          .pNext = &driver};
    vkGetPhysicalDeviceProperties2(physical, &device);
    const int length = snprintf(file->path, sizeof(file->path), "%s/weir/kernels-%04x-%04x-%02x",
                                has_cache ? cache : "", device.properties.vendorID,
                                device.properties.deviceID, (unsigned)driver.driverID);
    if (!has_cache || (size_t)length >= sizeof(file->path)) {
        file->path[0] = 0;
    }
}

// Get what is in the file, to be given to free(), if it is this user's, and nobody else may write
// it. NULL: nothing.
static void *read_file(const char *path, size_t *size)
{
    struct stat status;
    void *bytes = NULL;
    const int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
        status.st_uid == geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0 &&
        status.st_size > 0 && status.st_size <= (off_t)MAX_SIZE) {
        bytes = malloc((size_t)status.st_size);
        *size = bytes && read(fd, bytes, (size_t)status.st_size) == status.st_size
                    ? (size_t)status.st_size
                    : 0;
    }
    if (fd >= 0) {
        close(fd);
    }
    return bytes;
}

enum weir_result weir_kernel_file_create(struct weir_kernel_file *file,
                                         const struct weir_context_params *params,
                                         weir_context **out)
{
    struct weir_context_params with_kernels = *params;
    *file = (struct weir_kernel_file){.size = 0};
    find_path(file, params->physical_device);
    void *bytes = read_file(file->path, &with_kernels.cache_size);
    with_kernels.cache = bytes;
    const enum weir_result result = weir_context_create(&with_kernels, out);
    free(bytes);
    if (result == WEIR_OK) {
        weir_context_save_cache(*out, &file->size, NULL);
    }
    return result;
}

static void write_file(char *path, const void *bytes, size_t size)
{
    static const struct weir_log silent;
    struct weir_file out;
    cli_make_folders(path, 0700); // as the XDG Base Directory Specification has it
    if (weir_file_open_nofollow(&out, path, &silent) == WEIR_OK) {
        out.is_atomic = true;
        if (fchmod(out.fd, 0600) == 0 && weir_file_write(&out, bytes, size) == WEIR_OK) {
            weir_file_commit(&out);
        }
        weir_file_close(&out);
    }
}

void weir_kernel_file_destroy(struct weir_kernel_file *file, weir_context **context)
{
    size_t size = 0;
    if (*context && file->path[0] && weir_context_save_cache(*context, &size, NULL) == WEIR_OK &&
        size > file->size && size <= MAX_SIZE) {
        void *bytes = malloc(size);
        if (bytes && weir_context_save_cache(*context, &size, bytes) == WEIR_OK) {
            write_file(file->path, bytes, size);
        }
        free(bytes);
    }
    weir_context_destroy(context);
}
