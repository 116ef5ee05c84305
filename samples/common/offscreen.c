// SPDX-License-Identifier: MIT
// --headless: the same frames on the same path, rendered to a ring of offscreen images.
#include "offscreen.h"

#include "frames.h"
#include "process.h"
#include "progress.h"
#include "readout.h"
#include "recorder.h"
#include "report.h"
#include "target.h"

#define NUM_IMAGES FRAMES_MAX_SLOTS

static const VkFormat format = VK_FORMAT_R8G8B8A8_SRGB;
// The layout in which Weir's kernels read, so that Weir needs no transition.
static const VkImageLayout layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
static const VkImageUsageFlags usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                       VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;

struct offscreen {
    const struct sample *sample;
    const struct options *options;
    struct gpu gpu;
    struct recorder recorder;
    struct frames frames;
    struct readout readout; // for --picture and what the sample reads
    struct gpu_image images[NUM_IMAGES];
    struct target targets[NUM_IMAGES];
    // The last frame of each image. Weir uses the image until `released`.
    struct weir_frame taken[NUM_IMAGES];
    struct weir_point released[NUM_IMAGES];
};

// Return true if frames are recorded. Sinks other than movies need no output file.
static bool records(const struct options *options)
{
    return options->output || options->capture.sink != WEIR_SINK_MOV;
}

static bool make_image(struct offscreen *offscreen, uint32_t i)
{
    const struct gpu *gpu = &offscreen->gpu;
    const struct options *options = offscreen->options;
    const struct weir_image_params *params =
        weir_image_params(.format = format, .width = options->size[0], .height = options->size[1],
                          .usage = usage, .flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT);
    return gpu_image_init(gpu, params, 0, &offscreen->images[i]) &&
           target_init(gpu, offscreen->sample, &offscreen->images[i].made.params,
                       &offscreen->targets[i]);
}

static bool start(struct offscreen *offscreen)
{
    const struct gpu *gpu = &offscreen->gpu;
    const struct options *options = offscreen->options;
    const uint32_t limit = gpu->properties.limits.maxImageDimension2D;
    if (options->size[0] > limit || options->size[1] > limit) {
        return report("--size %ux%u is above the limit of %s, %ux%u", options->size[0],
                      options->size[1], gpu->properties.deviceName, limit, limit);
    }
    const struct sample *sample = offscreen->sample;
    if (!sample->start(sample->state, gpu, &(struct sample_images){format, layout, NUM_IMAGES}) ||
        !sample->resize(sample->state, options->size[0], options->size[1]) ||
        !frames_init(gpu, NUM_IMAGES, &offscreen->frames)) {
        return false;
    }
    for (uint32_t i = 0; i < NUM_IMAGES; ++i) {
        if (!make_image(offscreen, i)) {
            return false;
        }
    }
    return ((!options->picture && options->read_every == 0) ||
            readout_init(gpu, format, options->size[0], options->size[1], &offscreen->readout)) &&
           (!records(options) ||
            recorder_start(&offscreen->recorder, offscreen->targets[0].captured));
}

static bool write_out(struct offscreen *offscreen, bool read, bool picture)
{
    const struct sample *sample = offscreen->sample;
    const struct options *options = offscreen->options;
    return frames_wait(&offscreen->frames) &&
           (!read || sample->read(sample->state, readout_convert(&offscreen->readout),
                                  (size_t)options->size[0] * options->size[1])) &&
           (!picture || readout_write_png(&offscreen->readout, &offscreen->gpu, options->picture));
}

// Hand a frame that was rendered to Weir. The image is its own until `released`.
static bool record(struct offscreen *offscreen, uint32_t i, const struct weir_frame *frame)
{
    if (!offscreen->recorder.capture) {
        return true;
    }
    offscreen->taken[i] = *frame;
    return recorder_frame(&offscreen->recorder, frame, &offscreen->released[i]);
}

// With `progress`, which is of the first frame only, wait until the frame has been executed.
static bool render_frame(struct offscreen *offscreen, uint64_t number, struct progress *progress)
{
    const struct options *options = offscreen->options;
    const struct sample *sample = offscreen->sample;
    const uint32_t i = (uint32_t)(number % NUM_IMAGES);
    struct target *target = &offscreen->targets[i];
    VkCommandBuffer cmd;
    const bool read = options->read_every > 0 && number % options->read_every == 0;
    const bool picture = options->picture && number + 1 == options->num_frames;
    struct weir_frame frame = {.image = target->captured,
                               .layout = layout,
                               .queue_family = offscreen->gpu.graphics.family,
                               .time_ns = (int64_t)(number * 1000000000 / options->fps)};
    if (!frames_reuse(&offscreen->frames, i) || !frames_begin(&offscreen->frames, &cmd)) {
        return false;
    }
    // The image comes back from Weir here, a whole round of the ring after it was handed over.
    if (offscreen->taken[i].image) {
        weir_cmd_frame_acquire(&offscreen->taken[i], cmd,
                               VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                               VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT);
    }
    if (!sample->record(sample->state, i, cmd,
                        &(struct picture){target->framebuffer, number, (double)frame.time_ns * 1e-9,
                                          progress})) {
        return false;
    }
    if (read || picture) {
        readout_record(&offscreen->readout, &offscreen->gpu, cmd, target->image, layout);
    }
    if (offscreen->recorder.capture) {
        weir_cmd_frame_release(&frame, cmd,
                               VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT |
                                   VK_PIPELINE_STAGE_TRANSFER_BIT,
                               VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT);
    }
    const struct weir_gpu_submission submission = {
        .wait = offscreen->released[i],
        .wait_stages = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT};
    return frames_submit(&offscreen->frames, i, cmd, &submission, &frame.wait) &&
           (!progress || progress_wait(progress, &offscreen->frames)) &&
           record(offscreen, i, &frame) &&
           (!(read || picture) || write_out(offscreen, read, picture));
}

static bool finish(struct offscreen *offscreen, bool ok)
{
    const struct gpu *gpu = &offscreen->gpu;
    // Submissions wait for points of the recording: they must be through before it is closed.
    frames_finish(&offscreen->frames);
    ok = recorder_stop(&offscreen->recorder) && ok;
    readout_finish(gpu, &offscreen->readout);
    for (uint32_t i = 0; i < NUM_IMAGES; ++i) {
        target_finish(gpu, &offscreen->targets[i]);
        gpu_image_finish(gpu, &offscreen->images[i]);
    }
    offscreen->sample->finish(offscreen->sample->state);
    return ok;
}

static bool render(struct offscreen *offscreen)
{
    struct progress progress = {.gpu = &offscreen->gpu};
    bool ok = start(offscreen);
    for (uint64_t n = 0; ok && n < offscreen->options->num_frames && !process_interrupted(); ++n) {
        ok = render_frame(offscreen, n, n == 0 ? &progress : NULL);
    }
    ok = finish(offscreen, ok);
    progress_finish(&progress);
    return ok;
}

bool offscreen_run(const struct sample *sample, const struct options *options)
{
    struct offscreen offscreen = {.sample = sample, .options = options};
    const struct gpu_needs needs = {.device = options->device,
                                    .validation = options->validation,
                                    .no_async = options->no_async,
                                    .features = &sample->features};
    recorder_init(&offscreen.gpu, sample, options, &offscreen.recorder);
    bool ok = gpu_init(&offscreen.gpu, &needs) && render(&offscreen);
    ok = gpu_check(&offscreen.gpu) && ok;
    gpu_finish(&offscreen.gpu);
    return ok;
}
