// SPDX-License-Identifier: MIT
// Prefix sums in two dispatches: the sum of each workgroup's elements, then the sum of all elements
// before each element.
//
// An invocation takes a run of neighbouring elements, the same in both dispatches. The includer
// defines Value, zero(), plus(), num_elements(), load(), store(), for the sum of a workgroup
// save_partial() and load_partial(), and as DISPATCH save_sum_of_workgroup or store_sums.

shared Value values[WEIR_PALETTE_GROUP_SIZE];

// Get the elements of an invocation: from x to y - 1.
uvec2 run_of(uint invocation)
{
    const uint num = num_elements();
    const uint size = (num + NUM_INVOCATIONS - 1u) / NUM_INVOCATIONS;
    return min(uvec2(invocation, invocation + 1u) * size, num);
}

// Return true if this workgroup has elements. The sum of one without elements is never read.
bool has_elements()
{
    const uvec2 elements = run_of(gl_WorkGroupID.x * WEIR_PALETTE_GROUP_SIZE);
    return elements.x < elements.y;
}

Value sum_of_run()
{
    Value sum = zero();
    const uvec2 elements = run_of(gl_GlobalInvocationID.x);
    for (uint i = elements.x; i < elements.y; i++) {
        sum = plus(sum, load(i));
    }
    return sum;
}

// Get the sum of the values of the workgroup's invocations up to this one. `values` holds the sums
// of all of them afterwards.
Value inclusive_sum(Value value)
{
    const uint index = gl_LocalInvocationIndex;
    values[index] = value;
    barrier();
    for (uint distance = 1u; distance < WEIR_PALETTE_GROUP_SIZE; distance <<= 1) {
        if (index >= distance) {
            value = plus(value, values[index - distance]);
        }
        barrier();
        values[index] = value;
        barrier();
    }
    return value;
}

void save_sum_of_workgroup()
{
    const Value sum = inclusive_sum(sum_of_run());
    if (gl_LocalInvocationIndex == WEIR_PALETTE_GROUP_SIZE - 1u) {
        save_partial(gl_WorkGroupID.x, sum);
    }
}

// Get the sum of the workgroups before this one.
Value sum_before_workgroup()
{
    Value sum = zero();
    for (uint i = gl_LocalInvocationIndex; i < gl_WorkGroupID.x; i += WEIR_PALETTE_GROUP_SIZE) {
        sum = plus(sum, load_partial(i));
    }
    inclusive_sum(sum);
    sum = values[WEIR_PALETTE_GROUP_SIZE - 1u];
    barrier();
    return sum;
}

// Store the sum of the elements before each element.
void store_sums()
{
    Value sum = sum_before_workgroup();
    inclusive_sum(sum_of_run());
    if (gl_LocalInvocationIndex > 0u) {
        sum = plus(sum, values[gl_LocalInvocationIndex - 1u]);
    }
    const uvec2 elements = run_of(gl_GlobalInvocationID.x);
    for (uint i = elements.x; i < elements.y; i++) {
        const Value value = load(i);
        store(i, sum, value);
        sum = plus(sum, value);
    }
}

void main()
{
    if (has_elements()) {
        DISPATCH();
    }
}
