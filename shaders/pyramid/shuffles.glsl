// SPDX-License-Identifier: MIT
// Shuffles of values among the invocations of a subgroup, of the channels that the levels have.
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require

vec4 shuffle(vec4 value, uint from)
{
    if (NUM_CHANNELS == 1u) {
        return vec4(subgroupShuffle(value.r, from), 0.0, 0.0, 1.0);
    }
    if (NUM_CHANNELS == 2u) {
        return vec4(subgroupShuffle(value.rg, from), 0.0, 1.0);
    }
    if (NUM_CHANNELS == 3u) {
        return vec4(subgroupShuffle(value.rgb, from), 1.0);
    }
    return subgroupShuffle(value, from);
}

vec4 shuffle_xor(vec4 value, uint mask)
{
    if (NUM_CHANNELS == 1u) {
        return vec4(subgroupShuffleXor(value.r, mask), 0.0, 0.0, 1.0);
    }
    if (NUM_CHANNELS == 2u) {
        return vec4(subgroupShuffleXor(value.rg, mask), 0.0, 1.0);
    }
    if (NUM_CHANNELS == 3u) {
        return vec4(subgroupShuffleXor(value.rgb, mask), 1.0);
    }
    return subgroupShuffleXor(value, mask);
}
