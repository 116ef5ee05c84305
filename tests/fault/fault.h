// SPDX-License-Identifier: MIT
// Chooses the call that fails: the one that WEIR_FAULT names. Whose code makes a call, and a
// program that is started once for many faults.
#pragma once

#include <stdbool.h>

enum fault_kind {
    FAULT_OPEN,
    FAULT_READ,
    FAULT_WRITE,
    FAULT_PWRITE,
    FAULT_FDATASYNC,
    FAULT_FSYNC,
    FAULT_FTRUNCATE,
    FAULT_RENAME,
    FAULT_MKDIR,
    FAULT_MMAP,
    FAULT_THREAD,
    FAULT_MALLOC,
    FAULT_MALLOC_LIB,
    // These are of processes that speak with each other.
    FAULT_SOCKET,
    FAULT_CONNECT, // and to accept
    FAULT_SEND,
    FAULT_RECEIVE,
    FAULT_POLL,
    FAULT_DESCRIPTOR, // that is no file: of a pipe, an event, signals, memory, a copy
    FAULT_PROCESS,
    FAULT_NUM_KINDS,
};

// Count a call of this kind. True if it is to fail; `errno` has the error then. `caller` is where
// it returns to. One of `fd` and `path` names the file, if there is one; else -1 and NULL.
bool fault_is_chosen(enum fault_kind kind, void *caller, int fd, const char *path);

// True if a call that is to fail reads or writes half of its bytes instead.
bool fault_is_short(void);

// Whose code is at this address? Weir's, that of a library that reads and writes for it, or other.
enum owner { OWNER_WEIR, OWNER_LIBRARY, OWNER_OTHER };
enum owner owner_of(void *address);

// Get the name of the first object on the stack that is not of the C library.
const char *owner_of_stack(void);

// With WEIR_FAULT_SERVER=FOLDER in the environment, run the program once for each line of standard
// input, which is the fault (WEIR_FAULT) of that run: in FOLDER/out, its output in FOLDER/out.txt
// and FOLDER/err.txt. A line of standard output answers how it ended: its exit status, 128 and the
// number of the signal that ended it, or 137 when it had not ended after two minutes. Returns in
// each process that is to be the program, and at once without such an environment; at the end of
// the input this process ends.
void fault_serve(void);
