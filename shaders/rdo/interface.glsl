// SPDX-License-Identifier: MIT
// The bindings and constants of the kernels of rate-distortion optimisation: src/rdo/rdo.c.
//
// The includer defines WORDS, the type of a block.
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_samplerless_texture_functions : require

#include "rdo/constants.h"

layout(local_size_x = WEIR_RDO_WINDOW) in;

layout(constant_id = WEIR_RDO_CONSTANT_SOURCE_KIND) const uint SOURCE_KIND = 0u;
layout(constant_id = WEIR_RDO_CONSTANT_DITHER) const bool DITHER = true;
layout(constant_id = WEIR_RDO_CONSTANT_CONTROL) const bool CONTROL = false;
layout(constant_id = WEIR_RDO_CONSTANT_TEXTURE) const bool TEXTURE = false;

layout(set = WEIR_RDO_SET_SOURCE, binding = 0) uniform texture2DArray source;
layout(set = WEIR_RDO_SET_BUFFER, binding = 0, std430) buffer Blocks {
    WORDS blocks[];
} destination;

layout(push_constant) uniform Push {
#include "rdo/push.glsl"
} push;

#include "color/source.glsl"
#include "rdo/snappy.glsl"
#include "rdo/choice.glsl"
#include "rdo/window.glsl"
