// SPDX-License-Identifier: MIT
// Chooses the call that fails: the one that WEIR_FAULT names.
#ifndef WEIR_TESTS_FAULT_FAULT_H
#define WEIR_TESTS_FAULT_FAULT_H

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
    FAULT_NUM_KINDS,
};

// Count a call of this kind. True if it is to fail; `errno` has the error then. `caller` is where
// it returns to. One of `fd` and `path` names the file, if there is one; else -1 and NULL.
bool fault_is_chosen(enum fault_kind kind, void *caller, int fd, const char *path);

// True if a call that is to fail reads or writes half of its bytes instead.
bool fault_is_short(void);

#endif
