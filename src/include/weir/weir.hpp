// SPDX-License-Identifier: MIT
// Handles for C++17 that destroy what they own: weir::context, weir::image, and so on.
#ifndef WEIR_WEIR_HPP
#define WEIR_WEIR_HPP

#include <utility>

#include <weir/weir.h>

namespace weir {

// Owns an object of Weir's, or nothing. It is moved, not copied, and throws nothing. Declare handles
// in the order in which their objects are made: C++ destroys them in the reverse order.
template <typename T, void (*destroy)(T **)> class handle {
public:
    handle() noexcept = default;
    explicit handle(T *object) noexcept : object_(object) {}
    handle(handle &&other) noexcept : object_(other.release()) {}
    handle &operator=(handle &&other) noexcept
    {
        T *object = other.release();
        destroy(&object_);
        object_ = object;
        return *this;
    }
    ~handle() { destroy(&object_); }

    // The object, which the handle still owns, as an argument of any call.
    operator T *() const noexcept { return object_; }
    // Where a create call puts an object, in place of the one before, which is destroyed.
    T **out() noexcept
    {
        destroy(&object_);
        return &object_;
    }
    // The place of the object, for a call that ends it, such as weir_capture_close().
    T **address() noexcept { return &object_; }
    // Give the object away.
    T *release() noexcept { return std::exchange(object_, nullptr); }

private:
    T *object_ = nullptr;
};

#define WEIR_HANDLE(name) using name = handle<weir_##name, weir_##name##_destroy>;
WEIR_HANDLE(buffer)
WEIR_HANDLE(context)
WEIR_HANDLE(device)
WEIR_HANDLE(encoder)
WEIR_HANDLE(gpu)
WEIR_HANDLE(image)
WEIR_HANDLE(mips)
WEIR_HANDLE(palette)
WEIR_HANDLE(preview)
WEIR_HANDLE(pyramid)
WEIR_HANDLE(pyramid_target)
WEIR_HANDLE(rdo)
WEIR_HANDLE(readback)
WEIR_HANDLE(snappy)
#if __has_include(<weir/libav.h>)
WEIR_HANDLE(libav)
#endif
#if __has_include(<weir/play.h>)
using play = handle<weir_play, weir_play_close>;
#endif
#undef WEIR_HANDLE

#if __has_include(<weir/capture.h>)
// Closing can fail: call weir_capture_close() where that must be heard.
inline void capture_close(weir_capture **capture)
{
    weir_capture_close(capture, nullptr);
}
using capture = handle<weir_capture, capture_close>;
#endif

} // namespace weir

#endif
