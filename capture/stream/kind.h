// SPDX-License-Identifier: MIT
// The kinds of frames: what frames of one size and format take, of which a capture with segments
// may have several, one after the other.
#ifndef WEIR_CAPTURE_STREAM_KIND_H
#define WEIR_CAPTURE_STREAM_KIND_H

#include <stdbool.h>
#include <stdint.h>

#include <weir/capture.h>
#include <weir/log.h>
#include <weir/readback.h>

#include "capture/stream/packers.h"
#include "capture/stream/textures.h"
#include "capture/stream/writer/writer.h"

struct weir_kind {
    uint32_t width, height; // [texels]
    struct weir_textures textures;
    struct weir_packers packers; // none: the processor packs
    bool is_packed;              // the GPU packs
    weir_readback *readback;
    struct weir_writer_kind writer; // what the writer uses of it
    struct weir_kind *next;         // in the list of old ones
};

// Used by the thread that hands frames over. All rings have one timeline, so that points that the
// host waits for stay valid.
struct weir_kinds {
    weir_context *context;
    const struct weir_log *log;
    // As the host gave them; pointers are NULL. `compression` is that of frames from now on.
    struct weir_capture_params params;
    struct weir_kind *current; // NULL: none was made
    struct weir_kind *old;     // of which frames are still to be written
    uint32_t num;              // that were made
};

// True if an image is of the current kind.
bool weir_kinds_takes(const struct weir_kinds *kinds, const weir_image *image);

// Make the kind of an image the current one. `tag` names its Vulkan objects, or is NULL. After an
// error, which is logged, the current one stays.
// Errors: those of weir_encoder_create(), weir_readback_create() and weir_packer_create().
enum weir_result weir_kinds_change(struct weir_kinds *kinds, const weir_image *image,
                                   const char *tag);

// Record what makes a frame of an image into the result of a slot: encoders, optimiser, packers.
enum weir_result weir_cmd_kind(const struct weir_kind *kind, const struct weir_slot *slot,
                               const weir_image *image);

// Let Snappy compress the frames from now on, of whichever kind they are, or not.
void weir_kinds_set_snappy(struct weir_kinds *kinds, bool snappy);

// Free the old kinds that nobody uses any more. Never blocks.
void weir_kinds_sweep(struct weir_kinds *kinds);

// Free all kinds. The writer must have finished.
void weir_kinds_finish(struct weir_kinds *kinds);

#endif
