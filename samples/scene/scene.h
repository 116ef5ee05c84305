// SPDX-License-Identifier: MIT
// The scene at a moment. It is a pure function of the time, so a recording can be repeated.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "linear.h"

// ---- The shapes, made by formula: no asset files.

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

// ---- The scene.

// An instance, laid out as in shaders/view.glsl, std430.
struct instance {
    struct mat4 model;
    float color[3], roughness;
    float metal, glow;
    float padding[2];
};

#define SCENE_NUM_BLOBS 6

// The view, laid out as in shaders/view.glsl, std430.
struct view {
    struct mat4 view_projection;
    struct mat4 light_view_projection;
    float eye[4];
    float right[4], up[4], forward[4]; // right and up are scaled to the edges of the picture
    float sun[4], glow[4];             // directions to the light and to its glow in the sky
    float blobs[SCENE_NUM_BLOBS][4];   // spheres that darken the floor below them: centre, radius
    float seconds;
    uint32_t number;
    float daylight, lamplight;
};

// The patterns of surfaces. shaders/object.frag uses the same numbers.
enum pattern {
    PATTERN_PLAIN,
    PATTERN_STRIPES,
    PATTERN_WAVES,
    PATTERN_DISPLAY,
    PATTERN_NUM_KINDS,
};

struct draw {
    enum mesh_kind mesh;
    enum pattern pattern;
    uint32_t first_instance, num_instances;
};

#define SCENE_MAX_INSTANCES 1024
#define SCENE_MAX_DRAWS 8

// The distances from the camera at which depth is 0 and 1 [units of the scene].
#define SCENE_NEAR 0.2f
#define SCENE_FAR 80.0f

// The brightness of the scene. sample_capture shows it by day, without lamps.
struct scene_light {
    float daylight;  // brightness of sun and sky
    float lamplight; // brightness of the lamps, the rings and the display; 0 = there are no lamps
    bool no_pool;    // the floor alone is below the knot
};

struct scene {
    struct scene_light light; // stays as it was set
    struct view view;
    struct instance instances[SCENE_MAX_INSTANCES];
    uint32_t num_instances;
    struct draw draws[SCENE_MAX_DRAWS];
    uint32_t num_draws;
};

// Set the scene at `seconds` for a picture of the given width / height; `number` is shown on its
// display.
void scene_set(struct scene *scene, double seconds, uint64_t number, float aspect);
