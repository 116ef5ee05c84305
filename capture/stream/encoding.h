// SPDX-License-Identifier: MIT
// What frames of one size and format need: encoders, optimisers and packers on the GPU, the slots
// that bring the result to the host, and what makes packets there. A capture with segments may have
// several encodings, one after the other.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <weir/capture.h>
#include <weir/log.h>
#include <weir/preview.h>
#include <weir/rdo.h>
#include <weir/readback.h>
#include <weir/snappy.h>

#include "capture/stream/mux/mux.h"
#include "capture/stream/packet/packet.h"

// The size and format of frames.
struct weir_frame_format {
    uint32_t width, height;  // [texels]
    const weir_image *image; // rendered frames are like it. NULL: frames are blocks
    const char *tag;         // names Vulkan objects, or is NULL
};

// Get the format of rendered frames whose images are like this one.
struct weir_frame_format weir_frame_format_of(const weir_image *image, const char *tag);

// The bytes of frames in slots: a readback's, or the host's.
struct weir_slot_source {
    enum weir_result (*wait)(void *user, uint32_t slot, uint64_t timeout_ns,
                             struct weir_readback_data *data);
    void (*release)(void *user, uint32_t slot);
    void *user;
};

// The GPU's part of an encoding.
struct weir_encoding_gpu {
    uint32_t num_textures;
    struct weir_encoding_texture {
        weir_encoder *encoder;
        weir_rdo *rdo;       // NULL: blocks stay as the encoder made them
        weir_snappy *snappy; // NULL: the processor packs
        uint64_t size;       // of the blocks [bytes]
        uint32_t num_channels;
    } textures[WEIR_MOVIE_MAX_TEXTURES];
    uint64_t rdo_history;           // where the optimisers' part of the history begins [bytes]
    bool is_packed;                 // the GPU packs
    struct weir_packet_plan packed; // how
    weir_readback *readback;        // NULL: frames are blocks
    weir_preview *preview;          // NULL: there are no pictures
    uint64_t preview_offset;        // of a picture in the result of a slot [bytes]
};

struct weir_encoding {
    uint32_t width, height;         // [texels]
    struct weir_encoding_gpu gpu;   // all zero where frames are blocks
    struct weir_slot_source source; // of the writer
    struct weir_packer *packer;
    struct weir_mux_format movie; // what the sink knows of frames
    atomic_uint num_in_flight;    // frames that were pushed, and whose slots are not given back
    struct weir_encoding *next;   // in the list of old ones
};

// Used by the thread that submits frames. All readbacks have one timeline, so that points that the
// host waits for stay valid.
struct weir_encodings {
    weir_context *context;          // of rendered frames
    struct weir_slot_source blocks; // where the bytes of blocks come from
    const struct weir_log *log;
    struct weir_capture_params params; // as the host gave them; pointers are NULL
    struct weir_encoding *current;     // NULL: none was made
    struct weir_encoding *old;         // of which frames are still to be written
    uint32_t num;                      // that were made
};

// True if the current encoding is one of such frames, or brings them to its size.
bool weir_encodings_fit(const struct weir_encodings *encodings,
                        const struct weir_frame_format *format);

// Make an encoding for such frames, which becomes the current one. After an error, which is logged,
// the current one stays. Errors: those of weir_encoder_create(), weir_rdo_create(),
// weir_snappy_create(), weir_readback_create() and weir_packer_create().
enum weir_result weir_encodings_change(struct weir_encodings *encodings,
                                       const struct weir_frame_format *format);

// Free the old encodings that nobody uses any more. Never blocks.
void weir_encodings_sweep(struct weir_encodings *encodings);

// Free all of them. The writer must have finished.
void weir_encodings_finish(struct weir_encodings *encodings);

// Record what makes the image of a slot into its result: encoders, optimisers, packers, and a
// picture.
enum weir_result weir_cmd_encoding(const struct weir_encoding *encoding,
                                   const struct weir_slot *slot, bool with_preview);

// Set the quality of a frame. `control` is the memory of its slot that host and optimisers share;
// NULL: nothing is optimised.
void weir_encoding_set_quality(const struct weir_encoding *encoding, void *control, double quality);

// Get the error and the bytes of a frame that was optimised. All zero where `control` is NULL.
struct weir_rdo_result weir_encoding_get_result(const struct weir_encoding *encoding,
                                                const void *control);

// Get the PSNR of a frame with that result, over all channels [dB].
double weir_encoding_psnr(const struct weir_encoding *encoding,
                          const struct weir_rdo_result *result);
