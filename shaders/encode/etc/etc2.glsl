// SPDX-License-Identifier: MIT
// RGB in ETC2: an invocation encodes one block of 4x4 texels, all by itself.
//
//   uvec2 encode_etc2(EtcTexels x, bool has_individual)
//
// takes codes 0 to 255, see etc.glsl, and returns the 8 bytes of the block, in memory order.
// The result is the same on every device.
//
// Format: Khronos Data Format Specification 1.3, "ETC2"; Strom and Pettersson, ETC2: Texture
// Compression using Invalid Combinations, 2007. The searches are Weir's.
//
// Requires GL_EXT_control_flow_attributes. The includer declares
//   const uint EFFORT // encode/effort.glsl

#include "encode/etc/etc1.glsl"
#include "encode/etc/etc2_paint.glsl"
#include "encode/etc/etc2_planar.glsl"

uvec2 encode_etc2(EtcTexels x, bool has_individual)
{
    const Etc1Fit etc1 = fit_etc1(x, has_individual);
    Planar planar = Planar(vec3(0.0), vec3(0.0), vec3(0.0), ETC_NO_FIT);
    if (x.opaque == ETC_ALL_OPAQUE) {
        planar = fit_planar(x.rgb);
    }
    const Paint paint = fit_paint(x);
    if (etc1.error <= planar.error && etc1.error <= paint.error) {
        return pack_etc1(x, etc1);
    }
    if (planar.error <= paint.error) {
        return pack_planar(planar);
    }
    return pack_paint(x, paint);
}
