// SPDX-License-Identifier: MIT
// The three faces of a box that can face the camera, of six vertices each.
#include "box.glsl"

layout(std430, set = 0, binding = 0) readonly buffer Boxes { Box boxes[]; };
layout(std430, set = 0, binding = 1) readonly buffer Lists { uint lists[]; };

layout(push_constant) uniform Push {
    mat4 clip;
    vec3 eye;
    uint first; // of the list
};

layout(location = 0) out vec3 out_position;
layout(location = 1) flat out vec3 out_normal;
layout(location = 2) flat out uvec3 out_kind; // and seed, and whether it is LOST
layout(location = 3) out vec3 out_ray; // from the eye

void main()
{
    uint entry = lists[first + gl_InstanceIndex];
    Box box = boxes[entry & ~LOST];
    vec3 away = eye - box.center;
    int axis = gl_VertexIndex / 6, vertex = gl_VertexIndex % 6;
    vec3 corner = vec3(0.0);
    if (abs(away[axis]) > box.extent[axis]) { // else neither face of the two is seen
        corner[axis] = sign(away[axis]);
        corner[(axis + 1) % 3] = vertex == 0 || vertex == 3 || vertex == 5 ? -1.0 : 1.0;
        corner[(axis + 2) % 3] = vertex < 2 || vertex == 3 ? -1.0 : 1.0;
    }
    out_position = box.center + corner * box.extent;
    out_normal = vec3(0.0);
    out_normal[axis] = corner[axis];
    out_kind = uvec3(box.kind, box.seed, entry & LOST);
    out_ray = out_position - eye;
    gl_Position = clip * vec4(out_position, 1.0);
}
