// SPDX-License-Identifier: MIT
// The parts of the fuzzer of the API: numbers that are drawn, a device of them, the objects of a
// run, and calls with any of both.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <weir/weir.h>

#include "tests/fuzz/api/stub.h"
#include "tests/fuzz/fuzz.h"

// Draw numbers from the bytes of an input. After its end all of them are 0.
void draw_from(const uint8_t *data, size_t size);
bool draw_is_over(void);
uint8_t draw_u8(void);
uint32_t draw_u32(void);
// A number: small, at an edge, or any.
uint32_t draw_number(void);
uint64_t draw_large(void);
// The value that most callers give, or any. Most calls are to get past their checks.
uint32_t draw_mostly(uint32_t usual);
// A side, mostly one that images have.
uint32_t draw_side(void);
VkFormat draw_format(void);
VkImageUsageFlags draw_usage(void);
// Mostly all zeros, which is the whole level.
VkRect2D draw_rect(void);
float draw_radius(void);
// A handle of the host's, or none.
#define DRAW_HANDLE(type) (draw_u8() < 252 ? STUB_HANDLE(type) : (type)VK_NULL_HANDLE)

void expect_known(enum weir_result result);
// An object after WEIR_OK, else none and a reason. Warnings may come with an object.
// `errors_before`: fuzz_num_errors() before the call.
void expect_made(enum weir_result result, const void *object, unsigned errors_before);

// Make the stand-in a device with limits and queues that are drawn, and a context on it: NULL where
// it is refused.
void device_make(void);
weir_context *device_make_context(void);

enum { MAX_OBJECTS = 4 }; // of each type

extern struct objects {
    weir_context *context;
    weir_image *images[MAX_OBJECTS];
    weir_buffer *buffers[MAX_OBJECTS];
    weir_encoder *encoders[MAX_OBJECTS];
    weir_rdo *rdos[MAX_OBJECTS];
    weir_snappy *snappies[MAX_OBJECTS];
    weir_palette *palettes[MAX_OBJECTS];
    weir_pyramid *pyramids[MAX_OBJECTS];
    weir_pyramid_target *targets[MAX_OBJECTS];
    weir_readback *readbacks[MAX_OBJECTS];
    weir_capture *captures[MAX_OBJECTS];
} objects;

// Pick an object of a table, or NULL.
#define OBJECTS_PICK(table) (objects.table[objects_pick((void **)objects.table)])
int objects_pick(void **table);
// Pick an image of that format where there is one.
const weir_image *objects_like(VkFormat wanted);

void objects_create_image(void);
void objects_create_buffer(void);
void objects_create_encoder(void);
void objects_create_rdo(void);
void objects_create_snappy(void);
void objects_create_readback(void);
void objects_create_palette(void);
void objects_create_pyramid(void);
void objects_create_target(void);
void objects_open_capture(void);
void objects_close_capture(void);
// Destroy all of them, and the context.
void objects_destroy(void);

// Calls with any objects and numbers.
void call_encode(void);
void call_rdo(void);
void call_snappy(void);
void call_readback(void);
void call_palette(void);
void call_pyramid(void);
void call_mips(void);
void call_preview(void);
void call_capture(void);
void call_capture_audio(void);
void call_capture_pause(void);
void call_capture_chapter(void);
void call_capture_replay(void);
void call_pure(void);
