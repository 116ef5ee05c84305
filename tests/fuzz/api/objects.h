// SPDX-License-Identifier: MIT
// The objects of a run: made of any params, picked, destroyed.
#ifndef WEIR_TESTS_FUZZ_API_OBJECTS_H
#define WEIR_TESTS_FUZZ_API_OBJECTS_H

#include <weir/weir.h>

enum { MAX_OBJECTS = 4 }; // of each kind

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

#endif
