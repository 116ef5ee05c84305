// SPDX-License-Identifier: MIT
// The program of docs/cpp.md, to the letter.
// clang-format off
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <weir/capture.h>
#include "engine.h" // your engine

static void check(weir_result result, const char *call)
{
    if (result < WEIR_OK) throw std::runtime_error(std::string(call) + ": " + weir_result_name(result));
}

template <auto destroy> struct deleter {
    template <class T> void operator()(T *handle) const { destroy(&handle); }
};
using unique_context = std::unique_ptr<weir_context, deleter<weir_context_destroy>>;
using unique_image = std::unique_ptr<weir_image, deleter<weir_image_destroy>>;

static unique_context import_device(const engine *e)
{
    weir_context *weir = nullptr;
    check(weir_context_create(weir_context_params(.instance = e->instance,
        .physical_device = e->gpu, .device = e->device,
        .get_instance_proc_addr = vkGetInstanceProcAddr, .features = &e->features,
        .graphics = {.queue = e->queue, .family = e->family}), &weir), "weir_context_create");
    return unique_context(weir);
}

static unique_image wrap(weir_context *weir, const engine *e, VkImage handle)
{
    weir_image *image = nullptr;
    check(weir_image_create(weir, weir_image_params(.image = handle, .format = e->format,
        .width = e->width, .height = e->height, .usage = e->usage), &image), "weir_image_create");
    return unique_image(image);
}

class movie {
public:
    movie(weir_context *weir, const char *path, const weir_image *like)
    {
        check(weir_capture_open(weir, weir_capture_params(.path = path, .like = like), &capture),
              "weir_capture_open");
    }
    ~movie() { weir_capture_close(&capture, nullptr); } // after an exception; else call close()
    movie(const movie &) = delete;
    movie &operator=(const movie &) = delete;
    weir_result frame(const weir_frame *frame) { return weir_capture_frame(capture, frame, nullptr); }
    weir_capture_stats close(int64_t end_ns) // the last frame is shown until then
    {
        weir_capture_stats stats;
        check(weir_capture_close_at(&capture, end_ns, &stats), "weir_capture_close_at");
        return stats;
    }
private:
    weir_capture *capture = nullptr;
};

bool run(engine *e)
try {
    const unique_context weir = import_device(e);
    unique_image images[NUM_IMAGES]; // destroyed in the reverse order: movie, images, context
    for (int i = 0; i < NUM_IMAGES; i++) images[i] = wrap(weir.get(), e, e->images[i]);
    movie recording(weir.get(), "movie-1.mov", images[0].get());
    while (engine_draw(e)) {
        const weir_result result = recording.frame(WEIR_REF(weir_frame,
            .image = images[e->index].get(), .layout = e->layout, .queue_family = e->family,
            .wait = {.semaphore = e->rendered[e->index]}, .signal = e->presentable[e->index],
            .time_ns = e->time_ns));
        engine_present(e); // before the check: the image comes back in any case
        check(result, "weir_capture_frame");
    }
    engine_wait(e); // for the submissions that wait for Weir
    const weir_capture_stats stats = recording.close(e->time_ns);
    std::printf("1: %d frames, %d dropped\n", int(stats.written), int(stats.dropped));
    return true;
} catch (const std::exception &error) {
    engine_wait(e);
    std::printf("%s\n", error.what());
    return false;
}
