// SPDX-License-Identifier: MIT
// main PACKETS HASHES: captures with a libweir-capture without FFmpeg. A movie is refused; packets
// of the frames before the resize go to the file PACKETS, one behind the other, and hashes of those
// after it to the file HASHES.
#include <weir/capture.h>

#include <stdio.h>

#include "renderer.h"

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
static enum weir_result record_all(struct renderer *r, weir_context *weir,
                                   struct weir_capture_params params)
{
    weir_capture *capture = NULL;
    weir_image *images[NUM_IMAGES] = {NULL};
    for (int i = 0; i < NUM_IMAGES; i++) {
        weir_image_create(weir,
                          weir_image_params(.image = r->images[i], .format = r->format,
                                            .width = r->width, .height = r->height,
                                            .usage = VK_IMAGE_USAGE_SAMPLED_BIT),
                          &images[i]);
    }
    params.policy = WEIR_POLICY_WAIT;
    params.like = images[0];
    enum weir_result result = weir_capture_open(weir, &params, &capture);
    while (result == WEIR_OK && renderer_draw(r)) {
        result = weir_capture_frame(
            capture,
            WEIR_REF(weir_frame, .image = images[r->index], .layout = r->layout,
                     .queue_family = r->vulkan.graphics.family,
                     .wait = {.semaphore = r->rendered[r->index]},
                     .signal = r->presentable[r->index], .time_ns = r->time_ns),
            NULL);
        renderer_present(r);
    }
    const enum weir_result closed = weir_capture_close(&capture, NULL);
    for (int i = 0; i < NUM_IMAGES; i++) {
        weir_image_destroy(&images[i]);
    }
    return result < WEIR_OK ? result : closed;
}

int main(int argc, char **argv)
{
    FILE *packets = argc == 3 ? fopen(argv[1], "wb") : NULL;
    if (!packets) {
        printf("use: main PACKETS HASHES\n");
        return 1;
    }
    struct renderer r;
    weir_context *weir = NULL;
    renderer_init(&r);
    weir_context_create(&r.vulkan, &weir);
    const struct weir_capture_params params[] = {
        {.sink = WEIR_SINK_MOV, .path = "refused.mov"},
        {.sink = WEIR_SINK_CALLBACK,
         .callbacks = {.open = open_packets,
                       .packet = write_packet,
                       .close = close_packets,
                       .user = packets}},
        {.sink = WEIR_SINK_HASH, .path = argv[2]},
    };
    for (int i = 0; i < 3 && renderer_begin(&r); i++) {
        printf("sink %d: %s\n", (int)params[i].sink,
               weir_result_name(record_all(&r, weir, params[i])));
    }
    weir_context_destroy(&weir);
    renderer_finish(&r);
    return 0;
}
