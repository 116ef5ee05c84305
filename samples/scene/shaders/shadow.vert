// SPDX-License-Identifier: MIT
// The shapes as the sun sees them. Only depth is written.
#include "view.glsl"

layout(location = 0) in vec3 position;

void main()
{
    vec4 world = instances[gl_InstanceIndex].model * vec4(position, 1.0);
    gl_Position = view.light_view_projection * world;
}
