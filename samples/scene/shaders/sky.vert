// SPDX-License-Identifier: MIT
// The sky: one triangle over the whole picture, behind everything.
#include "view.glsl"

layout(location = 0) out vec3 out_ray;

void main()
{
    vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4.0 - 1.0;
    out_ray = view.forward.xyz + corner.x * view.right.xyz - corner.y * view.up.xyz;
    gl_Position = vec4(corner, 1.0, 1.0);
}
