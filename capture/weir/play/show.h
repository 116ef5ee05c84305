// SPDX-License-Identifier: MIT
// weir play: frames of a movie, pictures, or images of a texture, shown on a device, in a window or
// in a picture.
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

#include <weir/capture.h>
#include <weir/device.h>
#include <weir/gpu.h>
#include <weir/play.h>

#include "capture/weir/common/texture_file.h"
#include "capture/weir/decoder/decoder.h"

// Have each submission to a device made under a lock, which outlives them.
void show_share_queue(struct weir_context_params *import, pthread_mutex_t *lock);

// A device that the movie's thread and this one use: each submission is made under a lock.
struct show_device {
    weir_device *device;
    struct weir_context_params import;
    pthread_mutex_t lock;
    weir_gpu *gpu;
};

// Open it, with textures of blocks. Prints the reason of a failure. Call show_device_close() in any
// case.
enum weir_result show_device_open(struct show_device *device,
                                  const struct weir_device_params *params);
// Close it. False if the validation layer sent messages.
bool show_device_close(struct show_device *device);

enum { SHOW_NUM_TARGETS = 2, SHOW_MAX_TEXT = 80 };

// The image that a frame is drawn to, and until when the device draws.
struct show_target {
    struct weir_gpu_image image;
    VkImageView view;
    VkDescriptorPool pool;
    struct weir_point drawn;
};

// What becomes of alpha.
enum show_alpha { SHOW_ON_BLACK, SHOW_ON_BLACK_MULTIPLIED, SHOW_ALPHA_KEPT };

struct play_options {
    bool headless, loops, full_screen, no_overlay, paused, quiet, validation;
    uint64_t frame, mip, device, num_frames;
    struct weir_ratio rate; // of pictures
    double speed;
    const char *picture;
};

// Pictures, or the images of a texture.
struct show_stills {
    struct weir_source_list list; // of pictures; empty: a texture
    struct cli_pictures pictures;
    struct cli_texture_file file;
    bool has_blocks; // which the device reads
    uint32_t level, num_levels;
    int64_t period_ns;
    struct show_still {
        struct weir_gpu_image image;
        VkImageView view;
    } shown;
};

// A movie or stills, the frame of it that is shown, the kernel that draws it, and images that it
// draws to, one after the other. A zeroed one may be finished.
struct show {
    struct show_device *device;
    const char *name; // of the file that is shown
    // At most one of both; neither: stills.
    weir_play *play;
    struct show_stream *stream;
    struct show_stills stills;
    struct weir_play_info info;
    struct weir_play_image image;
    bool has_image;
    struct weir_gpu_layout layout;
    VkPipeline pipelines[2]; // without text, and with it; made when they are needed
    enum show_alpha alpha;
    bool swaps;             // red and blue of the targets
    uint32_t width, height; // of these
    struct show_target targets[SHOW_NUM_TARGETS];
    uint32_t next;
};

// Open a movie, a texture, pictures or a stream, and wait for the frame of the options. `paths` is
// borrowed, and ends with NULL. Prints the reason of a failure.
enum weir_result show_init(struct show *show, struct show_device *device, char *const *paths,
                           const struct play_options *options, bool swaps);
void show_finish(struct show *show);

// Get the frame of a time, and the time of a frame, as weir_play_find() and weir_play_get_time().
uint64_t show_find(const struct show *show, int64_t time_ns);
int64_t show_get_time(const struct show *show, uint64_t frame);

// Show another frame, as weir_play_frame() makes it. The one before is released behind the last
// time that it is drawn.
enum weir_result show_take(struct show *show, uint64_t frame, int32_t step);

// True for pictures (a folder, a pattern, several names) and textures.
bool show_stills_are(char *const *paths);
enum weir_result show_stills_open(struct show *show, char *const *paths,
                                  const struct play_options *options);
void show_stills_finish(struct show *show);

// Show a picture of the host's. After a failure, here as below, the one before is shown.
enum weir_result show_picture(struct show *show, const struct weir_picture *picture);

// Show a frame of the stills.
enum weir_result show_stills_frame(struct show *show, uint64_t frame);

// Show a smaller or larger level of the texture, if there is one.
enum weir_result show_stills_change_level(struct show *show, int step);

// Make targets of another size, when nothing is drawn to them any more.
enum weir_result show_resize(struct show *show, uint32_t width, uint32_t height);

// Draw the frame as large as the next target allows, with a line of text, or NULL. The target is
// left to copies to read it.
enum weir_result show_draw(struct show *show, const char *text, struct show_target **target);

// True for a pipe ("-" is the standard input) and a URL.
bool show_stream_is(const char *path);
enum weir_result show_stream_open(struct show *show, const char *path);
void show_stream_close(struct show_stream *stream);

// What has come so far.
struct show_stream_facts {
    uint64_t num_frames; // the newest is the last of them
    int64_t time_ns;     // of the newest
    bool is_over;
};
struct show_stream_facts show_stream_get(struct show_stream *stream);

// Show the newest frame.
enum weir_result show_stream_frame(struct show *show);

// The window.

struct show_window;

struct show_window_params {
    const char *title;
    bool full_screen;
    void (*press)(void *user, int glfw_key); // when it goes down or repeats
    void *user;
};

// Open a window, and a device that presents to it. Prints the reason of a failure. NULL then, and
// the device and the window system are closed in any case.
struct show_window *show_window_open(const struct show_window_params *params,
                                     const struct weir_device_params *device_params,
                                     struct show_device *device);
// Close it, then the device, then the window system. NULL is allowed.
void show_window_close(struct show_window *window);
void show_window_end(void);

// Show it, for pictures of that size, or smaller where the screen is.
void show_window_fit(struct show_window *window, uint32_t width, uint32_t height);

// Wait for events, at most that long [s]. False: the user closes it.
bool show_window_poll(struct show_window *window, double seconds);
void show_window_set_title(struct show_window *window, const char *title);

// True if the window's images have blue first.
bool show_window_swaps(const struct show_window *window);

// Draw the frame as show_draw() does and present it, unless there is nothing to present to.
enum weir_result show_window_present(struct show_window *window, struct show *show,
                                     const char *text);

// The sound.

struct show_sound;

// Play the first audio track of a movie. NULL: there is none, or a line says why it is silent.
struct show_sound *show_sound_open(weir_play *play, bool quiet);
void show_sound_close(struct show_sound *sound);

// Go on from a time of the movie, or be silent.
void show_sound_set(struct show_sound *sound, int64_t time_ns, bool plays);

// Get the time of the movie that is heard now. False: nothing is.
bool show_sound_get_time(struct show_sound *sound, int64_t *time_ns);

// The player: what is played, and how the keys change it.

// Play movies, textures and folders one after the other, or pictures, in a window until the user
// closes it. `paths` ends with NULL.
enum weir_result show_player_run(char *const *paths, const struct play_options *options);
