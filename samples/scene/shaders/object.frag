// SPDX-License-Identifier: MIT
// The shapes' surfaces: one sun with a shadow, the sky as ambient and mirrored light, a pattern.
#include "view.glsl"
#include "light.glsl"
#include "film.glsl"
#include "display.glsl"

// enum pattern of scene.h
layout(constant_id = 1) const uint pattern = 0;
layout(constant_id = 2) const float mirror = 1.0;

layout(location = 0) in vec3 world;
layout(location = 1) in vec3 in_normal;
layout(location = 2) in vec2 texcoord;
layout(location = 3) flat in vec4 color_roughness;
layout(location = 4) flat in vec2 metal_glow;

layout(location = 0) out vec4 out_color;

// A line of `width` around each whole number of x, filtered over the texel.
float line(float x, float width)
{
    float w = max(fwidth(x), 1e-5), d = abs(fract(x - 0.5) - 0.5);
    return clamp((0.5 * width - d) / w + 0.5, 0.0, 1.0) * min(1.0, width / w);
}

// GGX with Schlick's Fresnel term and the visibility fit of Hammon 2017.
vec3 sun_specular(vec3 n, vec3 v, vec3 l, vec3 f0, float roughness)
{
    vec3 h = normalize(v + l);
    float a = roughness * roughness, nh = max(dot(n, h), 0.0), nl = max(dot(n, l), 0.0);
    float nv = max(dot(n, v), 1e-3), d = nh * nh * (a * a - 1.0) + 1.0;
    float ggx = a * a / (3.14159 * d * d);
    float visible = 0.5 / mix(2.0 * nl * nv, nl + nv, a);
    float away = 1.0 - max(dot(v, h), 0.0), away2 = away * away;
    vec3 fresnel = f0 + (1.0 - f0) * away2 * away2 * away;
    return fresnel * min(ggx * visible, 24.0) * nl;
}

void main()
{
    vec3 albedo = color_roughness.rgb, glow = albedo * metal_glow.y;
    float roughness = color_roughness.a, metal = metal_glow.x, shine = 1.0;
    vec3 eye = vec3(view.eye.x, mirror * view.eye.y, view.eye.z);
    vec3 n = normalize(in_normal), v = normalize(eye - world);
    float open = mix(0.35, 1.0, smoothstep(-0.2, 1.3, world.y + 0.5 * n.y));

    if (pattern == 1) {
        float thread = line(texcoord.x * 96.0 + texcoord.y * 3.0, 0.12);
        float band = smoothstep(0.44, 0.46, abs(fract(texcoord.y * 2.0 + texcoord.x * 6.0) - 0.5));
        albedo = mix(albedo, vec3(0.02, 0.10, 0.14), max(0.85 * thread, band));
        roughness = mix(roughness, 0.45, thread);
        metal = mix(metal, 0.0, band);
    } else if (pattern == 2) {
        vec2 edge = abs(texcoord - 0.5);
        float rim = smoothstep(0.36, 0.46, max(edge.x, edge.y));
        open *= n.y > 0.5 ? 0.60 + 1.0 * world.y : 0.24 + 1.3 * world.y;
        albedo *= n.y > 0.5 ? 1.0 + 0.7 * rim : 0.8;
        shine = 0.45;
    } else if (pattern == 3) {
        bool front = dot(n, view.forward.xyz) < -0.5;
        glow = front ? display(texcoord, view.seconds, view.number) * max(1.0, view.lamplight)
                     : vec3(0.0);
        shine = 0.25;
    }

    vec3 f0 = mix(vec3(0.04), albedo, metal);
    vec3 reflected = reflect(-v, n);
    float rim = 1.0 - max(dot(n, v), 0.0), rim2 = rim * rim;
    vec3 mirrored = sky(reflected, roughness);
    // Directions that point down reflect the pool in place of the sky.
    mirrored = mix(mirrored, vec3(0.02, 0.10, 0.15) * view.daylight,
                   smoothstep(0.05, -0.45, reflected.y) * 0.85);
    vec3 fresnel = f0 + (max(vec3(1.0 - roughness), f0) - f0) * rim2 * rim2 * rim;
    vec3 ambient = mix(vec3(0.14, 0.15, 0.18), vec3(0.46, 0.56, 0.80), 0.5 + 0.5 * n.y) *
                   view.daylight;
    float nl = max(dot(n, view.sun.xyz), 0.0), lit = sunlit(world, n) * min(1.0, 8.0 * nl);
    vec3 color = albedo * (1.0 - metal) * (ambient * open + sun_light() * lit * nl * 0.38);
    color += fresnel * mirrored * open * shine;
    color += sun_light() * lit * shine * sun_specular(n, v, view.sun.xyz, f0, max(roughness, 0.08));
    out_color = vec4(develop(color + glow), 1.0);
}
