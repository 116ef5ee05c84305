// SPDX-License-Identifier: MIT
// What kernels take from GLSL and do not find in GLM, and how an invocation or a workgroup runs.
#pragma once

#include <algorithm>
#include <array>
#include <coroutine>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

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
template <length_t L, typename T, qualifier Q>
vec<L, T, Q> operator>>(vec<L, T, Q> const &v, int s) requires(!std::is_same_v<T, int>)
{
    return v >> T(s);
}
template <length_t L, typename T, qualifier Q>
vec<L, T, Q> operator<<(vec<L, T, Q> const &v, int s) requires(!std::is_same_v<T, int>)
{
    return v << T(s);
}
} // namespace glm

inline void barrier() {}

// An image of any size.
struct texture2DArray {
    const float (*texels)[4];
    uint width;
};
using sampler2DArray = texture2DArray;

inline vec4 texelFetch(texture2DArray image, ivec3 place, int)
{
    const float *texel = image.texels[uint(place.y) * image.width + uint(place.x)];
    return vec4(texel[0], texel[1], texel[2], texel[3]);
}
inline ivec3 textureSize(sampler2DArray, int)
{
    std::abort(); // push.gathers is 0
}
inline vec4 textureGather(sampler2DArray, vec3, int)
{
    std::abort();
}

// An image of codes of 8 bits.
struct image2D {
    uint8_t *codes;
    uint width;
};

inline void imageStore(image2D image, ivec2 place, vec4 texel)
{
    for (int c = 0; c < 4; c++)
        image.codes[4 * (uint(place.y) * image.width + uint(place.x)) + c] = uint8_t(
            texel[c] * 255 + 0.5f);
}

// The invocations of a workgroup run one after the other.
inline uint atomicMin(uint &value, uint other)
{
    return std::exchange(value, min(value, other));
}
inline uint atomicAdd(uint &value, uint other)
{
    return std::exchange(value, value + other);
}
inline uint atomicOr(uint &value, uint other)
{
    return std::exchange(value, value | other);
}
inline uint atomicCompSwap(uint &value, uint expected, uint other)
{
    return std::exchange(value, value == expected ? other : value);
}
inline void memoryBarrierBuffer() {}

using Constants = array<uint, KERNEL_MAX_NUM_CONSTANTS>;

// What a kernel, which derives from it, knows of where it runs.
struct Invocation {
    explicit Invocation(const Constants &values, const kernel_memory own = nullptr)
        : constants(values), memory(own)
    {
    }
    const Constants constants;
    const kernel_memory memory;
    uvec3 gl_GlobalInvocationID{0}, gl_LocalInvocationID{0}, gl_WorkGroupID{0}, gl_NumWorkGroups{1};
    // Of encoders: an invocation runs alone.
    static constexpr struct {
        uint x, y, z;
    } gl_WorkGroupSize{1, 1, 1};
    uint gl_LocalInvocationIndex = 0;
    std::coroutine_handle<> waiting; // what goes on behind the barrier
};

template <class T> struct Returned {
    T value;
    void return_value(T own)
    {
        value = own;
    }
    T get()
    {
        return value;
    }
};
template <> struct Returned<void> {
    void return_void() {}
    void get() {}
};

// A function that waits at barriers. Its caller waits for its end.
template <class T> struct Coroutine {
    struct promise_type;
    using Handle = std::coroutine_handle<promise_type>;
    struct Return {
        bool await_ready() noexcept
        {
            return false;
        }
        std::coroutine_handle<> await_suspend(Handle handle) noexcept
        {
            return handle.promise().caller;
        }
        void await_resume() noexcept {}
    };
    struct promise_type : Returned<T> {
        std::coroutine_handle<> caller = std::noop_coroutine();
        Coroutine get_return_object()
        {
            return Coroutine(Handle::from_promise(*this));
        }
        std::suspend_always initial_suspend()
        {
            return {};
        }
        Return final_suspend() noexcept
        {
            return {};
        }
        void unhandled_exception()
        {
            std::abort();
        }
    };
    explicit Coroutine(Handle own) : handle(own) {}
    Coroutine(Coroutine &&other) : handle(std::exchange(other.handle, nullptr)) {}
    ~Coroutine()
    {
        if (handle)
            handle.destroy();
    }
    bool await_ready()
    {
        return false;
    }
    Handle await_suspend(std::coroutine_handle<> caller)
    {
        handle.promise().caller = caller;
        return handle;
    }
    T await_resume()
    {
        return handle.promise().get();
    }
    Handle handle;
};

struct Barrier : std::suspend_always {
    Invocation *invocation;
    explicit Barrier(Invocation *own) : invocation(own) {}
    void await_suspend(std::coroutine_handle<> handle)
    {
        invocation->waiting = handle;
    }
};

// Set which invocation of its workgroup a kernel is.
template <class Kernel> void place(Kernel &kernel, uvec2 size, uint index)
{
    kernel.gl_LocalInvocationIndex = index;
    kernel.gl_LocalInvocationID = uvec3(index % size.x, index / size.x, 0);
    kernel.gl_GlobalInvocationID = kernel.gl_WorkGroupID * uvec3(size, 1) +
                                   kernel.gl_LocalInvocationID;
}

