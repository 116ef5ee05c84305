// SPDX-License-Identifier: MIT
// Lists the colours that were counted, with their pixels, and leaves bits and bins at zero.
//
// An invocation takes a word of 32 colours, a workgroup 256 of them. Workgroups append their
// colours in the order in which they come, so the list is not sorted. 1 KiB of shared memory.
// Requires subgroup arithmetic.

#extension GL_KHR_shader_subgroup_arithmetic : require

#include "palette/each.glsl"

layout(constant_id = WEIR_PALETTE_CONSTANT_FREQUENCY) const bool FREQUENCY = false;

// One for each subgroup. There are no more subgroups than invocations.
shared uint subgroup_nums[WEIR_PALETTE_GROUP_SIZE];
shared uint first_of_workgroup;

// Reserve places in the list for `num` colours of this invocation, and get the first place.
uint reserve(uint num)
{
    const uint before = subgroupExclusiveAdd(num);
    const uint total = subgroupAdd(num);
    subgroup_nums[gl_SubgroupID] = total;
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        uint sum = 0u;
        for (uint i = 0u; i < gl_NumSubgroups; i++) {
            const uint next = subgroup_nums[i];
            subgroup_nums[i] = sum;
            sum += next;
        }
        first_of_workgroup = sum > 0u ? atomicAdd(control.num_colors, sum) : 0u;
    }
    barrier();
    return first_of_workgroup + subgroup_nums[gl_SubgroupID] + before;
}

void main()
{
    const uint index = gl_GlobalInvocationID.x;
    uint word = bits[index];
    uint place = reserve(bitCount(word));
    if (word != 0u) {
        bits[index] = 0u;
    }
    while (word != 0u) {
        const uint color = index << 5 | findLSB(word);
        word &= word - 1u;
        if (place < push.max_colors) {
            colors[place] = color;
            if (FREQUENCY) {
                counts[place] = bins[color];
            }
        }
        if (FREQUENCY) {
            bins[color] = 0u;
        }
        place++;
    }
}
