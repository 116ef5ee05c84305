// SPDX-License-Identifier: MIT
// The proxy: a picture of a texel a block, which is the mean of the block's texels as the encoder
// reads them, before dither. An invocation writes the texel of its block. tests/ref/proxy.c defines
// it.
//
// Requires GL_EXT_control_flow_attributes, encode/region.glsl, color/source.glsl, and the feature
// shaderStorageImageWriteWithoutFormat.

#include "encode/proxy_curve.glsl"

layout(constant_id = WEIR_ENCODE_CONSTANT_PROXY) const uint PROXY_KIND = WEIR_ENCODE_PROXY_LIGHT;

layout(set = WEIR_ENCODE_SET_PROXY, binding = 0) uniform writeonly image2D proxy;

const bool SOURCE_IS_LIGHT = WEIR_SOURCE_IS_LIGHT(SOURCE_KIND);

vec3 encode_light(vec3 light)
{
    return vec3(srgb_encode(light.r), srgb_encode(light.g), srgb_encode(light.b)) / 261120.0;
}

vec4 source_value(vec4 texel)
{
    if (SOURCE_KIND == WEIR_SOURCE_FLOAT || SOURCE_KIND == WEIR_SOURCE_LINEAR) {
        return vec4(clip(texel.r), clip(texel.g), clip(texel.b), clip(texel.a));
    }
    return texel;
}

// `has_alpha`: the blocks hold alpha. A constant.
void write_proxy(uvec2 block, vec4 texels[16], bool has_alpha)
{
    const bool is_curved = PROXY_KIND == WEIR_ENCODE_PROXY_LIGHT && !SOURCE_IS_LIGHT;
    vec4 sum = vec4(0.0);
    [[unroll]] for (uint i = 0u; i < 16u; i++) {
        const vec4 value = source_value(texels[i]);
        sum += vec4(is_curved ? curve(value.rgb) : value.rgb, value.a);
    }
    const vec4 mean = sum * (1.0 / 16.0);
    const vec3 rgb = is_curved ? uncurve(mean.rgb)
                               : SOURCE_IS_LIGHT ? encode_light(mean.rgb) : mean.rgb;
    const ivec2 place = ivec2(block.x, block.y + push.proxy_row);
    imageStore(proxy, place, vec4(rgb, has_alpha ? mean.a : 1.0));
}
