// SPDX-License-Identifier: MIT
// A city of boxes, and the camera that drives through its streets.
#ifndef SAMPLE_CITY_H
#define SAMPLE_CITY_H

#include <stdint.h>

#include "linear.h"

enum box_kind {
    BOX_GROUND,
    BOX_HOUSE, // with windows
    BOX_PLAIN, // walls, crates, posts
    BOX_LAMP,
    BOX_CAR,
};

// As the shaders have it.
struct box {
    float center[3];
    uint32_t kind;
    float half[3]; // half of each side
    uint32_t seed;
};

// Write `num` boxes, and the ground behind them. No two boxes touch: where two had the same depth,
// the picture would depend on the order in which they are drawn.
void city_build(struct box *boxes, uint32_t num);

// Get the camera on its way at this time.
struct camera city_drive(double seconds);
// Get a camera that looks at the other and what is before it, from above.
struct camera city_above(const struct camera *camera);

#define CITY_NEAR 0.2f
#define CITY_FAR 4000.0f

// Get the tangents of half of the angles of view.
void city_angles(uint32_t width, uint32_t height, float tangents[2]);
// Get the matrix from the world to clip space. Depth is reversed: 1 near, 0 far.
struct mat4 city_clip(const struct camera *camera, uint32_t width, uint32_t height);

#endif
