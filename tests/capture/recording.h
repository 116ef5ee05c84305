// SPDX-License-Identifier: MIT
// A recording without a device: a host that hands over frames of blocks by the public calls, each
// in memory of its own that is gone when it is given back, and knows what they hold.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <weir/blocks.h>

enum { RECORDING_SIDE = 16, RECORDING_NUM_SLOTS = 4, RECORDING_MAX_FRAMES = 512 };

// A random frame that the capture accepted.
struct recording_frame {
    uint32_t width, height;
    uint8_t *textures; // as they lie in the memory of a frame, without what is before the first one
    size_t size;       // [bytes]
};

struct recording {
    weir_capture *capture;
    enum weir_movie_codec codec;
    struct recording_frame frames[RECORDING_MAX_FRAMES]; // the random ones
    uint32_t num_accepted;
    atomic_uint num_released;
    atomic_bool is_out_of_order;
};

// The blocks params of a recording, for a capture that is opened by hand.
struct weir_blocks_params recording_blocks(struct recording *recording, uint32_t width,
                                           uint32_t height);

// Open a capture of small frames of HAP Q that waits for slots, of which there are
// RECORDING_NUM_SLOTS, and leaves storing to the system. Where it fails the program ends.
void recording_open(struct recording *recording, const struct weir_capture_params *params);

// Open one with exactly these params.
void recording_open_size(struct recording *recording, uint32_t width, uint32_t height,
                         const struct weir_capture_params *params);

// Hand over a small frame, black or white.
enum weir_result recording_present(struct recording *recording, int64_t time_ns, bool is_white);

// Hand over a frame of HAP in one green, which is recording_green() of its number.
enum weir_result recording_present_green(struct recording *recording, uint32_t width,
                                         uint32_t height, int64_t time_ns);
uint8_t recording_green(uint32_t number);

// Hand over a frame of random blocks of which about half are like others.
enum weir_result recording_present_random(struct recording *recording, uint32_t width,
                                          uint32_t height, int64_t time_ns);

// Hand over a frame that is lost.
enum weir_result recording_lose(struct recording *recording, uint32_t width, uint32_t height,
                                int64_t time_ns);

// Wait until so many frames are written.
void recording_wait_written(const struct recording *recording, uint64_t num_frames);

// Close it, check the result, that the counts add up and that all memory came back in order.
// Returns the counts.
struct weir_capture_stats recording_end(struct recording *recording, enum weir_result want);
// The same, and the movie ends at that time.
struct weir_capture_stats recording_end_at(struct recording *recording, int64_t time_ns,
                                           enum weir_result want);

// Forget the random frames.
void recording_finish(struct recording *recording);

// What packets should be: those of the packer, for frames of one size.
struct packet_model {
    const struct recording *recording;
    struct weir_packer *packer;
    uint8_t *memory; // of a frame
};
void packet_model_init(struct packet_model *model, const struct recording *recording,
                       const struct weir_capture_params *params, uint32_t width, uint32_t height);
void packet_model_finish(struct packet_model *model);

// Check the packet of a random frame. Call it for all of a movie, in their order.
bool packet_model_check(struct packet_model *model, uint32_t frame, const uint8_t *packet,
                        size_t size);
