// SPDX-License-Identifier: MIT
// RGB: a decoded frame becomes rows of RGBA at its own size, within half a code of the formulas.
//
// Sources: ITU-T H.273, 8.3 (matrices, ranges); chroma is interpolated by the cubic of Mitchell and
// Netravali (SIGGRAPH 1988) with B = 0, C = 0.6, as swscale has it, from where its samples lie.
// Loops over a group have a fixed length, so that compilers make vectors of them.
#include "capture/files/source/scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <libavutil/common.h>
#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>

#include "capture/base/size.h"

// A group of texels has 64 bytes, as rows are padded to (WEIR_SOURCE_ALIGNMENT): the last one of a
// row may reach into the padding. EDGE: texels beside a row of chroma, which repeat its first and
// last one.
enum {
    GROUP = 16,
    GROUP_OF_16_BITS = 8,
    EDGE = 16,
    NUM_TAPS = 4,
    MAX_PHASES = 4,
    NUM_CACHED = 8,
    BLOCK = 512
};

struct taps {
    int first; // of the samples
    float weights[NUM_TAPS];
};

struct rgb {
    const AVFrame *frame;
    const AVPixFmtDescriptor *format;
    struct weir_scale_coding coding;
    int width, chroma_width, chroma_height;
    bool has_fields; // rows of chroma belong to fields
    double down;     // from the first luma sample to the first one of chroma [luma samples]
    struct taps across[MAX_PHASES];
    float matrix[4][4]; // from the components of a texel, and 1, to codes of R, G, B and A
    uint32_t max;       // the largest code of the result
    const struct weir_color *color;
    uint32_t color_max; // of R, G and B before they are mapped
    // Rows.
    uint16_t *codes;
    float *own[4], *cached[2][NUM_CACHED], *mixed[2], *phases[MAX_PHASES], *chroma[2];
    int cached_row[2][NUM_CACHED]; // its number, + 1
    int32_t channels[4][BLOCK];
};

static void read_bytes(const uint8_t *restrict bytes, int step, int num, int middle,
                       float *restrict values)
{
    int i = 0;
    for (; step == 1 && i + GROUP <= num; i += GROUP) {
        for (int j = 0; j < GROUP; j++) {
            values[i + j] = (float)(bytes[i + j] - middle);
        }
    }
    for (; i < num; i++) {
        values[i] = (float)(bytes[(ptrdiff_t)i * step] - middle);
    }
}

static bool is_float(const struct rgb *rgb)
{
    return (rgb->format->flags & AV_PIX_FMT_FLAG_FLOAT) != 0;
}

// Of half floats. What is further off is clipped all the same, and what is no number is the least.
static const float limit = 65504;

static void read_floats(const struct rgb *rgb, int component, int y, int num, float *values)
{
    av_read_image_line2(values, (const uint8_t **)(uintptr_t)rgb->frame->data, rgb->frame->linesize,
                        rgb->format, 0, y, component, num, 0, sizeof(*values)); // their bits
    for (int i = 0; i < num; i++) {
        values[i] = fminf(fmaxf(values[i], -limit), limit);
    }
}

// Read a row of a component, from which `middle` is taken.
static void read_row(const struct rgb *rgb, int component, int y, int num, int middle,
                     float *restrict values)
{
    const AVComponentDescriptor *at = &rgb->format->comp[component];
    const uint8_t *row = rgb->frame->data[at->plane] +
                         (ptrdiff_t)y * rgb->frame->linesize[at->plane] + at->offset;
    const bool is_native = (rgb->format->flags & AV_PIX_FMT_FLAG_BE) ==
                           AV_NE(AV_PIX_FMT_FLAG_BE, 0);
    uint16_t *restrict codes = rgb->codes;
    if (is_float(rgb)) {
        read_floats(rgb, component, y, num, values);
        return;
    }
    if (at->depth == 8 && at->shift == 0) {
        read_bytes(row, at->step, num, middle, values);
        return;
    }
    if (at->depth > 8 && at->shift == 0 && at->step == 2 && is_native) {
        memcpy(codes, row, (size_t)num * sizeof(*codes));
    } else {
        av_read_image_line2(codes, (const uint8_t **)(uintptr_t)rgb->frame->data,
                            rgb->frame->linesize, rgb->format, 0, y, component, num, 0,
                            sizeof(*codes));
    }
    for (int i = 0; i < num; i += GROUP) {
        for (int j = 0; j < GROUP; j++) {
            values[i + j] = (float)(codes[i + j] - middle);
        }
    }
}

