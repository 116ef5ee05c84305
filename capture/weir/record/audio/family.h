// SPDX-License-Identifier: MIT
// Which processes belong to the program that is recorded.
#ifndef WEIR_CAPTURE_WEIR_RECORD_AUDIO_FAMILY_H
#define WEIR_CAPTURE_WEIR_RECORD_AUDIO_FAMILY_H

#include <stdbool.h>
#include <stdint.h>

// True if a process is `program`, or a child of that or of this one, or a child's child and so on.
// A recorder that starts the program has no other child, and becomes the parent of those of its
// processes whose own has ended: it has 0 for `program`.
bool record_family_has(int64_t process, int64_t program);

#endif
