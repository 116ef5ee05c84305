// SPDX-License-Identifier: MIT
// The kinds of frames: what frames of one size and format take, of which a capture with segments
// may have several, one after the other.
#ifndef WEIR_CAPTURE_STREAM_KIND_H
#define WEIR_CAPTURE_STREAM_KIND_H

#include <stdbool.h>
#include <stdint.h>

#include <weir/capture.h>
#include <weir/log.h>

#include "capture/stream/kind_gpu.h"
#include "capture/stream/writer/writer.h"

// What frames of a kind are like.
struct weir_kind_like {
    uint32_t width, height;  // [texels]
    const weir_image *image; // of rendered frames. NULL: frames are blocks already
    const char *tag;         // names the Vulkan objects of the kind, or is NULL
};

// Get what rendered frames of such an image are like.
struct weir_kind_like weir_kind_like_image(const weir_image *image, const char *tag);

struct weir_kind {
    uint32_t width, height;         // [texels]
    struct weir_kind_gpu gpu;       // all zero where frames are blocks
    struct weir_writer_kind writer; // what the writer uses of it
    struct weir_kind *next;         // in the list of old ones
};

// Used by the thread that hands frames over. All rings have one timeline, so that points that the
// host waits for stay valid.
struct weir_kinds {
    weir_context *context;            // of rendered frames
    struct weir_writer_source blocks; // where the bytes of frames come from that are blocks
    const struct weir_log *log;
    struct weir_capture_params params; // as the host gave them; pointers are NULL
    struct weir_kind *current;         // NULL: none was made
    struct weir_kind *old;             // of which frames are still to be written
    uint32_t num;                      // that were made
};

// True if frames like that are of the current kind.
bool weir_kinds_takes(const struct weir_kinds *kinds, const struct weir_kind_like *like);

// Make the kind of such frames the current one. After an error, which is logged, the current one
// stays. Errors: those of weir_kind_gpu_init() and weir_packer_create().
enum weir_result weir_kinds_change(struct weir_kinds *kinds, const struct weir_kind_like *like);

// Free the old kinds that nobody uses any more. Never blocks.
void weir_kinds_sweep(struct weir_kinds *kinds);

// Free all kinds. The writer must have finished.
void weir_kinds_finish(struct weir_kinds *kinds);

#endif
