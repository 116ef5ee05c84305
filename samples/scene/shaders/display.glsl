// SPDX-License-Identifier: MIT
// The display in the scene: the name, the frame's number and a waveform, in texels of its own.

// 5x5 glyphs, a bit a texel, from the top left: 0 .. 9, then W, E, I, R.
const uint glyphs[14] =
    uint[14](0x0e8c62e, 0x046108e, 0x1e0ba1f, 0x1e0b83e, 0x1297c42,
             0x1f8783e, 0x0e87a2e, 0x1f08884, 0x0e8ba2e, 0x0e8bc2e,
             0x118d771, 0x1f87a1f, 0x0e2108e, 0x1e8fa51);

float glyph(uint which, vec2 at)
{
    if (any(lessThan(at, vec2(0.0))) || any(greaterThanEqual(at, vec2(5.0))))
        return 0.0;
    uint bit = 24u - uint(at.y) * 5u - uint(at.x);
    return float((glyphs[which] >> bit) & 1u);
}

float digits(uint number, vec2 at)
{
    uint place = uint(clamp(floor(at.x / 6.0), 0.0, 5.0));
    for (uint i = place; i < 5u; ++i)
        number /= 10u;
    return glyph(number % 10u, at - vec2(6.0 * float(place), 0.0));
}

// The light of the display's face at (0 .. 1, 0 .. 1) from the top left.
vec3 display(vec2 at, float seconds, uint number)
{
    vec2 p = at * vec2(96.0, 60.0), cell = fract(p) - 0.5;
    float dot_size = max(fwidth(p.x), fwidth(p.y));
    float dots = mix(smoothstep(0.48, 0.30, max(abs(cell.x), abs(cell.y))), 0.6,
                     smoothstep(0.25, 0.55, dot_size));
    vec2 name_at = (p - vec2(8.0, 8.0)) / 3.0;
    uint letter = uint(clamp(floor(name_at.x / 6.0), 0.0, 3.0));
    float name = glyph(10u + letter, name_at - vec2(6.0 * float(letter), 0.0));
    float count = digits(number, p - vec2(8.0, 28.0));
    float x = floor(p.x);
    float wave = 46.0 + 6.0 * sin(0.17 * x - 2.6 * seconds) * sin(0.045 * x + 0.7 * seconds);
    bool within = p.x > 8.0 && p.x < 88.0;
    float trace = within ? smoothstep(1.6, 0.2, abs(floor(p.y) + 0.5 - wave)) : 0.0;
    float red = length(p - vec2(85.5, 11.5)) < 2.6 ? 1.0 : 0.0;
    float axis = within && floor(p.y) == 46.0 && mod(x, 4.0) < 2.0 ? 0.12 : 0.0;
    vec3 light = vec3(1.0, 0.94, 0.82) * name + vec3(0.35, 0.85, 0.9) * (0.8 * count + axis);
    light += vec3(1.0, 0.55, 0.22) * trace + vec3(1.5, 0.10, 0.07) * red;
    return light * dots * 1.25 + vec3(0.004, 0.007, 0.010);
}
