// SPDX-License-Identifier: MIT
// The end of a trajectory: a point, or a meeting, which is a state that another trajectory was in
// first. A meeting names the slot of that state.

// Marks an end as a meeting. No point has such a large L in its upper word.
const uint MEETING = 0xfffffc00u;

uint64_t meeting_at(uint slot)
{
    return join_words(uvec2(slot, MEETING));
}

bool is_meeting(uint64_t end)
{
    return uint(end >> 32) == MEETING;
}

uint slot_of_meeting(uint64_t end)
{
    return uint(end);
}
