// SPDX-License-Identifier: MIT
// The confinement of the process that decodes files of other people.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Confine this process for good, before it has a second thread: it reads the inputs, a file, a
// folder, the folder of a numbered sequence or of a list each, and opens nothing else. It writes no
// file, starts no program, gains no privileges and leaves no core file. `max_memory`: that of the
// user, 0 = none given. Of its descriptors it keeps `socket`, and those that an input may name.
void decoder_confine(char *const *paths, size_t num_paths, uint64_t max_memory, int socket);
