// SPDX-License-Identifier: MIT
// swscale: a decoded frame of any size and pixel format becomes rows of RGBA.
//
// Of 16 bits swscale's white is less than 65535, by the format's depth and its way through the
// library: 65280 of a limited range, 65472 of 10 bits. It is measured for each scaler, and the rows
// are multiplied.
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
#include <libswscale/swscale.h>

#include <weir/log.h>
#include <weir/result.h>

// Rows of RGBA texels in memory.
struct weir_rows {
    uint8_t *pixels;        // borrowed
    size_t pitch;           // from one row to the next [bytes]
    uint32_t width, height; // [texels]
    uint32_t texel_size;    // 4: codes of 8 bits; 8: of 16, or half floats [bytes]
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

struct weir_orientation_texel {
    uint32_t x, y;
};

// Where texel x, y of the upright picture is stored. `width` and `height` are those of the upright
// picture.
struct weir_orientation_texel weir_orientation_stored(int orientation, uint32_t x, uint32_t y,
                                                      uint32_t width, uint32_t height);

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
void weir_alpha_multiply(const struct weir_rows *rows);
void weir_alpha_divide(const struct weir_rows *rows);

// Which rows the positions are of.
enum weir_siting_rows { WEIR_SITING_FRAME, WEIR_SITING_TOP_FIELD, WEIR_SITING_BOTTOM_FIELD };

// True if every other row belongs to another field.
bool weir_siting_is_interlaced(const AVFrame *frame);

// Get the location that a frame states; where it does not, that of its kind: between four samples
// of luma in full range, which is JPEG's (JFIF 1.02), else at the left, as in MPEG-2 and later
// (ISO/IEC 13818-2, 6.1.1.8; ITU-T H.264 and H.265, annex E; H.273).
enum AVChromaLocation weir_siting_location(const AVFrame *frame, bool full_range);

// What swscale's tables are made for. A frame that differs in one of them needs new tables.
struct weir_scaler_key {
    int width, height, format, space, full_range; // of the frame
    int location;                                 // of its chroma, AVCHROMA_LOC_*
    int num_fields;                               // 2: each has tables of its own; else 1
    int new_width, new_height, new_format;
    int keeps_range; // of YUV that becomes other YUV; else the range becomes full
};

// Make a scaler to `format`, of the frame or of one of its fields, which runs on all cores or
// (`is_alone`) on the caller's thread. Returns an AVERROR. sws_freeContext() frees it.
int weir_scaler_open(const struct weir_scaler_key *key, enum AVPixelFormat format,
                     enum weir_siting_rows rows, bool is_alone, struct SwsContext **out);

struct weir_scaler_gain {
    uint32_t color, alpha; // at least 1, in 1/65536
};

// Multiply a code of 16 bits by a gain of at most 2. It is inline so that loops become vectors.
static inline uint32_t weir_scaler_amplify(uint32_t code, uint32_t gain)
{
    const uint32_t value = code + ((code * (gain - (1u << 16)) + 0x8000) >> 16);
    return value < UINT16_MAX ? value : UINT16_MAX;
}

// Get the gains that make 65535 of what swscale makes of white in `format`: RGBA64, or planes of 16
// bits. Formats without a white that is known, such as monowhite, have none: they have 8 bits at
// most. Returns an AVERROR.
int weir_scaler_measure(const struct weir_scaler_key *key, enum AVPixelFormat format,
                        struct weir_scaler_gain *gain);

// Get the format of planes through which a frame of the format `from` becomes one of the format
// `to`, RGBA or RGBA64; AV_PIX_FMT_NONE: it does so directly.
enum AVPixelFormat weir_planes_between(enum AVPixelFormat from, enum AVPixelFormat to);

// Allocate the data of a frame; rows are padded to WEIR_SOURCE_ALIGNMENT. Returns an AVERROR.
// av_frame_unref() frees it.
int weir_frame_allocate(AVFrame *frame, enum AVPixelFormat format, int width, int height);

// Get a row of R, G, B or A of a frame of floats in planes, GBR or GBRA.
float *weir_float_row(const AVFrame *frame, int channel, int y);

// Fill rows of texels of as many bits, whose pitch is a multiple of WEIR_SOURCE_ALIGNMENT. The
// planes are as large or larger. Alpha is 1 where there is no plane of it. Values of 16 bits are
// multiplied by the gain, which is at least 1. The padding of rows may be written.
void weir_planes_interleave(const AVFrame *planes, const struct weir_scaler_gain *gain,
                            const struct weir_rows *rows);

// swscale takes the samples of luma and of chroma for two pictures of one size, which differ where
// a side is odd: it would stretch the chroma, by up to a texel at the far edge. So such a frame
// gets room for all luma samples that share chroma. These are its sides then.
void weir_pad_sides(enum AVPixelFormat format, int *width, int *height);

// Copy a frame into a larger one of those sides, which is allocated if it has no data. Beyond the
// edges it holds any values. Returns an AVERROR. av_frame_unref() frees the data.
int weir_pad_copy(AVFrame *padded, const AVFrame *frame);

// How the codes of a frame are read.
struct weir_scale_coding {
    enum AVPixelFormat format; // its own, but for those that swscale has under two names
    bool is_yuv, full_range;
    int space;                      // the matrix of YUV, SWS_CS_*
    enum AVChromaLocation location; // of the chroma of YUV
};

// A movie that does not say its matrix is read as players do: BT.709 from 720p on, BT.601 below.
struct weir_scale_coding weir_scale_coding_of(const AVFrame *frame);

// Get the name of a matrix that swscale does not have; NULL: it has it, or the frame needs none.
const char *weir_scale_other_matrix(const AVFrame *frame);

// The conversion of YCgCo. A zeroed one is closed.
struct weir_ycgco {
    struct SwsContext *scaler;
    struct weir_scaler_key key;
    AVFrame *padded, *planes, *rgb;
};
void weir_ycgco_finish(struct weir_ycgco *ycgco);

// Make a frame of RGB of its size, valid until the next call: of 8 bits, or of 16 if it has more.
// Returns an AVERROR.
int weir_ycgco_run(struct weir_ycgco *ycgco, const AVFrame *frame, const AVFrame **rgb);

enum { WEIR_SCALE_MAX_FIELDS = 2 };

struct weir_scale {
    const char *path;           // for messages; borrowed
    const struct weir_log *log; // borrowed
    enum AVPixelFormat format;  // of the rows: RGBA or RGBA64
    bool is_alone;              // other conversions run beside it: start no thread
    bool widens; // frames of 8 bits become rows of 16 as they become rows of 8, each code times 257
    struct SwsContext *scalers[WEIR_SCALE_MAX_FIELDS]; // of the frame, or of its fields
    struct weir_scaler_key key;
    struct weir_scaler_gain gain; // of rows of 16 bits
    AVFrame *target;
    AVFrame *planes; // without data where the scalers make rows
    AVFrame *padded; // without data where frames need no room
    struct weir_ycgco ycgco;
};

// Errors: WEIR_ERROR_OUT_OF_MEMORY. Finish it in every case.
enum weir_result weir_scale_init(struct weir_scale *scale, const char *path,
                                 enum AVPixelFormat format, const struct weir_log *log);
void weir_scale_finish(struct weir_scale *scale);

// Fill `height` rows of `width` texels, `pitch` bytes apart: a multiple of WEIR_SOURCE_ALIGNMENT.
// Errors: WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_UNSUPPORTED (a pixel format that swscale does not
// read, or a matrix that is not known).
enum weir_result weir_scale_run(struct weir_scale *scale, const AVFrame *frame, uint32_t width,
                                uint32_t height, uint8_t *pixels, size_t pitch);
