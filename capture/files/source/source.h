// SPDX-License-Identifier: MIT
// A source: reads pictures, sequences and movies through FFmpeg's libraries as frames of RGBA.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <weir/chapter.h>
#include <weir/log.h>
#include <weir/movie.h>
#include <weir/result.h>

// A zeroed one has no limit.
struct weir_memory_use {
    uint64_t limit;           // [bytes]; 0 = none
    uint32_t num_copies;      // of the texels, four values each, at the precision of the file
    uint32_t texel_size;      // what else a texel takes [bytes]
    uint32_t deep_texel_size; // and what is added to that where its values have more than 8 bits
};

enum { WEIR_MAX_LAYER_NAME = 255 };

// What is made of colours whose file says that they are not those of sRGB.
enum weir_profile {
    WEIR_PROFILE_CONVERT, // the codes of sRGB; of floats the light of its primaries
    WEIR_PROFILE_IGNORE,  // their codes are kept
    WEIR_PROFILE_DATA,    // the same, and a warning says so: they are taken as numbers
};

// How the file of a picture is read. A zeroed one is the default.
struct weir_still_params {
    char layer[WEIR_MAX_LAYER_NAME + 1]; // OpenEXR: of a layer or channel; "": the first of colours
    enum weir_profile profile;
};

// An input that is being read. One thread at a time may use it; different sources are independent.
typedef struct weir_source weir_source;

// How HDR (PQ and HLG) becomes display codes of sRGB.
enum weir_tonemap {
    WEIR_TONEMAP_BT2390, // the EETF of ITU-R BT.2390: highlights are compressed, the rest is kept
    WEIR_TONEMAP_HABLE,  // Hable's filmic curve
    WEIR_TONEMAP_CLIP,   // what is brighter than display white is white
    WEIR_TONEMAP_OFF,    // the codes stay as they are, and wide gamuts too
};

// What the colours of an input are beside its alpha.
enum weir_source_alpha {
    WEIR_SOURCE_ALPHA_AUTO, // premultiplied where the format of the file says so, else straight
    WEIR_SOURCE_ALPHA_STRAIGHT,
    WEIR_SOURCE_ALPHA_PREMULTIPLIED,
};

struct weir_source_params {
    // One path: a picture, a movie, a URL (also "pipe:" and "file:NAME"), "-" for standard input, a
    // folder of pictures (taken in natural order of their names), or a numbered sequence as in
    // "frame_%04d.png". Or several, each of which is a picture, taken in this order. Required; read
    // during weir_source_open() only.
    char *const *paths;
    size_t num_paths;
    // Of a movie: which of its video tracks, counted from 1. 0 = the best one, as FFmpeg has it.
    uint32_t video_track;
    // Scale every frame to this [texels]; 0, 0 = the first frame's own size, made wider or higher
    // where its pixels are not square, unless keeps_pixels.
    uint32_t width, height;
    // Frames have pixels that are not square where it takes them to keep the picture's shape.
    bool keeps_pixels;

    // The frame rate, num / den a second. Picture k of a sequence is shown at k / rate. A movie
    // keeps its length: frame k is what the movie shows at k / rate, so that frames are repeated or
    // left out. Both 0 = the time stamps of a movie, and 25/1 for pictures. At most 10^9 a second:
    // times are whole nanoseconds, and they rise.
    uint32_t rate_num, rate_den;

    // Give out the frames from one time on and before another, by the times that they have without
    // this, which are then counted from the first one of them. to_ns 0 = all.
    int64_t from_ns, to_ns;
    // The same for one of several parts of the same length, counted from 1. num_parts 0 = all.
    uint32_t part, num_parts;

    enum weir_tonemap tonemap;

    // The alpha bytes are those of the input, and 255 where it has no alpha. By default they are
    // not meaningful, and a warning names an input that has alpha.
    bool keeps_alpha;
    // With keeps_alpha: if the colours of the input are multiplied by its alpha, those of floats as
    // light; and whether the codes of frames are to be multiplied. By default they are straight.
    enum weir_source_alpha alpha;
    bool premultiplies;

    // Texels are linear light as half floats, 1 being display white, in the primaries of sRGB. Only
    // inputs of floats have it (OpenEXR, PFM, Radiance, TIFF); others are refused. Frames are not
    // scaled then.
    bool linear;

    // Keep the audio of an input that cannot be read twice for weir_audio_source_open().
    bool keeps_audio;

    struct weir_memory_use memory;  // of a frame; one that would take more is refused
    struct weir_still_params still; // of frames that are pictures

    struct weir_log log;
};

// A chapter of a movie, which lasts until the next one.
struct weir_source_chapter {
    int64_t time_ns;                        // from the first frame on, 0 or above
    char title[WEIR_MAX_CHAPTER_TITLE + 1]; // UTF-8, the beginning of a longer one; may be empty
};

// What became of an input so far: pictures or packets that could not be decoded, and frames that a
// rate repeated or left out.
struct weir_source_counts {
    uint64_t num_errors, num_repeated, num_left_out;
};