// Chroma.

static double cubic(double x)
{
    const double c = 0.6, distance = fabs(x);
    return distance < 1 ? ((2 - c) * distance + c - 3) * distance * distance + 1
                        : ((-c * distance + 5 * c) * distance - 8 * c) * distance + 4 * c;
}

static struct taps taps_at(double position)
{
    struct taps taps = {.first = (int)floor(position) - 1};
    for (int i = 0; i < NUM_TAPS; i++) {
        taps.weights[i] = (float)cubic(position - taps.first - i);
    }
    return taps;
}

// A row of chroma as it is stored, with its edges.
static const float *stored_row(struct rgb *rgb, int chroma, int y)
{
    float *row = rgb->cached[chroma][y % NUM_CACHED];
    const int num = rgb->chroma_width;
    if (rgb->cached_row[chroma][y % NUM_CACHED] == y + 1) {
        return row;
    }
    rgb->cached_row[chroma][y % NUM_CACHED] = y + 1;
    read_row(rgb, 1 + chroma, y, num, 1 << (rgb->format->comp[0].depth - 1), row);
    for (int i = 0; i < EDGE; i++) {
        row[i - EDGE] = row[0];
        row[num + i] = row[num - 1];
    }
    return row;
}

static void mix(const float *const rows[NUM_TAPS], const float weights[NUM_TAPS], int first,
                int num, float *restrict mixed)
{
    const float *restrict a = rows[0], *restrict b = rows[1];
    const float *restrict c = rows[2], *restrict d = rows[3];
    const float w0 = weights[0], w1 = weights[1], w2 = weights[2], w3 = weights[3];
    for (int i = first; i < num; i += GROUP) {
        for (int j = 0; j < GROUP; j++) {
            mixed[i + j] = w0 * a[i + j] + w1 * b[i + j] + w2 * c[i + j] + w3 * d[i + j];
        }
    }
}

// The rows of a field lie twice as far apart as those of a frame: in the top field the first one of
// both lies where it did, in the bottom field each lies one row of its own plane higher.
static const float *mix_down(struct rgb *rgb, int chroma, int y)
{
    const int log2 = rgb->format->log2_chroma_h, num_fields = rgb->has_fields ? 2 : 1;
    if (log2 == 0) {
        return stored_row(rgb, chroma, y);
    }
    const int field = y % num_fields, samples = 1 << log2;
    const double down = (rgb->down + field * (samples - 1)) / num_fields;
    const struct taps taps = taps_at((y / num_fields - down) / samples);
    const float *rows[NUM_TAPS];
    for (int i = 0; i < NUM_TAPS; i++) {
        const int row = av_clip(taps.first + i, 0, rgb->chroma_height / num_fields - 1);
        rows[i] = stored_row(rgb, chroma, num_fields * row + field);
    }
    mix(rows, taps.weights, -EDGE, rgb->chroma_width + EDGE, rgb->mixed[chroma]);
    return rgb->mixed[chroma];
}

static void interleave(const float *restrict even, const float *restrict odd, int num,
                       float *restrict all)
{
    for (int i = 0; i < num; i += GROUP) {
        for (int j = 0; j < GROUP; j++) {
            all[2 * (i + j)] = even[i + j];
            all[2 * (i + j) + 1] = odd[i + j];
        }
    }
}

