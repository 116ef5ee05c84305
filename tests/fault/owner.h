// SPDX-License-Identifier: MIT
// Whose code makes a call.
#ifndef WEIR_TESTS_FAULT_OWNER_H
#define WEIR_TESTS_FAULT_OWNER_H

// Whose code is at this address? Weir's, that of a library that reads and writes for it, or other.
enum owner { OWNER_WEIR, OWNER_LIBRARY, OWNER_OTHER };
enum owner owner_of(void *address);

// Get the name of the first object on the stack that is not of the C library.
const char *owner_of_stack(void);

#endif
