// SPDX-License-Identifier: MIT
// Looks up the light that the floor mirrors: of the picture where its ray ends, of the sky where
// the ray leaves the picture.
//
// An invocation makes a texel. A rough floor mirrors a cone of rays, and the farther a ray goes the
// more of the picture the cone covers. Its taps read the level whose texels are as wide as the taps
// are apart: no noise and no gaps. Seen at a grazing angle the cone is taller than wide, which
// draws lights into streaks.
//
// Methods: Y. Uludag, "Hi-Z screen-space cone-traced reflections", GPU Pro 5, 2014; the rays of
// neighbours are T. Stachowiak's ("Stochastic screen-space reflections", 2015).

layout(local_size_x = 8, local_size_y = 8) in;

layout(set = 0, binding = 0) uniform sampler2D light;  // alpha: 1 less what is mirrored
layout(set = 0, binding = 1) uniform sampler2D colors; // its means; level 0 is half as large
layout(set = 0, binding = 2) uniform sampler2D hits;   // place, length of the ray, steps
layout(set = 0, binding = 3) uniform writeonly image2D reflection;

layout(push_constant) uniform Push {
    vec4 eye, right, up, forward; // right and up reach to the edges of the picture
    vec4 glow;
    float daylight, roughness;
    bool reflects, shows_steps;
} view;

#include "floor_ray.glsl"
#include "sky.glsl"

const int NUM_TAPS = 32;
const float GOLDEN_RATIO = 0.61803399;
const float FADE = 0.10; // the share of the picture at its edges over which reflections end

vec3 mean_light(vec2 at, float level)
{
    if (level >= 1.0) {
        return textureLod(colors, at, level - 1.0).rgb;
    }
    return mix(textureLod(light, at, 0.0).rgb, textureLod(colors, at, 0.0).rgb, level);
}

// Get half the angle of the cone in which most of a surface's reflections lie, as a tangent.
// `roughness` squared is the width of GGX (B. Karis, 2013), which is Phong's power 2 / width^2 - 2
// (B. Walter, 2007), which keeps its light within acos(0.244^(1 / (power + 1))) (Y. Uludag).
float cone(float roughness)
{
    const float width = roughness * roughness;
    const float power = 2.0 / max(width * width, 1e-7) - 2.0;
    const float cosine = pow(0.244, 1.0 / (power + 1.0));
    return sqrt(max(1.0 - cosine * cosine, 0.0)) / cosine;
}

// Get the light where a ray ends. Towards the edges of the picture it becomes that of the sky.
vec3 hit_light(vec2 at, float level, vec3 sky_light)
{
    const vec2 edge = smoothstep(0.0, FADE, min(at, 1.0 - at));
    return mix(sky_light, mean_light(at, level), edge.x * edge.y);
}

// The cone of a texel is made of the rays of its neighbours: the mirror image lies behind the floor
// as things lie above it, and a neighbour's ray ends beside the texel's own. A tap counts if its
// own cone reaches the texel, so that what touches the floor is mirrored sharply.
vec3 cone_light(FloorRay ray, ivec2 position, vec3 sky_light)
{
    const ivec2 last = textureSize(light, 0) - 1;
    const vec4 own = texelFetch(hits, position, 0);
    // A cone's radius in the picture is `slope * z / (away + z * ahead)` [texels], z in `hits`.
    const vec3 look = ray.origin - view.eye.xyz;
    const float away = dot(look, view.forward.xyz), ahead = away / length(look);
    const float slope = 0.5 * float(last.y + 1) / length(view.up.xyz) * cone(view.roughness);
    const float radius = slope * own.z / (away + own.z * ahead);
    if (radius < 0.5) {
        return hit_light(own.xy, 0.0, sky_light);
    }
    // A slope of the floor towards the camera turns the ray by twice that, and one sideways by that
    // times the sine of the ray's height.
    const vec2 axes = 1.5 * radius * vec2(max(ray.direction.y, 0.15), 1.0);
    const float level = max(log2(2.8 * sqrt(axes.x * axes.y / float(NUM_TAPS))), 0.0);
    vec3 sum = vec3(0.0);
    float weights = 0.0;
    for (int i = 0; i < NUM_TAPS; ++i) {
        // A lattice by the golden ratio, whose points are apart alike however tall the cone is. The
        // middle one is the texel's own.
        const float turn = float(i - NUM_TAPS / 2);
        const float across = fract(GOLDEN_RATIO * turn + 0.5) - 0.5;
        const vec2 place = 2.0 * vec2(across, turn / float(NUM_TAPS));
        const ivec2 tap = position + ivec2(round(place * axes));
        const vec4 hit = texelFetch(hits, clamp(tap, ivec2(0), last), 0);
        const float reach = 1.5 * slope * hit.z / (away + hit.z * ahead);
        const float reaches = clamp(reach - length(place) * axes.y + 1.0, 0.0, 1.0);
        const float weight = hit.w > 0.0 ? exp(-2.25 * dot(place, place)) * reaches : 0.0;
        sum += weight * hit_light(hit.xy, min(level, log2(reach + 1.0)), sky_light);
        weights += weight;
    }
    return sum / weights;
}

// From blue, 4 steps, over green and yellow to red, 512.
vec3 step_color(float num_steps)
{
    const float x = clamp(log2(num_steps) / 7.0 - 2.0 / 7.0, 0.0, 1.0);
    return clamp(vec3(3.0 * x - 1.0, 1.5 - abs(3.0 * x - 1.5), 1.0 - 3.0 * x), 0.0, 1.0);
}

void main()
{
    const ivec2 size = imageSize(reflection), position = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(position, size))) {
        return;
    }
    const float share = 1.0 - texelFetch(light, position, 0).a;
    const vec2 at = (vec2(position) + 0.5) / vec2(size);
    FloorRay ray;
    vec3 mirrored = vec3(0.0);
    if (share > 0.0 && floor_ray(at, ray)) {
        mirrored = sky(ray.direction, view.roughness);
        if (view.shows_steps) {
            mirrored = step_color(texelFetch(hits, position, 0).w) / share;
        } else if (view.reflects) {
            mirrored = cone_light(ray, position, mirrored);
        }
    }
    imageStore(reflection, position, vec4(share * mirrored, 1.0));
}
