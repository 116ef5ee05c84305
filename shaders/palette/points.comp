// SPDX-License-Identifier: MIT
// Prefix sums over points: weights, and coordinates times weights, as columns have them.
//
// An invocation adds up a run of neighbours. A workgroup is 256 invocations. 8 KiB of shared
// memory.
// DISPATCH: which half of the work this is (scan.glsl).

#include "palette/each.glsl"
#include "palette/grid.glsl"

layout(constant_id = WEIR_PALETTE_CONSTANT_FREQUENCY) const bool FREQUENCY = false;

#define Value Sum

Sum zero()
{
    return Sum(uint64_t(0), uint64_t(0), uint64_t(0), 0u, 0u);
}

// Weights have 32 bits: differences of sums are right as long as the images have less than 2^32
// pixels.
Sum plus(Sum x, Sum y)
{
    return Sum(x.l + y.l, x.a + y.a, x.b + y.b, x.w + y.w, 0u);
}

uint num_elements()
{
    return control.num_points;
}

Sum load(uint i)
{
    const uvec3 point = unpack_in_column(points[i]);
    const uint w = FREQUENCY ? weights[i] : 1u;
    return Sum(uint64_t(w) * point.x, uint64_t(w) * point.y, uint64_t(w) * point.z, w, 0u);
}

void store(uint i, Sum before, Sum value)
{
    sums[i] = plus(before, value);
}

void save_partial(uint group, Sum sum)
{
    partials[group] = sum;
}

Sum load_partial(uint group)
{
    return partials[group];
}

#include "palette/scan.glsl"
