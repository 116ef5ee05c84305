// SPDX-License-Identifier: MIT
// The program that README.md shows, to the letter.
// clang-format off
#include <weir/capture.h>
#include "renderer.h" // your renderer: a device, some images, a loop

enum weir_result record(struct renderer *r, const char *path) // once for each size
{
    weir_context *weir = NULL;
    weir_capture *capture = NULL;
    weir_image *images[NUM_IMAGES] = {NULL};
    weir_context_create(&r->vulkan, &weir);
    for (int i = 0; i < NUM_IMAGES; i++) {
        weir_image_create(weir, weir_image_params(.image = r->images[i], .format = r->format,
            .width = r->width, .height = r->height, .usage = VK_IMAGE_USAGE_SAMPLED_BIT),
            &images[i]);
    }
    enum weir_result result = weir_capture_open(weir, weir_capture_params(.path = path,
        .policy = WEIR_POLICY_WAIT, .like = images[0]), &capture);
    while (result >= WEIR_OK && renderer_draw(r)) { // false at the end, and after a resize
        result = weir_capture_frame(capture, WEIR_REF(weir_frame, .image = images[r->index],
            .layout = r->layout, .queue_family = r->vulkan.graphics.family,
            .wait = {.semaphore = r->rendered[r->index]}, .signal = r->presentable[r->index],
            .time_ns = r->time_ns), NULL); // reads the image where it is
        renderer_present(r);               // waits for r->presentable
    }
    const enum weir_result closed = weir_capture_close(&capture, NULL);
    for (int i = 0; i < NUM_IMAGES; i++) weir_image_destroy(&images[i]);
    weir_context_destroy(&weir);
    return result < WEIR_OK ? result : closed;
}
