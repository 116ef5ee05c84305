// SPDX-License-Identifier: MIT
// The program of docs/cpp.md, to the letter.
// clang-format off
#include <cstdio>
#include <stdexcept>
#include <string>
#include <weir/weir.hpp>
#include "engine.h" // your engine

static void check(weir_result result, const char *call)
{
    if (result < WEIR_OK) throw std::runtime_error(std::string(call) + ": " + weir_result_name(result));
}

static weir::context import_device(const engine *e)
{
    weir::context context;
    check(weir_context_create(weir_context_params(.instance = e->instance,
        .physical_device = e->gpu, .device = e->device,
        .get_instance_proc_addr = vkGetInstanceProcAddr, .features = &e->features,
        .graphics = {.queue = e->queue, .family = e->family}), context.out()), "weir_context_create");
    return context;
}

static weir::image wrap(weir_context *context, const engine *e, VkImage handle)
{
    weir::image image;
    check(weir_image_create(context, weir_image_params(.image = handle, .format = e->format,
        .width = e->width, .height = e->height, .usage = e->usage), image.out()), "weir_image_create");
    return image;
}

bool run(engine *e)
try {
    const weir::context context = import_device(e);
    weir::image images[NUM_IMAGES]; // destroyed in the reverse order: capture, images, context
    for (int i = 0; i < NUM_IMAGES; i++) images[i] = wrap(context, e, e->images[i]);
    weir::capture capture;
    check(weir_capture_open(context, weir_capture_params(.path = "movie-1.mov",
        .like = images[0]), capture.out()), "weir_capture_open");
    while (engine_draw(e)) {
        const weir_result result = weir_capture_frame(capture, WEIR_REF(weir_frame,
            .image = images[e->index], .layout = e->layout, .queue_family = e->family,
            .wait = {.semaphore = e->rendered[e->index]}, .signal = e->presentable[e->index],
            .time_ns = e->time_ns), nullptr);
        engine_present(e); // before the check: the image comes back in any case
        check(result, "weir_capture_frame");
    }
    engine_wait(e); // for the submissions that wait for Weir
    weir_capture_stats stats; // the last frame is shown until time_ns
    check(weir_capture_close_at(capture.address(), e->time_ns, &stats), "weir_capture_close_at");
    std::printf("1: %d frames, %d dropped\n", int(stats.written), int(stats.dropped));
    return true;
} catch (const std::exception &error) {
    engine_wait(e);
    std::printf("%s\n", error.what());
    return false;
}
