// SPDX-License-Identifier: MIT
// Captures with a libweir-capture without FFmpeg. A movie is refused; packets of the frames before
// the resize go to packets.bin, one behind the other, and hashes of those after it to hashes.txt.
#include <stdio.h>
#include <weir/capture.h>

#include "import.h"

static enum weir_result open_packets(void *user, const struct weir_capture_track *track)
{
    (void)user;
    const uint32_t tag = track->codec_tag;
    printf("track %c%c%c%c %ux%u, time base %u/%u, %u/%u frames a second\n", (int)(tag & 255),
           (int)(tag >> 8 & 255), (int)(tag >> 16 & 255), (int)(tag >> 24), track->width,
           track->height, track->time_base_num, track->time_base_den, track->frame_rate_num,
           track->frame_rate_den);
    return WEIR_OK;
}

static enum weir_result write_packet(void *user, const struct weir_capture_packet *packet)
{
    printf("packet at %d, %zu bytes%s\n", (int)packet->pts, packet->size,
           packet->is_key ? ", key" : "");
    return fwrite(packet->data, 1, packet->size, user) == packet->size ? WEIR_OK : WEIR_ERROR_IO;
}

static enum weir_result close_packets(void *user)
{
    return fclose(user) == 0 ? WEIR_OK : WEIR_ERROR_IO;
}

// Record the frames of one size.
static enum weir_result record_all(struct engine *e, weir_context *weir,
                                   struct weir_capture_params params)
{
    weir_capture *capture = NULL;
    weir_image *images[NUM_IMAGES] = {NULL};
    for (int i = 0; i < NUM_IMAGES; i++) {
        weir_image_create(weir,
                          weir_image_params(.image = e->images[i], .format = e->format,
                                            .width = e->width, .height = e->height,
                                            .usage = e->usage),
                          &images[i]);
    }
    params.policy = WEIR_POLICY_WAIT;
    params.like = images[0];
    enum weir_result result = weir_capture_open(weir, &params, &capture);
    while (result == WEIR_OK && !engine_wants_resize(e) && engine_draw(e)) {
        result = weir_capture_frame(
            capture,
            WEIR_REF(weir_frame, .image = images[e->index], .layout = e->layout,
                     .queue_family = e->family, .wait = {.semaphore = e->rendered[e->index]},
                     .signal = e->presentable[e->index], .time_ns = e->time_ns),
            NULL);
        engine_present(e);
    }
    engine_wait(e);
    const enum weir_result closed = weir_capture_close(&capture, NULL);
    for (int i = 0; i < NUM_IMAGES; i++) {
        weir_image_destroy(&images[i]);
    }
    return result < WEIR_OK ? result : closed;
}

bool run(struct engine *e)
{
    FILE *packets = fopen("packets.bin", "wb");
    if (!packets) {
        printf("packets.bin cannot be written\n");
        return false;
    }
    const struct weir_context_params vulkan = import_params(e);
    weir_context *weir = NULL;
    weir_context_create(&vulkan, &weir);
    const struct weir_capture_params params[] = {
        {.sink = WEIR_SINK_MOV, .path = "refused.mov"},
        {.sink = WEIR_SINK_CALLBACK,
         .callbacks = {.open = open_packets,
                       .packet = write_packet,
                       .close = close_packets,
                       .user = packets}},
        {.sink = WEIR_SINK_HASH, .path = "hashes.txt"},
    };
    for (int i = 0; i < 3; i++) {
        printf("sink %d: %s\n", (int)params[i].sink,
               weir_result_name(record_all(e, weir, params[i])));
        if (engine_wants_resize(e)) {
            engine_resize(e);
        }
    }
    weir_context_destroy(&weir);
    return true;
}
