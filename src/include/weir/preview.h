// SPDX-License-Identifier: MIT
// Previews: small pictures of frames, as blocks of BC1, that are made beside the frames' own blocks
// and come to the host in the same slots. What a capture gives to its host (libweir-capture), and
// what makes it (libweir).
#pragma once

#include <stdint.h>
#include <vulkan/vulkan_core.h>

#include <weir/context.h>
#include <weir/frame.h>
#include <weir/image.h>
#include <weir/result.h>

// A picture: the first level of a frame's mip pyramid whose sides are at most `max_side`. Blocks
// are as weir_encode_size() says, weir_codec_image_size(WEIR_CODEC_BC1, width, height) bytes. Their
// colours are display codes; HDR is clipped.
struct weir_preview_picture {
    uint32_t width, height; // [texels]
    int64_t time_ns;        // of the frame: weir_frame.time_ns
    const void *blocks;
};

// The pictures of a capture, weir_capture_params.preview. Not for captures of blocks.
struct weir_capture_preview_params {
    // NULL = no pictures, and the rest is not read. Called on a thread of its own, on which all
    // signals are blocked, in the order of frames. `picture` and its blocks are valid until it
    // returns. Frames that come to the host meanwhile are left out: a slow callback costs pictures,
    // and never a frame of the movie. weir_capture_close() waits for it. Of this capture's
    // functions it may call those that any thread may call.
    void (*show)(void *user, const struct weir_preview_picture *picture);
    void *user;        // the first argument of show()
    uint32_t max_side; // of pictures [texels], 1 .. 4096. 0 = 480
    uint32_t every;    // one of so many recorded frames has a picture. 0 = 1
};

// Levels of frames' pyramids in an image that all frames share, and a picture of one of them.
typedef struct weir_preview weir_preview;

// All pointers are read during weir_preview_create() only.
struct weir_preview_params {
    const char *debug_tag;
    // Required: an image like the frames', of their size, with usage SAMPLED and in a format that
    // encoders read.
    const weir_image *like;
    uint32_t max_side;   // of pictures [texels]. 0 = no pictures
    uint32_t num_levels; // that are made for other encoders too, whether pictures need them or not
};
#define weir_preview_params(...) WEIR_PARAMS(weir_preview_params, __VA_ARGS__)

// Make a preview, with its image and kernels.
// Errors: those of weir_pyramid_create(), weir_pyramid_target_create() and weir_encoder_create().
// Thread safety: any thread.
WEIR_API enum weir_result weir_preview_create(weir_context *context,
                                              const struct weir_preview_params *params,
                                              weir_preview **out);
// Destroy a preview, which the GPU must not be using. NULL is allowed; sets `*preview` to NULL.
WEIR_API void weir_preview_destroy(weir_preview **preview);

struct weir_preview_info {
    uint32_t width, height; // of pictures [texels]
    uint64_t size;          // of their blocks [bytes]. 0: there are no pictures
    // Its level n is level n + 1 of the frames. It has the transfer of the frames. NULL: pictures
    // have the size of frames, and no other levels were asked for.
    const weir_image *levels;
};
// Get the facts of a preview. All fields are zero for NULL. Thread-safe.
WEIR_API struct weir_preview_info weir_preview_get_info(const weir_preview *preview);

struct weir_preview_run {
    const weir_image *source;  // required: like `like`, in SHADER_READ_ONLY_OPTIMAL
    uint32_t commands;         // weir_slot.commands
    const weir_buffer *buffer; // the picture's blocks are written to it. NULL: levels alone
    uint64_t offset;           // of the first block in `buffer` [bytes], a multiple of 8
};
// Record the levels of a frame, and its picture. Encoders that read weir_preview_info.levels are
// recorded behind it.
//
// Handles: barriers before, between and behind the levels.
// Caller: barriers before the source is read and behind the picture, as of weir_cmd_encode(). The
// commands before it with the same number have been executed, and are not submitted again.
// Borrows everything until `cmd` is not submitted again. Allocates, once for each command buffer.
// Errors: WEIR_ERROR_INVALID, WEIR_ERROR_UNSUPPORTED, WEIR_ERROR_OUT_OF_MEMORY,
// WEIR_ERROR_DEVICE_LOST, WEIR_ERROR_VULKAN.
// Thread safety: one thread at a time.
WEIR_API enum weir_result weir_cmd_preview(weir_preview *preview, VkCommandBuffer cmd,
                                           const struct weir_preview_run *run);
