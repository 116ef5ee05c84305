// SPDX-License-Identifier: MIT
// The confinement of the process that decodes files of other people.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Confine this process for good, before it has a second thread: it reads the inputs, a file, a
// folder, the folder of a numbered sequence or of a list each, and opens nothing else. It writes no
// file, starts no program, gains no privileges and leaves no core file. `max_memory`: that of the
// user, 0 = none given.
void decoder_confine(char *const *paths, size_t num_paths, uint64_t max_memory);

// Close what this process was started with beside its first socket and standard output and error,
// unless an input names a descriptor.
void decoder_close_others(char *const *paths, size_t num_paths, int socket);
