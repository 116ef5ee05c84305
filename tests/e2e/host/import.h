// SPDX-License-Identifier: MIT
// The engine's device as Weir imports it.
#ifndef WEIR_TESTS_E2E_HOST_IMPORT_H
#define WEIR_TESTS_E2E_HOST_IMPORT_H

#include <weir/context.h>

#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

// Get the params of a context on the engine's device. They point into the engine.
struct weir_context_params import_params(const struct engine *e);

#ifdef __cplusplus
}
#endif

#endif
