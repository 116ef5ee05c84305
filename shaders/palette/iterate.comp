// SPDX-License-Identifier: MIT
// Moves trajectories on, step after step, until each stays, meets the path of another, or has to
// wait for the next dispatch. A step is in step.glsl.
//
// A subgroup follows one trajectory at a time: each invocation looks at a column of the grid, and
// then tests points. A subgroup gets trajectories by a counter, those first that the last dispatch
// has left, until the dispatch has done its limit of work. A workgroup is 128 invocations. 2 KiB of
// shared memory. Requires 64-bit integers, 64-bit atomics, subgroup arithmetic and ballots. Defined
// by tests/ref/palette.c; docs/palette.md describes the method.
//
// MERGES: trajectories that meet merge. Not for devices without 64-bit atomics, for runs with a
// limit of steps, and for weir_palette_params.no_merge.
#ifdef MERGES
#extension GL_EXT_shader_atomic_int64 : require
#endif
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require

#include "palette/constants.h"

layout(local_size_x = WEIR_PALETTE_MOVING_SIZE) in;

#include "palette/memory.glsl"
#include "palette/ends.glsl"

layout(constant_id = WEIR_PALETTE_CONSTANT_FREQUENCY) const bool FREQUENCY = false;

uint work = 0u; // rounds of this subgroup's lanes since it last added them to control.work
uint num_evaluations = 0u;
uint num_tests = 0u; // far below 2^32, because max_work is
uint max_steps = 0u;

#include "palette/step.glsl"
#ifdef MERGES
#include "palette/states.glsl"
#endif

// Take the next trajectory to move. Return false if there is none.
bool take(out Trajectory trajectory)
{
    uint ticket = 0u;
    if (subgroupElect()) {
        ticket = atomicAdd(control.ticket, 1u);
    }
    ticket = subgroupBroadcastFirst(ticket);
    if (ticket < control.num_taken) {
        trajectory = unfinished[control.turn * push.max_unfinished + ticket];
        return true;
    }
    const uint index = control.next_point + (ticket - control.num_taken);
    if (index >= control.num_points) {
        return false;
    }
    trajectory = Trajectory(point_of_end(ends[index]), index, 0u);
    return true;
}

// Save a trajectory for the next dispatch. Each subgroup saves at most one, so the list has one
// place a subgroup.
void save(Trajectory trajectory)
{
    if (subgroupElect()) {
        const uint place = atomicAdd(control.num_left, 1u);
        unfinished[(1u - control.turn) * push.max_unfinished + place] = trajectory;
        ends[trajectory.index] = end_at_point(trajectory.state);
    }
}

void end_at(Trajectory trajectory, uvec4 end)
{
    if (subgroupElect()) {
        ends[trajectory.index] = end;
    }
    max_steps = max(max_steps, trajectory.num_steps);
}

// Return true if no trajectory has been in this state before. Otherwise this one ends here.
bool is_alone(Trajectory trajectory)
{
#ifdef MERGES
    uint slot;
    if (!claim(uvec3(trajectory.state), trajectory.index, slot)) {
        end_at(trajectory, meeting_at(slot));
        return false;
    }
#endif
    return true;
}

// Make one step. Return false if the trajectory has ended.
bool advance(inout Trajectory trajectory)
{
    const ivec3 next = step_from(trajectory.state);
    trajectory.num_steps++;
    num_evaluations++;
    if (next == trajectory.state || trajectory.num_steps == push.limit) {
        end_at(trajectory, end_at_point(next));
        return false;
    }
    trajectory.state = next;
    return is_alone(trajectory);
}

// True while the work of all subgroups together is below the dispatch's limit, and the work of this
// subgroup below its own. A subgroup that starts late does less. Updated every WORK_TO_ASK rounds.
bool goes_on = true;
uint asked_work = 0u; // rounds of this subgroup that have been added to control.work
const uint WORK_TO_ASK = 256u;

void ask_for_time()
{
    if (work < WORK_TO_ASK) {
        return;
    }
    uint total = 0u;
    if (subgroupElect()) {
        total = atomicAdd(control.work, work) + work;
    }
    asked_work += work;
    work = 0u;
    goes_on = subgroupBroadcastFirst(total) < push.max_work && asked_work < push.max_subgroup_work;
}

// Follow trajectories, one after the other. Each subgroup takes at least one, so all are taken that
// the last dispatch saved.
void follow_trajectories()
{
    grid = load_grid();
    squared_radius = float(join_words(push.radius_squared));
    work = WORK_TO_ASK;
    Trajectory trajectory;
    while (goes_on && take(trajectory)) {
        // A trajectory that has made steps was saved, and has claimed its state before.
        bool moves = trajectory.num_steps > 0u || is_alone(trajectory);
        while (moves && goes_on) {
            moves = advance(trajectory);
            ask_for_time();
        }
        if (moves) {
            save(trajectory);
        }
    }
}

void report()
{
    if (subgroupElect() && num_evaluations > 0u) {
        const uvec2 added = uvec2(num_evaluations, num_tests);
        const uvec2 sum = added + uvec2(atomicAdd(control.num_evaluations.x, added.x),
                                        atomicAdd(control.num_tests.x, added.y));
        if (sum.x < added.x) {
            atomicAdd(control.num_evaluations.y, 1u);
        }
        if (sum.y < added.y) {
            atomicAdd(control.num_tests.y, 1u);
        }
        atomicMax(control.max_steps, max_steps);
    }
}

// Prepare the next dispatch, if this workgroup is the last of the dispatch.
void hand_over()
{
    memoryBarrierBuffer();
    barrier();
    if (gl_LocalInvocationIndex != 0u ||
        atomicAdd(control.finished, 1u) != gl_NumWorkGroups.x - 1u) {
        return;
    }
    const uint num_tickets = atomicExchange(control.ticket, 0u);
    const uint num_left = atomicExchange(control.num_left, 0u);
    const uint num_begun = num_tickets - min(num_tickets, control.num_taken);
    const uint next_point = min(control.next_point + num_begun, control.num_points);
    control.next_point = next_point;
    control.num_taken = num_left;
    control.turn = 1u - control.turn;
    control.finished = 0u;
    control.work = 0u;
    control.num_unfinished = num_left + control.num_points - next_point;
}

void main()
{
    follow_trajectories();
    report();
    hand_over();
}
