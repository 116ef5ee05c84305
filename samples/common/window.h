// SPDX-License-Identifier: MIT
// The window: a render loop whose images Weir reads before they are presented.
#ifndef SAMPLE_WINDOW_H
#define SAMPLE_WINDOW_H

#include "sample.h"

// Open a window and render until it is closed, or until as many frames as the options say are
// rendered, or recorded where an output is named. False: the reason was printed.
bool window_run(const struct sample *sample);

#endif
