// SPDX-License-Identifier: MIT
// The floor: polished tiles with fine lines, blended over the mirror images that were drawn before.
#include "view.glsl"
#include "light.glsl"
#include "film.glsl"

layout(location = 0) in vec3 world;
layout(location = 0) out vec4 out_color;

// Get the mean, over a footprint of width w, of a function that is 1 and -1 in turn on units of
// length 1. It is a difference of the function's integral, which is a triangle wave.
vec2 tiles(vec2 p, vec2 w)
{
    vec2 a = abs(fract((p - 0.5 * w) * 0.5) - 0.5), b = abs(fract((p + 0.5 * w) * 0.5) - 0.5);
    return 2.0 * (a - b) / w;
}

float lines(vec2 p, vec2 w, float width)
{
    vec2 d = abs(fract(p - 0.5) - 0.5);
    vec2 cover = clamp((0.5 * width - d) / w + 0.5, 0.0, 1.0) * min(vec2(1.0), width / w);
    cover = mix(cover, vec2(width), smoothstep(0.4, 1.0, w));
    return max(cover.x, cover.y);
}

void main()
{
    vec2 p = world.xz * 1.25, w = max(fwidth(p), vec2(1e-4));
    vec2 t = tiles(p, w);
    float checker = 0.5 - 0.5 * t.x * t.y;
    vec3 albedo = mix(vec3(0.016, 0.019, 0.028), vec3(0.115, 0.108, 0.108), checker);
    albedo = mix(albedo, vec3(0.42, 0.30, 0.20), 0.8 * lines(p, w, 0.02));
    albedo = mix(albedo, vec3(0.20, 0.19, 0.19), 0.30 * lines(p * 8.0, w * 8.0, 0.06));

    float open = 1.0;
    for (int i = 0; i < 6; ++i) {
        vec3 to = view.blobs[i].xyz - world;
        float squared = dot(to, to), r = view.blobs[i].w;
        // The share of the sky that a sphere hides over a level floor: cosine times solid angle.
        open *= 1.0 - min(0.95, r * r * to.y * inversesqrt(squared) / squared * 1.1);
    }
    open *= mix(0.30, 1.0, smoothstep(3.15, 4.0, length(world.xz)));
    vec3 ray = view.eye.xyz - world;
    float distance = length(ray);
    vec3 n = vec3(0.0, 1.0, 0.0), v = ray / distance;
    float lit = sunlit(world, n);
    vec3 color = albedo * (vec3(0.34, 0.40, 0.54) * view.daylight * open +
                           sun_light() * lit * view.sun.y * 0.36);
    float rim = 1.0 - max(v.y, 0.0), rim2 = rim * rim;
    float fresnel = 0.10 + 0.62 * rim2 * rim2;
    float far = smoothstep(9.0, 42.0, distance);
    out_color = vec4(develop(color), (1.0 - fresnel) * (1.0 - far));
}
