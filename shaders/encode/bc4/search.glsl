// SPDX-License-Identifier: MIT
// BC4 at the efforts above fast: where they look for endpoints. A part of bc4.glsl.

const int NUM_ENDS = 4;

ChannelFit search_all(float values[16], ChannelFit f)
{
    const bool is_seven = f.steps == 7.0;
    [[dont_unroll]] for (float a0 = 0.0; a0 <= VALUE_MAX; a0++) {
        const float from = is_seven ? 0.0 : a0;
        const float to = is_seven ? a0 - 1.0 : VALUE_MAX;
        // There are more than 65,535 pairs, and Mesa's software device ends the loops of an
        // invocation after 65,535 turns in all.
        [[dont_unroll]] for (float a1 = from; a1 <= to; a1 += 2.0) {
            f = keep_better(values, a0, a1, f);
            if (a1 < to) {
                f = keep_better(values, a0, a1 + 1.0, f);
            }
        }
    }
    return f;
}

ChannelFit try_ends(float values[16], float a0, float a1, ChannelFit f)
{
    if (min(a0, a1) >= 0.0 && max(a0, a1) <= VALUE_MAX && (a0 > a1) == (f.steps == 7.0)) {
        return keep_better(values, a0, a1, f);
    }
    return f;
}

// Search pairs of endpoints up to 16 away in steps of 8, then those up to 4 away.
ChannelFit look_around(float values[16], ChannelFit f)
{
    [[dont_unroll]] for (int pass = 0; pass < 2; pass++) {
        const ChannelFit center = f;
        const float radius = pass == 0 ? 16.0 : 4.0;
        const float step = pass == 0 ? 8.0 : 1.0;
        [[dont_unroll]] for (float i = -radius; i <= radius; i += step) {
            [[dont_unroll]] for (float j = -radius; j <= radius; j += step) {
                f = try_ends(values, center.a0 + i, center.a1 + j, f);
            }
        }
    }
    return f;
}

// Make the least texel the value number `first` and the greatest number `last`.
ChannelFit stretched(float values[16], int first, int last, float lo, float hi, float steps)
{
    const int least = int(lo);
    const int most = int(hi);
    const int range = last - first;
    const ivec2 codes = divide_round(
        ivec2(range * least - first * (most - least),
              range * most + (int(steps) - last) * (most - least)),
        range);
    const vec2 ends = clamp(vec2(codes), 0.0, VALUE_MAX);
    return steps == 7.0 ? make_fit(values, ends.y, ends.x, 7.0)
                        : make_fit(values, ends.x, ends.y, 5.0);
}

// Try each of the first four values as the least texel, and each of the last four as the greatest.
ChannelFit stretch(float values[16], float lo, float hi, ChannelFit f)
{
    const int steps = int(f.steps);
    [[dont_unroll]] for (int first = 0; first < NUM_ENDS; first++) {
        [[dont_unroll]] for (int last = steps; last > max(first, steps - NUM_ENDS); last--) {
            const ChannelFit moved = refine(values,
                                            stretched(values, first, last, lo, hi, f.steps));
            if (moved.error < f.error) {
                f = moved;
            }
        }
    }
    return f;
}

// Try the two of those with one end a value farther out, without a step.
ChannelFit stretch_one_end(float values[16], float lo, float hi, ChannelFit f)
{
    [[dont_unroll]] for (int first = 0; first < 2; first++) {
        const int last = int(f.steps) - 1 + first;
        const ChannelFit moved = stretched(values, first, last, lo, hi, f.steps);
        if (moved.error < f.error) {
            f = moved;
        }
    }
    return f;
}
