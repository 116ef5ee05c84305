// SPDX-License-Identifier: MIT
// The inside of a movie that is played: its list of frames, the plan by which a frame is unpacked,
// the threads that do it, and the slots that hold frames on the device.
#pragma once

#include <pthread.h>
#include <stdatomic.h>

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

// The plan of a frame: which bytes of the file become which of its textures.

struct play_part {
    bool is_snappy;
    uint64_t at, size;    // in the file
    uint64_t to, to_size; // in the memory of the textures
};

struct play_plan {
    struct play_part *parts;
    uint32_t num;
    size_t room;
    size_t most_packed; // of the parts with Snappy [bytes]
    uint64_t bytes;     // of the frame in the file
    // Of each texture, where it begins in memory; behind them where they end.
    uint64_t begins[1 + WEIR_MOVIE_MAX_TEXTURES];
    VkFormat formats[WEIR_MOVIE_MAX_TEXTURES];
    // Filled in while it is read.
    struct weir_view *view;
    uint64_t filled, end;
};

// Get the places of the textures of a movie's frames. Returns the size of all [bytes].
uint64_t weir_play_plan_begin(struct play_plan *plan, const struct weir_hap_format *format);

// Read what makes the frame that a piece is. `*result` gets WEIR_ERROR_OUT_OF_MEMORY or
// WEIR_ERROR_DATA if not all of it does.
bool weir_play_plan_read(struct play_plan *plan, struct weir_view *view,
                         const struct weir_hap_format *format, const struct weir_piece *piece,
                         enum weir_result *result);
void weir_play_plan_finish(struct play_plan *plan);

// Make a part of the textures at `out`. `packed` has room for plan->most_packed bytes. Any thread.
// Errors: WEIR_ERROR_IO, WEIR_ERROR_DATA.
enum weir_result weir_play_part_make(const struct play_part *part,
                                     const struct weir_view_source *source, uint8_t *packed,
                                     uint8_t *out);

// The pool: threads that do the parts of a work side by side.

struct play_pool;

// Start `num` - 1 threads; the caller is one more. NULL: out of memory or threads.
struct play_pool *weir_play_pool_create(uint32_t num);
void weir_play_pool_destroy(struct play_pool **pool);

// Call `run` for 0 .. num - 1, each once; `thread` is below the number of the pool's threads.
// Waits.
void weir_play_pool_run(struct play_pool *pool, uint32_t num,
                        void (*run)(void *user, uint32_t index, uint32_t thread), void *user);

// A movie, with its slots.

enum { PLAY_MAX_AHEAD = 64, PLAY_MAX_THREADS = 64, PLAY_NUM_STAGES = 2 };

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

struct weir_play {
    struct weir_log log;
    int fd;
    char *path;
    struct weir_view_source source;
    struct weir_view view; // reads the tables of frames
    struct play_list list;
    struct weir_play_info info;
    // Of the thread that makes frames.
    weir_gpu *gpu;
    struct weir_context_params device; // what destroys the views
    PFN_vkDestroyImageView destroy_view;
    struct weir_gpu_buffer stages[PLAY_NUM_STAGES];
    struct weir_point staged[PLAY_NUM_STAGES]; // until when the device reads them
    uint32_t stage;
    struct play_plan plan;
    struct play_pool *pool;
    uint32_t num_threads;
    uint8_t *packed[PLAY_MAX_THREADS];
    size_t packed_room;
    _Atomic int part_result; // of the frame that is made: the first error
    // Shared with the host.
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t thread;
    bool has_lock, is_running, ends;
    uint64_t wanted;
    int64_t step;
    uint32_t num_ahead, num_slots;
    struct play_slot *slots;
    struct weir_play_stats stats;
};

// Make images and memory, and start the thread. Errors: as weir_play_open().
enum weir_result weir_play_maker_start(struct weir_play *play,
                                       const struct weir_play_params *params);
void weir_play_maker_stop(struct weir_play *play);
