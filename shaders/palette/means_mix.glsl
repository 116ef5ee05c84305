// SPDX-License-Identifier: MIT
// The two colours of the palette that are mixed to come near a point.

// A mixture as a word: the first colour's number, the second's << 8, the second's share << 16, of
// 256.

int64_t dot_product(i64vec3 a, i64vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

// Get the error of a mixture and 3/8 of its variance, times 2^19.
int64_t cost_of(int64_t offset_squared, int64_t along, int64_t step_squared, int64_t share)
{
    const int64_t error = 65536 * offset_squared - 512 * share * along +
                          share * share * step_squared;
    return 8 * error + 3 * share * (256 - share) * step_squared;
}

uint mix_of(uvec3 point, uint first)
{
    const i64vec3 from = i64vec3(means.points[first].xyz), offset = i64vec3(point) - from;
    const int64_t offset_squared = dot_product(offset, offset);
    int64_t least = cost_of(offset_squared, 0, 0, 0);
    uint best = first << 8 | first;
    for (uint k = 0u; k < means.num; k++) {
        const i64vec3 along_step = i64vec3(means.points[k].xyz) - from;
        const int64_t along = dot_product(offset, along_step);
        if (along <= 0) {
            continue;
        }
        // 32 bits: of a colour that is not nearer than the first, `along` is half of the square.
        const uint64_t squared = dot_product(along_step, along_step);
        const uint share = min(uint(along) / max(uint(squared >> 8), 1u), 128u);
        const int64_t cost = cost_of(offset_squared, along, int64_t(squared), share);
        if (cost < least) {
            least = cost;
            best = share << 16 | k << 8 | first;
        }
    }
    return best;
}
