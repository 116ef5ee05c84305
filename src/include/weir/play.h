// SPDX-License-Identifier: MIT
// Plays HAP movies (libweir-play): frames become images on the host's device, ahead of need. Their
// blocks are uploaded as they are, so no pixel is decoded by the processor.
//
//     weir_play_open(weir_play_params(.import = &import, .queue = queue, .path = "a.mov"), &play);
//     ...each time that something is drawn:
//     result = weir_play_frame(play, weir_play_find(play, time_ns), 1, &image);
//     if (result == WEIR_OK) {
//         // Draw with image.views, in a submission that waits for image.ready and signals `done`.
//         weir_play_release(play, &image, done);
//     } else {
//         // WEIR_NOT_READY: draw the frame before once more.
//     }
//
// `#include "weir/hap.glsl"` in a shader makes colours of the textures.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

#include <weir/audio.h>
#include <weir/context.h>
#include <weir/frame.h>
#include <weir/log.h>
#include <weir/macros.h>
#include <weir/movie.h>
#include <weir/result.h>

// A movie that is open. It owns a thread that reads and uploads, and some that unpack.
typedef struct weir_play weir_play;

// All pointers are read during weir_play_open() only, and `log` is copied.
struct weir_play_params {
    const char *debug_tag;
    // Required: the host's device, whose textureCompressionBC is enabled. It needs lock_queue()
    // unless `queue` is used by nobody else.
    const struct weir_context_params *import;
    // Required: uploads are submitted to it, under lock_queue(). The images belong to its family.
    struct weir_queue queue;
    const char *path;     // required
    uint32_t num_ahead;   // frames made ahead of the one asked for, at most 64. 0 = 8
    uint32_t num_threads; // that unpack, at most 64. 0 = as many as processors, at most 8
    struct weir_log log;  // of this movie
};
#define weir_play_params(...) WEIR_PARAMS(weir_play_params, __VA_ARGS__)

// What the textures of a frame hold: the first argument of weir_hap_decode() in weir/hap.glsl.
enum weir_play_color {
    WEIR_PLAY_COLOR_RGB = 0,         // sRGB code values
    WEIR_PLAY_COLOR_RGBA = 1,        // and alpha
    WEIR_PLAY_COLOR_YCOCG = 2,       // scaled YCoCg of code values
    WEIR_PLAY_COLOR_YCOCG_ALPHA = 3, // the same, and alpha in a second texture
    WEIR_PLAY_COLOR_ALPHA = 4,       // alpha alone, in red
    WEIR_PLAY_COLOR_LINEAR = 5,      // linear light
};

struct weir_play_audio {
    uint32_t sample_rate, num_channels;
    uint32_t layout;      // as in struct weir_audio_track; 0: not said
    uint64_t num_samples; // up to the end of the track
};

struct weir_play_info {
    uint32_t width, height;      // [texels]
    uint64_t num_frames;         // 1 and up
    int64_t duration_ns;         // of the frames
    uint32_t rate_num, rate_den; // nominal frames a second
    enum weir_movie_codec codec;
    enum weir_play_color color;
    bool is_premultiplied; // colours are multiplied by alpha
    uint32_t num_textures;
    VkFormat formats[WEIR_MOVIE_MAX_TEXTURES];
    uint32_t num_audio; // tracks that are not compressed
    struct weir_play_audio audio[WEIR_MAX_AUDIO_TRACKS];
};

// Open a movie, and begin to make its first frames. A movie that is being written, or was cut
// short, has the frames that it holds now. Errors: WEIR_ERROR_INVALID (NULL, a field out of range),
// WEIR_ERROR_IO, WEIR_ERROR_DATA (no HAP movie, or none of its frames is left),
// WEIR_ERROR_UNSUPPORTED (the device has no such textures, or none so large),
// WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_VULKAN. The log names the reason. `*out` is NULL then.
// Thread safety: any thread.
WEIR_API enum weir_result weir_play_open(const struct weir_play_params *params, weir_play **out);

// Close a movie, behind all points of weir_play_release(). NULL is allowed; sets `*play` to NULL.
WEIR_API void weir_play_close(weir_play **play);

// Get the facts of a movie. All fields are zero for NULL. Thread-safe.
WEIR_API struct weir_play_info weir_play_get_info(const weir_play *play);

// Get the frame that is shown at a time since the first one: the first frame before that, the last
// one behind the end. 0 for NULL. Thread-safe.
WEIR_API uint64_t weir_play_find(const weir_play *play, int64_t time_ns);

// Get the time of a frame since the first one; the movie's duration for a number behind the last.
// 0 for NULL. Thread-safe.
WEIR_API int64_t weir_play_get_time(const weir_play *play, uint64_t frame);

// A frame on the device, which stays as it is until it is released.
struct weir_play_image {
    uint64_t frame;
    uint32_t slot; // of weir_play_release()
    uint32_t num_textures;
    VkImage images[WEIR_MOVIE_MAX_TEXTURES]; // in SHADER_READ_ONLY_OPTIMAL from `ready` on
    VkImageView views[WEIR_MOVIE_MAX_TEXTURES];
    struct weir_point ready; // the submission that samples the images waits for it
};

// Get a frame if it has been made, and have those made that come next: `frame`, `frame` + `step`,
// and so on, around the end of the movie. A step of 0 is 1; with a negative one they come
// backwards. Each WEIR_OK is followed by a weir_play_release(). Never waits for a file, the device,
// or another thread's work. WEIR_NOT_READY: it is being made. Errors: WEIR_ERROR_INVALID (NULL, no
// such frame), WEIR_ERROR_DATA (the frame is damaged; others may not be), WEIR_ERROR_IO,
// WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_DEVICE_LOST, WEIR_ERROR_VULKAN. Thread-safe.
WEIR_API enum weir_result weir_play_frame(weir_play *play, uint64_t frame, int32_t step,
                                          struct weir_play_image *image);

// Get a frame as weir_play_frame() does, but wait until it has been made, at most `timeout_ns`;
// UINT64_MAX = no timeout. It is never made while the host holds all images. Thread-safe.
WEIR_API enum weir_result weir_play_wait(weir_play *play, uint64_t frame, uint64_t timeout_ns,
                                         struct weir_play_image *image);

// Give an image back, to be used again behind `point` of a timeline. If a frame was got several
// times, all of its points are of one timeline. Ignores NULL. Thread-safe.
WEIR_API void weir_play_release(weir_play *play, const struct weir_play_image *image,
                                struct weir_point point);

// Read `num_samples` of an audio track from a position on: floats, of which full scale is -1 to 1,
// for each channel one. `samples` has room for them; what the track does not have is silence.
// Waits for the file. Errors: WEIR_ERROR_INVALID (NULL, no such track), WEIR_ERROR_UNSUPPORTED
// (samples of 8 bits), WEIR_ERROR_IO.
// Thread-safe.
WEIR_API enum weir_result weir_play_read_audio(weir_play *play, uint32_t track, uint64_t position,
                                               uint32_t num_samples, float *samples);

struct weir_play_stats {
    uint64_t num_frames; // that were made
    uint64_t num_damaged;
    uint64_t bytes; // read for them
};

// Get what has been made so far. All fields are zero for NULL. Thread-safe.
WEIR_API struct weir_play_stats weir_play_get_stats(weir_play *play);
