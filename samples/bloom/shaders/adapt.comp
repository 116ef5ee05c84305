// SPDX-License-Identifier: MIT
// Lets the exposure follow the mean luminance of the picture, as an eye gets used to light.
//
// One invocation does it all.

layout(local_size_x = 1) in;

layout(set = 0, binding = 0) uniform sampler2D mean; // of log2(luminance): the pyramid's last level
layout(set = 0, binding = 1, r32f) uniform image2D stops; // of exposure, from frame to frame

layout(push_constant) uniform Push {
    float brighter, darker; // the shares of a change to more and to less light that are made up for
};

const float MIDDLE = -3.85;   // the mean that is shown as it is: this is a night
const float MOST_STOPS = 8.0; // a lens cap shows black

void main()
{
    const float wanted = clamp(MIDDLE - texelFetch(mean, ivec2(0), 0).r, -MOST_STOPS, MOST_STOPS);
    const float last = imageLoad(stops, ivec2(0)).r;
    const float share = wanted < last ? brighter : darker;
    // At first there is no last exposure to begin from, and a NaN there must not stay.
    const float now = share < 1.0 ? mix(last, wanted, share) : wanted;
    imageStore(stops, ivec2(0), vec4(now));
}
