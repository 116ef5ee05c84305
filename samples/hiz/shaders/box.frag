// SPDX-License-Identifier: MIT
// The light of a box at dusk: of the sky, of street lamps, and of windows.
#include "dusk.glsl"

layout(location = 0) in vec3 position;
layout(location = 1) flat in vec3 normal;
layout(location = 2) flat in uvec3 kind; // and seed, and whether it is LOST
layout(location = 3) in vec3 ray; // from the eye

layout(location = 0) out vec4 out_light; // in a 1 where the box is LOST

const uint GROUND = 0u, HOUSE = 1u, PLAIN = 2u, LAMP = 3u, CAR = 4u; // enum box_kind
const vec3 lamplight = vec3(1.0, 0.56, 0.22);

float random(vec3 p)
{
    uvec3 q = uvec3(ivec3(p)) * uvec3(1597334673u, 3812015801u, 2798796415u);
    uint n = (q.x ^ q.y ^ q.z) * 1597334673u;
    return float((n ^ (n >> 15)) & 0xffffu) / 65536.0;
}

// The nearest lamp of the street along `along`: see add_street() of city.c.
float lamp(float across, float along)
{
    float street = 60.0 * round(across / 60.0);
    vec3 at = vec3(street + (across < street ? -5.1 : 5.1), 5.2,
                   30.0 * floor(along / 30.0) + 15.0);
    vec3 to = at - vec3(across, position.y, along);
    float far = dot(to, to);
    return 26.0 / (6.0 + far);
}

// Windows of a storey of 3.4 m, a few of them lit: the colour and the light of a wall.
void windows(vec2 at, float seed, inout vec3 color, inout vec3 light)
{
    vec2 cell = at / vec2(2.3, 3.4), inside = fract(cell), size = fwidth(cell);
    vec2 edge = max(size, 0.01);
    vec2 low = vec2(0.20, 0.28), high = vec2(0.80, 0.82);
    vec2 open = smoothstep(low - edge, low + edge, inside) *
                (1.0 - smoothstep(high - edge, high + edge, inside));
    float bar = smoothstep(0.012, 0.012 + edge.x, abs(inside.x - 0.5)); // between two panes
    float far = smoothstep(0.4, 1.2, max(size.x, size.y)); // windows melt into a mean
    float glass = mix(open.x * open.y * bar, 0.33, far);
    float chance = random(vec3(floor(cell), seed)), warmth = random(vec3(floor(cell) + 77.0, seed));
    float share = 0.10 + 0.34 * random(vec3(seed, 3.0, 5.0));
    float room = (0.45 + 0.75 * smoothstep(0.2, 0.9, inside.y)) * (0.3 + 0.9 * warmth * warmth);
    float lit = mix(chance < share ? room : 0.0, 0.55 * share, far);
    vec3 mirror = 0.22 * sky(normalize(reflect(ray, normal)));
    color = mix(color, vec3(0.02), glass);
    light += glass * (mirror + lit * mix(vec3(1.5, 0.68, 0.20), vec3(1.1, 0.95, 0.72), warmth));
}

// The light is what the wet road mirrors.
vec3 ground_color(inout vec3 light)
{
    vec2 local = position.xz - 60.0 * round(position.xz / 60.0), street = abs(local);
    float near = min(street.x, street.y);
    bool crossing = max(street.x, street.y) < 7.0;
    vec3 color = near < 5.0 ? vec3(0.08) : vec3(0.20, 0.19, 0.18);
    float along = street.x < street.y ? position.z : position.x;
    if (near < 0.09 && !crossing && fract(along / 6.0) < 0.5)
        color = vec3(0.6);
    if (near > 4.9 && near < 5.1)
        color = vec3(0.25);
    if (near < 4.9 || crossing) {
        vec3 at = normalize(ray);
        light += sky(reflect(at, vec3(0.0, 1.0, 0.0))) * (0.03 + 0.8 * pow(1.0 + at.y, 9.0));
    }
    return near < 7.0 ? color : vec3(0.09, 0.085, 0.075);
}

void main()
{
    float seed = float(kind.y % 1024u), shade = random(vec3(seed, 1.0, 2.0));
    vec3 color = vec3(0.30, 0.27, 0.24), light = vec3(0.0);
    if (kind.x == LAMP) {
        light = normal.y < 0.0 ? vec3(12.0, 7.5, 3.4) : vec3(3.0, 1.9, 0.9);
        color = vec3(0.0);
    } else if (kind.x == GROUND) {
        color = ground_color(light);
    } else if (kind.x == HOUSE) {
        color = mix(vec3(0.20, 0.13, 0.11), vec3(0.36, 0.37, 0.40), shade);
        float across = abs(normal.x) > 0.5 ? position.z : position.x;
        if (normal.y == 0.0)
            windows(vec2(across, position.y), seed + 3.0 * normal.x + 5.0 * normal.z, color, light);
    } else if (kind.x == CAR) {
        color = 0.5 * mix(vec3(0.6, 0.04, 0.03), vec3(0.12, 0.22, 0.32), shade);
    } else {
        color *= 0.6 + 0.8 * shade;
    }
    // The sky, darker deep between the houses, and the last of the sun on what is tall.
    float open = mix(0.25, 1.0, smoothstep(0.0, 60.0, position.y));
    vec3 sun = vec3(1.6, 0.62, 0.24) * smoothstep(18.0, 70.0, position.y) *
               max(dot(normal, normalize(vec3(0.25, 0.15, 1.0))), 0.0);
    vec3 above = vec3(0.30, 0.36, 0.58) * (0.6 + 0.4 * normal.y) * open;
    float lamps = lamp(position.x, position.z) + lamp(position.z, position.x);
    light += color * (sun + above + lamplight * lamps * (normal.y < 0.0 ? 0.3 : 1.0));
    out_light = vec4(light, float(kind.z >> 31));
}
