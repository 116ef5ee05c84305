// SPDX-License-Identifier: MIT
// Colour profiles: what the file of a picture says of its colours, and how they become those of
// sRGB, by Little CMS.
#pragma once

#include <libavutil/frame.h>

#include "capture/files/source/source.h"

// Attach an ICC profile to a frame. False: no memory.
bool weir_profile_attach(AVFrame *frame, const void *profile, size_t size);

// Attach one of a few facts: x and y of white, red, green and blue, and the exponent that makes
// light of codes. NULL and 0: those of sRGB.
bool weir_profile_attach_facts(AVFrame *frame, const double primaries[8], double gamma);

// Make the codes of sRGB of those of a frame with a profile, and the light of its primaries of
// floats, if they are others; and say so, or why they stay. Its format may become another one.
// Errors: WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_UNSUPPORTED (see weir_scale_run()).
enum weir_result weir_profile_apply(AVFrame *frame, enum weir_profile use, const char *path,
                                    const struct weir_log *log);
