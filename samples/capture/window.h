// SPDX-License-Identifier: MIT
// The window: a render loop whose images Weir reads before they are presented.
#ifndef SAMPLE_CAPTURE_WINDOW_H
#define SAMPLE_CAPTURE_WINDOW_H

#include "options.h"

// Open a window and render until it is closed, or until options->num_frames are recorded. False:
// the reason was printed.
bool window_run(const struct options *options);

#endif
