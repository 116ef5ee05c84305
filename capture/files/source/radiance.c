// SPDX-License-Identifier: MIT
// Radiance RGBE pictures: linear light, three mantissas and an exponent a texel (Ward, "Real
// Pixels", Graphics Gems II, 1991; Radiance, "File Formats").
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libavutil/imgutils.h>

#include "capture/files/source/reader.h"
#include "capture/files/source/scale.h"

enum {
    EXPONENT = 3,            // of the four bytes of a texel
    EXPONENT_BIAS = 128 + 8, // mantissas are 0 .. 255 of 256
    MIN_PACKED = 8,
    MAX_PACKED = 32767, // widths whose rows may be packed by channels
    MAX_LINE = 512,
};

struct stream {
    const uint8_t *at, *end;
};

static bool take(struct stream *stream, uint8_t *bytes, size_t size)
{
    const bool there = (size_t)(stream->end - stream->at) >= size;
    if (there) {
        memcpy(bytes, stream->at, size);
        stream->at += size;
    }
    return there;
}

static bool take_line(struct stream *stream, char line[MAX_LINE])
{
    size_t size = 0;
    for (uint8_t c; take(stream, &c, 1);) {
        if (c == '\n') {
            line[size] = 0;
            return true;
        }
        line[size] = (char)c;
        size += size < MAX_LINE - 1; // the rest of a long line is of no interest
    }
    return false;
}

// How the rows lie: by the two axes of the line of the size, the slower one first.
static int orientation_of(const char *slow, const char *fast)
{
    static const char *const axes[WEIR_NUM_ORIENTATIONS][2] = {
        {"-Y", "+X"}, {"-Y", "-X"}, {"+Y", "-X"}, {"+Y", "+X"},
        {"+X", "-Y"}, {"-X", "-Y"}, {"-X", "+Y"}, {"+X", "+Y"},
    };
    for (int i = 0; i < WEIR_NUM_ORIENTATIONS; i++) {
        if (strcmp(axes[i][0], slow) == 0 && strcmp(axes[i][1], fast) == 0) {
            return i + 1;
        }
    }
    return 0;
}

// Read the header. Returns NULL, or what is wrong.
static const char *take_header(struct stream *stream, uint32_t *width, uint32_t *height,
                               int *orientation)
{
    char line[MAX_LINE], slow[3] = {0}, fast[3] = {0};
    do {
        if (!take_line(stream, line)) {
            return "its header is cut short";
        }
        if (strncmp(line, "FORMAT=", 7) == 0 && strcmp(line + 7, "32-bit_rle_rgbe") != 0) {
            return "its colours are XYZ; convert them to RGB first, with ra_xyze -r";
        }
    } while (line[0] != 0);
    if (!take_line(stream, line) ||
        sscanf(line, "%2s %9u %2s %9u", slow, height, fast, width) != 4 ||
        (*orientation = orientation_of(slow, fast)) == 0) {
        return "it is damaged: its size is not valid";
    }
    return NULL;
}

// A channel of a packed row: a count above 128 repeats the next byte, others precede as many bytes.
static bool take_channel(struct stream *stream, uint8_t (*row)[4], uint32_t width, int channel)
{
    for (uint32_t x = 0; x < width;) {
        uint8_t count = 0, value = 0;
        if (!take(stream, &count, 1)) {
            return false;
        }
        const bool repeats = count > 128;
        const uint32_t length = repeats ? count - 128u : count;
        if (length == 0 || length > width - x || (repeats && !take(stream, &value, 1))) {
            return false;
        }
        for (uint32_t end = x + length; x < end; x++) {
            if (!repeats && !take(stream, &value, 1)) {
                return false;
            }
            row[x][channel] = value;
        }
    }
    return true;
}

// A row of texels; of the old kind, 1, 1, 1, n repeats the last one n times, and several such
// texels in turn are the digits of n to the base 256, the lowest first.
static bool take_plain_row(struct stream *stream, uint8_t (*row)[4], uint32_t width)
{
    unsigned shift = 0;
    for (uint32_t x = 0; x < width;) {
        uint8_t texel[4];
        if (!take(stream, texel, sizeof(texel))) {
            return false;
        }
        if (texel[0] != 1 || texel[1] != 1 || texel[2] != 1) {
            memcpy(row[x++], texel, sizeof(texel));
            shift = 0;
            continue;
        }
        const uint64_t count = shift < 32 ? (uint64_t)texel[3] << shift : UINT64_MAX;
        if (x == 0 || count > width - x) {
            return false;
        }
        for (uint32_t end = x + (uint32_t)count; x < end; x++) {
            memcpy(row[x], row[x - 1], sizeof(texel));
        }
        shift += 8;
    }
    return true;
}

static bool take_row(struct stream *stream, uint8_t (*row)[4], uint32_t width)
{
    const uint8_t *at = stream->at;
    const bool is_packed = width >= MIN_PACKED && width <= MAX_PACKED && stream->end - at >= 4 &&
                           at[0] == 2 && at[1] == 2 && (uint32_t)(at[2] << 8 | at[3]) == width;
    if (!is_packed) {
        return take_plain_row(stream, row, width);
    }
    stream->at += 4;
    bool good = true;
    for (int channel = 0; channel < 4 && good; channel++) {
        good = take_channel(stream, row, width, channel);
    }
    return good;
}

static void put_row(AVFrame *frame, int y, uint8_t (*row)[4])
{
    for (int c = 0; c < 3; c++) {
        float *values = weir_float_row(frame, c, y);
        for (int x = 0; x < frame->width; x++) {
            const uint8_t exponent = row[x][EXPONENT];
            values[x] = exponent == 0 ? 0 : ldexpf((float)row[x][c], exponent - EXPONENT_BIAS);
        }
    }
}

static const char *take_texels(struct stream *stream, AVFrame *frame)
{
    uint8_t(*row)[4] = malloc((size_t)frame->width * sizeof(*row));
    bool good = row;
    for (int y = 0; y < frame->height && good; y++) {
        good = take_row(stream, row, (uint32_t)frame->width);
        if (good) {
            put_row(frame, y, row);
        }
    }
    const bool no_memory = !row;
    free(row);
    return good ? NULL : no_memory ? "no memory for its texels" : "it is damaged or cut short";
}

static enum weir_result decode(const struct weir_still_request *request, AVFrame *frame,
                               char reason[WEIR_REASON_SIZE])
{
    struct stream stream = {request->data, request->data + request->size};
    uint32_t width = 0, height = 0;
    int orientation = 0;
    const char *fault = take_header(&stream, &width, &height, &orientation);
    if (!fault) {
        WEIR_TRY(weir_memory_check(request->memory, width, height, AV_PIX_FMT_GBRPF32, reason));
        frame->color_range = AVCOL_RANGE_JPEG;
        if (weir_frame_allocate(frame, AV_PIX_FMT_GBRPF32, (int)width, (int)height) < 0 ||
            weir_orientation_note(frame, orientation) < 0) {
            return WEIR_ERROR_OUT_OF_MEMORY;
        }
        fault = take_texels(&stream, frame);
    }
    if (fault) {
        snprintf(reason, WEIR_REASON_SIZE, "%s", fault);
    }
    return fault ? WEIR_ERROR_DATA : WEIR_OK;
}

const struct weir_still_decoder weir_radiance_decoder = {
    .marks = {{"#?RADIANCE", 10}, {"#?RGBE", 6}},
    .decode = decode,
};
