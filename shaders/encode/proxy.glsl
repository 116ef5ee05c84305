// SPDX-License-Identifier: MIT
// The proxy: a picture of a half or a quarter of each side, whose texels are means of 2x2 or 4x4 as
// the encoder reads them, before dither. An invocation writes those of its block.
// tests/ref/proxy.c defines it.
//
// Requires GL_EXT_control_flow_attributes, encode/region.glsl, color/source.glsl, and the feature
// shaderStorageImageWriteWithoutFormat.

#include "encode/proxy_curve.glsl"

layout(constant_id = WEIR_ENCODE_CONSTANT_PROXY) const uint PROXY_KIND = WEIR_ENCODE_PROXY_LIGHT;
layout(constant_id = WEIR_ENCODE_CONSTANT_PROXY_LEVEL) const uint PROXY_LEVEL = 2u;

layout(set = WEIR_ENCODE_SET_PROXY, binding = 0) uniform writeonly image2D proxy;

const bool SOURCE_IS_LIGHT = WEIR_SOURCE_IS_LIGHT(SOURCE_KIND);
const bool IS_CURVED = PROXY_KIND == WEIR_ENCODE_PROXY_LIGHT && !SOURCE_IS_LIGHT;

vec3 encode_light(vec3 light)
{
    return vec3(srgb_encode(light.r), srgb_encode(light.g), srgb_encode(light.b)) / 261120.0;
}

// Get what is averaged of a texel.
vec4 averaged(vec4 texel)
{
    if (SOURCE_KIND == WEIR_SOURCE_FLOAT || SOURCE_KIND == WEIR_SOURCE_LINEAR) {
        texel = vec4(clip(texel.r), clip(texel.g), clip(texel.b), clip(texel.a));
    }
    return vec4(IS_CURVED ? curve(texel.rgb) : texel.rgb, texel.a);
}

void store_mean(uvec2 place, vec4 mean, bool has_alpha)
{
    const vec3 rgb = IS_CURVED ? uncurve(mean.rgb)
                               : SOURCE_IS_LIGHT ? encode_light(mean.rgb) : mean.rgb;
    imageStore(proxy, ivec2(place), vec4(rgb, has_alpha ? mean.a : 1.0));
}

// `has_alpha`: the blocks hold alpha. A constant.
void write_proxy(uvec2 block, vec4 texels[16], bool has_alpha)
{
    const uvec2 first = uvec2(block.x, block.y + push.proxy_row);
    if (PROXY_LEVEL == 2u) {
        vec4 sum = vec4(0.0);
        [[unroll]] for (uint i = 0u; i < 16u; i++) {
            sum += averaged(texels[i]);
        }
        store_mean(first, sum * (1.0 / 16.0), has_alpha);
        return;
    }
    [[unroll]] for (uint q = 0u; q < 4u; q++) {
        const uvec2 quad = uvec2(q & 1u, q >> 1);
        const uint t = 8u * quad.y + 2u * quad.x;
        const vec4 sum = averaged(texels[t]) + averaged(texels[t + 1u]) +
                         averaged(texels[t + 4u]) + averaged(texels[t + 5u]);
        if (all(lessThan(4u * block + 2u * quad, push.size))) {
            store_mean(2u * first + quad, sum * (1.0 / 4.0), has_alpha);
        }
    }
}
