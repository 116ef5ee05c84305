// SPDX-License-Identifier: MIT
// How a trajectory ended: in a point, or where another had been, which is a slot in the table of
// states.

const uint MEETING = 0xfffffc00u; // in the upper word: more L than there is

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
