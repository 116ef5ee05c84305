// SPDX-License-Identifier: MIT
// Descriptors of files that Weir opens: none is one of the standard streams.
#ifndef WEIR_CAPTURE_BASE_DESCRIPTOR_H
#define WEIR_CAPTURE_BASE_DESCRIPTOR_H

#include <limits.h>

// openat() with O_CLOEXEC, and a descriptor of at least 3. A host that was started without standard
// streams has 0, 1 and 2 free, and what it prints there would end up in the file.
int weir_descriptor_open(int folder, const char *path, int flags);

// Get where the system says that the file of a descriptor is. "": it does not say.
void weir_descriptor_place(int fd, char place[PATH_MAX]);

#endif
