// SPDX-License-Identifier: MIT
// Values with as many channels as the levels have: NUM_CHANNELS.
//
// Images are written without a format, so that a compiler cannot know which channels they lack. It
// drops what computes the others where each way out of an invocation, a store or a shuffle, has
// none of them.

// Get a value whose other channels are constants, those that a texel without them reads as.
vec4 used(vec4 value)
{
    return vec4(value.r, NUM_CHANNELS > 1u ? value.g : 0.0, NUM_CHANNELS > 2u ? value.b : 0.0,
                NUM_CHANNELS > 3u ? value.a : 1.0);
}
