// SPDX-License-Identifier: MIT
// A decoded frame of any size and pixel format becomes rows of RGBA.
//
// The shape of a frame is how it is turned and mirrored to stand upright, as its camera noted, its
// size then, and the shape of its pixels.
//
// An orientation is a number 1 .. 8 as in EXIF and TIFF (TIFF 6.0, tag Orientation): 1 is upright,
// and so is 0, nothing noted; 2 .. 4 keep the sides, 5 .. 8 swap them; 2, 4, 5 and 7 are mirrored.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libavformat/avformat.h>
#include <libavutil/frame.h>

#include <weir/log.h>
#include <weir/result.h>

// Rows of RGBA texels in memory.
struct weir_rows {
    uint8_t *pixels;        // borrowed
    size_t pitch;           // from one row to the next [bytes]
    uint32_t width, height; // [texels]
    uint32_t texel_size;    // 4: codes of 8 bits; 8: of 16, or half floats; 16: floats [bytes]
};

enum { WEIR_ORIENTATION_UPRIGHT = 1, WEIR_NUM_ORIENTATIONS = 8 };

// Get the orientation that is noted in the frame (photographs), else in its stream (movies). Angles
// between quarter turns are rounded. `stream` may be NULL.
int weir_orientation_get(const AVFrame *frame, const AVStream *stream);

// Note it in a frame whose decoder has found none. Other numbers than 2 .. 8 are upright.
// Errors: AVERROR(ENOMEM).
int weir_orientation_note(AVFrame *frame, int orientation);

// True if the width of the stored picture is the height of the upright one.
bool weir_orientation_swaps_sides(int orientation);

// Copy a stored picture into an upright one. Its texels are as large, and its rows are
// `stored_pitch` bytes apart.
void weir_orientation_apply(int orientation, const uint8_t *stored, size_t stored_pitch,
                            const struct weir_rows *upright);

enum { WEIR_SHAPE_MAX_SIDE = 65535 }; // of a QuickTime movie

struct weir_shape {
    int orientation;        // how the frame is stored
    uint32_t width, height; // of the upright frame [texels]
    AVRational ratio; // of a pixel's width to its height, upright; 1 where nothing sane says it
};

// Get the shape of a frame. `stream` may be NULL.
struct weir_shape weir_shape_get(const AVFrame *frame, const AVStream *stream);

// Get the size of the frame with square pixels, which is wider or higher: players of HAP show
// texels as squares. False, and the frame's own size, where they are square or the ratio is a
// mistake.
bool weir_shape_make_square(const struct weir_shape *shape, uint32_t *width, uint32_t *height);

// Get the ratio that pixels of the frame have when it is scaled to a size and keeps its shape.
AVRational weir_shape_pixels(const struct weir_shape *shape, uint32_t width, uint32_t height);

// Multiply codes of 8 or 16 bits by alpha, which is 0 to 1, or divide them, each to the nearest
// code, halves upwards. Colours above their alpha become the largest code; where alpha is 0, they
// are kept when they are divided.
void weir_alpha_change(const struct weir_rows *rows, bool divides);

// True if every other row belongs to another field.
bool weir_siting_is_interlaced(const AVFrame *frame);

// Allocate the data of a frame; rows are padded to WEIR_SOURCE_ALIGNMENT. Returns an AVERROR.
// av_frame_unref() frees it.
int weir_frame_allocate(AVFrame *frame, enum AVPixelFormat format, int width, int height);

// Do so unless the frame has data of that format and size.
int weir_frame_hold(AVFrame *frame, enum AVPixelFormat format, int width, int height);

// Get a row of R, G, B or A of a frame of floats in planes, GBR or GBRA.
float *weir_float_row(const AVFrame *frame, int channel, int y);

// How the codes of a frame are read.
struct weir_scale_coding {
    bool is_yuv, full_range;
    enum AVColorSpace matrix;       // of YUV
    enum AVChromaLocation location; // of the chroma of YUV
};

// A movie that does not say its matrix is read as players do: BT.709 from 720p on, BT.601 below.
struct weir_scale_coding weir_scale_coding_of(const AVFrame *frame);

// FFmpeg's name of it.
const char *weir_matrix_name(enum AVColorSpace matrix);

// Get what R, G and B have of the two chromas, beside luma. False: the matrix is not read.
bool weir_matrix_get(enum AVColorSpace matrix, double of_chroma[3][2]);

struct weir_color; // convert.h

// Make the codes of a row of `num` texels, from the light of R, G, B and A (NULL: no alpha). If
// `light` is NULL, the channels hold codes of 16 bits, which are read and replaced.
void weir_color_map(const struct weir_color *color, const float *const light[4],
                    int32_t *const channels[4], int num);

// Convert a frame to codes of 0 .. `max` at its own size. They go into `rows`, whose padding may be
// written, and where codes of 16 bits are multiplied by 65535 / `max`; or, if that is NULL, into
// planes, GBR or GBRA, of 8 bits if `max` is 255, else of 16. weir_matrix_get() knows the matrix of
// the frame, which is no palette, Bayer or XYZ. `color` may be NULL. Returns an AVERROR: ENOMEM.
int weir_rgb_run(const AVFrame *frame, uint32_t max, const struct weir_color *color,
                 const struct weir_rows *rows, AVFrame *planes);

struct weir_scale {
    const char *path;           // for messages; borrowed
    const struct weir_log *log; // borrowed
    enum AVPixelFormat format;  // of the rows: RGBA or RGBA64
    bool widens; // frames of 8 bits become rows of 16 as they become rows of 8, each code times 257
    const struct weir_color *color; // how light becomes codes; NULL: it is kept. Borrowed
    struct SwsContext *unpacker, *scaler;
    AVFrame *unpacked, *planes, *scaled; // on the way, where a frame needs them
};

// Errors: WEIR_ERROR_OUT_OF_MEMORY. Finish it in every case.
enum weir_result weir_scale_init(struct weir_scale *scale, const char *path,
                                 enum AVPixelFormat format, const struct weir_log *log);
void weir_scale_finish(struct weir_scale *scale);

// Fill `height` rows of `width` texels, `pitch` bytes apart: a multiple of WEIR_SOURCE_ALIGNMENT.
// Errors: WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_UNSUPPORTED (a pixel format or a matrix that is
// not read).
enum weir_result weir_scale_run(struct weir_scale *scale, const AVFrame *frame, uint32_t width,
                                uint32_t height, uint8_t *pixels, size_t pitch);
