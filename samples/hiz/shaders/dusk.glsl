// SPDX-License-Identifier: MIT
// The sky at dusk: glowing in the west, where the sun has just set.

vec3 sky(vec3 ray)
{
    float west = 0.5 + 0.5 * dot(normalize(ray.xz + 1e-6), normalize(vec2(0.25, 1.0)));
    float height = max(ray.y, 0.0);
    vec3 horizon = mix(vec3(0.20, 0.20, 0.34), vec3(1.5, 0.55, 0.22), west * west * west);
    vec3 zenith = vec3(0.025, 0.055, 0.16);
    return mix(horizon, zenith, 1.0 - exp(-3.2 * height));
}
