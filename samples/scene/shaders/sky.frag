// SPDX-License-Identifier: MIT
// The sky's soft gradient; below the horizon its image in the floor.
#include "view.glsl"
#include "light.glsl"
#include "film.glsl"

layout(location = 0) in vec3 ray;
layout(location = 0) out vec4 out_color;

// Get the coverage of a layer of hills in the haze: 1 below its outline in this direction.
float hill(float azimuth, float h, float height, float seed)
{
    float outline = sin(azimuth * 3.0 + seed) + 0.6 * sin(azimuth * 7.0 + 2.3 * seed);
    outline += 0.25 * sin(azimuth * 17.0 + 5.1 * seed) + 0.10 * sin(azimuth * 41.0 + seed);
    outline = height * (1.0 + 0.38 * outline);
    return clamp((outline - h) / max(fwidth(h), 1e-5) + 0.5, 0.0, 1.0);
}

void main()
{
    vec3 d = normalize(ray);
    float h = abs(d.y), azimuth = atan(d.x, d.z);
    vec3 color = sky(d, 0.0), haze = sky(vec3(d.x, 0.02, d.z), 0.6);
    color = mix(color, mix(vec3(0.10, 0.16, 0.34) * view.daylight, haze, 0.42),
                hill(azimuth, h, 0.050, 1.0));
    color = mix(color, mix(vec3(0.045, 0.075, 0.19) * view.daylight, haze, 0.20),
                hill(azimuth, h, 0.030, 4.0));
    out_color = vec4(develop(mix(color, haze, 0.6 * exp2(-h * 110.0))), 1.0);
}
