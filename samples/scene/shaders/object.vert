// SPDX-License-Identifier: MIT
// A shape where its instance stands, or its mirror image below the floor.
#include "view.glsl"

layout(constant_id = 2) const float mirror = 1.0; // -1 for the image in the floor

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 texcoord;

layout(location = 0) out vec3 out_world;
layout(location = 1) out vec3 out_normal;
layout(location = 2) out vec2 out_texcoord;
layout(location = 3) flat out vec4 out_color_roughness;
layout(location = 4) flat out vec2 out_metal_glow;

void main()
{
    mat4 model = instances[gl_InstanceIndex].model;
    vec4 world = model * vec4(position, 1.0);
    // Boxes alone are scaled unevenly, along their own axes, where this is still the normal's
    // direction.
    out_world = world.xyz;
    out_normal = mat3(model) * normal;
    out_texcoord = texcoord;
    out_color_roughness = instances[gl_InstanceIndex].color_roughness;
    out_metal_glow = instances[gl_InstanceIndex].metal_glow.xy;
    gl_Position = view.view_projection * vec4(world.x, mirror * world.y, world.zw);
}
