// SPDX-License-Identifier: MIT
// Blurs a field: sums up the light that reaches a texel from its circle of confusion.
//
// An invocation makes a texel of a layer (z: 0 is behind the focus, 1 in front of it), at half the
// picture's size. Its taps lie on a spiral; each reads the level of the pyramid whose texels are as
// wide as the taps are apart. A tap counts where its own circle reaches the texel, and the more,
// the smaller that circle is: light is spread, not multiplied.

layout(local_size_x = 8, local_size_y = 8) in;

layout(set = 0, binding = 0) uniform sampler2D coc;         // level 0 is as large as the picture
layout(set = 0, binding = 1) uniform sampler2DArray fields; // level 0 is half as large
layout(set = 0, binding = 2) uniform writeonly image2DArray blurred;

layout(push_constant) uniform Push {
    int tile_level; // the level of `coc` whose texels are tiles; light reaches at most two further
};

const int NUM_TAPS = 48;
const float GOLDEN_ANGLE = 2.39996323;
const float MIN_RADIUS = 0.25; // the fields are empty below it [texels of level 0 of `fields`]

// Get the radius of the largest circle in front of the focus that can reach `at` [texels of level 0
// of `fields`]. A tile's circles count in full up to their radius away from it, and then less and
// less up to 1.25 of it. So the radius has no step from texel to texel, and neither has the blur.
float near_radius(vec2 at)
{
    const vec2 size = vec2(textureSize(coc, tile_level)), position = at * size;
    const vec2 tile_size = vec2(textureSize(fields, 0).xy) / size;
    float radius = 0.0;
    for (int y = -2; y <= 2; ++y) {
        for (int x = -2; x <= 2; ++x) {
            const vec2 tile = clamp(floor(position) + vec2(x, y), vec2(0.0), size - 1.0);
            const vec2 away = max(abs(position - tile - 0.5) - 0.5, 0.0) * tile_size;
            const float own = -0.5 * texelFetch(coc, ivec2(tile), tile_level).r;
            radius = max(radius, min(own, 5.0 * own - 4.0 * length(away)));
        }
    }
    return radius;
}

// The premultiplied light, and in alpha its amount, that reaches a place from a circle around it.
// `smaller` comes from things whose own circles are smaller than that circle, `rest` from the rest.
struct Reaching {
    vec4 smaller, rest;
};

// Gather the light of the circles that are at most `radius` large. The rim of a circle is as soft
// as the taps are apart, and centred on its radius. So a circle's size and its light are the same
// whatever `radius` is.
Reaching gather(vec2 at, float radius, int layer)
{
    const vec2 texel = 1.0 / vec2(textureSize(fields, 0).xy);
    const float reach = 1.15 * radius + 0.5; // with the outer half of the rim
    const float apart = reach * sqrt(3.14159265 / float(NUM_TAPS)), rim = max(apart, 1.0);
    const float level = max(log2(1.4 * apart), 0.0);
    Reaching sum = Reaching(vec4(0.0), vec4(0.0));
    for (int i = 0; i < NUM_TAPS; ++i) {
        const float distance = reach * sqrt((float(i) + 0.5) / float(NUM_TAPS));
        const float angle = GOLDEN_ANGLE * float(i);
        const vec2 tap = at + distance * vec2(cos(angle), sin(angle)) * texel;
        // The circle of the nearest thing there, which is in front of the others.
        const float nearest = 0.5 * textureLod(coc, tap, level + 1.0).r;
        const float own = max(layer == 0 ? nearest : -nearest, 0.0);
        const float reaches = clamp((own - distance) / rim + 0.5, 0.0, 1.0);
        // The area of the taps to the area of the circle, the integral of `reaches` / pi.
        const float spread = reach * reach / (own * own + rim * rim / 12.0);
        const vec4 light = textureLod(fields, vec3(tap, layer), level) * (reaches * spread);
        const float is_smaller = smoothstep(1.1, 1.5, radius / max(own, MIN_RADIUS));
        sum.smaller += light * is_smaller / float(NUM_TAPS);
        sum.rest += light * (1.0 - is_smaller) / float(NUM_TAPS);
    }
    return sum;
}

vec4 blur_far(vec2 at)
{
    const float radius = 0.5 * textureLod(coc, at, 2.0).g;
    if (radius < MIN_RADIUS) {
        return vec4(0.0);
    }
    const Reaching sum = gather(at, radius, 0);
    // Things with smaller circles are nearer, and hide their share of the things behind them.
    const float hidden = min(sum.smaller.a, 1.0);
    vec4 light = sum.smaller / max(sum.smaller.a, 1.0);
    light += (1.0 - hidden) * (sum.rest.a > 0.0 ? sum.rest / sum.rest.a : vec4(0.0));
    // If everything around is sharp, the texel itself is left.
    light = light.a > 1e-3 ? light : textureLod(fields, vec3(at, 0.0), 0.0);
    return light.a > 0.0 ? vec4(light.rgb / light.a, 1.0) : vec4(0.0);
}

// Blur the field in front of the focus. At the edge of a thing half the circle is covered. From the
// edge inwards the thing hides everything behind it, as the picture does not show that. What is
// thinner than its circle covers less than half of it, and is made to hide nearly all too, so that
// its blur does not end in a step at its edge.
vec4 blur_near(vec2 at)
{
    const float radius = near_radius(at);
    if (radius < MIN_RADIUS) {
        return vec4(0.0);
    }
    const Reaching reaching = gather(at, radius, 1);
    const vec4 sum = reaching.smaller + reaching.rest;
    const float open = 1.0 - min(2.0 * sum.a, 1.0);
    return sum.a > 1e-3 ? vec4(sum.rgb / sum.a, 1.0) * (1.0 - open * sqrt(open)) : vec4(0.0);
}

void main()
{
    const ivec3 size = imageSize(blurred), position = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(position, size))) {
        return;
    }
    const vec2 at = (vec2(position.xy) + 0.5) / vec2(size.xy);
    imageStore(blurred, position, position.z == 0 ? blur_far(at) : blur_near(at));
}
