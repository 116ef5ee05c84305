// SPDX-License-Identifier: MIT
// What k-means keeps beside the colours: its clusters, and how far it is.
//
// A coordinate is 0 .. 2^15: 128 times a code, or Oklab in Q15 with a and b moved up by a half. So
// squared distances have 32 bits.

layout(constant_id = WEIR_PALETTE_CONSTANT_OKLAB) const bool OKLAB = false;


// What a split is taken to gain: eighths of the variance along an axis.
const uint LEAST_GAIN_EIGHTHS = 5u;

const uint PHASE_GROWING = 0u, PHASE_MOVING = 1u, PHASE_FINAL = 2u, PHASE_KEEPING = 3u,
           PHASE_DONE = 4u;

// The square of how far a colour may be from the palette: 48 codes, or 0.1 in Oklab.
const uint FAR_SQUARED = OKLAB ? 3277u * 3277u : 6144u * 6144u;

// The sums over a cluster's points in a pass: their weight, their coordinates, and the squares of
// these, all times weights. Each is two words, the low word first, which 32-bit atomics add up.
const uint NUM_SUMS = 7u;
const uint NUM_SUM_WORDS = 2u * NUM_SUMS;

layout(set = WEIR_PALETTE_SET_MEMORY, binding = WEIR_PALETTE_BINDING_MEANS, std430)
buffer Means {
    uint num;        // clusters
    uint phase;      // PHASE_*
    uint num_passes; // since clusters were split or given up
    uint num_moves;  // times that clusters were given up
    uint is_whole;   // not 0: the palette has room for every colour
    uint num_kept;   // rare colours that have a cluster of their own
    uint unused[2];
    // The mean of each cluster. w: 1 if it is for a rare colour; in the end its colour.
    layout(offset = WEIR_PALETTE_MEANS_POINTS)
    uvec4 points[WEIR_PALETTE_MAX_MEANS];
    uint sums[WEIR_PALETTE_MAX_MEANS * NUM_SUM_WORDS];
} means;

// Get after how many passes clusters are split, or given up for others to be split.
uint passes_of(uint phase)
{
    return phase == PHASE_GROWING ? WEIR_PALETTE_GROWING_PASSES : WEIR_PALETTE_MOVING_PASSES;
}

uint64_t pack_mean(uvec3 x)
{
    return uint64_t(x.z) << 32 | uint64_t(x.y << 16 | x.x);
}

uvec3 unpack_mean(uint64_t mean)
{
    const uint low = uint(mean);
    return uvec3(low & 65535u, low >> 16, uint(mean >> 32));
}

uint squared_distance(uvec3 p, uvec3 q)
{
    const ivec3 d = ivec3(p) - ivec3(q);
    return uint(d.x * d.x) + uint(d.y * d.y) + uint(d.z * d.z);
}

// Get the first of the means that are nearest to a point.
uint nearest_mean(uvec3 point, uint num)
{
    uint best = 0u, least = 0xffffffffu;
    for (uint k = 0u; k < num; k++) {
        const uint distance = squared_distance(point, means.points[k].xyz);
        if (distance < least) {
            least = distance;
            best = k;
        }
    }
    return best;
}

// Get how many of the passes are certain to follow: clusters that are missing, and one more.
uint num_left(uint num, uint phase)
{
    return phase == PHASE_DONE ? 0u : push.num_means - num + 1u;
}
