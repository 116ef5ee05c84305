// SPDX-License-Identifier: MIT
// Constants of pyramid kernels that C and GLSL share.
#ifndef WEIR_PYRAMID_CONSTANTS_H
#define WEIR_PYRAMID_CONSTANTS_H

// The version of the interface between the library and a kernel that a program compiles itself. It
// grows when bindings, push constants, specialization constants or the functions of
// weir/pyramid_custom.glsl change, so that such a kernel must be compiled again.
#define WEIR_PYRAMID_CUSTOM_VERSION 1

// The specialization constant whose default value is the version that a kernel was compiled for.
#define WEIR_PYRAMID_CUSTOM_VERSION_ID 31

#endif
