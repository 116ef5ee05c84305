// SPDX-License-Identifier: MIT
// RGB in ETC2. The lanes of a block (encode/lanes.glsl) divide the searches.
//
//   uvec2 encode_etc2(EtcTexels x, bool has_individual)
//
// takes codes 0 to 255, see etc.glsl, and returns to lane 0 the 8 bytes of the block, in memory
// order. The result is the same on every device.
//
// Format: Khronos Data Format Specification 1.3, "ETC2"; Strom and Pettersson, ETC2: Texture
// Compression using Invalid Combinations, 2007. The searches are Weir's.
//
// Requires GL_EXT_control_flow_attributes. The includer declares
//   const uint EFFORT // encode/effort.glsl

#include "encode/etc/etc1.glsl"
#include "encode/etc/etc2_paint.glsl"
#include "encode/etc/etc2_planar.glsl"

shared vec4 etc2_planes[3][BLOCKS_OF_GROUP]; // of each channel

uvec2 encode_etc2(EtcTexels x, bool has_individual)
{
    const uint place = place_of_block();
    const uint end = 4u + ETC1_NUM_SEARCHES - (has_individual ? 0u : 4u);
    [[dont_unroll]] for (uint i = 0u; i < end; i += NUM_LANES) {
        const uint number = i + lane_of_block();
        if (number < 3u) {
            etc2_planes[number][place] = fit_channel(x.rgb, number);
        } else if (number == 3u) {
            etc2_paints[0][place] = find_clusters(x);
        } else {
            search_etc1(x, has_individual, number - 4u);
        }
        barrier();
    }
    const Paint paint = fit_paint(x, etc2_paints[0][place]);
    if (lane_of_block() != 0u) {
        return uvec2(0u);
    }
    const Etc1Fit etc1 = best_etc1(has_individual);
    const vec4 r = etc2_planes[0][place], g = etc2_planes[1][place], b = etc2_planes[2][place];
    const float plane_error = x.opaque == ETC_ALL_OPAQUE ? r.w + g.w + b.w : ETC_NO_FIT;
    if (etc1.error <= plane_error && etc1.error <= paint.error) {
        return pack_etc1(x, etc1);
    }
    if (plane_error <= paint.error) {
        return pack_planar(r, g, b);
    }
    return pack_paint(x, paint);
}
