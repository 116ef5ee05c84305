// SPDX-License-Identifier: MIT
// The end of a trajectory: a point, or a meeting, which is a state that another trajectory was in
// first. A meeting names the slot of that state.
//
// xyz: the point, or x: the slot. w: not 0 if it is a meeting.

uvec4 end_at_point(ivec3 point)
{
    return uvec4(point, 0u);
}

uvec4 meeting_at(uint slot)
{
    return uvec4(slot, 0u, 0u, 1u);
}

bool is_meeting(uvec4 end)
{
    return end.w != 0u;
}

uint slot_of_meeting(uvec4 end)
{
    return end.x;
}

ivec3 point_of_end(uvec4 end)
{
    return ivec3(end.xyz);
}