// The facts of an input that are known after its first frame was decoded.
struct weir_source_info {
    uint32_t width, height;               // of the frames that are given out [texels]
    uint32_t native_width, native_height; // of the first frame in the input, upright [texels]
    uint32_t pixel_aspect_num, pixel_aspect_den; // with keeps_pixels: of those frames; else 1, 1
    bool is_deep;                                // its first frame has more than 8 bits a channel
    uint32_t rate_num, rate_den; // nominal, num / den a second; 25/1 if none is known
    int64_t start_ns;            // time of the first frame, by the clock of a movie
    int64_t before_ns;           // of the input before the first frame: left out by the range
    int64_t end_ns;              // end of the range, from the first frame on; else INT64_MAX
    uint32_t num_audio;          // audio tracks of a movie
    uint64_t num_frames;         // an estimate; exact for pictures and sequences; 0 = unknown
    char coding[160];            // what its first frame is taken for, see describe.h
    char timecode[32];           // of the first frame of a movie, as FFmpeg says it; empty: none
    // What a movie says of itself, in UTF-8. Empty, and 0 [s since 1970, UTC]: nothing.
    char title[WEIR_MAX_MOVIE_TEXT + 1], comment[WEIR_MAX_MOVIE_TEXT + 1];
    int64_t creation_time;
    char not_kept[256]; // what it has beside all this, such as "2 subtitle tracks"; may be empty
    const struct weir_source_chapter
        *chapters; // of the range, by their times; as long as the source
    size_t num_chapters;
    bool is_read_once; // it cannot be opened once more, as a pipe
    struct weir_source_counts counts;
};

// The alignment of rows in the memory given to weir_source_frame_convert() [bytes]: `pitch` is a
// multiple of it. The padding of rows may be written.
#define WEIR_SOURCE_ALIGNMENT 64u

// Open the input and decode its first frame, so that an unreadable input is an error here.
// Errors: WEIR_ERROR_INVALID (an empty path, no frame in the range, more parts than frames),
// WEIR_ERROR_IO (missing, not readable), WEIR_ERROR_DATA (empty, cut short, no picture in it),
// WEIR_ERROR_UNSUPPORTED (a codec that this FFmpeg does not have, too large),
// WEIR_ERROR_OUT_OF_MEMORY. The log has the reason. Close it in every case, which waits for a read
// of a pipe.
enum weir_result weir_source_open(const struct weir_source_params *params, weir_source **out);

// Close it. NULL is allowed; sets `*source` to NULL.
void weir_source_close(weir_source **source);

// Get what is known by now.
struct weir_source_info weir_source_get_info(const weir_source *source);

// Give out codes of 16 bits a channel from now on, before the first frame is read. For inputs that
// are `is_deep`; not with `linear`.
void weir_source_give_16_bits(weir_source *source);

// Get what reads an input that cannot seek, a pipe for instance, and keeps its audio; NULL for any
// other. It lives as long as the source, and is of use on any thread.
struct weir_demux *weir_source_get_demux(const weir_source *source);

// Get the name of the input for messages: its path, or "shot_1.png and 9 others". It lives as long
// as the source.
const char *weir_source_name(const weir_source *source);

// A frame of a source on its way to RGBA, with what its conversion takes: tables of its own, which
// it keeps from one frame to the next. One thread at a time may use it.
typedef struct weir_source_frame weir_source_frame;

// Make one, which is destroyed before the source is closed. With several of one source, each
// converts on one thread. Errors: WEIR_ERROR_OUT_OF_MEMORY. `*out` is NULL then.
enum weir_result weir_source_frame_create(weir_source *source, weir_source_frame **out);

// NULL is allowed; sets `*frame` to NULL.
void weir_source_frame_destroy(weir_source_frame **frame);

// Decode the next frame of the source into `frame`. `*time_ns` becomes its time from the first
// frame on, always later than the one before. `*end` becomes true, and nothing else changes, when
// there is no more. What cannot be decoded is left out, counted and logged; what the system does
// not let be read is an error.
// Errors: WEIR_ERROR_IO (a file that cannot be opened or read), WEIR_ERROR_OUT_OF_MEMORY.
enum weir_result weir_source_take(weir_source *source, weir_source_frame *frame, int64_t *time_ns,
                                  bool *end);

// Convert it into `pixels`: `info.height` rows of `info.width` texels of RGBA, full range, of 8 or
// 16 bits or half floats, `pitch` bytes apart. Any thread may do so, also while others use the
// source and its other frames. Of all frames of a source that cannot be converted, the log has the
// reason of one.
// Errors: WEIR_ERROR_INVALID (pitch), WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_UNSUPPORTED (a
// pixel format that is not read; no linear light).
enum weir_result weir_source_frame_convert(weir_source_frame *frame, uint8_t *pixels, size_t pitch);

// Get the nearest fraction in lowest terms whose parts are at most `max`. `den` is at most 10^12,
// the value at most 1000.
void weir_source_nearest_rate(uint64_t num, uint64_t den, uint32_t max, uint32_t *nearest_num,
                              uint32_t *nearest_den);

// Turn off the messages that FFmpeg's libraries print by themselves. The switch is one for the
// whole process, so only a program does it, once; it has the log instead.
void weir_source_silence_libav(void);
