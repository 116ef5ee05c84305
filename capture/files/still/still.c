// SPDX-License-Identifier: MIT
// Writes PNG files with libpng, and PFM files: floats as they are.
#include <weir/still.h>

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "capture/base/file.h"
#include "capture/base/little_endian.h"

#define MAX_SIDE 65535u
#define MAX_COLORS 256u

struct encoder {
    struct weir_file file;
    png_structp png;
    png_infop info;
};

static enum weir_result invalid(const struct weir_log *log, enum weir_log_code code,
                                const char *call, const char *text)
{
    return weir_fail(log, WEIR_ERROR_INVALID, code, "%s: %s", call, text);
}

// Check what both kinds of files need.
static enum weir_result check_picture(const char *path, const void *pixels, uint32_t width,
                                      uint32_t height, const char *call, const struct weir_log *log)
{
    if (!path || !pixels) {
        return invalid(log, WEIR_LOG_CODE_NULL_ARGUMENT, call,
                       "path, still and still.pixels are required");
    }
    if (width < 1 || width > MAX_SIDE || height < 1 || height > MAX_SIDE) {
        return invalid(log, WEIR_LOG_CODE_OUT_OF_RANGE, call,
                       "width and height must be 1 to 65535");
    }
    return WEIR_OK;
}

static const char png_call[] = "weir_still_write_png", pfm_call[] = "weir_still_write_pfm";
static const struct weir_log silent = {.print = NULL};

static size_t row_size(const struct weir_still *still)
{
    return (size_t)still->width * still->num_channels * (still->num_bits == 16 ? 2 : 1);
}

static enum weir_result check_colors(const struct weir_still *still, const struct weir_log *log)
{
    if ((!still->colors) != (still->num_colors == 0) || still->num_colors > MAX_COLORS) {
        return invalid(log, WEIR_LOG_CODE_OUT_OF_RANGE, png_call,
                       "colors go with num_colors of 1 to 256");
    }
    if (still->num_colors == 0) {
        return WEIR_OK;
    }
    if (still->num_channels != 1 || still->num_bits == 16) {
        return invalid(log, WEIR_LOG_CODE_UNKNOWN_VALUE, png_call,
                       "with colors num_channels must be 1 and num_bits 8");
    }
    const size_t stride = still->stride != 0 ? still->stride : still->width;
    for (uint32_t y = 0; y < still->height; y++) {
        for (uint32_t x = 0; x < still->width; x++) {
            if (still->pixels[y * stride + x] >= still->num_colors) {
                return invalid(log, WEIR_LOG_CODE_OUT_OF_RANGE, png_call,
                               "an index must be below num_colors");
            }
        }
    }
    return WEIR_OK;
}

static enum weir_result check(const char *path, const struct weir_still *still,
                              const struct weir_log *log)
{
    WEIR_TRY(check_picture(path, still ? still->pixels : NULL, still ? still->width : 0,
                           still ? still->height : 0, png_call, log));
    if (still->num_channels != 1 && still->num_channels != 3 && still->num_channels != 4) {
        return invalid(log, WEIR_LOG_CODE_UNKNOWN_VALUE, png_call,
                       "num_channels must be 1 (grey), 3 (RGB) or 4 (RGBA)");
    }
    if (still->num_bits != 0 && still->num_bits != 8 && still->num_bits != 16) {
        return invalid(log, WEIR_LOG_CODE_UNKNOWN_VALUE, png_call, "num_bits must be 8 or 16");
    }
    if (still->stride != 0 && still->stride < row_size(still)) {
        return invalid(log, WEIR_LOG_CODE_OUT_OF_RANGE, png_call,
                       "stride must hold the values of a row");
    }
    return check_colors(still, log);
}

// libpng's error and warning callbacks. Its own would print.
static void on_error(png_structp png, png_const_charp text)
{
    struct encoder *encoder = png_get_error_ptr(png);
    if (encoder->file.state == WEIR_OK) {
        weir_log_printf(&encoder->file.log, WEIR_LOG_ERROR, WEIR_LOG_CODE_WRITE_FAILED,
                        "libpng cannot write '%s': %s", encoder->file.path, text);
        encoder->file.state = WEIR_ERROR_IO;
    }
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text)
{
    const struct encoder *encoder = png_get_error_ptr(png);
    weir_log_printf(&encoder->file.log, WEIR_LOG_WARNING, WEIR_LOG_CODE_NONE, "libpng: %s", text);
}

static void write_bytes(png_structp png, png_bytep bytes, size_t size)
{
    struct encoder *encoder = png_get_io_ptr(png);
    if (weir_file_write(&encoder->file, bytes, size) != WEIR_OK) {
        png_error(png, "write");
    }
}

static void flush_bytes(png_structp png)
{
    (void)png;
}

static int color_type(const struct weir_still *still)
{
    static const int by_channels[] = {
        [1] = PNG_COLOR_TYPE_GRAY, [3] = PNG_COLOR_TYPE_RGB, [4] = PNG_COLOR_TYPE_RGB_ALPHA};
    return still->num_colors > 0 ? PNG_COLOR_TYPE_PALETTE : by_channels[still->num_channels];
}

