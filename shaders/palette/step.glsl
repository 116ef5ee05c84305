// SPDX-License-Identifier: MIT
// One step of a trajectory: the weighted mean of the points within the radius, rounded to the
// lattice.
//
// The grid's columns run along L. The nearest and the farthest place of a column in a and b show
// which stretch of its cells lies wholly inside the ball. The sum of that stretch is the difference
// of two prefix sums; the points of the cells before and after it are tested one by one. Floats may
// find the stretch as long as their errors only make it shorter: points outside it are tested with
// integers.

#include "palette/grid.glsl"

// Set once, before the first step.
Grid grid;
float squared_radius;

// Lanes in step need no barrier of their subgroup. Mesa's software device, whose lanes are, takes
// one for a barrier of the workgroup (Mesa 25), which not all subgroups reach.
layout(constant_id = WEIR_PALETTE_CONSTANT_IN_STEP) const bool IN_STEP = false;

// Testing fewer points than this is faster than reading two sums.
const uint MIN_INSIDE = 8u;

// Two runs of points of a column that are tested, as one stretch.
struct Stretch {
    uint first, num_first; // the first run: its first point and its number of points
    uint second;           // the first point of the second run
    uint total;            // number of points of both runs
};

const Stretch NO_POINTS = Stretch(0u, 0u, 0u, 0u);

// Where a point that is tested is found, and the corner of its column.
struct Place {
    uint number;
    ivec2 corner;
};

// The stretches of a subgroup that have points. The subgroup tests the points of all of them in one
// order. x: the place in that order of the second run's first point. y, z: the number to add to a
// place in that order to get the number of the point, in the first and in the second run. w: the
// column, counted from the first one of the step, a in the upper half and b in the lower.
shared uvec4 stretches[WEIR_PALETTE_MOVING_SIZE];

// Get the sum over the points of a column from `first` to `end` - 1, as the column has them.
Sum sum_between(uint first, uint end)
{
    const Sum sum = sums[end - 1u];
    if (first == 0u) {
        return sum;
    }
    const Sum before = sums[first - 1u];
    return Sum(sum.l - before.l, sum.a - before.a, sum.b - before.b, sum.w - before.w, 0u);
}

// Return true if a vector is no longer than the radius. Where floats, which are off by less than a
// millionth, leave a doubt, integers decide.
bool is_within_radius(ivec3 v)
{
    const vec3 x = vec3(v);
    const float off = dot(x, x) - squared_radius;
    if (abs(off) > squared_radius * 1e-6) {
        return off < 0.0;
    }
    const uvec3 d = uvec3(abs(v));
    const uint64_t squared = uint64_t(d.x) * d.x + uint64_t(d.y) * d.y + uint64_t(d.z) * d.z;
    return squared <= join_words(push.radius_squared);
}

// Add a point to the sum if it is inside the ball.
void add_point(inout Sum sum, ivec3 center, Place place, uint64_t packed)
{
    const ivec3 point = ivec3(unpack_in_column(packed)) + ivec3(0, place.corner);
    if (is_within_radius(point - center)) {
        const uint w = FREQUENCY ? weights[place.number] : 1u;
        sum.l += uint64_t(w) * uint(point.x);
        sum.a += uint64_t(w) * uint(point.y);
        sum.b += uint64_t(w) * uint(point.z);
        sum.w += w;
    }
}

// Get how far the ball reaches along L at the nearest place of a column (`outer`) and at the
// farthest (`inner`) [lattice units], or -1 where it does not reach. `nearest` and `farthest` are
// the squared distances of these places in a and b. `outer` is rounded up and `inner` down: floats
// are off by less than a millionth of the squared radius.
void chords(float nearest, float farthest, out float outer, out float inner)
{
    const float slack = squared_radius * 1e-6;
    outer = squared_radius - nearest + slack;
    inner = squared_radius - farthest - slack;
    outer = outer < 0.0 ? -1.0 : sqrt(outer) * (1.0 + 1e-6) + 1.0;
    inner = inner < 0.0 ? -1.0 : sqrt(inner) * (1.0 - 1e-6) - 1.0;
}

