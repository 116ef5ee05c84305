// SPDX-License-Identifier: MIT
// Half floats that are read as words of 32 bits: a gather has the same word, two channels, of four
// texels. Channels are what a fetch of the format gives, bit for bit.

layout(constant_id = WEIR_PYRAMID_CONSTANT_WORDS) const uint WORDS_FORMAT = 0u;
const bool HAS_TWO_WORDS = WORDS_FORMAT == WEIR_PYRAMID_WORDS_RGBA16F;

vec4 texel_of_words(uvec2 words)
{
    return vec4(unpackHalf2x16(words.x), HAS_TWO_WORDS ? unpackHalf2x16(words.y) : vec2(0.0, 1.0));
}
