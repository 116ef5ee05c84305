// SPDX-License-Identifier: MIT
// Changes to a picture before it becomes a texture: channels, normals, colours under alpha 0.
#pragma once

#include "capture/files/picture/picture.h"

bool weir_swizzle_is_valid(const char *swizzle);

// Make a vector 1 long. One of hardly any length points upwards.
void weir_vector_normalize(float vector[3]);

// Make the changes to a picture, whose rows have all but the first from then on. Borrows `changes`.
// Errors: WEIR_ERROR_OUT_OF_MEMORY.
enum weir_result weir_picture_change(struct weir_picture *picture,
                                     const struct weir_picture_changes *changes);

// Change a row as the picture's changes say.
void weir_picture_change_row(const struct weir_picture *picture, float *row);
