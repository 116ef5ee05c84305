// SPDX-License-Identifier: MIT
// The version of the headers, and of the library that a program runs with.
#ifndef WEIR_VERSION_H
#define WEIR_VERSION_H

#include <stdint.h>

#include <weir/result.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WEIR_VERSION_MAJOR 0
#define WEIR_VERSION_MINOR 1
#define WEIR_VERSION_PATCH 0
#define WEIR_VERSION_STRING "0.1.0"

// The library's version as text, "major.minor.patch". Thread-safe.
WEIR_API const char *weir_version(void);

// "file.c:123", the caller's place: the params macros put it into debug_tag, and every Vulkan
// object that the call creates carries it in its name.
#define WEIR_STRINGIZE_(x) #x
#define WEIR_STRINGIZE(x) WEIR_STRINGIZE_(x)
#define WEIR_DEBUG_TAG __FILE__ ":" WEIR_STRINGIZE(__LINE__)

#ifdef __cplusplus
}
#endif
#endif
