// SPDX-License-Identifier: MIT
// What every surface shares: the sky as light, the sun's shadow, and the way to the image.

// The image is UNORM: the shader writes sRGB codes itself. An sRGB image encodes what it is given.
layout(constant_id = 0) const bool encode_srgb = false;

const vec3 sun_light = vec3(5.0, 3.7, 2.6);

// Linear light of an evening sky in direction d; below the horizon it is mirrored, which is what a
// glossy floor shows. A rough surface sees it blurred (0 .. 1).
vec3 sky(vec3 d, float blur)
{
    float h = abs(d.y);
    vec3 high = vec3(0.035, 0.110, 0.36), middle = vec3(0.13, 0.30, 0.62);
    vec3 low = vec3(1.15, 0.50, 0.26);
    vec3 color = mix(middle, high, smoothstep(0.0, 0.50, h));
    color = mix(color, low, exp2(-h * mix(19.0, 6.0, blur)));
    float to_sun = max(dot(d, view.glow.xyz), 0.0);
    float x2 = to_sun * to_sun, x4 = x2 * x2, x8 = x4 * x4, x32 = x8 * x8 * x8 * x8;
    float disc = (1.0 - blur) * (0.5 * x32 + 1.2 * x32 * x32 * x32);
    color += vec3(1.0, 0.48, 0.20) * (0.38 * x8 + disc);
    return color;
}

float sunlit(vec3 world, vec3 normal)
{
    vec4 p = view.light_view_projection * vec4(world + normal * 0.025, 1.0);
    vec3 at = vec3(p.xy * 0.5 + 0.5, p.z - 0.0012);
    vec2 texel = 0.75 / vec2(textureSize(shadow_map, 0));
    float sum = texture(shadow_map, at + vec3(-texel.x, -0.4 * texel.y, 0.0));
    sum += texture(shadow_map, at + vec3(0.4 * texel.x, -texel.y, 0.0));
    sum += texture(shadow_map, at + vec3(texel.x, 0.4 * texel.y, 0.0));
    sum += texture(shadow_map, at + vec3(-0.4 * texel.x, texel.y, 0.0));
    vec2 outside = abs(at.xy - 0.5);
    return max(outside.x, outside.y) > 0.499 ? 1.0 : 0.25 * sum;
}

// Linear light to what is stored: a filmic curve (the fit of K. Narkowicz, "ACES filmic tone
// mapping curve", 2015), then a code of noise so that the sky has no bands. The noise is J.
// Jimenez's interleaved gradient ("Next generation post processing in Call of Duty", 2014).
vec3 develop(vec3 color)
{
    color *= 0.60;
    color = clamp(color * (2.51 * color + 0.03) / (color * (2.43 * color + 0.59) + 0.14), 0.0, 1.0);
    float seed = dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715));
    float noise = fract(52.9829189 * fract(seed)) - 0.5;
    if (encode_srgb) {
        vec3 code = mix(12.92 * color, 1.055 * pow(color, vec3(1.0 / 2.4)) - 0.055,
                        greaterThan(color, vec3(0.0031308)));
        return code + noise * (0.9 / 255.0);
    }
    // A code is about 2.2 sqrt(color) / 255 wide in linear light.
    return max(color + noise * (0.9 / 255.0) * (2.2 * sqrt(color) + 0.04), 0.0);
}
