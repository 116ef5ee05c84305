// SPDX-License-Identifier: MIT
// --headless: the same frames on the same path, rendered to a ring of offscreen images.
#ifndef SAMPLE_OFFSCREEN_H
#define SAMPLE_OFFSCREEN_H

#include "sample.h"

// Render as many frames as the options say, and record them where they name an output. False: the
// reason was printed.
bool offscreen_run(const struct sample *sample);

#endif
