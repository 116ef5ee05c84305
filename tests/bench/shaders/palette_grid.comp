// SPDX-License-Identifier: MIT
// The method of weir-bench palette with which others are compared: mean shift in floats, one
// invocation a colour.
//
// It follows the GPU pipeline of the article that the palette module began with, written anew from
// its text. Points lie in a grid of 100 cells an axis over their bounding box. A step looks at the
// cells of the box around the centre: a cell whose nearest corner is further than the radius is
// skipped, one whose furthest corner is within it adds its sums, and the points of the others are
// tested one by one. A colour is done when its centre stays or returns to its place of the step
// before. After `limit` steps the other colours are appended to the other half of `states`, and the
// next dispatch goes on with them. With a limit of 0 all are done where they are. Requires subgroup
// arithmetic.
#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require

layout(local_size_x = 64) in;

layout(constant_id = 0) const bool FREQUENCY = false; // a point weighs its number of pixels
layout(constant_id = 1) const bool SRGB = false;      // light was decoded from codes

const uint GRID = 100u;

// For each cell, the range of its points in `order`, and the sums of its points: bits of the floats
// xyz, and the weight.
layout(set = 0, binding = 0, std430) readonly buffer Ranges { uvec2 ranges[]; };
layout(set = 0, binding = 1, std430) readonly buffer Sums { uvec4 sums[]; };
// `order` lists the indices of points, cell by cell.
layout(set = 0, binding = 2, std430) readonly buffer Order { uint order[]; };
layout(set = 0, binding = 3, std430) readonly buffer Points { vec4 points[]; };
layout(set = 0, binding = 4, std430) readonly buffer Counts { uint counts[]; }; // pixels of a point
// Bits of the floats of the centre, and the index of the colour.
layout(set = 0, binding = 5, std430) buffer States { uvec4 states[]; };
layout(set = 0, binding = 6, std430) writeonly buffer Outputs { uint outputs[]; };
layout(set = 0, binding = 7, std430) buffer Counters {
    uint num_left; // neither counter is reset: the host takes differences
    uint num_evaluations;
} counters;

layout(push_constant) uniform Push {
    vec3 box_min;
    float radius_squared;
    vec3 box_range;
    uint limit;  // most steps of a dispatch
    uvec3 reach; // number of cells to look at on either side
    uint first, num; // range of the states to take
    uint target;     // place for unfinished states, less num_left at the start of the round
} push;

vec3 to_cell(vec3 position)
{
    return clamp((position - push.box_min) / push.box_range * float(GRID), 0.0,
                 float(GRID) - 0.001);
}

vec3 from_cell(vec3 cell)
{
    return cell / float(GRID) * push.box_range + push.box_min;
}

// xyz: sum of points, w: of weights.
void add_points(uvec2 range, vec3 center, inout vec3 sum, inout uint weight)
{
    for (uint i = range.x; i != range.y; i++) {
        const uint index = order[i];
        const vec3 point = points[index].xyz;
        const vec3 offset = point - center;
        const bool matched = dot(offset, offset) <= push.radius_squared;
        if (FREQUENCY) {
            if (matched) {
                const uint count = counts[index];
                weight += count;
                sum += float(count) * point;
            }
        } else {
            weight += uint(matched);
            sum += float(matched) * point;
        }
    }
}

void add_cell(uvec3 cell, vec3 center, uvec3 home, vec3 home_position, inout vec3 sum,
              inout uint weight)
{
    const vec3 corner = vec3(cell);
    const bvec3 is_home = equal(cell, home);
    const bvec3 is_below = lessThan(cell, home);
    const vec3 nearest = from_cell(mix(corner + vec3(is_below), home_position, is_home)) - center;
    const bvec3 is_past_middle = lessThan(from_cell(corner + 0.5), center);
    const vec3 far_side = vec3(not(is_below)) * (1.0 - vec3(is_home) * vec3(is_past_middle));
    const vec3 furthest = from_cell(corner + far_side) - center;
    if (dot(nearest, nearest) > push.radius_squared) {
        return;
    }
    const uint index = (cell.x * GRID + cell.y) * GRID + cell.z;
    if (dot(furthest, furthest) <= push.radius_squared) {
        const uvec4 all = sums[index];
        sum += uintBitsToFloat(all.xyz);
        weight += all.w;
    } else {
        add_points(ranges[index], center, sum, weight);
    }
}

vec3 step_from(vec3 center)
{
    const vec3 home_position = to_cell(center);
    const uvec3 home = uvec3(home_position);
    const uvec3 low = home - min(push.reach, home);
    const uvec3 high = min(home + push.reach, GRID - 1u);
    vec3 sum = vec3(0.0);
    uint weight = 0u;
    for (uint x = low.x; x <= high.x; x++) {
        for (uint y = low.y; y <= high.y; y++) {
            for (uint z = low.z; z <= high.z; z++) {
                add_cell(uvec3(x, y, z), center, home, home_position, sum, weight);
            }
        }
    }
    // Rounding may leave no point within the radius of a mean: then it stays.
    return weight > 0u ? sum / float(weight) : center;
}

// Bjoern Ottosson, "A perceptual color space for image processing", 2020.
uint to_color(vec3 lab)
{
    vec3 lms = lab.x + lab.y * vec3(0.3963377774, -0.1055613458, -0.0894841775) +
               lab.z * vec3(0.2158037573, -0.0638541728, -1.2914855480);
    lms = lms * lms * lms;
    vec3 rgb = lms.x * vec3(4.0767416621, -1.2684380046, -0.0041960863) +
               lms.y * vec3(-3.3077115913, 2.6097574011, -0.7034186147) +
               lms.z * vec3(0.2309699292, -0.3413193965, 1.7076147010);
    rgb = clamp(rgb, 0.0, 1.0);
    if (SRGB) {
        rgb = mix(1.055 * pow(rgb, vec3(1.0 / 2.4)) - 0.055, 12.92 * rgb,
                  lessThanEqual(rgb, vec3(0.0031308)));
    }
    const uvec3 codes = uvec3(rgb * 255.0 + 0.5);
    return codes.r << 16 | codes.g << 8 | codes.b;
}

void main()
{
    if (gl_GlobalInvocationID.x >= push.num) {
        return;
    }
    const uvec4 state = states[push.first + gl_GlobalInvocationID.x];
    vec3 center = uintBitsToFloat(state.xyz), previous = vec3(-1.0);
    bool done = push.limit == 0u;
    uint steps = 0u;
    for (; steps < push.limit && !done; steps++) {
        const vec3 next = step_from(center);
        done = next == center || next == previous;
        previous = center;
        center = next;
    }
    if (done) {
        outputs[state.w] = to_color(center);
    } else {
        states[push.target + atomicAdd(counters.num_left, 1u)] = uvec4(floatBitsToUint(center),
                                                                       state.w);
    }
    const uint evaluations = subgroupAdd(steps);
    if (subgroupElect()) {
        atomicAdd(counters.num_evaluations, evaluations);
    }
}
