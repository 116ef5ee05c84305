// SPDX-License-Identifier: MIT
// Writes PFM files: floats as they are.
#include <weir/still.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/base/file.h"
#include "capture/base/little_endian.h"

#define MAX_SIDE 65535u

static enum weir_result invalid(const struct weir_log *log, enum weir_log_code code,
                                const char *text)
{
    return weir_fail(log, WEIR_ERROR_INVALID, code, "weir_still_write_pfm: %s", text);
}

static enum weir_result check(const char *path, const struct weir_still_float *still,
                              const struct weir_log *log)
{
    if (!path || !still || !still->pixels) {
        return invalid(log, WEIR_LOG_CODE_NULL_ARGUMENT,
                       "path, still and still.pixels are required");
    }
    if (still->width < 1 || still->width > MAX_SIDE || still->height < 1 ||
        still->height > MAX_SIDE) {
        return invalid(log, WEIR_LOG_CODE_OUT_OF_RANGE, "width and height must be 1 to 65535");
    }
    if (still->num_channels != 1 && still->num_channels != 3) {
        return invalid(log, WEIR_LOG_CODE_UNKNOWN_VALUE,
                       "num_channels must be 1 (grey) or 3 (RGB)");
    }
    if (still->stride != 0 &&
        (still->stride % sizeof(float) != 0 ||
         still->stride / sizeof(float) < (size_t)still->width * still->num_channels)) {
        return invalid(log, WEIR_LOG_CODE_OUT_OF_RANGE,
                       "stride must be a multiple of 4 and hold width * num_channels floats");
    }
    return WEIR_OK;
}

// Write little-endian bytes, whatever the order of bytes of the host.
static void to_bytes(const float *values, size_t num_values, uint8_t *bytes)
{
    for (size_t i = 0; i < num_values; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof(bits));
        weir_put_u32(bytes + 4 * i, bits);
    }
}

static enum weir_result encode(struct weir_file *file, const struct weir_still_float *still,
                               uint8_t *row)
{
    char head[48];
    const int head_size = snprintf(head, sizeof(head), "%s\n%u %u\n-1.0\n",
                                   still->num_channels == 3 ? "PF" : "Pf", still->width,
                                   still->height);
    const size_t num_values = (size_t)still->width * still->num_channels;
    const size_t stride = still->stride != 0 ? still->stride / sizeof(float) : num_values;
    enum weir_result result = weir_file_write(file, (const uint8_t *)head, (size_t)head_size);
    for (uint32_t y = still->height; y-- > 0 && result == WEIR_OK;) {
        to_bytes(still->pixels + y * stride, num_values, row);
        result = weir_file_write(file, row, 4 * num_values);
    }
    return result;
}

enum weir_result weir_still_write_pfm(const char *path, const struct weir_still_float *still,
                                      const struct weir_log *log)
{
    static const struct weir_log silent = {.print = NULL};
    log = log ? log : &silent;
    enum weir_result result = check(path, still, log);
    if (result != WEIR_OK) {
        return result;
    }
    uint8_t *row = malloc(4 * (size_t)still->width * still->num_channels);
    if (!row) {
        return weir_fail(log, WEIR_ERROR_OUT_OF_MEMORY, WEIR_LOG_CODE_OUT_OF_MEMORY,
                         "no memory to write '%s'", path);
    }
    struct weir_file file;
    result = weir_file_open(&file, path, log);
    if (result == WEIR_OK) {
        if (encode(&file, still, row) == WEIR_OK) {
            weir_file_commit(&file);
        }
        result = weir_file_close(&file);
    }
    free(row);
    return result;
}
