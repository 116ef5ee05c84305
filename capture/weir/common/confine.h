// SPDX-License-Identifier: MIT
// The confinement of a child process that reads files of other people.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <weir/result.h>

#include "capture/files/picture/picture.h"
#include "capture/weir/common/paths.h"

struct cli_confinement {
    int rules;       // a rule set of Landlock; negative: the system has none
    uint64_t rights; // that the rules are about
    bool is_lifted;  // by the user, or an input opens what only FFmpeg's libraries know
    uint64_t max_memory;
};

// Begin one that lets the process read what belongs to the system and to drivers. `max_memory`:
// that of the user, 0 = none given.
void cli_confine_begin(struct cli_confinement *confinement, uint64_t max_memory);

// Let it read an input: a file, a folder, the folder of a numbered sequence or of a list.
void cli_confine_input(struct cli_confinement *confinement, const char *path);
void cli_confine_inputs(struct cli_confinement *confinement, const struct cli_inputs *inputs);

// Let it read and change the folder of an output, or the output that is a folder. NULL is none.
void cli_confine_output(struct cli_confinement *confinement, const char *path);

// Enter it, for good, before this process has a second thread. It opens no other file, starts no
// program, gains no privileges and leaves no core file. With a maximum, its memory is limited.
void cli_confine_enter(struct cli_confinement *confinement);

// Say that an input is read from now on, or no more. If that takes much more time of the processors
// than any picture does, SIGXCPU ends the process. One thread at a time may read.
void cli_confine_reading(bool begins);

// Read a picture so. The arguments and the result are those of weir_picture_read().
enum weir_result cli_picture_read(const char *path, const struct weir_memory_use *memory,
                                  struct weir_picture *picture);