// The chroma of each texel of a row.
static const float *chroma_row(struct rgb *rgb, int chroma, int y)
{
    const float *stored = mix_down(rgb, chroma, y);
    const int num_phases = 1 << rgb->format->log2_chroma_w, num = rgb->chroma_width;
    const float *phases[MAX_PHASES];
    float *all = rgb->chroma[chroma];
    if (num_phases == 1) {
        return stored;
    }
    for (int i = 0; i < num_phases; i++) {
        const float *first = stored + rgb->across[i].first;
        phases[i] = first + 1;
        if (rgb->across[i].weights[1] != 1) { // else it lies at the sample
            mix((const float *const[]){first, first + 1, first + 2, first + 3},
                rgb->across[i].weights, 0, num, rgb->phases[i]);
            phases[i] = rgb->phases[i];
        }
    }
    if (num_phases == 2) {
        interleave(phases[0], phases[1], num, all);
    } else {
        interleave(phases[0], phases[2], num, rgb->own[1]);
        interleave(phases[1], phases[3], num, rgb->own[2]);
        interleave(rgb->own[1], rgb->own[2], 2 * num, all);
    }
    return all;
}

// Texels.

// A comparison of floats is one of vectors, and conversion cuts what is left of the half.
static void multiply(const float *const components[3], const float row[4], float max, int num,
                     int32_t *restrict results)
{
    const float *restrict a = components[0], *restrict b = components[1];
    const float *restrict c = components[2];
    const float by_a = row[0], by_b = row[1], by_c = row[2], sum = row[3];
    for (int i = 0; i < num; i += GROUP) {
        for (int j = 0; j < GROUP; j++) {
            const float code = by_a * a[i + j] + by_b * b[i + j] + by_c * c[i + j] + sum;
            const float positive = code > 0 ? code : 0;
            results[i + j] = (int32_t)(positive < max ? positive : max);
        }
    }
}

static int num_colors(const struct rgb *rgb)
{
    return rgb->format->nb_components <= 2 ? 1 : 3;
}

static bool has_alpha(const struct rgb *rgb)
{
    return rgb->format->nb_components > num_colors(rgb);
}

static void read_components(struct rgb *rgb, int y, const float *components[4])
{
    const int last = rgb->format->nb_components - 1;
    for (int c = 0; c < 4; c++) {
        components[c] = rgb->own[c]; // 0 of grey
    }
    for (int c = 0; c <= last; c++) {
        if (rgb->coding.is_yuv && (c == 1 || c == 2)) {
            components[c] = chroma_row(rgb, c - 1, y);
        } else {
            read_row(rgb, c, y, rgb->width, 0, rgb->own[has_alpha(rgb) && c == last ? 3 : c]);
        }
    }
}

// Make the channels of `num` texels.
static void make_block(struct rgb *rgb, const float *const components[4], int num)
{
    const float *const alpha[3] = {components[3], components[3], components[3]};
    for (int c = 0; c < 3; c++) {
        multiply(components, rgb->matrix[c], (float)rgb->color_max, num, rgb->channels[c]);
    }
    if (has_alpha(rgb)) {
        multiply(alpha, rgb->matrix[3], (float)rgb->max, num, rgb->channels[3]);
    }
    if (rgb->color) {
        const int step = num_colors(rgb) == 1 ? 0 : 1;
        const float *const light[4] = {components[0], components[step], components[2 * step],
                                       has_alpha(rgb) ? components[3] : NULL};
        int32_t *const channels[4] = {rgb->channels[0], rgb->channels[1], rgb->channels[2],
                                      rgb->channels[3]};
        weir_color_map(rgb->color, is_float(rgb) ? light : NULL, channels, num);
    }
    for (int c = 0; c < 3 && rgb->max != rgb->color_max; c++) {
        for (int x = 0; x < num; x++) {
            rgb->channels[c][x] = (rgb->channels[c][x] + 128) / 257; // from 16 bits to 8
        }
    }
}