// Add the part of a column that lies inside the ball, and get the points that must be tested.
Stretch look_at_column(inout Sum sum, ivec3 center, uvec2 ab)
{
    const ivec2 corner = corner_of(grid, ab);
    const ivec2 low = corner - center.yz;
    const ivec2 high = low + (1 << grid.shift_ab) - 1;
    const vec2 nearest = vec2(max(max(low, -high), 0)), farthest = vec2(max(-low, high));
    float outer, inner;
    chords(dot(nearest, nearest), dot(farthest, farthest), outer, inner);

    const uint shift = grid.shift_l;
    const int last_cell = int(grid.cells_l) - 1;
    const int l = center.x - grid.origin.x;
    const int first = max(l - int(outer), 0) >> shift;
    const int last = min(l + int(outer) >> shift, last_cell);
    if (outer < 0.0 || first > last) {
        return NO_POINTS;
    }
    const uint column = column_of(grid, ab);
    const uint begin = cells[column + first], end = cells[column + last + 1];
    const int first_inner = max(l - int(inner) + (1 << shift) - 1 >> shift, first);
    const int end_inner = min(l + int(inner) + 1 >> shift, last + 1);
    if (inner < 0.0 || first_inner >= end_inner) {
        return Stretch(begin, end - begin, 0u, end - begin);
    }
    const uint begin_inner = cells[column + first_inner], behind_inner = cells[column + end_inner];
    if (behind_inner < begin_inner + MIN_INSIDE) {
        return Stretch(begin, end - begin, 0u, end - begin);
    }
    const Sum inside = sum_between(begin_inner, behind_inner);
    sum.l += inside.l;
    sum.a += inside.a + uint64_t(inside.w) * uint(corner.x);
    sum.b += inside.b + uint64_t(inside.w) * uint(corner.y);
    sum.w += inside.w;
    const uint num_first = begin_inner - begin;
    return Stretch(begin, num_first, behind_inner, num_first + end - behind_inner);
}

// Wait until the other lanes of the subgroup have come here.
void wait_for_lanes()
{
    if (!IN_STEP) {
        subgroupBarrier();
    }
}

// Count the stretches that begin in the round of points that starts at `base`. x: at this lane's
// place or before it. y: at all places.
uvec2 count_begins(uint first, bool has_points, uint base)
{
    const uint turn = first - base; // wraps where it begins before
    const bool begins = has_points && turn < gl_SubgroupSize;
    const uint low = subgroupOr(begins && turn < 32u ? 1u << turn : 0u);
    uvec2 num = uvec2(bitCount(low & gl_SubgroupLeMask.x), bitCount(low));
    if (gl_SubgroupSize > 32u) {
        const uint high = subgroupOr(begins && turn >= 32u ? 1u << turn - 32u : 0u);
        num += uvec2(bitCount(high & gl_SubgroupLeMask.y), bitCount(high));
    }
    return num;
}

// Get where the point at place `turn` of the order is, which is in stretch `listed`. `corner` is
// that of the step's first column.
Place place_of(ivec2 corner, uint turn, uint listed)
{
    const uvec4 stretch = stretches[listed];
    const uvec2 column = uvec2(stretch.w >> 16, stretch.w & 65535u);
    return Place(turn + (turn < stretch.x ? stretch.y : stretch.z),
                 corner + ivec2(column << grid.shift_ab));
}

