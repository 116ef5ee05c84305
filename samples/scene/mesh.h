// SPDX-License-Identifier: MIT
// The shapes of the scene, made by formula: no asset files.
#ifndef SAMPLE_MESH_H
#define SAMPLE_MESH_H

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

#define MESH_MAX_VERTICES 40000
#define MESH_MAX_INDICES 200000

// All shapes in one vertex and one index array. Triangles are counter-clockwise seen from outside.
struct mesh_set {
    struct vertex *vertices; // room for MESH_MAX_VERTICES
    uint32_t *indices;       // and for MESH_MAX_INDICES
    uint32_t num_vertices, num_indices;
    struct mesh_range *ranges; // of each shape
};

// Write the shapes, from zero numbers on. `detail` 1 or 2: the finer has four times the triangles.
void mesh_set_make(struct mesh_set *set, uint32_t detail);

#endif
