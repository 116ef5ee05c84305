// SPDX-License-Identifier: MIT
// Sums and minima over the invocations of a workgroup. All of its invocations call them.

shared uint scanned[WEIR_SNAPPY_GROUP];

// Get the sum of `value` over the invocations before this one, and over all.
uint sum_before(uint lane, uint value, out uint total)
{
    barrier(); // what an earlier call gave has been read
    scanned[lane] = value;
    for (uint step = 1u; step < WEIR_SNAPPY_GROUP; step *= 2u) {
        barrier();
        const uint other = lane >= step ? scanned[lane - step] : 0u;
        barrier();
        scanned[lane] += other;
    }
    barrier();
    total = scanned[WEIR_SNAPPY_GROUP - 1u];
    return scanned[lane] - value;
}

// Get the least `value` of the invocations behind this one; `none` for the last.
uint least_behind(uint lane, uint value, uint none)
{
    barrier();
    scanned[lane] = value;
    for (uint step = 1u; step < WEIR_SNAPPY_GROUP; step *= 2u) {
        barrier();
        const uint other = lane + step < WEIR_SNAPPY_GROUP ? scanned[lane + step] : none;
        barrier();
        scanned[lane] = min(scanned[lane], other);
    }
    barrier();
    return lane + 1u < WEIR_SNAPPY_GROUP ? scanned[lane + 1u] : none;
}
