// SPDX-License-Identifier: MIT
// Chooses the boxes that are drawn, an invocation a box, and appends their numbers to a list.
//
// Pass 0 takes what was visible in the last frame. Pass 1 tests every box against the depth of
// that, in a pyramid of the farthest depths, and takes what has become visible. After N. Greene, M.
// Kass and G. Miller, "Hierarchical Z-Buffer Visibility" (1993), and U. Haar and S. Aaltonen,
// "GPU-Driven Rendering Pipelines" (2015).
#include "box.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

struct Draw { // VkDrawIndirectCommand
    uint num_vertices, num_instances, first_vertex, first_instance;
};
struct Slot {
    Draw draws[2];
    uint in_view, unused[3];
};

layout(set = 0, binding = 0) uniform sampler2D farthest; // level 0 is half of the depth buffer
layout(set = 0, binding = 1) uniform sampler2D wrong;    // a fourth of it, by a wrong reduction
layout(std430, set = 0, binding = 2) readonly buffer Boxes { Box boxes[]; };
layout(std430, set = 0, binding = 3) buffer Visible { uint visible[]; }; // 0, 1 or LOST | 1
layout(std430, set = 0, binding = 4) writeonly buffer Lists { uint lists[]; };
layout(std430, set = 0, binding = 5) buffer Slots { Slot slots[]; };

layout(push_constant) uniform Push {
    mat4 clip;
    uint num_boxes, pass, slot, rule;
    bool compares;
};
const uint TEST = 0, ALL = 1, KEEP = 2; // enum hiz_rule

shared uint num, first;

// The box in clip space: its middle, and the halves of its sides.
vec4 middle, x, y, z;

bool is_outside(vec4 plane)
{
    return dot(middle, plane) + abs(dot(x, plane)) + abs(dot(y, plane)) + abs(dot(z, plane)) <
           -1e-3;
}

bool is_in_view()
{
    return !(is_outside(vec4(1, 0, 0, 1)) || is_outside(vec4(-1, 0, 0, 1)) ||
             is_outside(vec4(0, 1, 0, 1)) || is_outside(vec4(0, -1, 0, 1)) ||
             is_outside(vec4(0, 0, -1, 1)) || is_outside(vec4(0, 0, 1, 0)));
}

// True if all that was drawn under the box's rectangle is nearer than its nearest corner.
bool is_hidden(sampler2D farthest)
{
    vec2 low = vec2(1), high = vec2(-1);
    float nearest = 0.0; // depth is reversed: the greatest is the nearest
    for (int i = 0; i < 8; ++i) {
        vec4 corner = middle + ((i & 1) == 0 ? x : -x) + ((i & 2) == 0 ? y : -y) +
                      ((i & 4) == 0 ? z : -z);
        if (corner.z >= corner.w)
            return false; // before the near plane
        vec3 at = corner.xyz / corner.w;
        low = min(low, at.xy);
        high = max(high, at.xy);
        nearest = max(nearest, at.z);
    }
    // The rasteriser rounds to parts of a texel, and depth to floats: the box becomes larger by
    // more than that.
    ivec2 size = textureSize(farthest, 0);
    vec2 margin = 0.05 / vec2(size);
    low = clamp(0.5 * low + 0.5 - margin, 0.0, 1.0);
    high = clamp(0.5 * high + 0.5 + margin, 0.0, 1.0);
    nearest *= 1.0 + 1e-5;

    // The level at which the rectangle is shorter than a texel, and so touches 2x2 at most.
    vec2 texels = (high - low) * vec2(size);
    int level = findMSB(uint(max(texels.x, texels.y))) + 1;
    level = min(level, textureQueryLevels(farthest) - 1);
    size = max(size >> level, 1);
    ivec2 a = min(ivec2(low * vec2(size)), size - 1), b = min(ivec2(high * vec2(size)), size - 1);
    float depth = min(min(texelFetch(farthest, a, level).r, texelFetch(farthest, b, level).r),
                      min(texelFetch(farthest, ivec2(a.x, b.y), level).r,
                          texelFetch(farthest, ivec2(b.x, a.y), level).r));
    return nearest < depth;
}

// Whether the box is drawn in this pass. `lost` becomes LOST if the wrong pyramid hides it although
// it is visible, which pass 0 knows of the last frame.
bool choose(uint index, out uint lost)
{
    Box box = boxes[index];
    middle = clip * vec4(box.center, 1.0);
    x = clip[0] * box.extent.x;
    y = clip[1] * box.extent.y;
    z = clip[2] * box.extent.z;
    bool was_visible = visible[index] != 0u;
    lost = visible[index] & LOST;
    if (rule != TEST)
        return rule == ALL || was_visible;
    bool in_view = is_in_view();
    if (pass == 0u)
        return was_visible && in_view;
    if (in_view)
        atomicAdd(slots[slot].in_view, 1u);
    bool is_visible = in_view && !is_hidden(farthest);
    lost = compares && is_visible && is_hidden(wrong) ? LOST : 0u;
    visible[index] = is_visible ? lost | 1u : 0u;
    return is_visible && !was_visible;
}

void main()
{
    uint index = 8u * gl_GlobalInvocationID.y + gl_GlobalInvocationID.x, place = 0u, lost = 0u;
    if (gl_LocalInvocationIndex == 0u)
        num = 0u;
    barrier();
    bool chosen = index < num_boxes && choose(index, lost);
    if (chosen)
        place = atomicAdd(num, 1u);
    barrier();
    if (gl_LocalInvocationIndex == 0u)
        first = atomicAdd(slots[slot].draws[pass].num_instances, num);
    barrier();
    if (chosen)
        lists[pass * num_boxes + first + place] = index | lost;
}
