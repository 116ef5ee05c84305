// SPDX-License-Identifier: MIT
// --headless: the same frames on the same path, rendered to a ring of offscreen images.
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "loop.h"
#include "report.h"

#define NUM_IMAGES SAMPLE_MAX_SLOTS

static const VkFormat format = VK_FORMAT_R8G8B8A8_SRGB;
// The layout in which Weir's kernels read, so that Weir needs no transition.
static const VkImageLayout layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
static const VkImageUsageFlags usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                       VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;

struct offscreen {
    struct loop loop;
    struct gpu_image images[NUM_IMAGES];
    // The last frame of each image. Weir uses the image until `released`.
    struct weir_frame lent[NUM_IMAGES];
    struct weir_point released[NUM_IMAGES];
};

static bool start(struct offscreen *offscreen)
{
    struct loop *loop = &offscreen->loop;
    struct gpu *gpu = &loop->gpu;
    const struct options *options = &loop->sample->options;
    const uint32_t width = options->size[0], height = options->size[1];
    const uint32_t limit = gpu->properties.limits.maxImageDimension2D;
    if (width > limit || height > limit) {
        return report("--size %ux%u is above the limit of %s, %ux%u", width, height,
                      gpu->properties.deviceName, limit, limit);
    }
    bool ok = loop_start(loop, (struct sample_images){format, layout, NUM_IMAGES});
    for (uint32_t i = 0; ok && i < NUM_IMAGES; ++i) {
        ok = gpu_image_init(gpu,
                            weir_image_params(.format = format, .width = width, .height = height,
                                              .usage = usage,
                                              .flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT),
                            0, &offscreen->images[i]);
    }
    // Sinks other than movies need no output file.
    const bool records = options->output || options->capture.sink != WEIR_SINK_MOV;
    return ok && loop_resize(loop, width, height) &&
           (!records || recorder_start(&loop->recorder, offscreen->images[0].weir));
}

static bool render_frame(struct offscreen *offscreen, uint64_t number)
{
    struct loop *loop = &offscreen->loop;
    const struct options *options = &loop->sample->options;
    const uint32_t i = (uint32_t)(number % NUM_IMAGES);
    const bool read = options->read_every > 0 && number % options->read_every == 0;
    const char *picture = number + 1 == options->num_frames ? options->picture : NULL;
    struct weir_frame frame = {.time_ns = (int64_t)(number * 1000000000 / options->fps)};
    const struct loop_frame draw = {
        .picture = {.slot = i,
                    .image = &offscreen->images[i],
                    .number = number,
                    .seconds = (double)frame.time_ns * 1e-9},
        // The image comes back from Weir here, a whole round of the ring after it was handed over.
        .lent = offscreen->lent[i].image ? &offscreen->lent[i] : NULL,
        .wait = offscreen->released[i],
        .is_read = read || picture,
    };
    if (!gpu_wait(&loop->gpu, loop->done[i]) || !loop_draw(loop, draw, &frame)) {
        return false;
    }
    if (loop->recorder.capture) {
        offscreen->lent[i] = frame;
        if (!recorder_frame(&loop->recorder, &frame, &offscreen->released[i])) {
            return false;
        }
    }
    return loop_write(loop, picture, read);
}

// On a terminal, how far it is.
static void show_progress(uint64_t number, uint64_t num_frames)
{
    if (isatty(STDERR_FILENO) && (number % 8 == 0 || number == num_frames)) {
        fprintf(stderr, "\r%" PRIu64 " of %" PRIu64 " frames%s", number, num_frames,
                number == num_frames ? "\n" : "");
    }
}

bool offscreen_run(const struct sample *sample)
{
    static struct offscreen offscreen;
    struct loop *loop = &offscreen.loop;
    loop->sample = sample;
    bool ok = loop_open(loop, (struct weir_device_params){0}) && start(&offscreen);
    for (uint64_t n = 0; ok && n < sample->options.num_frames && !process_interrupted(); ++n) {
        ok = render_frame(&offscreen, n);
        show_progress(n + 1, sample->options.num_frames);
    }
    return loop_close(loop, ok);
}
