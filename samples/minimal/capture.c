// SPDX-License-Identifier: MIT
// minimal_capture: a render loop, in a window, whose frames become a movie (HAP Q in minimal.mov).
// Esc ends it. With --headless there is no window, and an end after 120 frames.
// README.md shows the same in an engine whose window is resized (tests/e2e/readme/record.c);
// docs/capture.md and src/include/weir/capture.h have the rest.
#include <stdio.h>
#include <weir/capture.h>

#include "host.h"

int main(int argc, char **argv)
{
    struct host h;
    host_open_loop(&h, argc, argv, "minimal.mov");

    // Weir takes your device: the params name it, its queues and what is enabled. A call that fails
    // logs why and leaves NULL, and the next one takes NULL and fails too, so one check at the end
    // is enough.
    weir_context *weir = NULL;
    weir_context_create(h.device, &weir);

    // Wrap each image of the loop once. Their usage SAMPLED lets Weir read them where they are.
    weir_image *images[HOST_NUM_IMAGES] = {NULL};
    for (int i = 0; i < HOST_NUM_IMAGES; i++) {
        weir_image_create(weir, h.images[i], &images[i]);
    }

    // WAIT loses no frame, for work offline. By default a frame is dropped where disk or GPU are
    // behind, and the loop never waits.
    weir_capture *capture = NULL;
    enum weir_result result = weir_capture_open(
        weir, weir_capture_params(.path = h.output, .policy = WEIR_POLICY_WAIT, .like = images[0]),
        &capture);

    // Each frame goes between two semaphores: Weir waits until it is drawn, and signals when the
    // image is the loop's again, which here the next drawing waits for, and else the present.
    while (result >= WEIR_OK && host_draw(&h)) {
        result = weir_capture_frame(
            capture,
            WEIR_REF(weir_frame, .image = images[h.index], .layout = VK_IMAGE_LAYOUT_GENERAL,
                     .queue_family = h.queue.family, .wait = {.semaphore = h.drawn[h.index]},
                     .signal = h.is_free[h.index], .time_ns = h.time_ns),
            NULL);
    }

    // The last frames are written here, and the index that makes the movie a plain one.
    struct weir_capture_stats stats = {0};
    host_wait(&h);
    const enum weir_result closed = weir_capture_close_at(&capture, h.time_ns, &stats);
    printf("%s: %llu frames\n", h.output, (unsigned long long)stats.written);
    for (int i = 0; i < HOST_NUM_IMAGES; i++) {
        weir_image_destroy(&images[i]);
    }
    weir_context_destroy(&weir);
    host_close(&h);
    return result >= WEIR_OK && closed >= WEIR_OK ? 0 : 1;
}