// Get the number of bits of a value, or of an index, which takes as few as it needs.
static int bit_depth(const struct weir_still *still)
{
    if (still->num_colors == 0) {
        return still->num_bits == 16 ? 16 : 8;
    }
    return still->num_colors > 16 ? 8 : still->num_colors > 4 ? 4 : still->num_colors > 2 ? 2 : 1;
}

// Set the colours of the palette, and their alphas up to the last that is not opaque.
static void set_colors(struct encoder *encoder, const struct weir_still *still)
{
    png_color colors[MAX_COLORS] = {{0}};
    png_byte alphas[MAX_COLORS] = {0};
    int num_alphas = 0;
    for (uint32_t i = 0; i < still->num_colors; i++) {
        const uint8_t *color = still->colors + 4 * i;
        colors[i] = (png_color){.red = color[0], .green = color[1], .blue = color[2]};
        alphas[i] = color[3];
        num_alphas = color[3] != UINT8_MAX ? (int)i + 1 : num_alphas;
    }
    png_set_PLTE(encoder->png, encoder->info, colors, (int)still->num_colors);
    if (num_alphas > 0) {
        png_set_tRNS(encoder->png, encoder->info, alphas, num_alphas, NULL);
    }
}

// Make all calls from which libpng may jump. Returns false if it does.
static bool encode(struct encoder *encoder, const struct weir_still *still)
{
    png_structp png = encoder->png;
    if (setjmp(png_jmpbuf(png))) {
        return false;
    }
    png_set_write_fn(png, encoder, write_bytes, flush_bytes);
    png_set_user_limits(png, MAX_SIDE, MAX_SIDE);
    png_set_IHDR(png, encoder->info, still->width, still->height, bit_depth(still),
                 color_type(still), PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    if (!still->is_data) {
        png_set_sRGB(png, encoder->info, PNG_sRGB_INTENT_PERCEPTUAL);
    }
    if (still->num_colors > 0) {
        set_colors(encoder, still);
    }
    png_write_info(png, encoder->info);
    png_set_packing(png); // several indices become a byte of the file
    const uint16_t one = 1;
    if (still->num_bits == 16 && *(const uint8_t *)&one == 1) {
        png_set_swap(png); // the file is big-endian
    }
    const size_t stride = still->stride != 0 ? still->stride : row_size(still);
    for (uint32_t y = 0; y < still->height; y++) {
        png_write_row(png, still->pixels + y * stride);
    }
    png_write_end(png, encoder->info);
    return true;
}

enum weir_result weir_still_write_png(const char *path, const struct weir_still *still,
                                      const struct weir_log *log)
{
    log = log ? log : &silent;
    WEIR_TRY(check(path, still, log));
    struct encoder encoder = {.png = NULL};
    WEIR_TRY(weir_file_open(&encoder.file, path, log));
    encoder.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &encoder, on_error, on_warning);
    encoder.info = encoder.png ? png_create_info_struct(encoder.png) : NULL;
    if (!encoder.info) {
        encoder.file.state = WEIR_ERROR_OUT_OF_MEMORY;
        weir_log_printf(log, WEIR_LOG_ERROR, WEIR_LOG_CODE_OUT_OF_MEMORY, "no memory to write '%s'",
                        path);
    } else if (encode(&encoder, still)) {
        weir_file_commit(&encoder.file);
    }
    png_destroy_write_struct(&encoder.png, &encoder.info);
    return weir_file_close(&encoder.file);
}

// PFM.

static enum weir_result check_floats(const char *path, const struct weir_still_float *still,
                                     const struct weir_log *log)
{
    WEIR_TRY(check_picture(path, still ? still->pixels : NULL, still ? still->width : 0,
                           still ? still->height : 0, pfm_call, log));
    if (still->num_channels != 1 && still->num_channels != 3) {
        return invalid(log, WEIR_LOG_CODE_UNKNOWN_VALUE, pfm_call,
                       "num_channels must be 1 (grey) or 3 (RGB)");
    }
    if (still->stride != 0 &&
        (still->stride % sizeof(float) != 0 ||
         still->stride / sizeof(float) < (size_t)still->width * still->num_channels)) {
        return invalid(log, WEIR_LOG_CODE_OUT_OF_RANGE, pfm_call,
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

static enum weir_result encode_floats(struct weir_file *file, const struct weir_still_float *still,
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
    log = log ? log : &silent;
    WEIR_TRY(check_floats(path, still, log));
    uint8_t *row = malloc(4 * (size_t)still->width * still->num_channels);
    if (!row) {
        return weir_fail(log, WEIR_ERROR_OUT_OF_MEMORY, WEIR_LOG_CODE_OUT_OF_MEMORY,
                         "no memory to write '%s'", path);
    }
    struct weir_file file;
    enum weir_result result = weir_file_open(&file, path, log);
    if (result == WEIR_OK) {
        if (encode_floats(&file, still, row) == WEIR_OK) {
            weir_file_commit(&file);
        }
        result = weir_file_close(&file);
    }
    free(row);
    return result;
}
