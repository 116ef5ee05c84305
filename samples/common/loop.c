// SPDX-License-Identifier: MIT
// What the window and the headless loop share: the device, the recording, and how a frame is drawn.
#include "loop.h"

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
    return (!reads ||
            readout_init(&loop->gpu, loop->images.format, width, height, &loop->readout)) &&
           sample->resize(sample->state, width, height);
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
        readout_record(&loop->readout, gpu, cmd, draw.picture.image->params.image, frame->layout);
    }
    if (loop->recorder.capture) {
        weir_cmd_frame_release(frame, cmd, draws | VK_PIPELINE_STAGE_TRANSFER_BIT, drawn);
    }
    const struct weir_gpu_submission submission = {
        .wait = draw.wait, .wait_stages = draws, .signals = {draw.signal}};
    if (!gpu_submit(gpu, cmd, &submission, &frame->wait)) {
        return false;
    }
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
