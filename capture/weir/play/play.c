// SPDX-License-Identifier: MIT
// weir play: shows HAP movies and textures, whose blocks the device decodes, and pictures.
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
    {"fps", CLI_RATE, offsetof(struct play_options, rate), "N",
     .help = "play pictures, N a second (25, and they begin in a pause)"},
    {"mip", CLI_NUMBER, offsetof(struct play_options, mip), "N",
     .help = "begin with that level of a texture", .max = WEIR_TEXTURE_MAX_LEVELS},
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

static enum weir_result write_picture(const struct show *show, const struct show_target *target,
                                      const char *path)
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
    if (result == WEIR_OK) {
        const struct weir_still still = {.width = show->width,
                                         .height = show->height,
                                         .num_channels = 4,
                                         .pixels = buffer.mapped};
        result = weir_still_write_png(path, &still, &cli_log);
    }
    weir_gpu_buffer_finish(gpu, &buffer);
    return result;
}

static enum weir_result draw_picture(struct show *show, const char *path)
{
    struct show_target *target;
    WEIR_TRY(show_resize(show, show->info.width, show->info.height));
    WEIR_TRY(show_draw(show, NULL, &target));
    return write_picture(show, target, path);
}

static enum weir_result run_headless(char *const *paths, const struct play_options *asked)
{
    struct show_device device;
    struct show show = {.device = NULL};
    enum weir_result result = show_device_open(
        &device,
        weir_device_params(.index = (uint32_t)asked->device, .validation = asked->validation));
    if (result == WEIR_OK) {
        result = show_init(&show, &device, paths, asked, false);
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
                         "is given with %s: weir play --headless --picture F.png --frame N INPUT",
                         asked->headless ? "--picture" : "--headless");
    }
    return cli_status_of(asked->headless ? run_headless(arguments, asked)
                                         : show_player_run(arguments, asked));
}

const struct cli_command cli_play_command = {
    .name = "play",
    .arguments = "INPUT...",
    .num_arguments = 1,
    .max_arguments = CLI_ANY_NUMBER,
    .summary = "play HAP movies, decoded by the GPU, textures and pictures",
    .about =
        "Shows any HAP movie in a window, also one that is still recorded or was cut short.\n"
        "Its blocks go to the device as they are. Shows pictures (several names, a folder, a\n"
        "name with %04d) and the images of a KTX2, DDS or KTX texture as frames. Of a URL, a\n"
        "named pipe or - it shows the stream as it comes.\n\n"
        "Keys: space pauses; left and right go a second, or a frame in a pause; [ and ] halve\n"
        "and double the speed; backspace plays backwards; home goes to the first frame; page\n"
        "up and down go to another input; up and down to another level; l loops; f fills the\n"
        "screen; o shows or hides the line of facts; q and escape end.\n",
    .example = "  weir play clip.mov\n"
               "  weir play --fps 30 frames/\n"
               "  weir play --headless --picture frame.png --frame 10 clip.mov\n",
    .options = options,
    .num_options = sizeof(options) / sizeof(options[0]),
    .run = run,
    .defaults = &(const struct play_options){.speed = 1},
    .values_size = sizeof(struct play_options),
    .files = {"*", "*"},
};
