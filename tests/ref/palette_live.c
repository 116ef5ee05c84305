// SPDX-License-Identifier: MIT
// Reference of a palette that follows from frame to frame.
//
// A step of Lloyd's iteration (1982) for every frame that is looked at, from the palette of the
// frame before, and clusters of little use that are given up for others to be split, as in
// B. Fritzke's LBG-U (1997). All numbers are integers.
#include "tests/ref/palette_live.h"

#include <string.h>

enum {
    MAX = REF_PALETTE_MAX_MEANS,
    MAX_LOOKED = 1 << 16,
    // What is gained by a split must be this many times what is lost by giving up a colour, so that
    // a picture that stands still comes to rest.
    LEAST_GAIN = 4,
};

// A colour of the palette on its way.
struct cluster {
    uint32_t center[3];
    uint64_t weight;
    uint32_t axis;     // along which its pixels vary most
    uint64_t variance; // times its weight, along that axis
    uint32_t neighbor; // the nearest that has pixels
    uint64_t use;      // what is lost where it is given up
    uint32_t variance_rank, use_rank;
};

static void codes_of(uint32_t color, uint32_t codes[3])
{
    codes[0] = color >> 16 & 255;
    codes[1] = color >> 8 & 255;
    codes[2] = color & 255;
}

static uint32_t squared_distance(const uint32_t p[3], const uint32_t q[3])
{
    uint32_t sum = 0;
    for (int c = 0; c < 3; c++) {
        const int32_t d = (int32_t)p[c] - (int32_t)q[c];
        sum += (uint32_t)(d * d);
    }
    return sum;
}

void ref_palette_live_init(struct ref_palette_live *live, uint32_t num_colors,
                           const uint32_t *found, uint32_t num_found)
{
    memset(live, 0, sizeof(*live));
    live->num = num_colors;
    for (uint32_t k = 0; k < num_colors; k++) {
        live->colors[k] = num_found == 0 ? 0 : found[k < num_found ? k : 0];
    }
    ref_palette_live_fill(live);
}

// Get the first of the colours that are nearest to the middle of a bin. Distances are those of
// twice the codes, as the middle lies half way between two.
static uint32_t search(const struct ref_palette_live *live, uint32_t bin)
{
    const uint32_t middle[3] = {8 * (bin >> 12) + 3, 8 * (bin >> 6 & 63) + 3, 8 * (bin & 63) + 3};
    uint32_t best = 0, least = UINT32_MAX;
    for (uint32_t k = 0; k < live->num; k++) {
        uint32_t doubled[3];
        codes_of(live->filled[k], doubled);
        for (int c = 0; c < 3; c++) {
            doubled[c] *= 2;
        }
        const uint32_t distance = squared_distance(doubled, middle);
        if (distance < least) {
            least = distance;
            best = k;
        }
    }
    return best;
}

static uint32_t nearest(struct ref_palette_live *live, const uint8_t *rgba)
{
    const uint32_t bin = (uint32_t)(rgba[0] >> 2) << 12 | (uint32_t)(rgba[1] >> 2) << 6 |
                         rgba[2] >> 2;
    if (live->nearest[bin] == 0) {
        live->nearest[bin] = (uint16_t)(search(live, bin) + 1);
    }
    return live->nearest[bin] - 1u;
}

void ref_palette_live_map(struct ref_palette_live *live, size_t n, const uint8_t *rgba,
                          uint8_t *out)
{
    memcpy(out, rgba, 4 * n);
    for (size_t i = 0; i < 4 * n; i += 4) {
        if (rgba[i + 3] > 0) {
            const uint32_t color = live->filled[nearest(live, rgba + i)];
            out[i] = (uint8_t)(color >> 16);
            out[i + 1] = (uint8_t)(color >> 8);
            out[i + 2] = (uint8_t)color;
        }
    }
}

// The pixel of a square that is looked at: another in each, so that no pattern of the picture hides
// between them.
static void place_in(uint32_t x, uint32_t y, uint32_t side, uint32_t place[2])
{
    uint32_t hash = x * 0x9e3779b1u + y * 0x85ebca77u;
    hash = (hash ^ hash >> 15) * 0x2c1b3c6du;
    place[0] = x * side + (hash >> 8 & 255) % side;
    place[1] = y * side + (hash >> 16 & 255) % side;
}

static void look_at(struct ref_palette_live *live, const uint8_t *rgba)
{
    if (rgba[3] == 0) {
        return;
    }
    struct ref_palette_live_sums *sums = &live->sums[nearest(live, rgba)];
    sums->weight++;
    for (int c = 0; c < 3; c++) {
        sums->codes[c] += rgba[c];
        sums->squares[c] += (uint32_t)rgba[c] * rgba[c];
    }
}

void ref_palette_live_look(struct ref_palette_live *live, uint32_t width, uint32_t height,
                           const uint8_t *rgba)
{
    uint32_t side = 1, num_x = width, num_y = height;
    while ((uint64_t)num_x * num_y > MAX_LOOKED) {
        side++;
        num_x = (width + side - 1) / side;
        num_y = (height + side - 1) / side;
    }
    for (uint32_t y = 0; y < num_y; y++) {
        for (uint32_t x = 0; x < num_x; x++) {
            uint32_t place[2];
            place_in(x, y, side, place);
            const size_t at_x = place[0] < width ? place[0] : width - 1;
            const size_t at_y = place[1] < height ? place[1] : height - 1;
            look_at(live, rgba + 4 * (at_y * width + at_x));
        }
    }
}

