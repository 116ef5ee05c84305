// SPDX-License-Identifier: MIT
// Includes all of the one-dispatch kernel in the order that it needs, for single.comp and kernels
// that include weir/pyramid_custom.glsl.
//
// Paths are relative to this file, not to the root of shaders/, because the installed files lie in
// another folder.
#include "interface.glsl"
#include "reduction.glsl"
#include "taps.glsl"
#include "base.glsl"
#include "stage.glsl"
#include "tile.glsl"
#include "columns.glsl"
#include "first_stage.glsl"
#include "hand_over.glsl"
#ifdef SHUFFLE
#include "even_stage.glsl"
#endif
#include "single.glsl"