static void pack_8(int32_t channels[4][BLOCK], int num, uint8_t *texels)
{
    for (int i = 0; i < num; i += GROUP) {
        uint32_t values[GROUP];
        for (int j = 0; j < GROUP; j++) {
            values[j] = (uint32_t)channels[0][i + j] << AV_NE(24, 0) |
                        (uint32_t)channels[1][i + j] << AV_NE(16, 8) |
                        (uint32_t)channels[2][i + j] << AV_NE(8, 16) |
                        (uint32_t)channels[3][i + j] << AV_NE(0, 24);
        }
        memcpy(texels + 4 * (size_t)i, values, sizeof(values));
    }
}

// `factor`: 257 for codes of 8 bits.
static void pack_16(int32_t channels[4][BLOCK], int num, int32_t factor, uint8_t *texels)
{
    for (int i = 0; i < num; i += GROUP_OF_16_BITS) {
        uint64_t values[GROUP_OF_16_BITS];
        for (int j = 0; j < GROUP_OF_16_BITS; j++) {
            values[j] = (uint64_t)(channels[0][i + j] * factor) << AV_NE(48, 0) |
                        (uint64_t)(channels[1][i + j] * factor) << AV_NE(32, 16) |
                        (uint64_t)(channels[2][i + j] * factor) << AV_NE(16, 32) |
                        (uint64_t)(channels[3][i + j] * factor) << AV_NE(0, 48);
        }
        memcpy(texels + 8 * (size_t)i, values, sizeof(values));
    }
}

static void put_plane(const int32_t *restrict codes, int num, uint32_t max, uint8_t *restrict row)
{
    for (int i = 0; i < num && max == UINT8_MAX; i++) {
        row[i] = (uint8_t)codes[i];
    }
    for (int i = 0; i < num && max == UINT16_MAX; i++) {
        ((uint16_t *)(void *)row)[i] = (uint16_t)codes[i];
    }
}

static void put_block(struct rgb *rgb, int x, int y, int num, const struct weir_rows *rows,
                      AVFrame *planes)
{
    uint8_t *texels = rows ? rows->pixels + (size_t)y * rows->pitch + rows->texel_size * (size_t)x
                           : NULL;
    if (rows && rows->texel_size == 4) {
        pack_8(rgb->channels, num, texels);
    } else if (rows) {
        pack_16(rgb->channels, num, (int32_t)(UINT16_MAX / rgb->max), texels);
    }
    for (int i = 0; i < 4 && planes && planes->data[i]; i++) {
        static const int channels[] = {1, 2, 0, 3}; // of the planes
        uint8_t *row = planes->data[i] + (ptrdiff_t)y * planes->linesize[i];
        put_plane(rgb->channels[channels[i]], num, rgb->max,
                  row + (size_t)x * (rgb->max > UINT8_MAX ? 2 : 1));
    }
}

// What is known of a frame before its texels.

// Where chroma lies among the luma samples that share it.
static void find_siting(struct rgb *rgb)
{
    // In halves: 0 is the first of them, 2 the last (as avcodec_enum_to_chroma_pos() has it).
    const int location = (int)rgb->coding.location - 1;
    const int x = location & 1, y = (location >> 1) ^ (location < 4);
    const int samples_right = 1 << rgb->format->log2_chroma_w;
    const int samples_down = 1 << rgb->format->log2_chroma_h;
    for (int i = 0; i < samples_right; i++) {
        rgb->across[i] = taps_at((i - x * (samples_right - 1) / 2.0) / samples_right);
    }
    rgb->down = y * (samples_down - 1) / 2.0;
    rgb->has_fields = samples_down > 1 && weir_siting_is_interlaced(rgb->frame) &&
                      rgb->frame->height % (2 * samples_down) == 0;
}

static double largest(const struct rgb *rgb, int component)
{
    return is_float(rgb) ? 1 : pow(2, rgb->format->comp[component].depth) - 1;
}

