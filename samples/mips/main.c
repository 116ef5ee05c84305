// SPDX-License-Identifier: MIT
// sample_mips: a viewer of mip pyramids, by every method and reduction that Weir has.
//
// The calls of <weir/pyramid.h> are in mips.c. The order of a frame is in viewer_record() of
// viewer.c. samples/common has the window and the recording, which all samples share.
#include <stdio.h>

#include "viewer.h"

static bool start(void *state, const struct gpu *gpu, const struct sample_images *images)
{
    return viewer_init(gpu, images, state);
}

static void finish(void *state)
{
    viewer_finish(state);
}

static bool resize(void *state, uint32_t width, uint32_t height)
{
    return viewer_resize(state, width, height);
}

static bool record(void *state, uint32_t slot, VkCommandBuffer cmd, const struct picture *picture)
{
    return viewer_record(state, slot, cmd, picture);
}

static void press(void *state, int glfw_key)
{
    struct viewer *viewer = state;
    settings_press(&viewer->settings, glfw_key);
}

static void describe(void *state, char *text, size_t size)
{
    const struct viewer *viewer = state;
    const uint32_t num = weir_pyramid_target_get_num_dispatches(viewer->mips[0].target);
    int length = 0;
    if (viewer->timing.frame_ms > 0.0f) {
        length = snprintf(text, size, ", GPU %.3f ms", (double)viewer->timing.frame_ms);
    }
    length += snprintf(text + length, size - (size_t)length, ", %u %s \u2014 ", num,
                       num == 1 ? "dispatch" : "dispatches");
    settings_describe(&viewer->settings, text + length, size - (size_t)length);
}

int main(int argc, char **argv)
{
    static struct viewer viewer;
    const struct sample sample = {
        .title = "Weir mips",
        .features = {.shaderStorageImageWriteWithoutFormat = VK_TRUE},
        .state = &viewer,
        .start = start,
        .finish = finish,
        .resize = resize,
        .record = record,
        .press = press,
        .describe = describe,
    };
    viewer.settings = settings_default;
    return settings_run(&sample, argc, argv, &viewer.settings);
}
