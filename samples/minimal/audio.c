// SPDX-License-Identifier: MIT
// minimal_audio: a movie with sound: a tone of 440 Hz beside the frames, each sample with its time.
// docs/capture.md and src/include/weir/audio.h have the rest; capture.c explains the frames.
#include <math.h>
#include <stdio.h>
#include <weir/capture.h>

#include "host.h"

enum { SAMPLE_RATE = 48000, MAX_SAMPLES = SAMPLE_RATE / HOST_RATE + 1, CHANNELS = 2 };

// The sound that an engine has mixed while a frame was drawn: from sample `first` on.
static void mix(int16_t samples[MAX_SAMPLES][CHANNELS], int64_t first, uint32_t num)
{
    for (uint32_t i = 0; i < num; i++) {
        const double time = (double)(first + i) / SAMPLE_RATE;
        samples[i][0] = samples[i][1] = (int16_t)lrint(8000.0 *
                                                       sin(6.283185307179586 * 440 * time));
    }
}

int main(int argc, char **argv)
{
    struct host h;
    host_open_loop(&h, argc, argv, "minimal_audio.mov");
    // Weir takes your device: the params name it, its queues and what is enabled.
    weir_context *weir = NULL;
    weir_context_create(h.device, &weir);
    // Wrap each image of the loop once. Their usage SAMPLED lets Weir read them where they are.
    weir_image *images[HOST_NUM_IMAGES] = {NULL};
    for (int i = 0; i < HOST_NUM_IMAGES; i++) {
        weir_image_create(weir, h.images[i], &images[i]);
    }

    // The movie has one track of sound. Other captures have several, each with a thread of its own.
    const struct weir_audio_track track = {
        .sample_rate = SAMPLE_RATE, .num_channels = CHANNELS, .format = WEIR_SAMPLE_S16};
    weir_capture *capture = NULL;
    enum weir_result result = weir_capture_open(
        weir,
        weir_capture_params(.path = h.output, .policy = WEIR_POLICY_WAIT, .like = images[0],
                            .audio = {.tracks = &track, .num_tracks = 1}),
        &capture);

    // Sound and frames have times of one clock, that of the frames. Weir puts samples where their
    // time is: what comes a little early or late follows without a seam, and a gap becomes silence.
    int16_t samples[MAX_SAMPLES][CHANNELS];
    int64_t num_mixed = 0;
    while (result >= WEIR_OK && host_draw(&h)) {
        result = weir_capture_frame(
            capture,
            WEIR_REF(weir_frame, .image = images[h.index], .layout = VK_IMAGE_LAYOUT_GENERAL,
                     .queue_family = h.queue.family, .wait = {.semaphore = h.drawn[h.index]},
                     .signal = h.is_free[h.index], .time_ns = h.time_ns),
            NULL);
        // As long as the frame is shown: up to the next one.
        const int64_t end = (int64_t)h.num_drawn * SAMPLE_RATE / HOST_RATE;
        const uint32_t num = (uint32_t)(end - num_mixed);
        mix(samples, num_mixed, num);
        if (result >= WEIR_OK) {
            result = weir_capture_audio(capture, 0, samples, num,
                                        num_mixed * 1000000000 / SAMPLE_RATE);
        }
        num_mixed = end;
    }

    struct weir_capture_stats stats = {0};
    host_wait(&h);
    const enum weir_result closed = weir_capture_close_at(&capture, h.time_ns, &stats);
    printf("%s: %llu frames, %llu samples\n", h.output, (unsigned long long)stats.written,
           (unsigned long long)stats.audio.written);
    for (int i = 0; i < HOST_NUM_IMAGES; i++) {
        weir_image_destroy(&images[i]);
    }
    weir_context_destroy(&weir);
    host_close(&h);
    return result >= WEIR_OK && closed >= WEIR_OK ? 0 : 1;
}
