// SPDX-License-Identifier: MIT
// The middle of each level of each layer of an array, and in the row below of a texture.
#version 450

layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform sampler2DArray blocks;
layout(set = 0, binding = 1) uniform sampler2D picture;
layout(set = 0, binding = 2, std430) writeonly buffer Colors
{
    vec4 colors[];
};

void main()
{
    const uvec2 at = gl_WorkGroupID.xy, num = gl_NumWorkGroups.xy;
    const vec2 middle = vec2(0.5);
    colors[at.y * num.x + at.x] = at.y + 1 < num.y
                                      ? textureLod(blocks, vec3(middle, at.y), float(at.x))
                                      : textureLod(picture, middle, float(at.x));
}
