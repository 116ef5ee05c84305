// SPDX-License-Identifier: MIT
// The little linear algebra that the scene needs: column-major matrices, right-handed, y up.
#pragma once

#include <math.h>

struct vec3 {
    float x, y, z;
};
struct mat4 {
    float m[16]; // column c, row r at 4 c + r, as GLSL has it
};

static inline struct vec3 vec3_add(struct vec3 a, struct vec3 b)
{
    return (struct vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline struct vec3 vec3_sub(struct vec3 a, struct vec3 b)
{
    return (struct vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline struct vec3 vec3_scale(struct vec3 a, float s)
{
    return (struct vec3){a.x * s, a.y * s, a.z * s};
}

static inline float vec3_dot(struct vec3 a, struct vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline struct vec3 vec3_cross(struct vec3 a, struct vec3 b)
{
    return (struct vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline struct vec3 vec3_normalize(struct vec3 a)
{
    return vec3_scale(a, 1.0f / sqrtf(vec3_dot(a, a)));
}

static inline struct mat4 mat4_mul(const struct mat4 *a, const struct mat4 *b)
{
    struct mat4 out;
    for (int c = 0; c < 4; ++c) {
        for (int r = 0; r < 4; ++r) {
            float sum = 0.0f;
            for (int k = 0; k < 4; ++k) {
                sum += a->m[4 * k + r] * b->m[4 * c + k];
            }
            out.m[4 * c + r] = sum;
        }
    }
    return out;
}

// Get the matrix that has these images of the three axes and of the origin.
static inline struct mat4 mat4_axes(struct vec3 x, struct vec3 y, struct vec3 z, struct vec3 origin)
{
    return (struct mat4){
        {x.x, x.y, x.z, 0, y.x, y.y, y.z, 0, z.x, z.y, z.z, 0, origin.x, origin.y, origin.z, 1}};
}

// Get the matrix that rotates about y and then about x, scales and moves.
static inline struct mat4 mat4_place(struct vec3 origin, struct vec3 scale, float about_y,
                                     float about_x)
{
    float cy = cosf(about_y), sy = sinf(about_y), cx = cosf(about_x), sx = sinf(about_x);
    struct vec3 x = {cy, 0.0f, -sy};
    struct vec3 y = {sy * sx, cx, cy * sx};
    struct vec3 z = {sy * cx, -sx, cy * cx};
    return mat4_axes(vec3_scale(x, scale.x), vec3_scale(y, scale.y), vec3_scale(z, scale.z),
                     origin);
}

// A camera at a place. The axes are orthonormal.
struct camera {
    struct vec3 eye, right, up, forward;
};

// Get the level camera that looks this way.
static inline struct camera camera_toward(struct vec3 eye, struct vec3 forward)
{
    const struct vec3 right = vec3_normalize(vec3_cross(forward, (struct vec3){0, 1, 0}));
    return (struct camera){eye, right, vec3_cross(right, forward), forward};
}

// Get the matrix from the world to a camera.
static inline struct mat4 mat4_view(const struct camera *camera)
{
    const struct vec3 eye = camera->eye, right = camera->right, up = camera->up;
    const struct vec3 forward = camera->forward;
    return (struct mat4){{right.x, up.x, -forward.x, 0, right.y, up.y, -forward.y, 0, right.z, up.z,
                          -forward.z, 0, -vec3_dot(right, eye), -vec3_dot(up, eye),
                          vec3_dot(forward, eye), 1}};
}

// Vulkan's clip space: y down, depth 0 .. 1. `tan_x` and `tan_y` are tangents of half the angles.
static inline struct mat4 mat4_perspective(float tan_x, float tan_y, float near_plane,
                                           float far_plane)
{
    float depth = near_plane - far_plane;
    return (struct mat4){{1.0f / tan_x, 0, 0, 0, 0, -1.0f / tan_y, 0, 0, 0, 0, far_plane / depth,
                          -1, 0, 0, near_plane * far_plane / depth, 0}};
}

static inline struct mat4 mat4_orthographic(float half_side, float near_plane, float far_plane)
{
    float depth = near_plane - far_plane;
    return (struct mat4){{1.0f / half_side, 0, 0, 0, 0, -1.0f / half_side, 0, 0, 0, 0, 1.0f / depth,
                          0, 0, 0, near_plane / depth, 1}};
}
