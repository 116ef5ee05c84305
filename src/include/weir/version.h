// SPDX-License-Identifier: MIT
// The version of these headers, and a call that returns the version of the loaded library.
#pragma once

#include <weir/macros.h>

#define WEIR_VERSION_MAJOR 0
#define WEIR_VERSION_MINOR 1
#define WEIR_VERSION_PATCH 0
#define WEIR_VERSION_STRING "0.1.0"

// Get the version of the library as text, "major.minor.patch". Thread-safe.
WEIR_API const char *weir_version(void);
