// SPDX-License-Identifier: MIT
// Loses a frame: the third that a program hands over has the time of the second, and a movie has no
// place for it. Linked into programs with --wrap=weir_capture_frame.
#include <weir/capture.h>

enum weir_result __real_weir_capture_frame(weir_capture *capture, const struct weir_frame *frame,
                                           struct weir_point *released);
enum weir_result __wrap_weir_capture_frame(weir_capture *capture, const struct weir_frame *frame,
                                           struct weir_point *released);

enum weir_result __wrap_weir_capture_frame(weir_capture *capture, const struct weir_frame *frame,
                                           struct weir_point *released)
{
    static int num_frames;
    static int64_t last_ns;
    struct weir_frame given = *frame;
    given.time_ns = ++num_frames == 3 ? last_ns : frame->time_ns;
    last_ns = frame->time_ns;
    return __real_weir_capture_frame(capture, &given, released);
}
