// SPDX-License-Identifier: MIT
// Fits the codes of a part of a BC7 block, and polishes them.

// Get codes with those of R, G and B, or of one channel, moved to the `number`th of their
// neighbours. Returns whether they are others.
bool move_codes(Task task, int axis_number, int number, inout vec4 first, inout vec4 second)
{
    const vec4 channels = axis_number == 0 ? vec4(1.0, 1.0, 1.0, 0.0)
                                           : vec4(equal(ivec4(axis_number), ivec4(1, 2, 3, 4)));
    precise vec4 axis = task.step * channels * task.fitted;
    precise vec4 moved = first + float(number / 3 - 1) * axis;
    precise vec4 other = second + float(number % 3 - 1) * axis;
    first = clamp(moved, vec4(0.0), task.highest);
    second = clamp(other, vec4(0.0), task.highest);
    return number != 4 && axis != vec4(0.0) && first == moved && second == other;
}

// Get the p-bits that are tried, as what is changed in the nearest ones, a bit for each.
uint p_bit_changes(Task task, bool all)
{
    return !all || task.p_bits == P_NONE || task.p_bits == P_ONE ? 1u
           : task.p_bits == P_EACH                               ? 15u
                                                                 : 9u;
}

void keep_better(Task task, vec4 first, vec4 second, inout Fit f)
{
    const float error = error_of(task, values_of(task, first, second));
    if (error < f.error) {
        f = Fit(first, second, error);
    }
}

// Fit a part to the indices that its texels have on a line, with the nearest p-bits or all.
void fit_once(Task task, inout Fit f)
{
    const Ideal ideal = fit_indices(task, vec2(0.0), start_line(task));
    const uint p_bits = nearest_p_bits(task, ideal);
    uint changes = p_bit_changes(task, task.fitted.a != 0.0);
    [[dont_unroll]] for (; changes != 0u; changes &= changes - 1u) {
        vec4 first, second;
        round_ends(task, ideal, p_bits ^ uint(findLSB(changes)), first, second);
        keep_better(task, first, second, f);
    }
}

// Fit a part, or polish a fit in groups of tries. The first group is the fit itself, and its
// indices with one end or both moved out. A second round adds neighbours of its codes, of R, G and
// B together and of each channel, and then its indices with all moves and p-bits. Alpha has errors
// of its own, so all p-bits are tried with it. It is one loop, as a GPU is a third slower where
// what it calls is called in several places.
void fit_part(Task task, int num_rounds, inout Fit f)
{
    if (!HAS_POLISH) {
        f = Fit(vec4(0.0), vec4(0.0), ERROR_MAX);
        fit_once(task, f);
        return;
    }
    const bool is_new = num_rounds == 0;
    const int num_groups = num_rounds > 1 ? 7 : 1;
    Ends l = Ends(f.first, f.second);
    if (is_new) {
        l = start_line(task);
    }
    f.error = ERROR_MAX;
    [[dont_unroll]] for (int group = 0; group < num_groups; group++) {
        const bool is_late = group == 6;
        const int num_tries = is_new ? 1 : group > 0 ? 9 : 4;
        const Fit center = f;
        if (!is_new && (group == 0 || is_late)) {
            l = values_of(task, f.first, f.second);
        }
        [[dont_unroll]] for (int k = 0; k < num_tries; k++) {
            const bool has_indices = is_new || is_late || group == 0 && k > 0;
            vec4 first = center.first, second = center.second;
            uint p_bits = 0u, changes = 1u;
            Ideal ideal = Ideal(first, second, vec3(0.0));
            if (has_indices) {
                const ivec2 stretch = is_new    ? ivec2(0)
                                      : is_late ? ivec2(k / 3, k % 3) - 1
                                                : ivec2(k != 1, k != 2);
                ideal = fit_indices(task, vec2(stretch), l);
                p_bits = nearest_p_bits(task, ideal);
                changes = p_bit_changes(task, is_late || is_new && task.fitted.a != 0.0);
            } else if (group > 0 && !move_codes(task, group - 1, k, first, second)) {
                continue;
            }
            [[dont_unroll]] for (; changes != 0u; changes &= changes - 1u) {
                if (has_indices) {
                    round_ends(task, ideal, p_bits ^ uint(findLSB(changes)), first, second);
                }
                keep_better(task, first, second, f);
            }
        }
    }
}
