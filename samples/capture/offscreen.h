// SPDX-License-Identifier: MIT
// --headless: the same frames on the same path, rendered to a ring of offscreen images.
#ifndef SAMPLE_CAPTURE_OFFSCREEN_H
#define SAMPLE_CAPTURE_OFFSCREEN_H

#include "gpu.h"
#include "options.h"
#include "recorder.h"

// Render and record options->num_frames frames. False: the reason was printed.
bool offscreen_run(const struct gpu *gpu, const struct options *options, struct recorder *recorder);

#endif
