// SPDX-License-Identifier: MIT
// Colours of the textures of a HAP frame, as libweir-play makes them (weir/play.h), or as any HAP
// player uploads them: BC1, BC3, BC4, BC7 and BC6H in formats without sRGB.
//
//     layout(binding = 0) uniform sampler2D first;  // filter and address mode as you like
//     layout(binding = 1) uniform sampler2D second; // of HAP Q Alpha; else the first once more
//     ...
//     vec4 color = weir_hap_sample(weir_play_info.color, first, second, uv);
//
// The result are sRGB code values and alpha, or linear light with WEIR_HAP_LINEAR. Alpha alone is
// shown as grey.
//
// Source: HAP Video specification (github.com/Vidvox/hap, documentation/HapVideoDRAFT.md); J.M.P.
// van Waveren, I. Castano, "Real-Time YCoCg-DXT Compression" (2007).
#ifndef WEIR_HAP_GLSL
#define WEIR_HAP_GLSL

// enum weir_play_color.
const uint WEIR_HAP_RGB = 0u;
const uint WEIR_HAP_RGBA = 1u;
const uint WEIR_HAP_YCOCG = 2u;
const uint WEIR_HAP_YCOCG_ALPHA = 3u;
const uint WEIR_HAP_ALPHA = 4u;
const uint WEIR_HAP_LINEAR = 5u;

// Blue holds the scale less one in five bits, which devices widen in more than one way: it is
// rounded. So this is for texels, and not for what a sampler has filtered.
vec3 weir_ycocg_decode(vec4 texel)
{
    const float scale = floor(texel.b * 31.0 + 0.5) + 1.0;
    const vec2 chroma = (texel.rg - 128.0 / 255.0) / scale; // Co, Cg
    const float middle = texel.a - chroma.y;
    return clamp(vec3(middle + chroma.x, texel.a + chroma.y, middle - chroma.x), 0.0, 1.0);
}

// The colour of one texel; `second` is read with WEIR_HAP_YCOCG_ALPHA only.
vec4 weir_hap_decode(uint color, vec4 first, vec4 second)
{
    if (color == WEIR_HAP_YCOCG || color == WEIR_HAP_YCOCG_ALPHA) {
        return vec4(weir_ycocg_decode(first), color == WEIR_HAP_YCOCG ? 1.0 : second.r);
    }
    const vec3 rgb = color == WEIR_HAP_ALPHA ? first.rrr : first.rgb;
    return vec4(rgb, color == WEIR_HAP_RGBA ? first.a : 1.0);
}

vec4 weir_hap_fetch(uint color, sampler2D first, sampler2D second, ivec2 at, ivec2 last)
{
    at = clamp(at, ivec2(0), last);
    const vec4 alpha = color == WEIR_HAP_YCOCG_ALPHA ? texelFetch(second, at, 0) : vec4(1.0);
    return weir_hap_decode(color, texelFetch(first, at, 0), alpha);
}

// The colour at a place of 0 .. 1, between texels. Scaled YCoCg is decoded before it is filtered,
// as the scales of neighbouring blocks differ.
vec4 weir_hap_sample(uint color, sampler2D first, sampler2D second, vec2 uv)
{
    if (color != WEIR_HAP_YCOCG && color != WEIR_HAP_YCOCG_ALPHA) {
        return weir_hap_decode(color, textureLod(first, uv, 0.0), vec4(1.0));
    }
    const ivec2 last = textureSize(first, 0) - 1;
    const vec2 at = uv * vec2(last + 1) - 0.5;
    const ivec2 corner = ivec2(floor(at));
    const vec2 part = at - vec2(corner);
    const vec4 top = mix(weir_hap_fetch(color, first, second, corner, last),
                         weir_hap_fetch(color, first, second, corner + ivec2(1, 0), last), part.x);
    const vec4 bottom = mix(weir_hap_fetch(color, first, second, corner + ivec2(0, 1), last),
                            weir_hap_fetch(color, first, second, corner + 1, last), part.x);
    return mix(top, bottom, part.y);
}

#endif
