// SPDX-License-Identifier: MIT
// Shared memory for NUM_SHARED values, a constant that the including file defines: 4 bytes each for
// levels of one channel, 8 for two, and 16, which the kernels' comments say, for more.
shared vec4 shared_rgba[NUM_CHANNELS > 2u ? NUM_SHARED : 1u];
shared vec2 shared_rg[NUM_CHANNELS == 2u ? NUM_SHARED : 1u];
shared float shared_r[NUM_CHANNELS == 1u ? NUM_SHARED : 1u];

void put_shared(uint index, vec4 value)
{
    if (NUM_CHANNELS == 1u) {
        shared_r[index] = value.r;
    } else if (NUM_CHANNELS == 2u) {
        shared_rg[index] = value.rg;
    } else {
        shared_rgba[index] = used(value);
    }
}

vec4 get_shared(uint index)
{
    if (NUM_CHANNELS == 1u) {
        return vec4(shared_r[index], 0.0, 0.0, 1.0);
    }
    if (NUM_CHANNELS == 2u) {
        return vec4(shared_rg[index], 0.0, 1.0);
    }
    return shared_rgba[index];
}
