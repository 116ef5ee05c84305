// SPDX-License-Identifier: MIT
// BC1: the line that fits texels whose steps are known. A part of bc1.glsl.

// Over the texels, of which each is k steps from the first end.
struct Sums {
    float num, k, kk;
    vec3 v, kv;
};

// Without `precise` a compiler may cancel the large numbers by which steps have been rounded.
void add(inout Sums s, float k, vec3 v)
{
    precise float num = s.num + 1.0, sum_k = s.k + k, sum_kk = fma(k, k, s.kk);
    precise vec3 sum_v = s.v + v, sum_kv = fma(vec3(k), v, s.kv);
    s = Sums(num, sum_k, sum_kk, sum_v, sum_kv);
}

// Get the error of a fit, and the sums for the steps that its texels take. The tint of a grey block
// is G less R.
ColorFit measure(vec3 rgb[16], uint transparent, ColorFit f, out Sums sums)
{
    const Line l = line_of(f);
    f.error = 0;
    sums = Sums(0.0, 0.0, 0.0, vec3(0.0), vec3(0.0));
    [[unroll]] for (int t = 0; t < 16; t++) {
        const Choice c = choose(l, rgb[t], is_set(transparent, t));
        f.error += c.error;
        if (BC1_MODE == WEIR_ENCODE_BC1_OPAQUE || c.step != FOURTH) {
            add(sums, c.step, rgb[t]);
        }
    }
    if (is_grey) {
        const ivec3 start = integers_of(value_of(f.first)), way = integers_of(l.way);
        const int tint = f.steps * (start.g - start.r), more = way.g - way.r;
        f.error += tint * (int(sums.num) * tint + 2 * int(sums.k) * more) +
                   int(sums.kk) * more * more;
    }
    return f;
}

// The ends by least squares, in 255 * determinant: all whole numbers. The normal equations are
// divided by the square of the number of steps.
struct Solution {
    float determinant;
    vec3 first, second;
};

Solution solve(Sums s, int steps)
{
    const float num_steps = float(steps);
    precise float determinant = fma(s.num, s.kk, -s.k * s.k);
    precise vec3 first = fma(s.v, vec3(s.kk), -s.kv * s.k);
    precise vec3 second = fma(s.v, vec3(fma(-num_steps, s.k, s.kk)),
                              s.kv * fma(num_steps, s.num, -s.k));
    return Solution(determinant, first, second);
}

// Get the codes that are nearest to the ends.
ColorFit refine(Sums sums, ColorFit f)
{
    const Solution s = solve(sums, f.steps);
    if (s.determinant == 0.0) {
        return f;
    }
    return ColorFit(near_codes(s.first, s.determinant), near_codes(s.second, s.determinant),
                    f.steps, 0, -1);
}

// Try the two codes next to the exact first end, each with the second code that goes best with it.
// The error of codes is kk miss^2 + rest off^2. Returns the least one.
vec3 round_ends(vec3 first, vec3 second, float lean, float rest, float kk, inout ColorFit f)
{
    const vec3 lowest = clamp(nearest(first - 0.5), vec3(0.0), MAX - 1.0);
    vec3 best = vec3(1e30);
    [[unroll]] for (int i = 0; i < 2; i++) {
        const vec3 code = lowest + float(i);
        precise vec3 off = code - first;
        precise vec3 along = second - lean * off;
        const vec3 other = clamp(nearest(along), vec3(0.0), MAX);
        precise vec3 miss = other - along;
        precise vec3 error = kk * (miss * miss) + rest * (off * off);
        const bvec3 keeps = lessThan(error, best);
        best = mix(best, error, keeps);
        f.first = mix(f.first, code, keeps);
        f.second = mix(f.second, other, keeps);
    }
    return best;
}

const vec3 SQUARED_CODES = vec3(67.664932, 16.382967, 67.664932); // (255 / MAX)^2
const float HALF_OF_RED = 1.016129; // in codes of G

// Get the codes that fit best where the texels keep their steps. `gain` is the squared error of one
// colour less that of these codes. Texels that all have the same step gain nothing.
ColorFit round_together(Sums sums, int steps, out float gain)
{
    const float num_steps = float(steps);
    const Solution s = solve(sums, steps);
    const float determinant = max(s.determinant, 1.0), kk = max(sums.kk, 1.0);
    const float inverse = reciprocal(determinant), inverse_kk = reciprocal(kk);
    precise vec3 scale = MAX * (inverse * (1.0 / 255.0));
    precise vec3 first = s.first * scale, second = s.second * scale;
    precise float lean = (num_steps * sums.k - sums.kk) * inverse_kk;
    precise float rest = num_steps * num_steps * determinant * inverse_kk;
    ColorFit f = ColorFit(vec3(0.0), vec3(0.0), steps, 0, -1);
    precise vec3 lost = round_ends(first, second, lean, rest, kk, f);
    if (is_grey) { // as in fit_color()
        first.g += HALF_OF_RED * (f.first.r - first.r);
        second.g += HALF_OF_RED * (f.second.r - second.r);
        ColorFit green = f;
        const float lost_in_green = round_ends(first, second, lean, rest, kk, green).g;
        lost = vec3(1.25 * lost.r, 2.0 * lost_in_green, 1.25 * lost.b);
        f.first.g = green.first.g;
        f.second.g = green.second.g;
    }
    precise vec3 slope = sums.num * sums.kv - sums.k * sums.v; // whole
    precise vec3 explained = slope * slope * (inverse * reciprocal(sums.num));
    lost *= SQUARED_CODES * (steps == 3 ? 1.0 / 9.0 : 1.0 / 4.0);
    precise float sum = explained.r - lost.r + (explained.g - lost.g) + (explained.b - lost.b);
    gain = sum;
    return f;
}

// Errors are in a unit of the number of steps.
int error_in_twelfths(ColorFit f)
{
    return (f.steps == 3 ? 4 : 9) * f.error;
}

ColorFit better(ColorFit f, ColorFit other)
{
    if (error_in_twelfths(other) < error_in_twelfths(f)) {
        return other;
    }
    return f;
}

// Fit ends to steps and steps to ends in turns while that helps, up to twice.
ColorFit descend(vec3 rgb[16], uint transparent, ColorFit f, Sums sums)
{
    [[dont_unroll]] for (int i = 0; i < 2; i++) {
        Sums moved_sums;
        float gain;
        const ColorFit moved = measure(rgb, transparent, round_together(sums, f.steps, gain),
                                       moved_sums);
        if (moved.error >= f.error) {
            break;
        }
        f = moved;
        sums = moved_sums;
    }
    return f;
}
