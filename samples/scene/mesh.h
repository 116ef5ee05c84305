// SPDX-License-Identifier: MIT
// The shapes of the scene, made by formula: no asset files.
#ifndef SAMPLE_MESH_H
#define SAMPLE_MESH_H

#include <stdbool.h>
#include <stdint.h>

#include "linear.h"

struct vertex {
    struct vec3 position, normal;
    float u, v; // 0 .. 1 around the shape
};

enum mesh_kind {
    MESH_KNOT,   // a (2, 3) torus knot about the z axis
    MESH_SPHERE, // radius 1
    MESH_BEAD,   // a coarse sphere, for the many small ones
    MESH_BOX,    // -1 .. 1
    MESH_RING,   // a thin torus of radius 1 about the z axis
    MESH_NUM_KINDS,
};

// The range of a shape in the shared buffers.
struct mesh_range {
    uint32_t first_index, num_indices;
    int32_t first_vertex;
};

// All shapes in one vertex and one index array. Triangles are counter-clockwise seen from outside.
struct mesh_set {
    struct vertex *vertices;
    uint32_t *indices;
    uint32_t num_vertices, num_indices;
    struct mesh_range ranges[MESH_NUM_KINDS];
};

// `detail` 1 or 2: the finer has four times the triangles. False: out of memory.
bool mesh_set_init(struct mesh_set *set, uint32_t detail);
void mesh_set_finish(struct mesh_set *set);

#endif
