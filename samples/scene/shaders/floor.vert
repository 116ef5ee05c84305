// SPDX-License-Identifier: MIT
// The floor: a wide square at height 0, from no buffer.
#include "view.glsl"

layout(location = 0) out vec3 out_world;

void main()
{
    vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0 - 1.0;
    out_world = vec3(60.0 * corner.x, 0.0, 60.0 * corner.y);
    gl_Position = view.view_projection * vec4(out_world, 1.0);
}
