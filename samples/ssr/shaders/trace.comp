// SPDX-License-Identifier: MIT
// Finds where the mirrored ray of each texel of the floor ends in the picture.
//
// An invocation follows the ray of a texel. A ray is a line in the picture, and its depth is linear
// along that line too. At each step it looks at one texel of the pyramid, below which no surface is
// nearer than the depth in it. If the ray stays in front of that it leaves the texel in one step,
// and tries a larger one. Else it looks closer. So a ray through 500 texels takes some 30 steps.
//
// Method: Y. Uludag, "Hi-Z screen-space cone-traced reflections", GPU Pro 5, 2014. Level k of a
// pyramid has max(1, size >> k) texels a side, which share the picture alike, also at odd sizes.

layout(local_size_x = 8, local_size_y = 8) in;

layout(set = 0, binding = 0) uniform sampler2D light;  // alpha: 1 less what is mirrored
layout(set = 0, binding = 1) uniform sampler2D depths; // 0 near .. 1 far; all levels
layout(set = 0, binding = 2) uniform writeonly image2D hits;

layout(push_constant) uniform Push {
    mat4 view_projection;
    vec4 eye; // w: 1 to march texel by texel, in level 0
    vec4 right, up, forward; // w of the first two: distances at which depth is 0 and 1
} view;

#include "floor_ray.glsl"

// How far a surface reaches behind what is seen of it [units of the scene]. A ray that is further
// behind passes, as the picture does not know what is there.
const float THICKNESS = 0.2;

// A ray in the picture: x and y in 0 .. 1, and depth. It is at `origin + s * step`, s from 0 to 1.
struct Line {
    vec3 origin, step;
    vec2 ahead;   // which edges of a texel it leaves by: 1 right, 1 below
    float hair;   // the s of a hundredth of a texel
    float end;    // the least s at which it leaves the picture, at most 1
    float w0, w1; // distances from the camera at s = 0 and 1, whose inverses are linear in s
    float reach;  // length of the ray in the scene
};

vec3 to_picture(vec4 clip)
{
    return vec3(0.5 * clip.xy / clip.w + 0.5, clip.z / clip.w);
}

// The ray ends at the far plane, or at the near one if it comes towards the camera.
Line project(FloorRay ray)
{
    const vec4 from = view.view_projection * vec4(ray.origin, 1.0);
    const vec4 along = view.view_projection * vec4(ray.direction, 0.0);
    Line line;
    line.reach = along.w > 0.0 ? (from.w - from.z) / (along.z - along.w) : -from.z / along.z;
    const vec4 to = from + line.reach * along;
    line.origin = to_picture(from);
    line.step = to_picture(to) - line.origin;
    // A hair's breadth aside, so that a line meets the edges of columns and of rows.
    line.step.xy = mix(line.step.xy, vec2(1e-7), lessThan(abs(line.step.xy), vec2(1e-7)));
    line.ahead = vec2(greaterThan(line.step.xy, vec2(0.0)));
    const vec2 texels = abs(line.step.xy) * vec2(textureSize(depths, 0));
    line.hair = 0.01 / max(texels.x, texels.y);
    const vec2 edges = (line.ahead - line.origin.xy) / line.step.xy;
    line.end = min(1.0, min(edges.x, edges.y));
    line.w0 = from.w;
    line.w1 = to.w;
    return line;
}

// Distances from the camera at `s` of a line, and of a depth.
float distance_at(Line line, float s)
{
    return 1.0 / mix(1.0 / line.w0, 1.0 / line.w1, s);
}
float distance_of(float depth)
{
    const float near = view.right.w, far = view.up.w;
    return near * far / (far - depth * (far - near));
}

// Get the s at which the line, now at `s`, leaves a texel of a level of this size, and a hair more,
// so that rounding cannot leave it there.
float leave(Line line, float s, ivec2 texel, ivec2 size)
{
    const vec2 edges = ((vec2(texel) + line.ahead) / vec2(size) - line.origin.xy) / line.step.xy;
    return max(s, min(edges.x, edges.y)) + line.hair;
}

// Get the s at which the line meets a surface, or its end.
float march(Line line, out int num_steps)
{
    const int top = view.eye.w > 0.5 ? 0 : textureQueryLevels(depths) - 1;
    const ivec2 picture = textureSize(depths, 0);
    const int most = 2 * (picture.x + picture.y);
    int level = 0;
    // The texel of the floor itself is left first.
    float s = leave(line, 0.0, ivec2(line.origin.xy * vec2(picture)), picture);
    for (num_steps = 1; s < line.end && num_steps < most; ++num_steps) {
        const ivec2 size = max(picture >> level, 1);
        const vec2 at = (line.origin.xy + s * line.step.xy) * vec2(size);
        const ivec2 texel = clamp(ivec2(at), ivec2(0), size - 1);
        const float depth = texelFetch(depths, texel, level).r, next = leave(line, s, texel, size);
        const float farthest = line.origin.z + (line.step.z > 0.0 ? next : s) * line.step.z;
        if (farthest < depth) {
            s = next;
            level = min(level + 1, top);
            continue;
        }
        // Up to where it is as far as the nearest surface, the ray is free.
        const float meets = line.step.z > 0.0 ? (depth - line.origin.z) / line.step.z : s;
        if (level > 0) {
            s = max(s, meets - line.hair);
            --level;
        } else if (meets > s) {
            return min(meets, line.end);
        } else if (distance_at(line, s) - distance_of(depth) < THICKNESS) {
            // Behind what is seen, which lends its light from beyond its antialiased edge.
            return min(next + 0.5 * (next - s), line.end);
        } else {
            s = next;
        }
    }
    return line.end;
}

void main()
{
    const ivec2 size = imageSize(hits), position = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(position, size))) {
        return;
    }
    FloorRay ray;
    vec4 hit = vec4(0.0);
    if (texelFetch(light, position, 0).a < 1.0 &&
        floor_ray((vec2(position) + 0.5) / vec2(size), ray)) {
        int num_steps;
        const Line line = project(ray);
        const float s = march(line, num_steps);
        hit.xy = line.origin.xy + s * line.step.xy;
        hit.z = line.reach * s * distance_at(line, s) / line.w1;
        hit.w = float(num_steps);
    }
    imageStore(hits, position, hit);
}
