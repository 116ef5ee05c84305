// SPDX-License-Identifier: MIT
// The clusters of a pass of k-means, in shared memory: their order, and how they are split and
// merged.
//
// Invocation k of the workgroup has cluster k, where there is one. 15 KiB of shared memory.

shared uvec4 centers[WEIR_PALETTE_MAX_MEANS];
shared uint cluster_weights[WEIR_PALETTE_MAX_MEANS]; // 2^32 - 1 at most
// The largest sum of squared distances along an axis, which axis, and the standard deviation.
shared uint64_t variances[WEIR_PALETTE_MAX_MEANS];
shared uint axes[WEIR_PALETTE_MAX_MEANS], deviations[WEIR_PALETTE_MAX_MEANS];
// What is lost where the cluster is merged with its neighbour.
shared uint64_t uses[WEIR_PALETTE_MAX_MEANS];
shared uint neighbors[WEIR_PALETTE_MAX_MEANS];
shared uint by_variance[WEIR_PALETTE_MAX_MEANS]; // the clusters that vary most come first
shared uint by_use[WEIR_PALETTE_MAX_MEANS];      // those of least use come first
shared uint taken[WEIR_PALETTE_MAX_MEANS];       // not 0: was split, merged or given up
shared uint num_clusters;

uint64_t sum_of(uint k, uint i)
{
    const uint word = NUM_SUM_WORDS * k + 2u * i;
    return join_words(uvec2(means.sums[word], means.sums[word + 1u]));
}

uint square_root(uint n)
{
    uint root = 0u;
    for (uint bit = 1u << 15; bit > 0u; bit >>= 1) {
        root += (root + bit) * (root + bit) <= n ? bit : 0u;
    }
    return root;
}

// The terms of a variance wrap around at 2^64, and their sum does not.
void find_variance(uint k)
{
    const uint64_t weight = sum_of(k, 0u);
    uint64_t variance = 0;
    uint axis = 0u;
    for (uint c = 0u; c < 3u; c++) {
        const uint64_t center = centers[k][c];
        const uint64_t along = sum_of(k, 4u + c) - 2 * center * sum_of(k, 1u + c) +
                               center * center * weight;
        if (along > variance) {
            variance = along;
            axis = c;
        }
    }
    variances[k] = variance;
    axes[k] = axis;
    deviations[k] = variance > 0 ? max(square_root(uint(variance / weight)), 1u) : 0u;
}

uint rank_of_variance(uint k)
{
    uint rank = 0u;
    for (uint j = 0u; j < means.num; j++) {
        rank += variances[j] > variances[k] || (variances[j] == variances[k] && j < k) ? 1u : 0u;
    }
    return rank;
}

uint rank_of_use(uint k)
{
    uint rank = 0u;
    for (uint j = 0u; j < means.num; j++) {
        rank += uses[j] < uses[k] || (uses[j] == uses[k] && j < k) ? 1u : 0u;
    }
    return rank;
}

// Put a cluster in two: it moves down by its standard deviation, and another as much up.
void split(uint k, uint into)
{
    const uint axis = axes[k], center = centers[k][axis];
    centers[into] = centers[k];
    centers[into][axis] = min(center + deviations[k], 1u << WEIR_PALETTE_MEAN_BITS);
    centers[k][axis] = center - min(deviations[k], center);
}

// By how much the sum of squared distances grows if one cluster is merged with another.
uint64_t cost_of_merging(uint k, uint j)
{
    const uint64_t m = cluster_weights[k], n = cluster_weights[j];
    return m + n > 0 ? m * n / (m + n) * squared_distance(centers[k].xyz, centers[j].xyz)
                     : uint64_t(0);
}

void find_use(uint k)
{
    uint64_t use = ~uint64_t(0);
    uint neighbor = 0u;
    for (uint j = 0u; j < means.num; j++) {
        const uint64_t cost = cost_of_merging(k, j);
        if (j != k && centers[j].w == 0u && cost < use) {
            use = cost;
            neighbor = j;
        }
    }
    uses[k] = use;
    neighbors[k] = neighbor;
}

void merge(uint into, uint from)
{
    const uint64_t m = cluster_weights[into], n = cluster_weights[from];
    for (uint c = 0u; c < 3u && m + n > 0; c++) {
        const uint64_t sum = m * centers[into][c] + n * centers[from][c];
        centers[into][c] = uint((2 * sum + m + n) / (2 * (m + n)));
    }
}

// Split the clusters that vary most, where there are to be more. True if there are.
bool grow()
{
    const uint k = gl_LocalInvocationIndex, num = means.num;
    const uint num_splits = min(num * 3u / 10u + 1u, push.num_means - num);
    if (k == 0u) {
        num_clusters = num;
    }
    barrier();
    const uint rank = k < num ? rank_of_variance(k) : num;
    if (rank < num_splits && variances[k] > 0) {
        split(k, num + rank);
        atomicAdd(num_clusters, 1u);
    }
    barrier();
    return num_clusters > num;
}

// Give up clusters of little use, at most an eighth and one, for others to be split in their place.
// One invocation; get how many it were.
uint relocate_in_order()
{
    const uint num = means.num;
    uint num_moved = 0u, next = 0u;
    for (uint i = 0u; i < num && num_moved <= num / 8u; i++) {
        const uint low = by_use[i], near = neighbors[low];
        if (taken[low] != 0u || taken[near] != 0u) {
            continue;
        }
        while (next < num && (taken[by_variance[next]] != 0u || by_variance[next] == low ||
                              by_variance[next] == near)) {
            next++;
        }
        if (next == num) {
            break;
        }
        const uint high = by_variance[next];
        if (variances[high] / 8 * LEAST_GAIN_EIGHTHS <= uses[low]) {
            break;
        }
        merge(near, low);
        split(high, low);
        taken[low] = taken[near] = taken[high] = 1u;
        num_moved++;
    }
    return num_moved;
}

// Give up the cluster of least use for a point that is far from all. One invocation.
void keep_in_order(uvec3 point)
{
    uint low = 0u;
    for (uint k = 1u; k < means.num; k++) {
        const bool is_less = centers[low].w != 0u || uses[k] < uses[low];
        low = centers[k].w == 0u && is_less ? k : low;
    }
    merge(neighbors[low], low);
    centers[low] = uvec4(point, 1u);
}

// Keep a rare colour.
void keep(uvec3 point)
{
    const uint k = gl_LocalInvocationIndex;
    if (k < means.num) {
        find_use(k);
    }
    barrier();
    if (k == 0u) {
        keep_in_order(point);
    }
}

// True if a cluster was given up.
bool relocate()
{
    const uint k = gl_LocalInvocationIndex;
    if (k < means.num) {
        find_use(k);
        by_variance[rank_of_variance(k)] = k;
        taken[k] = 0u;
    }
    barrier();
    if (k < means.num) {
        by_use[rank_of_use(k)] = k;
    }
    barrier();
    if (k == 0u) {
        num_clusters = relocate_in_order();
    }
    barrier();
    return num_clusters > 0u;
}
