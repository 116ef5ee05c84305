// SPDX-License-Identifier: MIT
// weir play: shows HAP movies, whose blocks the device decodes.
#include <stdio.h>
#include <stdlib.h>

#include <weir/still.h>

#include "capture/weir/commands.h"
#include "capture/weir/common/report.h"
#include "capture/weir/common/shared_options.h"
#include "capture/weir/play/show.h"

static const struct cli_option options[] = {
    {"loop", CLI_FLAG, offsetof(struct play_options, loops), .help = "begin again at the end"},
    {"speed", CLI_REAL, offsetof(struct play_options, speed), "N",
     .help = "times as fast; below 0: backwards (1)", .real_min = -64, .real_max = 64},
    {"full-screen", CLI_FLAG, offsetof(struct play_options, full_screen),
     .help = "begin without a window's border"},
    {"paused", CLI_FLAG, offsetof(struct play_options, paused),
     .help = "begin with the first frame"},
    {"no-overlay", CLI_FLAG, offsetof(struct play_options, no_overlay),
     .help = "begin without the line of facts"},
    {"frame", CLI_NUMBER, offsetof(struct play_options, frame), "N",
     .help = "begin with that frame, counted from 0", .max = UINT32_MAX},
    {"frames", CLI_NUMBER, offsetof(struct play_options, num_frames), "N",
     .help = "end after N frames were shown", .is_rare = true, .max = UINT32_MAX},
    {"headless", CLI_FLAG, offsetof(struct play_options, headless),
     .help = "no window: write the frame to --picture, and end"},
    {"picture", CLI_TEXT, offsetof(struct play_options, picture), "FILE.png",
     .help = "with --headless: the picture of the frame", .files = "png"},
    CLI_OPTION_DEVICE(struct play_options),
    CLI_OPTION_QUIET(struct play_options),
    CLI_OPTION_VALIDATION(struct play_options),
};

// Write a target that was drawn, with its alpha if the movie has some.
static enum weir_result write_picture(const struct show *show, const struct show_target *target,
                                      bool has_alpha, const char *path)
{
    weir_gpu *gpu = show->device->gpu;
    struct weir_gpu_buffer buffer;
    VkCommandBuffer cmd;
    WEIR_TRY(weir_gpu_buffer_init(
        gpu,
        weir_gpu_buffer_params(.size = (uint64_t)show->width * show->height * 4,
                               .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                               .memory = WEIR_GPU_MEMORY_HOST),
        &buffer));
    enum weir_result result = weir_gpu_begin(gpu, &cmd);
    if (result == WEIR_OK) {
        const struct weir_gpu_copy copy = {.image = &target->image.params,
                                           .buffer = buffer.buffer,
                                           .scope = {VK_PIPELINE_STAGE_TRANSFER_BIT,
                                                     VK_ACCESS_TRANSFER_READ_BIT,
                                                     VK_IMAGE_LAYOUT_GENERAL}};
        weir_cmd_download(gpu, cmd, &copy);
        result = weir_gpu_run(gpu, cmd);
    }
    const uint32_t num_channels = has_alpha ? 4 : 3;
    const uint64_t num_texels = (uint64_t)show->width * show->height;
    for (uint64_t i = 0; result == WEIR_OK && !has_alpha && i < num_texels; i++) {
        for (int c = 0; c < 3; c++) {
            buffer.mapped[3 * i + (unsigned)c] = buffer.mapped[4 * i + (unsigned)c];
        }
    }
    if (result == WEIR_OK) {
        const struct weir_still still = {.width = show->width,
                                         .height = show->height,
                                         .num_channels = num_channels,
                                         .pixels = buffer.mapped};
        result = weir_still_write_png(path, &still, &cli_log);
    }
    weir_gpu_buffer_finish(gpu, &buffer);
    return result;
}

static enum weir_result draw_picture(struct show *show, const char *path)
{
    const struct weir_play_info *info = &show->info;
    const bool has_alpha = info->color == WEIR_PLAY_COLOR_RGBA ||
                           info->color == WEIR_PLAY_COLOR_YCOCG_ALPHA;
    struct show_target *target;
    WEIR_TRY(show_resize(show, info->width, info->height));
    WEIR_TRY(show_draw(show, NULL, &target));
    return write_picture(show, target, has_alpha, path);
}

static enum weir_result run_headless(const char *path, const struct play_options *asked)
{
    struct show_device device;
    struct show show = {.device = NULL};
    enum weir_result result = show_device_open(
        &device,
        weir_device_params(.index = (uint32_t)asked->device, .validation = asked->validation));
    if (result == WEIR_OK) {
        result = show_init(&show, &device, path, asked, false);
    }
    if (result == WEIR_OK) {
        result = draw_picture(&show, asked->picture);
    }
    show_finish(&show);
    const bool is_valid = show_device_close(&device);
    return result == WEIR_OK && !is_valid ? WEIR_ERROR_VULKAN : result;
}

static enum cli_status run(char **arguments, const void *values)
{
    const struct play_options *asked = values;
    if (asked->headless != (asked->picture != NULL)) {
        return cli_usage(asked->headless ? "--headless" : "--picture",
                         "is given with %s: weir play --headless --picture F.png --frame N MOVIE",
                         asked->headless ? "--picture" : "--headless");
    }
    return cli_status_of(asked->headless ? run_headless(arguments[0], asked)
                                         : show_player_run(arguments[0], asked));
}

const struct cli_command cli_play_command = {
    .name = "play",
    .arguments = "MOVIE",
    .num_arguments = 1,
    .summary = "play a HAP movie, decoded by the GPU",
    .about = "Shows any HAP movie in a window, also one that is still recorded or was cut short.\n"
             "Its blocks go to the device as they are. Keys: space pauses; left and right go a\n"
             "second, or a frame in a pause; [ and ] halve and double the speed; backspace plays\n"
             "backwards; home goes to the first frame; l loops; f fills the screen; o shows or\n"
             "hides the line of facts; q and escape end.\n",
    .example = "  weir play clip.mov\n"
               "  weir play --loop --full-screen clip.mov\n"
               "  weir play --headless --picture frame.png --frame 10 clip.mov\n",
    .options = options,
    .num_options = sizeof(options) / sizeof(options[0]),
    .run = run,
    .defaults = &(const struct play_options){.speed = 1},
    .values_size = sizeof(struct play_options),
    .files = {"mov", "mov"},
};
