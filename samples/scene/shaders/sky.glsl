// SPDX-License-Identifier: MIT
// The light of the sky. It is included where `view` has `glow` and `daylight`.

// Linear light of an evening sky in direction d; below the horizon it is mirrored, which is what a
// glossy floor shows. A rough surface sees it blurred (0 .. 1).
vec3 sky(vec3 d, float blur)
{
    float h = abs(d.y);
    vec3 high = vec3(0.035, 0.110, 0.36), middle = vec3(0.13, 0.30, 0.62);
    vec3 low = vec3(1.15, 0.50, 0.26);
    vec3 color = mix(middle, high, smoothstep(0.0, 0.50, h));
    color = mix(color, low, exp2(-h * mix(19.0, 6.0, blur)));
    float to_sun = max(dot(d, view.glow.xyz), 0.0);
    float x2 = to_sun * to_sun, x4 = x2 * x2, x8 = x4 * x4, x32 = x8 * x8 * x8 * x8;
    float disc = (1.0 - blur) * (0.5 * x32 + 1.2 * x32 * x32 * x32);
    color += vec3(1.0, 0.48, 0.20) * (0.38 * x8 + disc);
    return color * view.daylight;
}
