// SPDX-License-Identifier: MIT
// Text in UTF-8.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// Get how many bytes the whole characters of a text take that fit into `room` bytes, without its
// end. False: it is no UTF-8.
bool weir_utf8_fit(const char *text, size_t room, size_t *size);
