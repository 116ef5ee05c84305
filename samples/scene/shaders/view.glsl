// SPDX-License-Identifier: MIT
// The data that every shader of the scene reads.

struct Instance {
    mat4 model;
    vec4 color_roughness;
    vec4 metal_glow; // x: metal; y: emitted light as a multiple of its colour
};

layout(set = 0, binding = 0) uniform sampler2DShadow shadow_map;

layout(set = 0, binding = 1, std430) readonly buffer View
{
    mat4 view_projection;
    mat4 light_view_projection;
    vec4 eye;
    vec4 right, up, forward;
    vec4 sun;
    vec4 glow;
    vec4 blobs[6];
    float seconds;
    uint number;
    float daylight, lamplight;
}
view;

layout(set = 0, binding = 2, std430) readonly buffer Instances
{
    Instance instances[];
};
