// SPDX-License-Identifier: MIT
// BC4: what a block keeps of the one in the frame before.
//
//   uvec2 keep_bc4(float values[16], uvec2 previous, uvec2 block)
//
// takes the values as encode_bc4() does and the block that it made of them, and returns it, or the
// values with the endpoints of the previous block where these cost little. The result is the same
// on every device.
//
// The rule of encode/steady.glsl with other numbers: endpoints are kept up to one and a half times
// the squared error, and indices up to half a squared step, which is a quarter of a step off the
// middle of two values. A channel by itself flickers as much by these, for half of the decibels.
//
// Requires encode/steady.glsl and encode/bc4/bc4.glsl.

struct KeptChannel {
    ChannelFit fit;
    uvec2 words; // with the indices that the values of this frame keep or get
};

KeptChannel keep_channel_indices(float values[16], uvec2 words)
{
    const ivec2 ends = ivec2(words.x & 255u, words.x >> 8 & 255u);
    const int steps = ends.x > ends.y ? 7 : 5;
    ChannelFit f = ChannelFit(float(ends.x), float(ends.y), float(steps), 0.0);
    const Scale scale = scale_of(f);
    const int step = ends.x - ends.y; // in 1 / steps
    const float slack = float(step * step >> 1);
    uint codes[2] = uint[2](0u, 0u);
    [[unroll]] for (int t = 0; t < 16; t++) {
        const float nearest = nearest_index(f, scale, values[t]);
        const float least = index_error(f, nearest, values[t]);
        float index = float(bc4_index(words, steps, t));
        float error = index_error(f, index, values[t]);
        if (error > least + slack) {
            index = nearest;
            error = least;
        }
        f.error += error;
        codes[t / 8] |= bc4_code(int(index), steps) << 3 * (t % 8);
    }
    return KeptChannel(f, uvec2((words.x & 0xffffu) | codes[0] << 16,
                                codes[0] >> 16 | codes[1] << 8));
}

// Errors of six and of eight values have other units: each is multiplied by that of the other.
uint scaled_error(ChannelFit f, ChannelFit other)
{
    const uint steps = uint(other.steps);
    return uint(f.error) * steps * steps;
}

uvec2 keep_bc4(float values[16], uvec2 previous, uvec2 block)
{
    const bool is_first = previous == uvec2(0u);
    if (is_first || block == previous)
        return block;
    const KeptChannel own = keep_channel_indices(values, block);
    const KeptChannel before = keep_channel_indices(values, previous);
    if (2u * scaled_error(before.fit, own.fit) <= 3u * scaled_error(own.fit, before.fit))
        return before.words;
    return block;
}
