// SPDX-License-Identifier: MIT
// What of a texel's light glows, and how much it counts among its neighbours.

vec3 glowing(vec3 light, float threshold, float knee)
{
    const float bright = max(light.r, max(light.g, light.b));
    // A parabola over the knee, then a line: no edge where the glow begins.
    const float rise = clamp(bright - threshold + knee, 0.0, 2.0 * knee);
    const float excess = max(rise * rise / (4.0 * knee), bright - threshold);
    return light * (excess / max(bright, 1e-4));
}

// B. Karis, "Tone mapping", 2013: a single bright texel does not win over its neighbours.
float weight_of(vec3 light)
{
    return 1.0 / (1.0 + dot(light, vec3(0.2126, 0.7152, 0.0722)));
}