// Test the points of all lanes' stretches, dealt out evenly. A lane loads two points at a time, as
// loading takes longer than testing. `corner` is that of the step's first column; `column` is this
// lane's.
void look_at_points(inout Sum sum, ivec3 center, ivec2 corner, uvec2 column, Stretch stretch)
{
    const uint first = subgroupExclusiveAdd(stretch.total);
    const uint total = subgroupAdd(stretch.total);
    const bool has_points = stretch.total > 0u;
    const uint first_of_subgroup = gl_SubgroupID * gl_SubgroupSize;
    const uint rank = subgroupBallotExclusiveBitCount(subgroupBallot(has_points));
    wait_for_lanes(); // all lanes have read the stretches of the call before
    if (has_points) {
        stretches[first_of_subgroup + rank] = uvec4(first + stretch.num_first,
                                                    stretch.first - first,
                                                    stretch.second - first - stretch.num_first,
                                                    column.x << 16 | column.y);
    }
    subgroupMemoryBarrierShared();
    wait_for_lanes();
    uint listed = first_of_subgroup - 1u; // the last stretch that begins before `base`
    uint base = 0u;
    for (; base + 2u * gl_SubgroupSize <= total; base += 2u * gl_SubgroupSize) {
        const uint turn = base + gl_SubgroupInvocationID;
        const uvec2 a = count_begins(first, has_points, base);
        const uvec2 b = count_begins(first, has_points, base + gl_SubgroupSize);
        const Place i = place_of(corner, turn, listed + a.x);
        const Place j = place_of(corner, turn + gl_SubgroupSize, listed + a.y + b.x);
        const uint64_t p = points[i.number], q = points[j.number];
        add_point(sum, center, i, p);
        add_point(sum, center, j, q);
        listed += a.y + b.y;
    }
    for (; base < total; base += gl_SubgroupSize) {
        const uint turn = base + gl_SubgroupInvocationID;
        const uvec2 num = count_begins(first, has_points, base);
        if (turn < total) {
            const Place i = place_of(corner, turn, listed + num.x);
            add_point(sum, center, i, points[i.number]);
        }
        listed += num.y;
    }
    work += (total + gl_SubgroupSize - 1u) / gl_SubgroupSize;
    num_tests += total;
}

// Get the sum over all lanes of numbers below 2^58, with 32-bit additions.
uint64_t sum_of_lanes(uint64_t x)
{
    const uint low = subgroupAdd(uint(x) & 0x3ffffffu);
    const uint high = subgroupAdd(uint(x >> 26));
    return (uint64_t(high) << 26) + low;
}

// Get floor((2 sum + num) / (2 num)), which is near `center`. The loops correct the estimate.
int rounded_mean(uint64_t sum, uint num, int center)
{
    const int64_t off = int64_t(sum) - int64_t(num) * center;
    int mean = int(floor(float(off) / float(num) + 0.5));
    int64_t rest = 2 * off + num - 2 * int64_t(num) * mean;
    while (rest < 0) {
        mean--;
        rest += 2 * int64_t(num);
    }
    while (rest >= 2 * int64_t(num)) {
        mean++;
        rest -= 2 * int64_t(num);
    }
    return center + mean;
}

ivec3 step_from(ivec3 center)
{
    const ivec3 place = center - grid.origin;
    const ivec2 radius = ivec2(int(push.radius));
    const ivec2 last_column = ivec2(grid.cells_a, grid.cells_b) - 1;
    const uvec2 first = uvec2(max(place.yz - radius, 0) >> grid.shift_ab);
    const uvec2 last = uvec2(min(place.yz + radius >> grid.shift_ab, last_column));
    const uvec2 size = last - first + 1u;
    const float row = 1.0 / float(size.y);
    const ivec2 corner = corner_of(grid, first);

    Sum sum = Sum(uint64_t(0), uint64_t(0), uint64_t(0), 0u, 0u);
    for (uint base = 0u; base < size.x * size.y; base += gl_SubgroupSize) {
        const uint number = base + gl_SubgroupInvocationID;
        const uint a = uint((float(number) + 0.5) * row);
        const uvec2 column = uvec2(a, number - a * size.y);
        Stretch stretch = NO_POINTS;
        if (number < size.x * size.y) {
            stretch = look_at_column(sum, center, first + column);
        }
        look_at_points(sum, center, corner, column, stretch);
        work++;
    }
    const uint num = subgroupAdd(sum.w);
    return ivec3(rounded_mean(sum_of_lanes(sum.l), num, center.x),
                 rounded_mean(sum_of_lanes(sum.a), num, center.y),
                 rounded_mean(sum_of_lanes(sum.b), num, center.z));
}
