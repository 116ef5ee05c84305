// SPDX-License-Identifier: MIT
// Captures from an existing render loop: the program that README.md shows.
#include <weir/capture.h>

#include "renderer.h" // your renderer: a device, some images, a loop

int main(void)
{
    weir_context *context = NULL;
    weir_capture *capture = NULL;
    weir_image *images[NUM_IMAGES] = {NULL};
    struct renderer r;
    renderer_init(&r, 320, 180);
    enum weir_result result = weir_context_create(&r.vulkan, &context);
    for (uint32_t i = 0; i < NUM_IMAGES && result == WEIR_OK; i++)
        result = weir_image_create(context,
                                   weir_image_params(.image = r.images[i], .format = r.format,
                                                     .width = r.width, .height = r.height,
                                                     .usage = VK_IMAGE_USAGE_SAMPLED_BIT),
                                   &images[i]);
    if (result == WEIR_OK)
        result = weir_capture_open(context,
                                   weir_capture_params(.path = "movie.mov", .format = r.format,
                                                       .width = r.width, .height = r.height,
                                                       .policy = WEIR_POLICY_WAIT), // or drop
                                   &capture);
    while (result >= WEIR_OK && renderer_draw(&r)) {
        const struct weir_frame frame = {.image = images[r.index],
                                         .layout = r.layout,
                                         .queue_family = r.vulkan.graphics.family,
                                         .wait = {.semaphore = r.rendered[r.index]},
                                         .signal = r.presentable[r.index],
                                         .time_ns = r.time_ns};
        result = weir_capture_frame(capture, &frame, NULL); // reads the image where it is
        renderer_present(&r);                               // waits for r.presentable
    }
    const enum weir_result closed = weir_capture_close(&capture, NULL);
    for (uint32_t i = 0; i < NUM_IMAGES; i++)
        weir_image_destroy(&images[i]);
    weir_context_destroy(&context);
    renderer_finish(&r);
    return result < WEIR_OK || closed < WEIR_OK;
}
