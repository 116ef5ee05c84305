// SPDX-License-Identifier: MIT
// Reads from a place in a file.
#ifndef WEIR_CAPTURE_WEIR_COMMON_READ_H
#define WEIR_CAPTURE_WEIR_COMMON_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Read `size` bytes at `offset`, in as many calls as that takes. False: they cannot be read.
bool cli_read_at(int fd, uint64_t offset, uint8_t *bytes, size_t size);

#endif
