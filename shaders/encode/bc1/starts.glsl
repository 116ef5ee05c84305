// SPDX-License-Identifier: MIT
// BC1: steps from which a fit may start. A part of bc1.glsl.
//
// Texels are projected onto their principal axis. A start gives two steps: of the texel that is
// first on the axis, and of the last one. From them follow the steps of all texels, which are
// corrected once by least squares on the axis. Then both ends are fitted to these steps. Of the
// starts, the one with the least error is improved.

// Positions of the texels on the axis, with 0 at their mean. The first and the last are 64 apart.
struct Places {
    float at[16];
    float least;
};

Places places_of(vec3 rgb[16], Box box)
{
    const float num = num_of(box);
    precise vec3 variance = num * box.square - box.sum * box.sum; // whole, below 2^24
    precise vec3 covariance = num * box.product - box.sum * box.sum.gbr;
    const float scale = 3.0 * reciprocal(variance.r + variance.g + variance.b);
    variance *= scale;
    covariance *= scale;
    const vec3 r = vec3(variance.r, covariance.r, covariance.b);
    const vec3 g = vec3(covariance.r, variance.g, covariance.g);
    const vec3 b = vec3(covariance.b, covariance.g, variance.b);
    precise vec3 axis = variance.g > variance.r ? (variance.b > variance.g ? b : g)
                                                : (variance.b > variance.r ? b : r);
    [[unroll]] for (int i = 0; i < 3; i++) { // of the power method
        axis = variance * axis + covariance * axis.gbr + covariance.brg * axis.brg;
    }
    Places places;
    precise float lo = 1e30, hi = -1e30, sum = 0.0;
    [[unroll]] for (int t = 0; t < 16; t++) {
        precise vec3 product = axis * rgb[t];
        precise float along = product.r + product.g + product.b;
        places.at[t] = along;
        if (is_set(box.texels, t)) {
            lo = min(lo, along);
            hi = max(hi, along);
            sum += along;
        }
    }
    precise float unit = 64.0 * reciprocal(max(hi - lo, 0.0625));
    precise float mean = sum * reciprocal(num);
    [[unroll]] for (int t = 0; t < 16; t++) {
        precise float place = (places.at[t] - mean) * unit;
        places.at[t] = place;
    }
    precise float least = (lo - mean) * unit;
    places.least = least;
    return places;
}

float step_at(float place, float slope, float middle, float num_steps)
{
    precise float product = place * slope;
    precise float sum = product + middle;
    return nearest(clamp(sum, 0.0, num_steps));
}

// Get the sums for the steps of a start.
Sums sums_of_start(vec3 rgb[16], Box box, Places places, vec2 start, float num_steps)
{
    const float num = num_of(box);
    precise float slope = (start.y - start.x) * (1.0 / 64.0);
    precise float middle = start.x - places.least * slope;
    precise float k_sum, kk_sum, kx_sum;
    precise vec3 kv_sum;
    [[unroll]] for (int pass = 0; pass < 2; pass++) { // the first without kv, the second without kx
        k_sum = kk_sum = kx_sum = 0.0;
        kv_sum = vec3(0.0);
        [[unroll]] for (int t = 0; t < 16; t++) {
            if (is_set(box.texels, t)) {
                const float k = step_at(places.at[t], slope, middle, num_steps);
                k_sum += k;
                kk_sum = fma(k, k, kk_sum);
                kx_sum += k * places.at[t];
                kv_sum = fma(vec3(k), rgb[t], kv_sum);
            }
        }
        precise float determinant = num * kk_sum - k_sum * k_sum;
        slope = determinant * reciprocal(max(num * kx_sum, 0.0625));
        middle = k_sum * reciprocal(num);
    }
    return Sums(num, k_sum, kk_sum, box.sum, kv_sum);
}

// Improve the best of some starts. They are digits of four bits: the step of the least texel, in
// halves and 4 too much, and that of the greatest in halves.
ColorFit try_list(vec3 rgb[16], uint transparent, Box box, Places places, int steps, uvec2 starts,
                  int num)
{
    ColorFit top = ColorFit(vec3(0.0), vec3(0.0), steps, 0, -1);
    float most = -1e30;
    [[dont_unroll]] for (int i = 0; i < num; i++) {
        const vec2 start = vec2(starts >> 4 * i & 15u) * 0.5 - vec2(4.0, 0.0);
        float gain;
        const ColorFit fit = round_together(
            sums_of_start(rgb, box, places, start, float(steps)), steps, gain);
        if (gain > most) {
            most = gain;
            top = fit;
        }
    }
    Sums sums;
    top = measure(rgb, transparent, top, sums);
    return descend(rgb, transparent, top, sums);
}

// Where the texels are two colours or nearly so, any two steps will do before ends are rounded:
// 0 and 1, 2 and 3, 1 and 2, 0 and 3, and so on. The first list is that of default, the last one of
// three colours.
ColorFit try_starts(vec3 rgb[16], uint transparent, Box box, ColorFit f)
{
    const bool has_four = f.steps == 3;
    const Places places = places_of(rgb, box);
    const int end = !has_four || (IS_HIGH && HAS_THREE) ? 4 : IS_HIGH ? 3 : 1;
    [[dont_unroll]] for (int list = has_four ? 0 : 3; list < end; list++) {
        const uvec2 starts = list == 0   ? uvec2(0xac80867u, 0x462e867u)
                             : list == 1 ? uvec2(0x85870867u, 0x6976e867u)
                             : list == 2 ? uvec2(0x0a8ac8u, 0xe64462u)
                                         : uvec2(0xa87u, 0x425u);
        const int num = list == 0 ? 7 : list == 1 ? 8 : list == 2 ? 6 : 3;
        const int steps = IS_HIGH ? (list == 3 ? 2 : 3) : f.steps; // at default a constant
        f = better(f, try_list(rgb, transparent, box, places, steps, starts, num));
    }
    return f;
}
