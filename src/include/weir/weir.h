// SPDX-License-Identifier: MIT
// Includes every public header of the libraries that are installed.
#pragma once

#include <weir/context.h>
#include <weir/device.h>
#include <weir/encode.h>
#include <weir/frame.h>
#include <weir/gpu.h>
#include <weir/image.h>
#include <weir/log.h>
#include <weir/mips.h>
#include <weir/palette.h>
#include <weir/preview.h>
#include <weir/pyramid.h>
#include <weir/rdo.h>
#include <weir/readback.h>
#include <weir/result.h>
#include <weir/snappy.h>
#include <weir/swapchain.h>
#include <weir/version.h>

#if __has_include(<weir/capture.h>)
#include <weir/audio.h>
#include <weir/blocks.h>
#include <weir/capture.h>
#include <weir/chapter.h>
#include <weir/movie.h>
#include <weir/pause.h>
#include <weir/replay.h>
#include <weir/segments.h>
#include <weir/sink.h>
#include <weir/stats.h>
#include <weir/still.h>
#endif

#if __has_include(<weir/libav.h>)
#include <weir/libav.h>
#endif

#if __has_include(<weir/play.h>)
#include <weir/play.h>
#endif
