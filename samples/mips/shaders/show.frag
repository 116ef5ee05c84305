// SPDX-License-Identifier: MIT
// Shows a level of the pyramid, or all of them on a plane.
#include "film.glsl"

layout(set = 0, binding = 0) uniform sampler2D levels;
layout(set = 0, binding = 1) uniform sampler2D other; // by another method
layout(set = 0, binding = 2) uniform sampler2D exact; // from level 1 on

layout(push_constant) uniform Push {
    vec2 window;       // [texels]
    vec2 origin, size; // where the picture lies in the window [texels]
    int view, level, num_levels;
    uint codes; // not 0: the levels hold codes, else light
    float seconds;
};

layout(location = 0) out vec4 out_color;

const int FLAT = 0, SPLIT = 1, DIFFERENCE = 2, PLANE = 3;

vec3 code_of(vec3 value)
{
    return codes != 0u ? value : encode_srgb(value);
}

vec3 light_of(vec3 value)
{
    return codes != 0u ? decode_srgb(value) : value;
}

// Get the texel at a place of the picture, 0 .. 1, without a filter: texels are seen as they are.
vec3 texel(sampler2D from, vec2 at, int lod)
{
    const ivec2 side = textureSize(from, lod);
    return texelFetch(from, clamp(ivec2(at * vec2(side)), ivec2(0), side - 1), lod).rgb;
}

vec3 difference(vec2 at)
{
    const vec3 is = texel(levels, at, level);
    const vec3 should = level > 0 ? texel(exact, at, level - 1) : is;
    return min(16.0 * abs(code_of(is) - code_of(should)), 1.0);
}

// Get the colour of a level: the hues from red, near, to violet, far.
vec3 tint(int lod)
{
    const float hue = 0.8 * float(lod) / float(max(num_levels - 1, 1));
    const vec3 ramp = clamp(abs(fract(hue + vec3(1.0, 2.0 / 3.0, 1.0 / 3.0)) * 6.0 - 3.0) - 1.0,
                            0.0, 1.0);
    // The level that was chosen stands out.
    return mix(vec3(0.06), vec3(1.0), ramp * ramp) * (lod == level ? 1.9 : 0.8);
}

// A camera above a plane that is paved with the picture, turned at each edge.
const float HEIGHT = 1.0, TILE = 5.0;

// `at` is a direction: to the right, and up from the horizon, where the sun goes down.
const vec2 SUN = vec2(0.0, 0.045);

vec3 air(vec2 at)
{
    const vec3 low = vec3(0.80, 0.30, 0.18), high = vec3(0.008, 0.014, 0.050);
    const vec3 glow = vec3(1.0, 0.42, 0.14) * exp(-9.0 * length(at - SUN));
    return mix(low, high, 1.0 - exp(-8.0 * at.y)) + 0.6 * glow;
}

vec3 sky(vec2 at)
{
    return air(at) + vec3(1.6, 0.9, 0.45) * smoothstep(0.112, 0.109, length(at - SUN));
}

vec3 plane()
{
    const float per_texel = 1.1 / window.y;
    const vec2 view = (gl_FragCoord.xy - vec2(0.5, 0.36) * window) * per_texel;
    // x to the right, y down from the horizon, z forward.
    const vec3 ray = vec3(view, 1.0);
    if (ray.y <= 1e-4) {
        return sky(vec2(ray.x, -ray.y));
    }
    const float distance = HEIGHT / ray.y;
    const vec2 tile = TILE * vec2(1.0, size.y / size.x), picture = vec2(textureSize(levels, 0));
    const vec2 place = vec2(ray.x * distance, distance + 0.4 * seconds) / tile;
    // What a step of a texel of the window is in texels of the picture, across and down: the
    // derivatives of `place`. The longer one tells the level, as in the specification of Vulkan.
    const vec2 across = vec2(per_texel * distance, 0.0) / tile * picture;
    const vec2 down = per_texel * distance / ray.y * vec2(ray.x, 1.0) / tile * picture;
    const float lod = clamp(log2(max(length(across), length(down))), 0.0, float(num_levels - 1));

    const vec2 turned = 1.0 - abs(1.0 - mod(place, 2.0));
    const vec3 light = light_of(textureLod(levels, turned, lod).rgb);
    // The squares of the board are halves of a picture, blurred as it is.
    const vec2 board = 4.0 * place, blur = 4.0 * max(abs(across), abs(down)) / picture;
    const vec2 wave = clamp((abs(fract(board) - 0.5) - 0.25) / max(blur, 1e-3) * 2.0, -1.0, 1.0);
    const vec2 fade = clamp(2.0 - 2.0 * blur, 0.0, 1.0);
    const float square = 0.5 + 0.5 * wave.x * wave.y * fade.x * fade.y;

    const int near = int(lod);
    const vec3 color = mix(tint(near), tint(min(near + 1, num_levels - 1)), fract(lod));
    const vec3 ground = color * (0.05 + light) * mix(0.35, 1.2, square);
    return mix(ground, air(vec2(ray.x, 0.0)), 1.0 - exp(-0.006 * distance));
}

// The colours of the levels in a row, from the near one to the far one; the chosen one has a rim.
bool legend(out vec3 color)
{
    const float side = floor(window.y / 36.0), apart = side + 2.0;
    const vec2 at = gl_FragCoord.xy - vec2(side, window.y - 2.0 * side);
    const int lod = int(floor(at.x / apart));
    const vec2 inner = abs(at - vec2(float(lod) * apart, 0.0) - 0.5 * side);
    const float edge = 0.5 * side - max(inner.x, inner.y);
    color = edge < 0.0 ? vec3(0.0) : lod == level && edge < 2.0 ? vec3(1.0) : tint(lod);
    return lod >= 0 && lod < num_levels && edge > -3.0;
}

void main()
{
    const vec2 at = (gl_FragCoord.xy - origin) / size;
    const bool inside = all(greaterThanEqual(at, vec2(0.0))) && all(lessThan(at, vec2(1.0)));
    vec3 light = vec3(0.008, 0.009, 0.012);
    if (view == PLANE) {
        if (!legend(light)) {
            light = plane();
        }
        light = light / (1.0 + 0.25 * light);
    } else if (view == DIFFERENCE && inside) {
        light = decode_srgb(difference(at));
    } else if (view == SPLIT && abs(gl_FragCoord.x - 0.5 * window.x) < 1.0) {
        light = vec3(1.0, 0.35, 0.1);
    } else if (inside) {
        const bool right = view == SPLIT && gl_FragCoord.x > 0.5 * window.x;
        light = light_of(right ? texel(other, at, level) : texel(levels, at, level));
    }
    light = clamp(light, 0.0, 1.0);
    out_color = vec4(film == 1u ? encode_srgb(light) : light, 1.0);
}
