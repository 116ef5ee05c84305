// SPDX-License-Identifier: MIT
// A host that hands over frames of blocks, each in memory of its own that is gone when it is given
// back, and knows what they hold.
#ifndef WEIR_TESTS_CAPTURE_BLOCKS_HOST_H
#define WEIR_TESTS_CAPTURE_BLOCKS_HOST_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <weir/blocks.h>

enum { BLOCKS_MAX_FRAMES = 512 };

// A frame that was taken.
struct blocks_frame {
    uint32_t width, height;
    uint8_t *textures; // as they lie in the memory of a frame, without what is before the first one
    size_t size;       // [bytes]
};

// Zero it, and set the codec.
struct blocks_host {
    enum weir_movie_codec codec;
    bool is_solid; // of HAP: blocks of one green each, that of a frame is blocks_green()
    struct blocks_frame frames[BLOCKS_MAX_FRAMES];
    uint32_t num_taken;
    atomic_uint num_released;
    atomic_bool is_out_of_order;
};

struct weir_blocks_params blocks_params(struct blocks_host *host, uint32_t width, uint32_t height);

// Open a capture for such frames. Ends the program where it fails.
weir_capture *blocks_open(struct blocks_host *host, uint32_t width, uint32_t height,
                          const struct weir_capture_params *params);

// Hand over a frame of random blocks of which about half are like others. What is not taken is
// unchanged, and is freed.
enum weir_result blocks_give(struct blocks_host *host, weir_capture *capture, uint32_t width,
                             uint32_t height, int64_t time_ns);

// Hand over a frame that is lost.
enum weir_result blocks_lose(weir_capture *capture, uint32_t width, uint32_t height,
                             int64_t time_ns);

// The green of a solid frame.
uint8_t blocks_green(uint32_t frame);

// Close the capture, check its result and that all memory came back in order, and get the counts,
// which add up.
struct weir_capture_stats blocks_close(struct blocks_host *host, weir_capture **capture,
                                       enum weir_result want);
void blocks_finish(struct blocks_host *host);

// What packets should be: those of the packer, for frames of one size.
struct blocks_reference {
    const struct blocks_host *host;
    struct weir_packer *packer;
    uint8_t *memory; // of a frame
};
void blocks_reference_init(struct blocks_reference *reference, const struct blocks_host *host,
                           const struct weir_capture_params *params, uint32_t width,
                           uint32_t height);
void blocks_reference_finish(struct blocks_reference *reference);

// Check the packet of a frame. Call it for all of a movie, in their order.
bool blocks_reference_check(struct blocks_reference *reference, uint32_t frame,
                            const uint8_t *packet, size_t size);

#endif
