// SPDX-License-Identifier: MIT
// The mirrored ray of a texel that shows the floor. It is included where `view` has the camera.

struct FloorRay {
    vec3 origin;    // on the floor, which is at height 0
    vec3 direction; // of length 1, upwards
};

// Get the ray at a place of the picture, 0 .. 1 from the upper left. False: the camera looks above
// the horizon there.
bool floor_ray(vec2 at, out FloorRay ray)
{
    const vec2 corner = 2.0 * at - 1.0;
    const vec3 look = view.forward.xyz + corner.x * view.right.xyz - corner.y * view.up.xyz;
    ray.origin = view.eye.xyz - look * (view.eye.y / look.y);
    ray.direction = normalize(vec3(look.x, -look.y, look.z));
    return look.y < 0.0;
}
