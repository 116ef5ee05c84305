// SPDX-License-Identifier: MIT
// Every texel of an image as the device decodes it.
#version 460
#extension GL_EXT_samplerless_texture_functions : require

// One invocation a workgroup: Mesa 22.3's lavapipe gives the invocations of a vector of 512 bits
// each other's texels, of formats that it decodes by calls of C functions (BC6H, BC7 sRGB).
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform texture2D image;
layout(set = 0, binding = 1, std430) writeonly buffer Texels
{
    vec4 texels[];
};

void main()
{
    const ivec2 size = textureSize(image, 0);
    const ivec2 position = ivec2(gl_GlobalInvocationID.xy);
    texels[position.y * size.x + position.x] = texelFetch(image, position, 0);
}
