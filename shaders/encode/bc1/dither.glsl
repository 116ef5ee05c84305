// SPDX-License-Identifier: MIT
// The texels of a block of BC1, dithered if BC1_DITHER is true.
//
// The finest steps that a block has are thirds of the way between neighbouring codes of 5:6:5 bits.
// The ordered dither of shaders/color/source.glsl rounds values to these steps.
//
// Requires encode/texture.glsl.

layout(constant_id = WEIR_ENCODE_CONSTANT_BC1_DITHER) const bool BC1_DITHER = false;

// Round values in 1/1024 of a code to the step above or below, and get the codes nearest to it.
uvec3 dither_steps(uvec3 fine, uint threshold)
{
    const uvec3 steps = 3u * uvec3(31u, 63u, 31u); // number of steps of each channel
    const uvec3 step_index = (fine * steps + 255u * threshold) / 261120u;
    return (255u * step_index + steps / 2u) / steps;
}

float alpha_code(float alpha)
{
    return SOURCE_KIND == WEIR_SOURCE_CODES8 ? nearest_code(alpha) : float(source_alpha(alpha));
}

// Get the codes of a texel as floats without a fraction, dithered or not.
vec4 dithered(vec4 texel, uvec2 position)
{
    const float alpha = alpha_code(texel.a);
    if (!BC1_DITHER) {
        return vec4(source_codes(texel.rgb, position), alpha);
    }
    const uvec3 fine = uvec3(channel_fine(texel.r), channel_fine(texel.g), channel_fine(texel.b));
    return vec4(dither_steps(fine, dither_threshold(position)), alpha);
}