static uint32_t square_root(uint64_t n)
{
    uint32_t root = 0;
    while ((uint64_t)(root + 1) * (root + 1) <= n) {
        root++;
    }
    return root;
}

// Move to the mean of the pixels, but stay where that is within three quarters of a code, so that
// noise moves nothing.
static void move(const struct ref_palette_live_sums *sums, struct cluster *cluster)
{
    const uint64_t w = sums->weight;
    bool moves = false;
    for (int c = 0; c < 3; c++) {
        const int64_t off = (int64_t)(sums->codes[c] - w * cluster->center[c]);
        moves = moves || 4 * (uint64_t)(off < 0 ? -off : off) > 3 * w;
    }
    for (int c = 0; c < 3 && moves; c++) {
        cluster->center[c] = (uint32_t)((2 * sums->codes[c] + w) / (2 * w));
    }
    cluster->weight = w;
    for (uint32_t c = 0; c < 3; c++) {
        const uint64_t center = cluster->center[c];
        const uint64_t along = sums->squares[c] - 2 * center * sums->codes[c] + center * center * w;
        if (along > cluster->variance) {
            cluster->variance = along;
            cluster->axis = c;
        }
    }
}

// What is lost where a colour is given up, if all of its pixels go to the nearest other.
static void find_use(uint32_t num, struct cluster *clusters, uint32_t k)
{
    uint32_t least = UINT32_MAX;
    for (uint32_t j = 0; j < num; j++) {
        const uint32_t distance = squared_distance(clusters[k].center, clusters[j].center);
        if (j != k && clusters[j].weight > 0 && distance < least) {
            least = distance;
            clusters[k].neighbor = j;
        }
    }
    const uint64_t use = clusters[k].weight * least;
    clusters[k].use = use < UINT32_MAX ? use : UINT32_MAX;
}

static void find_ranks(uint32_t num, struct cluster *clusters, uint32_t k)
{
    for (uint32_t j = 0; j < num; j++) {
        const struct cluster *a = &clusters[j], *b = &clusters[k];
        clusters[k].variance_rank += a->variance > b->variance ||
                                     (a->variance == b->variance && j < k);
        clusters[k].use_rank += a->use < b->use || (a->use == b->use && j < k);
    }
}

// Split a colour in two, and give up another for that.
static void split(struct cluster *from, struct cluster *into)
{
    const uint32_t deviation = square_root(from->variance / from->weight);
    const uint32_t by = deviation > 0 ? deviation : 1, center = from->center[from->axis];
    memcpy(into->center, from->center, sizeof(into->center));
    into->center[from->axis] = center + by < 255 ? center + by : 255;
    from->center[from->axis] = center - (by < center ? by : center);
}

// True if a colour is one of those that may be split.
static bool varies_most(const struct cluster *cluster, uint32_t most)
{
    return cluster->variance_rank < most && cluster->variance > 0;
}

// True if a colour is given up for another that is split. Its pixels must have somewhere to go: to
// one that is neither split nor given up.
static bool is_worth_it(const struct cluster *clusters, const struct cluster *high,
                        const struct cluster *low, uint32_t most)
{
    const struct cluster *near = &clusters[low->neighbor];
    const bool is_free = low->weight == 0 ||
                         (!varies_most(near, most) && near->use_rank >= low->use_rank);
    return high->variance / LEAST_GAIN > low->use && high->use_rank >= most &&
           !varies_most(low, most) && is_free;
}

void ref_palette_live_move(struct ref_palette_live *live)
{
    static struct cluster clusters[MAX], *by_variance[MAX], *by_use[MAX];
    const uint32_t num = live->num, most = num / 8 + 1;
    for (uint32_t k = 0; k < num; k++) {
        clusters[k] = (struct cluster){0};
        codes_of(live->colors[k], clusters[k].center);
        move(&live->sums[k], &clusters[k]);
    }
    for (uint32_t k = 0; k < num; k++) {
        find_use(num, clusters, k);
    }
    for (uint32_t k = 0; k < num; k++) {
        find_ranks(num, clusters, k);
        by_variance[clusters[k].variance_rank] = &clusters[k];
        by_use[clusters[k].use_rank] = &clusters[k];
    }
    for (uint32_t i = 0; i < most && i < num; i++) {
        struct cluster *high = by_variance[i], *low = by_use[i];
        if (is_worth_it(clusters, high, low, most)) {
            split(high, low);
        }
    }
    for (uint32_t k = 0; k < num; k++) {
        const uint32_t *x = clusters[k].center;
        live->colors[k] = x[0] << 16 | x[1] << 8 | x[2];
    }
    memset(live->sums, 0, sizeof(live->sums));
}

void ref_palette_live_fill(struct ref_palette_live *live)
{
    memcpy(live->filled, live->colors, sizeof(live->filled));
    memset(live->nearest, 0, sizeof(live->nearest));
}
