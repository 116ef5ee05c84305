// SPDX-License-Identifier: MIT
// What the kernels of encoders take from GLSL and do not find in GLM, and how an invocation runs.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <optional>

#define GLM_FORCE_SWIZZLE
#include <glm/glm.hpp>

#include "tests/kernels/run.h"

using namespace glm;

// Has the calls that swizzles become, for members with names such as `rgb`.
template <class T, std::size_t N> struct array : std::array<T, N> {
    array &operator()()
    {
        return *this;
    }
    const array &operator()() const
    {
        return *this;
    }
};

#define precise // all floats are rounded after each operation: -ffp-contract=off
#undef INT_MAX

namespace glm {
// GLM's does not extend the sign.
inline int bitfieldExtract(int value, int offset, int bits)
{
    return value << (32 - offset - bits) >> (32 - bits);
}
template <length_t L, typename T, qualifier Q>
vec<L, T, Q> fma(vec<L, T, Q> const &a, vec<L, T, Q> const &b, vec<L, T, Q> const &c)
{
    return a * b + c;
}
template <length_t L, qualifier Q> vec<L, uint, Q> operator>>(vec<L, uint, Q> const &v, int s)
{
    return v >> uint(s);
}
template <length_t L, qualifier Q> vec<L, uint, Q> operator<<(vec<L, uint, Q> const &v, int s)
{
    return v << uint(s);
}
} // namespace glm

// The image: a block of 4x4 texels.
struct sampler2DArray {
    const float (*texels)[4];
};

inline vec4 texelFetch(sampler2DArray image, ivec3 place, int)
{
    const float *texel = image.texels[4 * (place.y & 3) + (place.x & 3)];
    return vec4(texel[0], texel[1], texel[2], texel[3]);
}
inline ivec3 textureSize(sampler2DArray, int)
{
    return ivec3(4, 4, 1);
}
inline vec4 textureGather(sampler2DArray, vec3, int)
{
    std::abort(); // push.gathers is 0
}
inline void barrier() {}

using Constants = array<uint, WEIR_ENCODE_NUM_CONSTANTS>;

// What a kernel, which derives from it, knows of where it runs.
struct Invocation {
    explicit Invocation(const Constants &values) : constants(values) {}
    const Constants constants;
    uvec3 gl_GlobalInvocationID{0}, gl_WorkGroupID{0}, gl_NumWorkGroups{1};
    uint gl_LocalInvocationIndex = 0;
};

// All invocations of a workgroup run once, outside of the image: what they share stays.
template <class Kernel> void share(Kernel &kernel)
{
    static const float none[16][4] = {};
    kernel.source.texels = none;
    kernel.push = {};
    const uint size = WEIR_ENCODE_GROUP_WIDTH * WEIR_ENCODE_GROUP_HEIGHT;
    for (uint i = 0; i < size; i++) {
        kernel.gl_LocalInvocationIndex = size - 1 - i;
        kernel.main();
    }
}

template <class Kernel> void run(const kernel_block *block)
{
    thread_local std::optional<Kernel> kernel;
    Constants constants;
    std::copy_n(block->constants, constants.size(), constants.begin());
    if (!kernel || kernel->constants != constants) {
        share(kernel.emplace(constants));
    }
    kernel->source.texels = block->texels;
    kernel->push.size = uvec2(4);
    kernel->destination.blocks = static_cast<decltype(kernel->destination.blocks)>(block->out);
    if constexpr (requires { kernel->history; }) {
        kernel->history.blocks = static_cast<decltype(kernel->history.blocks)>(block->history);
    }
    kernel->gl_NumWorkGroups = uvec3(1, 1, block->num_parts);
    for (uint part = 0; part < block->num_parts; part++) {
        kernel->gl_WorkGroupID = uvec3(0, 0, part);
        kernel->main();
    }
}