// Run a workgroup. Where invocations wait for each other, each is a copy of `kernel`.
template <class Kernel> void run_workgroup(Kernel &kernel, uvec2 size)
{
    const uint num = size.x * size.y;
    if constexpr (std::is_void_v<decltype(kernel.main())>) {
        for (uint i = 0; i < num; i++) {
            place(kernel, size, i);
            kernel.main();
        }
    } else {
        std::vector<Kernel> invocations(num, kernel);
        std::vector<Coroutine<void>> mains;
        for (uint i = 0; i < num; i++) {
            place(invocations[i], size, i);
            mains.push_back(invocations[i].main());
            invocations[i].waiting = mains[i].handle;
        }
        while (!mains[0].handle.done()) { // all of them meet each barrier
            for (Kernel &invocation : invocations)
                invocation.waiting.resume();
        }
    }
}

template <class Kernel> void run_rdo(const rdo_call *call)
{
    Constants constants;
    std::copy_n(call->constants, constants.size(), constants.begin());
    Kernel kernel(constants);
    kernel.source = {call->texels, call->width};
    kernel.destination.blocks = static_cast<decltype(kernel.destination.blocks)>(call->blocks);
    kernel.history.blocks = static_cast<decltype(kernel.history.blocks)>(call->history);
    kernel.control.words = static_cast<uvec4 *>(call->control);
    kernel.push = {uvec2(call->width, call->height), (call->width + 3) / 4, (call->height + 3) / 4};
    const uvec2 tiles = (uvec2(kernel.push.columns, kernel.push.rows) + WEIR_RDO_TILE_SIDE - 1u) /
                        WEIR_RDO_TILE_SIDE;
    kernel.gl_NumWorkGroups = uvec3(tiles, 1);
    for (uint i = 0; i < tiles.x * tiles.y; i++) {
        kernel.gl_WorkGroupID = uvec3(i % tiles.x, i / tiles.x, 0);
        run_workgroup(kernel, uvec2(WEIR_RDO_WINDOW, 1));
    }
}

// All invocations of a workgroup run once, outside of the image: what they share stays.
template <class Kernel> void share(Kernel &kernel)
{
    static const float none[4][4] = {}; // which an invocation fetches before it ends
    kernel.source = {none, 0};
    kernel.push = {};
    const uint size = WEIR_ENCODE_GROUP_WIDTH * WEIR_ENCODE_GROUP_HEIGHT;
    for (uint i = 0; i < size; i++) {
        kernel.gl_LocalInvocationIndex = size - 1 - i;
        kernel.main();
    }
}

template <class Kernel> void run(const encode_call *call)
{
    thread_local std::optional<Kernel> kernel;
    Constants constants;
    std::copy_n(call->constants, constants.size(), constants.begin());
    if (!kernel || kernel->constants != constants) {
        share(kernel.emplace(constants));
    }
    const uint columns = (call->width + 3) / 4, rows = (call->height + 3) / 4;
    kernel->source = {call->texels, call->width};
    kernel->push.size = uvec2(call->width, call->height);
    kernel->push.blocks_per_row = columns;
    kernel->destination.blocks = static_cast<decltype(kernel->destination.blocks)>(call->out);
    if constexpr (requires { kernel->history; }) {
        kernel->history.blocks = static_cast<decltype(kernel->history.blocks)>(call->history);
    }
    kernel->gl_NumWorkGroups = uvec3(1, 1, call->num_parts);
    for (uint i = 0; i < columns * rows * call->num_parts; i++) {
        kernel->gl_WorkGroupID.z = i % call->num_parts;
        kernel->gl_GlobalInvocationID = uvec3(i / call->num_parts % columns,
                                              i / call->num_parts / columns, 0);
        kernel->main();
    }
}

template <class Kernel> void run_snappy(const snappy_call *call)
{
    Kernel kernel(Constants{});
    kernel.push = {
        0, 0, call->num_chunks, call->chunk_words, call->chunk_fragments, call->least_saved};
    kernel.memory.words = call->memory;
    if constexpr (requires { kernel.source; })
        kernel.source.words = call->source;
    if constexpr (requires { kernel.destination.words; })
        kernel.destination.words = call->destination;
    if constexpr (requires { kernel.destination.vectors; })
        kernel.destination.vectors = reinterpret_cast<uvec4 *>(call->destination);
    for (uint i = 0; i < call->num_groups; i++) {
        kernel.gl_WorkGroupID.x = i;
        run_workgroup(kernel, uvec2(WEIR_SNAPPY_GROUP, 1));
    }
}

template <class Kernel> void run_palette(const palette_call *call)
{
    Constants constants;
    std::copy_n(call->constants, constants.size(), constants.begin());
    Kernel kernel(constants, call->memory);
    if constexpr (requires { kernel.source; })
        kernel.source = {call->texels, call->width};
    if constexpr (requires { kernel.new_image; })
        kernel.new_image = {call->out, call->width};
    kernel.push.size = uvec2(call->width, call->height);
    kernel.push.max_colors = WEIR_PALETTE_NUM_COLORS;
    kernel.push.num_means = call->num_means;
    kernel.push.max_kept = call->max_kept;
    kernel.push.spacing = call->spacing;
    kernel.gl_NumWorkGroups = uvec3(call->groups[0], call->groups[1], 1);
    for (uint i = 0; i < call->groups[0] * call->groups[1]; i++) {
        kernel.gl_WorkGroupID = uvec3(i % call->groups[0], i / call->groups[0], 0);
        run_workgroup(kernel, uvec2(call->group_size[0], call->group_size[1]));
    }
}
