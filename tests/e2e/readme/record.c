// SPDX-License-Identifier: MIT
// The program that README.md shows, to the letter.
// clang-format off
#include <weir/capture.h>
#include "record.h" // and your engine: a device, some images, a loop

// Once for each size of the window. `vulkan` names your device and a queue.
enum weir_result record(struct engine *e, const struct weir_context_params *vulkan,
                        const char *path)
{
    weir_context *weir = NULL;
    weir_capture *capture = NULL;
    weir_image *images[NUM_IMAGES] = {NULL};
    weir_context_create(vulkan, &weir);
    for (int i = 0; i < NUM_IMAGES; i++) {
        weir_image_create(weir, weir_image_params(.image = e->images[i], .format = e->format,
            .width = e->width, .height = e->height, .usage = e->usage), &images[i]);
    }
    enum weir_result result = weir_capture_open(weir, weir_capture_params(.path = path,
        .policy = WEIR_POLICY_WAIT, .like = images[0]), &capture);
    while (result >= WEIR_OK && !engine_wants_resize(e) && engine_draw(e)) {
        result = weir_capture_frame(capture, WEIR_REF(weir_frame, .image = images[e->index],
            .layout = e->layout, .queue_family = e->family,
            .wait = {.semaphore = e->rendered[e->index]}, .signal = e->presentable[e->index],
            .time_ns = e->time_ns), NULL); // reads the image where it is
        engine_present(e);                 // waits for e->presentable
    }
    engine_wait(e); // for the submissions that wait for Weir
    const enum weir_result closed = weir_capture_close_at(&capture, e->time_ns, NULL);
    for (int i = 0; i < NUM_IMAGES; i++) weir_image_destroy(&images[i]);
    weir_context_destroy(&weir);
    return result < WEIR_OK ? result : closed;
}
