// SPDX-License-Identifier: MIT
// The part: the file that an output is until its first commit, under a name of its own beside it.
// It is locked, and the lock stays with it when it gets the output's name.
#ifndef WEIR_CAPTURE_BASE_PART_H
#define WEIR_CAPTURE_BASE_PART_H

#include <stdbool.h>
#include <sys/stat.h>

#define WEIR_PART_NAME_SIZE 32u // with the final zero [bytes]

// Make the part of the output `name` in `folder`, empty and open for reading and writing. Its name,
// `part`, is the same at every run, so what a killed program left is removed here. If there is a
// file `name`, the part gets its mode and, where the system permits it, its owner.
// Returns the descriptor, or a negative errno value: -EWOULDBLOCK if another program, or another
// file of this one, writes that output now. Nothing is left behind then. Without locks, which a
// file system may not have, that is not noticed.
int weir_part_create(int folder, const char *name, char part[WEIR_PART_NAME_SIZE]);

// Let others write the output. Closing the descriptor would not do where a child of the program,
// made by fork(), has it too.
void weir_part_unlock(int fd);

// True if `name` in `folder` is the file of that descriptor.
bool weir_part_is_named(int fd, int folder, const char *name);

// Give the file of the descriptor the mode and, where the system permits it, the owner of another.
void weir_part_take_rights(int fd, const struct stat *from);

#endif
