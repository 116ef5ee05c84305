// SPDX-License-Identifier: MIT
// The program that README.md shows, for its host.
#pragma once

#include <weir/context.h>
#include <weir/result.h>

#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

// Record the frames of the engine until its end, or until its window has another size.
enum weir_result record(struct engine *e, const struct weir_context_params *vulkan,
                        const char *path);

#ifdef __cplusplus
}
#endif
