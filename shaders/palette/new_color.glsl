// SPDX-License-Identifier: MIT
// Counts the distinct new colours.

void count_new_color(uint color)
{
    const uint bit = 1u << (color & 31u);
    const uint word = WEIR_PALETTE_NUM_WORDS + (color >> 5);
    if ((bits[word] & bit) == 0u && (atomicOr(bits[word], bit) & bit) == 0u) {
        atomicAdd(control.num_new_colors, 1u);
    }
}
