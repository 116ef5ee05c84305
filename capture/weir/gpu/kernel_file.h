// SPDX-License-Identifier: MIT
// Contexts whose compiled kernels lie in a file of the user's cache folder, one for each device and
// driver. Without the file, or a folder for it, kernels are compiled at every start: that is no
// failure, and nothing says it.
#pragma once

#include <limits.h>
#include <stddef.h>

#include <weir/context.h>

struct weir_kernel_file {
    char path[PATH_MAX]; // "": there is no folder
    size_t size;         // of the kernels that the context began with [bytes]
};

// Create a context with the kernels in the file, if that is this user's and nobody else may write
// it. `params` without a cache. Errors: those of weir_context_create().
enum weir_result weir_kernel_file_create(struct weir_kernel_file *file,
                                         const struct weir_context_params *params,
                                         weir_context **out);

// Write the kernels of the context if there are more than it began with, and destroy it. NULL is
// allowed. Programs that do so at the same time replace each other's file.
void weir_kernel_file_destroy(struct weir_kernel_file *file, weir_context **context);
