// SPDX-License-Identifier: MIT
// Which processes belong to the program that is recorded.
#ifndef WEIR_CAPTURE_WEIR_RECORD_SOUND_FAMILY_H
#define WEIR_CAPTURE_WEIR_RECORD_SOUND_FAMILY_H

#include <stdbool.h>
#include <stdint.h>

// True if a process is a child of this one, or of such a one. The recorder has no child but the
// program, and becomes the parent of those of its processes whose own has ended.
bool record_family_has(int64_t process);

#endif