static void find_matrix(struct rgb *rgb)
{
    const int num = rgb->format->nb_components;
    const bool is_rgb = (rgb->format->flags & AV_PIX_FMT_FLAG_RGB) != 0;
    const bool is_full = rgb->coding.full_range || is_rgb || is_float(rgb);
    const double unit = pow(2, rgb->format->comp[0].depth - 8), black = is_full ? 0 : 16 * unit;
    const double luma = is_full ? largest(rgb, 0) : 219 * unit;
    const double chroma = is_full ? largest(rgb, 0) : 224 * unit;
    double of_chroma[3][2] = {{0}};
    if (rgb->coding.is_yuv) {
        weir_matrix_get(rgb->coding.matrix, of_chroma);
    }
    for (int c = 0; c < 3; c++) {
        float *row = rgb->matrix[c];
        row[0] = (float)(rgb->color_max / luma);
        row[1] = (float)(rgb->color_max * of_chroma[c][0] / chroma);
        row[2] = (float)(rgb->color_max * of_chroma[c][1] / chroma);
        row[3] = (float)(0.5 - black * rgb->color_max / luma);
        if (is_rgb) {
            row[0] = 0;
            row[c] = (float)(rgb->color_max / largest(rgb, c));
        }
    }
    rgb->matrix[3][0] = (float)(rgb->max / largest(rgb, num - 1));
    rgb->matrix[3][3] = 0.5f;
}

// One allocation for all rows.
static float *make_rows(struct rgb *rgb)
{
    enum { NUM_LISTS = 6, NUM_ROWS = 4 + 2 * NUM_CACHED + 2 + MAX_PHASES + 2 + 1 };
    const size_t stride = weir_round_up((size_t)rgb->width + 4 * EDGE, 16);
    float *memory = calloc(NUM_ROWS * stride, sizeof(*memory)), *next = memory + EDGE;
    float **const lists[NUM_LISTS] = {rgb->own,   rgb->cached[0], rgb->cached[1],
                                      rgb->mixed, rgb->phases,    rgb->chroma};
    static const int nums[NUM_LISTS] = {4, NUM_CACHED, NUM_CACHED, 2, MAX_PHASES, 2};
    for (int i = 0; i < NUM_LISTS && memory; i++) {
        for (int k = 0; k < nums[i]; k++, next += stride) {
            lists[i][k] = next;
        }
    }
    rgb->codes = memory ? (uint16_t *)(void *)next : NULL;
    return memory;
}

int weir_rgb_run(const AVFrame *frame, uint32_t max, const struct weir_color *color,
                 const struct weir_rows *rows, AVFrame *planes)
{
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get((enum AVPixelFormat)frame->format);
    struct rgb rgb = {
        .frame = frame,
        .format = format,
        .coding = weir_scale_coding_of(frame),
        .width = frame->width,
        .chroma_width = AV_CEIL_RSHIFT(frame->width, format->log2_chroma_w),
        .chroma_height = AV_CEIL_RSHIFT(frame->height, format->log2_chroma_h),
        .max = max,
        .color = color,
        .color_max = color ? UINT16_MAX : max,
    };
    float *memory = make_rows(&rgb);
    find_siting(&rgb);
    find_matrix(&rgb);
    for (int x = 0; x < BLOCK; x++) {
        rgb.channels[3][x] = (int32_t)max; // where there is no alpha
    }
    for (int y = 0; y < frame->height && memory; y++) {
        const float *components[4];
        read_components(&rgb, y, components);
        for (int x = 0; x < rgb.width; x += BLOCK) {
            const int num = FFMIN(rgb.width - x, BLOCK);
            make_block(&rgb, components, num);
            put_block(&rgb, x, y, num, rows, planes);
            for (int c = 0; c < 4; c++) {
                components[c] += BLOCK;
            }
        }
    }
    free(memory);
    return memory ? 0 : AVERROR(ENOMEM);
}
