// SPDX-License-Identifier: MIT
// Writes PNG files with libpng.
#include <weir/still.h>

#include <setjmp.h>

#include <png.h>

#include "capture/base/file.h"

#define MAX_SIDE 65535u
#define MAX_COLORS 256u

struct encoder {
    struct weir_file file;
    png_structp png;
    png_infop info;
};

static enum weir_result invalid(const struct weir_log *log, enum weir_log_code code,
                                const char *text)
{
    return weir_fail(log, WEIR_ERROR_INVALID, code, "weir_still_write_png: %s", text);
}

static size_t row_size(const struct weir_still *still)
{
    return (size_t)still->width * still->num_channels * (still->num_bits == 16 ? 2 : 1);
}

static enum weir_result check_colors(const struct weir_still *still, const struct weir_log *log)
{
    if ((!still->colors) != (still->num_colors == 0) || still->num_colors > MAX_COLORS) {
        return invalid(log, WEIR_LOG_CODE_OUT_OF_RANGE, "colors go with num_colors of 1 to 256");
    }
    if (still->num_colors == 0) {
        return WEIR_OK;
    }
    if (still->num_channels != 1 || still->num_bits == 16) {
        return invalid(log, WEIR_LOG_CODE_UNKNOWN_VALUE,
                       "with colors num_channels must be 1 and num_bits 8");
    }
    const size_t stride = still->stride != 0 ? still->stride : still->width;
    for (uint32_t y = 0; y < still->height; y++) {
        for (uint32_t x = 0; x < still->width; x++) {
            if (still->pixels[y * stride + x] >= still->num_colors) {
                return invalid(log, WEIR_LOG_CODE_OUT_OF_RANGE,
                               "an index must be below num_colors");
            }
        }
    }
    return WEIR_OK;
}

static enum weir_result check(const char *path, const struct weir_still *still,
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
    if (still->num_channels != 1 && still->num_channels != 3 && still->num_channels != 4) {
        return invalid(log, WEIR_LOG_CODE_UNKNOWN_VALUE,
                       "num_channels must be 1 (grey), 3 (RGB) or 4 (RGBA)");
    }
    if (still->num_bits != 0 && still->num_bits != 8 && still->num_bits != 16) {
        return invalid(log, WEIR_LOG_CODE_UNKNOWN_VALUE, "num_bits must be 8 or 16");
    }
    if (still->stride != 0 && still->stride < row_size(still)) {
        return invalid(log, WEIR_LOG_CODE_OUT_OF_RANGE, "stride must hold the values of a row");
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
    static const struct weir_log silent = {.print = NULL};
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
