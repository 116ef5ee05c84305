// SPDX-License-Identifier: MIT
// Moves the colours of a palette by the pixels that a frame has looked at: a step of Lloyd's
// iteration, and colours of little use are given up for others to be split, as in
// B. Fritzke's LBG-U (1997).
//
// An invocation takes a colour. One workgroup of 256. 11 KiB of shared memory.

#include "palette/constants.h"

layout(local_size_x = WEIR_PALETTE_MAX_MEANS) in;

#include "palette/memory.glsl"
#include "palette/means.glsl"
#define NEAREST_ACCESS readonly
#include "palette/live.glsl"

layout(set = WEIR_PALETTE_SET_MEMORY, binding = WEIR_PALETTE_BINDING_REPORTS, std430)
    // What the host reads: Control, and after it Means as far as its points.
    writeonly buffer Reports { uint reports[]; };

// What a split must gain, in what is lost by giving up a colour: so a picture that does not change
// comes to rest.
const uint LEAST_GAIN = 4u;

shared uvec4 centers[WEIR_PALETTE_MAX_MEANS]; // w: the number of pixels
// Of the pixels of a colour, along the axis along which they vary most: the sum of their squared
// distances. And what is lost where the colour is given up.
shared uint variances[WEIR_PALETTE_MAX_MEANS], uses[WEIR_PALETTE_MAX_MEANS];
shared uint variance_ranks[WEIR_PALETTE_MAX_MEANS], use_ranks[WEIR_PALETTE_MAX_MEANS];
shared uint by_variance[WEIR_PALETTE_MAX_MEANS], by_use[WEIR_PALETTE_MAX_MEANS];
shared uint axes[WEIR_PALETTE_MAX_MEANS], neighbors[WEIR_PALETTE_MAX_MEANS];

uint sum_of(uint k, uint i)
{
    return looked[WEIR_PALETTE_LIVE_SUMS * k + i];
}

// Get a colour of the palette. One that the palette has room for begins as the first.
uint color_at(uint k)
{
    const uint num = means.num;
    return num > 0u ? means.points[k < num ? k : 0u].w : 0u;
}

// Report to the host the colours by which frames are mapped now.
void report(uint k, uint color)
{
    const uint first = WEIR_PALETTE_REPORT_END / 4u;
    reports[first + WEIR_PALETTE_MEANS_POINTS / 4u + 4u * k + 3u] = color;
    if (k == 0u) {
        reports[first] = push.num_means;
    }
}

// Move a colour to the mean of its pixels. Noise of less than three quarters of a code moves
// nothing.
void move(uint k)
{
    const uint weight = sum_of(k, 0u);
    const uint color = color_at(k);
    uvec3 center = codes_of(color), mean = center;
    bool moves = false;
    for (uint c = 0u; c < 3u && weight > 0u; c++) {
        const uint sum = sum_of(k, 1u + c), stay = weight * center[c];
        moves = moves || 4u * (sum > stay ? sum - stay : stay - sum) > 3u * weight;
        mean[c] = (2u * sum + weight) / (2u * weight);
    }
    report(k, color);
    center = moves ? mean : center;
    uint variance = 0u, axis = 0u;
    for (uint c = 0u; c < 3u; c++) {
        const uint along = sum_of(k, 4u + c) - 2u * center[c] * sum_of(k, 1u + c) +
                           center[c] * center[c] * weight;
        axis = along > variance ? c : axis;
        variance = max(variance, along);
    }
    centers[k] = uvec4(center, weight);
    variances[k] = variance;
    axes[k] = axis;
}

// Find what is lost where a colour is given up, if all of its pixels go to the nearest other.
void find_use(uint k)
{
    uint least = 0xffffffffu, neighbor = 0u;
    for (uint j = 0u; j < push.num_means; j++) {
        const uvec4 other = centers[j];
        const uint distance = squared_distance(centers[k].xyz, other.xyz);
        if (j != k && other.w > 0u && distance < least) {
            least = distance;
            neighbor = j;
        }
    }
    uint high, low;
    umulExtended(centers[k].w, least, high, low);
    uses[k] = high > 0u ? 0xffffffffu : low;
    neighbors[k] = neighbor;
}

void find_ranks(uint k)
{
    const uint variance = variances[k], use = uses[k];
    uint variance_rank = 0u, use_rank = 0u;
    for (uint j = 0u; j < push.num_means; j++) {
        variance_rank += variances[j] > variance || (variances[j] == variance && j < k) ? 1u : 0u;
        use_rank += uses[j] < use || (uses[j] == use && j < k) ? 1u : 0u;
    }
    variance_ranks[k] = variance_rank;
    use_ranks[k] = use_rank;
    by_variance[variance_rank] = k;
    by_use[use_rank] = k;
}

// True if a colour is one of those that may be split.
bool varies_most(uint k, uint most)
{
    return variance_ranks[k] < most && variances[k] > 0u;
}

// True if the pixels of a colour have somewhere to go: to one that is neither split nor given up.
bool is_free(uint k, uint most)
{
    const uint near = neighbors[k];
    return centers[k].w == 0u ||
           (!varies_most(near, most) && use_ranks[near] >= use_ranks[k]);
}

// Split the i-th of the colours that vary most, and give up the i-th of least use for that.
void split(uint i, uint most)
{
    const uint high = by_variance[i], low = by_use[i];
    if (variances[high] / LEAST_GAIN <= uses[low] || use_ranks[high] < most ||
        varies_most(low, most) || !is_free(low, most)) {
        return;
    }
    const uint axis = axes[high], center = centers[high][axis];
    const uint square = variances[high] / centers[high].w; // at most 255^2
    uint deviation = 0u;
    for (uint bit = 128u; bit > 0u; bit >>= 1) {
        deviation += (deviation + bit) * (deviation + bit) <= square ? bit : 0u;
    }
    deviation = max(deviation, 1u);
    centers[low].xyz = centers[high].xyz;
    centers[low][axis] = min(center + deviation, 255u);
    centers[high][axis] = center - min(deviation, center);
}

void main()
{
    const uint k = gl_LocalInvocationIndex, most = push.num_means / 8u + 1u;
    const bool counts = k < push.num_means;
    if (counts) {
        move(k);
    }
    barrier();
    if (counts) {
        find_use(k);
    }
    barrier();
    if (counts) {
        find_ranks(k);
    }
    barrier();
    if (k < min(most, push.num_means)) {
        split(k, most);
    }
    barrier();
    if (counts) {
        const uvec3 x = centers[k].xyz;
        means.points[k].w = x.r << 16 | x.g << 8 | x.b;
    }
    if (k == 0u) {
        means.num = push.num_means;
    }
    for (uint i = 0u; i < WEIR_PALETTE_LIVE_SUMS; i++) {
        looked[WEIR_PALETTE_LIVE_SUMS * k + i] = 0u;
    }
}
