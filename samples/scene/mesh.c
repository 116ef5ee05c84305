// SPDX-License-Identifier: MIT
// The shapes of the scene, made by formula: each but the box is a map from the unit square to a
// surface.
#include "scene.h"

static const float two_pi = 6.28318531f;

typedef struct vertex surface(float u, float v);

static struct vertex sphere(float u, float v)
{
    float a = two_pi * u, b = 0.5f * two_pi * v;
    struct vec3 n = {sinf(b) * sinf(a), cosf(b), sinf(b) * cosf(a)};
    return (struct vertex){n, n, u, v};
}

static struct vec3 knot_curve(float t)
{
    float r = 1.0f + 0.42f * cosf(3.0f * t);
    return (struct vec3){r * cosf(2.0f * t), r * sinf(2.0f * t), 0.5f * sinf(3.0f * t)};
}

static struct vec3 ring_curve(float t)
{
    return (struct vec3){cosf(t), sinf(t), 0.0f};
}

// A tube around a closed curve, on the curve's own frame: neither curve here has a point without
// curvature, so the second difference always has a direction.
static struct vertex tube(struct vec3 (*curve)(float), float radius, float u, float v)
{
    const float step = 0.06f;
    float t = two_pi * u, a = two_pi * v;
    struct vec3 here = curve(t), before = curve(t - step), after = curve(t + step);
    struct vec3 along = vec3_normalize(vec3_sub(after, before));
    struct vec3 bend = vec3_sub(vec3_add(after, before), vec3_scale(here, 2.0f));
    struct vec3 side = vec3_normalize(vec3_cross(along, bend));
    struct vec3 inward = vec3_cross(side, along);
    struct vec3 n = vec3_add(vec3_scale(inward, cosf(a)), vec3_scale(side, sinf(a)));
    return (struct vertex){vec3_add(here, vec3_scale(n, radius)), n, u, v};
}

static struct vertex knot(float u, float v)
{
    return tube(knot_curve, 0.25f, u, v);
}

static struct vertex ring(float u, float v)
{
    return tube(ring_curve, 0.011f, u, v);
}

// Sample a surface on a grid of nu x nv cells, two triangles a cell.
static void add_surface(struct mesh_set *set, enum mesh_kind kind, surface *f, uint32_t nu,
                        uint32_t nv)
{
    set->ranges[kind] = (struct mesh_range){set->num_indices, 6 * nu * nv,
                                            (int32_t)set->num_vertices};
    for (uint32_t j = 0; j <= nv; ++j) {
        for (uint32_t i = 0; i <= nu; ++i) {
            set->vertices[set->num_vertices++] = f((float)i / (float)nu, (float)j / (float)nv);
        }
    }
    for (uint32_t j = 0; j < nv; ++j) {
        for (uint32_t i = 0; i < nu; ++i) {
            uint32_t a = j * (nu + 1) + i, b = a + nu + 1;
            const uint32_t cell[6] = {a, b, a + 1, a + 1, b, b + 1};
            for (int k = 0; k < 6; ++k) {
                set->indices[set->num_indices++] = cell[k];
            }
        }
    }
}

static void add_box(struct mesh_set *set)
{
    set->ranges[MESH_BOX] = (struct mesh_range){set->num_indices, 36, (int32_t)set->num_vertices};
    for (uint32_t face = 0; face < 6; ++face) {
        uint32_t axis = face / 2;
        float sign = face % 2 ? -1.0f : 1.0f;
        for (uint32_t corner = 0; corner < 4; ++corner) {
            // Seen from outside, (right, up, outward) is right-handed; on y faces up is -z or z.
            float s = corner % 2 ? 1.0f : -1.0f, t = corner / 2 ? 1.0f : -1.0f;
            struct vertex v = {.u = 0.5f + 0.5f * s, .v = 0.5f - 0.5f * t};
            if (axis == 0) {
                v.position = (struct vec3){sign, t, -sign * s},
                v.normal = (struct vec3){sign, 0, 0};
            } else if (axis == 1) {
                v.position = (struct vec3){s, sign, -sign * t},
                v.normal = (struct vec3){0, sign, 0};
            } else {
                v.position = (struct vec3){sign * s, t, sign}, v.normal = (struct vec3){0, 0, sign};
            }
            set->vertices[set->num_vertices++] = v;
        }
        const uint32_t quad[6] = {0, 1, 2, 2, 1, 3};
        for (int k = 0; k < 6; ++k) {
            set->indices[set->num_indices++] = 4 * face + quad[k];
        }
    }
}

void mesh_set_make(struct mesh_set *set, uint32_t detail)
{
    add_surface(set, MESH_KNOT, knot, 180 * detail, 16 * detail);
    add_surface(set, MESH_SPHERE, sphere, 32 * detail, 20 * detail);
    add_surface(set, MESH_BEAD, sphere, 12 * detail, 8 * detail);
    add_surface(set, MESH_RING, ring, 80 * detail, 5 * detail);
    add_box(set);
}
