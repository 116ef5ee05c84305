// SPDX-License-Identifier: MIT
// What the window and the headless loop share: the device, the recording, and how a frame is drawn.
#include "loop.h"

#include <string.h>

#include <weir/still.h>

#include "report.h"

static const VkPipelineStageFlags draws = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
static const VkAccessFlags drawn = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;

bool loop_open(struct loop *loop, struct weir_device_params params)
{
    const struct options *options = &loop->sample->options;
    params.debug_tag = WEIR_DEBUG_TAG;
    params.index = options->device;
    params.validation = options->validation;
    params.no_async = options->no_async;
    params.features = &loop->sample->features;
    recorder_init(&loop->gpu, loop->sample, &loop->recorder);
    return gpu_init(&loop->gpu, &params);
}

bool loop_start(struct loop *loop, struct sample_images images)
{
    const struct sample *sample = loop->sample;
    loop->images = images;
    const bool ok = sample->start(sample->state, &loop->gpu, &images) &&
                    timing_init(&loop->gpu, sample->has_no_times, &loop->timing);
    loop->num_kept = loop->gpu.num_owned;
    return ok;
}

bool loop_resize(struct loop *loop, uint32_t width, uint32_t height)
{
    const struct sample *sample = loop->sample;
    const bool reads = sample->options.picture || sample->options.read_every > 0;
    loop->is_fresh = true;
    loop->width = width;
    loop->height = height;
    return (!reads || gpu_buffer_init(&loop->gpu, 4 * (VkDeviceSize)width * height,
                                      VK_BUFFER_USAGE_TRANSFER_DST_BIT, WEIR_GPU_MEMORY_HOST,
                                      &loop->readout)) &&
           sample->resize(sample->state, width, height);
}

// Record a copy of an image after the picture's rendering, whose end has made it visible.
static void record_readout(const struct loop *loop, VkCommandBuffer cmd, VkImage image)
{
    const weir_gpu *work = loop->gpu.work;
    const struct weir_image_params params = {
        .image = image, .width = loop->width, .height = loop->height};
    const struct weir_gpu_scope drawn_image = {VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                                               loop->images.final_layout};
    const struct weir_gpu_scope copied = {VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                                          VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL};
    weir_cmd_download(work, cmd,
                      &(struct weir_gpu_copy){
                          .image = &params, .buffer = loop->readout.buffer, .scope = drawn_image});
    weir_cmd_barrier(work, cmd, &params, copied, drawn_image);
}

// Make red, green and blue of the texels, in place.
static const uint8_t *convert_readout(const struct loop *loop)
{
    const VkFormat format = loop->images.format;
    const int red = format == VK_FORMAT_B8G8R8A8_SRGB || format == VK_FORMAT_B8G8R8A8_UNORM ? 2 : 0;
    const uint8_t *in = loop->readout.mapped;
    uint8_t *out = loop->readout.mapped;
    for (size_t i = 0; i < (size_t)loop->width * loop->height; ++i, in += 4, out += 3) {
        const uint8_t rgb[3] = {in[red], in[1], in[2 - red]};
        memcpy(out, rgb, sizeof(rgb));
    }
    return loop->readout.mapped;
}

bool loop_write(struct loop *loop, const char *picture, bool reads)
{
    const struct sample *sample = loop->sample;
    if (!picture && !reads) {
        return true;
    }
    if (!gpu_wait_all(&loop->gpu)) {
        return false;
    }
    const struct weir_log log = weir_context_get_log(loop->gpu.weir);
    const struct weir_still still = {.width = loop->width,
                                     .height = loop->height,
                                     .num_channels = 3,
                                     .pixels = convert_readout(loop)};
    return (!reads ||
            sample->read(sample->state, still.pixels, (size_t)loop->width * loop->height)) &&
           (!picture || weir_ok(weir_still_write_png(picture, &still, &log), picture));
}

bool loop_draw(struct loop *loop, struct loop_frame draw, struct weir_frame *frame)
{
    struct gpu *gpu = &loop->gpu;
    const struct sample *sample = loop->sample;
    VkCommandBuffer cmd;
    draw.picture.timing = &loop->timing;
    frame->image = draw.picture.image->weir;
    frame->layout = loop->images.final_layout;
    frame->queue_family = gpu->graphics.family;
    if (!gpu_begin(gpu, &cmd)) {
        return false;
    }
    if (draw.lent) {
        weir_cmd_frame_acquire(draw.lent, cmd, draws, drawn);
    }
    timing_begin(&loop->timing, draw.picture.slot, cmd, loop->is_fresh);
    if (!sample->record(sample->state, cmd, &draw.picture)) {
        return false;
    }
    if (draw.is_read) {
        record_readout(loop, cmd, draw.picture.image->params.image);
    }
    if (loop->recorder.capture) {
        weir_cmd_frame_release(frame, cmd, draws | VK_PIPELINE_STAGE_TRANSFER_BIT, drawn);
    }
    const struct weir_gpu_submission submission = {
        .wait = draw.wait, .wait_stages = draws, .signals = {draw.signal}};
    if (!gpu_submit(gpu, cmd, &submission, &frame->wait)) {
        return false;
    }
    loop->done[draw.picture.slot] = frame->wait;
    // Wait for the first frame of a size before it is presented, as presenting it may wait too.
    const bool waits = loop->is_fresh;
    loop->is_fresh = false;
    return !waits || timing_wait_first(&loop->timing);
}

bool loop_close(struct loop *loop, bool ok)
{
    struct gpu *gpu = &loop->gpu;
    if (gpu->work) {
        // Submissions wait for points of the recording: they must be through before it is closed.
        gpu_wait_idle(gpu);
        ok = recorder_stop(&loop->recorder) && ok;
        if (loop->sample->finish) {
            loop->sample->finish(loop->sample->state);
        }
        timing_print(&loop->timing);
        gpu_release(gpu, 0);
    }
    ok = gpu_check(gpu) && ok;
    gpu_finish(gpu);
    return ok;
}
