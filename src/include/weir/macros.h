// SPDX-License-Identifier: MIT
// Macros for the other headers: functions of the API, its version, and structs as arguments.
#pragma once

// A function of the API: its linkage is that of C, and it is visible where a library hides others.
// The build of a library may say otherwise how.
#ifndef WEIR_VISIBLE
#ifdef __GNUC__
#define WEIR_VISIBLE __attribute__((visibility("default")))
#else
#define WEIR_VISIBLE
#endif
#endif
#ifdef __cplusplus
#define WEIR_API extern "C" WEIR_VISIBLE
#else
#define WEIR_API WEIR_VISIBLE
#endif

// The version of the API, which is also the number in the name of the shared library
// (libweir.so.2). It grows when programs must be recompiled (docs/api.md).
#define WEIR_API_VERSION 2

// Appends that version to the name of a function. weir_context_create() carries it, so a program
// neither links nor starts with a library of another version.
#define WEIR_JOIN_(name, version) name##_v##version
#define WEIR_JOIN(name, version) WEIR_JOIN_(name, version)
#define WEIR_VERSIONED(name) WEIR_JOIN(name, WEIR_API_VERSION)

// The source line of the caller, such as "file.c:123". The params macros put it into debug_tag,
// which becomes part of the debug name of every Vulkan object that the call creates.
#define WEIR_STRINGIZE_(x) #x
#define WEIR_STRINGIZE(x) WEIR_STRINGIZE_(x)
#define WEIR_DEBUG_TAG __FILE__ ":" WEIR_STRINGIZE(__LINE__)

// Makes a temporary struct with the given fields and gives a pointer to it, for use as an argument:
// weir_capture_frame(capture, WEIR_REF(weir_frame, .image = image), NULL). All other fields are
// zero. The struct lives until that call returns. In C++ fields must stand in the order of their
// declaration.
//
// WEIR_PARAMS does the same and fills in debug_tag. Each struct weir_x_params has a macro of its
// own name for it: weir_image_create(context, weir_image_params(.image = image, ...), &out).
#ifdef __cplusplus
template <typename T> inline const T *weir_address_of(const T &value)
{
    return &value;
}
#ifdef __GNUC__
// C++17 has designated initializers as an extension; a missing field is meant to be zero.
#define WEIR_REF(type, ...)                                                                        \
    (::weir_address_of<struct type>(__extension__({                                                \
        _Pragma("GCC diagnostic push");                                                            \
        _Pragma("GCC diagnostic ignored \"-Wpedantic\"");                                          \
        _Pragma("GCC diagnostic ignored \"-Wmissing-field-initializers\"");                        \
        struct type type##_value = {__VA_ARGS__};                                                  \
        _Pragma("GCC diagnostic pop");                                                             \
        type##_value;                                                                              \
    })))
#else // C++20
#define WEIR_REF(type, ...) (::weir_address_of<struct type>({__VA_ARGS__}))
#endif
#else
#define WEIR_REF(type, ...) (&(const struct type){__VA_ARGS__})
#endif
#define WEIR_PARAMS(type, ...) WEIR_REF(type, .debug_tag = WEIR_DEBUG_TAG, __VA_ARGS__)
