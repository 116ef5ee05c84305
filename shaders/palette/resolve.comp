// SPDX-License-Identifier: MIT
// Finds the ends of trajectories that met others: they end where the others end.
//
// An invocation takes every NUM_INVOCATIONS-th trajectory and follows it through at most 64
// meetings, in each of four dispatches. A workgroup is 256 invocations. No shared memory.

#include "palette/each.glsl"
#include "palette/ends.glsl"

// Get the end of a trajectory that the pass before has written. Passes write to `notes` and to
// `ends` in turn. Their number is even, so the last one writes to `ends`.
uvec4 end_of(uint trajectory)
{
    return (push.pass & 1u) == 0u ? ends[trajectory] : notes[trajectory].end;
}

void main()
{
    for (uint i = gl_GlobalInvocationID.x; i < control.num_points; i += NUM_INVOCATIONS) {
        uvec4 end = end_of(i);
        for (uint hop = 0u; hop < WEIR_PALETTE_NUM_HOPS && is_meeting(end); hop++) {
            end = end_of(owners[slot_of_meeting(end)]);
        }
        if ((push.pass & 1u) == 0u) {
            notes[i].end = end;
        } else {
            ends[i] = end;
        }
    }
}
