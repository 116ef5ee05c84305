// SPDX-License-Identifier: MIT
// --headless: the same frames on the same path, rendered to a ring of offscreen images.
#include "sample.h"

#include "process.h"
#include "readout.h"
#include "recorder.h"
#include "report.h"
#include "timing.h"

#define NUM_IMAGES SAMPLE_MAX_SLOTS

static const VkFormat format = VK_FORMAT_R8G8B8A8_SRGB;
// The layout in which Weir's kernels read, so that Weir needs no transition.
static const VkImageLayout layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
static const VkImageUsageFlags usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                       VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;

struct offscreen {
    const struct sample *sample;
    struct gpu gpu;
    struct recorder recorder;
    struct readout readout; // for --picture and what the sample reads
    struct gpu_image images[NUM_IMAGES];
    struct weir_point done[NUM_IMAGES]; // the last frame of each image has been rendered
    // The last frame of each image. Weir uses the image until `released`.
    struct weir_frame taken[NUM_IMAGES];
    struct weir_point released[NUM_IMAGES];
};

// Return true if frames are recorded. Sinks other than movies need no output file.
static bool records(const struct options *options)
{
    return options->output || options->capture.sink != WEIR_SINK_MOV;
}

static bool start(struct offscreen *offscreen)
{
    const struct gpu *gpu = &offscreen->gpu;
    const struct options *options = &offscreen->sample->options;
    const uint32_t limit = gpu->properties.limits.maxImageDimension2D;
    if (options->size[0] > limit || options->size[1] > limit) {
        return report("--size %ux%u is above the limit of %s, %ux%u", options->size[0],
                      options->size[1], gpu->properties.deviceName, limit, limit);
    }
    const struct sample *sample = offscreen->sample;
    if (!sample->start(sample->state, gpu, &(struct sample_images){format, layout, NUM_IMAGES}) ||
        !sample->resize(sample->state, options->size[0], options->size[1])) {
        return false;
    }
    const struct weir_image_params params = {.format = format,
                                             .width = options->size[0],
                                             .height = options->size[1],
                                             .usage = usage,
                                             .flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT};
    for (uint32_t i = 0; i < NUM_IMAGES; ++i) {
        if (!gpu_image_init(gpu, &params, 0, &offscreen->images[i])) {
            return false;
        }
    }
    return ((!options->picture && options->read_every == 0) ||
            readout_init(gpu, format, options->size[0], options->size[1], &offscreen->readout)) &&
           (!records(options) || recorder_start(&offscreen->recorder, offscreen->images[0].weir));
}

static bool write_out(struct offscreen *offscreen, bool read, bool picture)
{
    const struct sample *sample = offscreen->sample;
    const struct options *options = &offscreen->sample->options;
    return gpu_wait_all(&offscreen->gpu) &&
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
    const struct options *options = &offscreen->sample->options;
    const struct sample *sample = offscreen->sample;
    const uint32_t i = (uint32_t)(number % NUM_IMAGES);
    const struct gpu *gpu = &offscreen->gpu;
    const struct gpu_image *image = &offscreen->images[i];
    VkCommandBuffer cmd;
    const bool read = options->read_every > 0 && number % options->read_every == 0;
    const bool picture = options->picture && number + 1 == options->num_frames;
    struct weir_frame frame = {.image = image->weir,
                               .layout = layout,
                               .queue_family = gpu->graphics.family,
                               .time_ns = (int64_t)(number * 1000000000 / options->fps)};
    if (!gpu_wait(gpu, offscreen->done[i]) || !gpu_begin(gpu, &cmd)) {
        return false;
    }
    // The image comes back from Weir here, a whole round of the ring after it was handed over.
    if (offscreen->taken[i].image) {
        weir_cmd_frame_acquire(&offscreen->taken[i], cmd,
                               VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                               VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT);
    }
    if (!sample->record(sample->state, i, cmd,
                        &(struct picture){image, number, (double)frame.time_ns * 1e-9, progress})) {
        return false;
    }
    if (read || picture) {
        readout_record(&offscreen->readout, gpu, cmd, image->params.image, layout);
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
    if (!gpu_submit(gpu, cmd, &submission, &frame.wait)) {
        return false;
    }
    offscreen->done[i] = frame.wait;
    return (!progress || progress_wait(progress)) && record(offscreen, i, &frame) &&
           (!(read || picture) || write_out(offscreen, read, picture));
}

static bool finish(struct offscreen *offscreen, bool ok)
{
    const struct gpu *gpu = &offscreen->gpu;
    // Submissions wait for points of the recording: they must be through before it is closed.
    gpu_wait_idle(gpu);
    ok = recorder_stop(&offscreen->recorder) && ok;
    readout_finish(gpu, &offscreen->readout);
    for (uint32_t i = 0; i < NUM_IMAGES; ++i) {
        gpu_image_finish(gpu, &offscreen->images[i]);
    }
    offscreen->sample->finish(offscreen->sample->state);
    return ok;
}

static bool render(struct offscreen *offscreen)
{
    struct progress progress = {.gpu = &offscreen->gpu};
    bool ok = start(offscreen);
    for (uint64_t n = 0; ok && n < offscreen->sample->options.num_frames && !process_interrupted();
         ++n) {
        ok = render_frame(offscreen, n, n == 0 ? &progress : NULL);
    }
    ok = finish(offscreen, ok);
    progress_finish(&progress);
    return ok;
}

bool offscreen_run(const struct sample *sample)
{
    const struct options *options = &sample->options;
    struct offscreen offscreen = {.sample = sample};
    const struct gpu_needs needs = {.device = options->device,
                                    .validation = options->validation,
                                    .no_async = options->no_async,
                                    .features = &sample->features};
    recorder_init(&offscreen.gpu, sample, &offscreen.recorder);
    bool ok = gpu_init(&offscreen.gpu, &needs) && render(&offscreen);
    ok = gpu_check(&offscreen.gpu) && ok;
    gpu_finish(&offscreen.gpu);
    return ok;
}
