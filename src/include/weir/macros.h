// SPDX-License-Identifier: MIT
// What the other headers are made of: visibility, the version of the API, structs as arguments.
#ifndef WEIR_MACROS_H
#define WEIR_MACROS_H

#ifndef WEIR_API
#define WEIR_API __attribute__((visibility("default")))
#endif

// The version of the API: what these headers promise, and the number in the name of the shared
// library (libweir.so.1). It grows when a program must be compiled again. docs/api.md has the rules.
#define WEIR_API_VERSION 1

// The name of a function with that number. weir_context_create() carries it, so that a program does
// not link or start with a library of another version.
#define WEIR_JOIN_(name, version) name##_v##version
#define WEIR_JOIN(name, version) WEIR_JOIN_(name, version)
#define WEIR_VERSIONED(name) WEIR_JOIN(name, WEIR_API_VERSION)

// "file.c:123", the caller's place: the params macros put it into debug_tag, and every Vulkan object
// that the call creates carries it in its name.
#define WEIR_STRINGIZE_(x) #x
#define WEIR_STRINGIZE(x) WEIR_STRINGIZE_(x)
#define WEIR_DEBUG_TAG __FILE__ ":" WEIR_STRINGIZE(__LINE__)

// A pointer to a struct of Weir's with the given fields, which lives until the call that it is an
// argument of returns: weir_capture_frame(capture, WEIR_REF(weir_frame, .image = image), NULL).
// Fields that are not named are zero. In C++ fields stand in the order of their declaration.
//
// WEIR_PARAMS does the same and fills in debug_tag. Each struct weir_x_params has a macro of its name
// for it: weir_image_create(context, weir_image_params(.image = image, ...), &out).
#ifdef __cplusplus
template <typename T> inline const T *weir_address_of(const T &value)
{
    return &value;
}
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
#else
#define WEIR_REF(type, ...) (&(const struct type){__VA_ARGS__})
#endif
#define WEIR_PARAMS(type, ...) WEIR_REF(type, .debug_tag = WEIR_DEBUG_TAG, __VA_ARGS__)

#endif
