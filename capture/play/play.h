// SPDX-License-Identifier: MIT
// The inside of a movie that is played: its list of frames, the slots that hold frames on the
// device, and the threads that make them.
#pragma once

#include <pthread.h>

#include <weir/gpu.h>
#include <weir/play.h>

#include "capture/movie/boxes.h"
#include "capture/movie/hap.h"
#include "capture/movie/movie.h"

// The list: where frames and samples lie.

struct play_list {
    struct weir_movie movie;   // without pieces
    struct weir_piece *pieces; // by track: frames first, each track in its own order
    uint32_t begins[2 + WEIR_MOVIE_MAX_AUDIO]; // of each track; the last is the end
    bool is_big_endian[WEIR_MOVIE_MAX_AUDIO];
    struct weir_hap_format format;
};

// Read it from a file by its index, or from fragment to fragment. What is damaged is left out,
// which the log says. `path` is its name there. Call weir_play_list_finish() in any case. Errors:
// WEIR_ERROR_DATA, WEIR_ERROR_OUT_OF_MEMORY, which are logged.
enum weir_result weir_play_list_read(struct play_list *list, const struct weir_view_source *source,
                                     const char *path, const struct weir_log *log);
void weir_play_list_finish(struct play_list *list);

uint32_t weir_play_list_num_frames(const struct play_list *list);

// Get the time of a frame, or for their number the end [ns].
int64_t weir_play_list_time(const struct play_list *list, uint64_t frame);

// Read samples as weir_play_read_audio() does. Errors: WEIR_ERROR_UNSUPPORTED, WEIR_ERROR_IO.
enum weir_result weir_play_list_read_audio(const struct play_list *list,
                                           const struct weir_view_source *source, uint32_t track,
                                           uint64_t position, uint32_t num_samples, float *samples);

// A movie, with its slots.

enum { PLAY_MAX_AHEAD = 64, PLAY_MAX_THREADS = 64 };

// Images of a frame.
struct play_slot {
    struct weir_gpu_image images[WEIR_MOVIE_MAX_TEXTURES];
    VkImageView views[WEIR_MOVIE_MAX_TEXTURES];
    uint64_t frame; // UINT64_MAX: none
    bool is_made;
    enum weir_result result;
    struct weir_point ready, released;
    uint32_t num_held;
};

// A thread that makes frames.
struct play_maker {
    struct weir_play *play;
    pthread_t thread;
    bool is_running;
    struct weir_view view;
    struct weir_hap_unpacker unpacker;
    struct weir_gpu_buffer stage; // what is unpacked is copied from there
    struct weir_point staged;     // until when the device does
};

struct weir_play {
    struct weir_log log;
    int fd;
    char *path;
    struct weir_view_source source;
    struct play_list list;
    struct weir_play_info info;
    weir_gpu *gpu;
    pthread_mutex_t gpu_lock; // while commands are recorded and submitted
    struct weir_context_params device;
    PFN_vkDestroyImageView destroy_view;
    struct play_maker *makers;
    uint32_t num_makers;
    // Shared with the host.
    pthread_mutex_t lock;
    pthread_cond_t work, made; // a maker may have something to do; a frame was made
    bool has_locks, ends;
    uint64_t wanted;
    int64_t step;
    uint32_t num_ahead, num_slots;
    struct play_slot *slots;
    struct weir_play_stats stats;
};

// Make images and memory, and start the threads. Errors: as weir_play_open().
enum weir_result weir_play_makers_start(struct weir_play *play,
                                        const struct weir_play_params *params);
void weir_play_makers_stop(struct weir_play *play);
