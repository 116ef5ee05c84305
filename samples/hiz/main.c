// SPDX-License-Identifier: MIT
// sample_hiz: occlusion culling with a pyramid of the depth buffer.
//
// The order of a frame is in record() below. The calls of <weir/pyramid.h> are in hiz.c, and
// what is asked of the pyramid in shaders/cull.comp. samples/common has the window and the
// recording.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <stdio.h>

#include "hiz.h"
#include "timing.h"

static const char help_before[] =
    "Usage: sample_hiz [OPTION]...\n"
    "Drives through a city of boxes and draws only visible ones: first those that\n"
    "were visible in the last frame, then those that the pyramid of its depth does\n"
    "not hide. At the end it prints the numbers of boxes and the GPU time of each\n"
    "pass.\n"
    "\n"
    "  --boxes N              boxes of the city, 1 to 1000000 (default 50000)\n"
    "  --no-culling           begin with all boxes drawn\n"
    "  --wrong                begin with a marked right half: boxes that a wrong\n"
    "                         pyramid loses, which drops odd rows and columns\n"
    "  --freeze N             keep the choice of boxes from frame N on, and show it\n"
    "                         from above\n";

static const char help_keys[] =
    "  C                      culling on or off\n"
    "  W                      mark the boxes that a wrong pyramid loses\n"
    "  F                      keep the choice of boxes, and show it from above\n";

static const char help_example[] = "a picture without a window\n"
                                   "  sample_hiz --headless --frames 60 --picture city.png\n";

struct program {
    bool no_culling, wrong;
    uint32_t num_boxes, freeze;
    struct hiz hiz;
    struct draw draw;
    bool frozen;
    struct camera frozen_at;
};

static bool start(void *state, struct gpu *gpu, const struct sample_images *images)
{
    struct program *program = state;
    return hiz_init(gpu, program->num_boxes, DRAW_DEPTH_FORMAT, &program->hiz) &&
           draw_init(gpu, images, &program->hiz, &program->draw);
}

// Print the mean of all frames.
static void print_counts(const struct hiz *hiz)
{
    const struct hiz_counts *counts = &hiz->counts;
    const double frames = (double)counts->frames, boxes = hiz->num_boxes;
    const double drawn = (double)counts->drawn / frames, in_view = (double)counts->in_view / frames;
    printf("%.0f frames of %.0f boxes: %.0f drawn, %.1f %% culled (%.0f outside the view, %.0f "
           "hidden)\n",
           frames, boxes, drawn, 100.0 * (1.0 - drawn / boxes), boxes - in_view, in_view - drawn);
}

static void finish(void *state)
{
    struct program *program = state;
    hiz_read(&program->hiz);
    if (program->hiz.counts.frames > 0) {
        print_counts(&program->hiz);
    }
}

static bool resize(void *state, uint32_t width, uint32_t height)
{
    struct program *program = state;
    return draw_resize(&program->draw, width, height) &&
           hiz_resize(&program->hiz, program->draw.depth.weir);
}

static struct camera look(struct program *program, const struct picture *picture)
{
    program->frozen |= picture->number == program->freeze;
    if (!program->frozen) {
        program->frozen_at = city_drive(picture->seconds);
    }
    return program->frozen ? city_above(&program->frozen_at) : program->frozen_at;
}

// Two passes: what was visible in the last frame hides what it hides now; of the rest, what its
// depth does not hide has become visible, and is drawn too. So nothing that can be seen is missing.
static bool record(void *state, VkCommandBuffer cmd, const struct picture *picture)
{
    struct program *program = state;
    const struct draw *draw = &program->draw;
    struct hiz *hiz = &program->hiz;
    struct timing *timing = picture->timing;
    const struct camera camera = look(program, picture);
    const struct hiz_frame frame = {
        .slot = picture->slot,
        .rule = program->no_culling ? HIZ_ALL
                : program->frozen   ? HIZ_KEEP
                                    : HIZ_TEST,
        .compares = program->wrong,
        .clip = city_clip(&camera, draw->light.params.width, draw->light.params.height),
    };
    hiz_choose(hiz, cmd, &frame, 0);
    timing_mark(timing, cmd, "choose what was visible");
    draw_begin(draw, cmd, 0, &camera);
    hiz_draw(hiz, cmd, &frame, 0);
    draw_end(draw, cmd, 0);
    timing_mark(timing, cmd, "draw it");

    if (frame.rule == HIZ_TEST) {
        if (!hiz_reduce(hiz, cmd, &frame)) {
            return false;
        }
        timing_mark(timing, cmd, "depth pyramid");
        hiz_choose(hiz, cmd, &frame, 1);
        timing_mark(timing, cmd, "choose what has become visible");
    }
    draw_begin(draw, cmd, 1, &camera);
    hiz_draw(hiz, cmd, &frame, 1);
    draw_end(draw, cmd, 1);
    timing_mark(timing, cmd, "draw that");

    draw_show(draw, cmd, picture->image, &camera, frame.compares);
    timing_mark(timing, cmd, "show");
    return true;
}

static void press(void *state, int glfw_key)
{
    struct program *program = state;
    program->no_culling ^= glfw_key == GLFW_KEY_C;
    program->wrong ^= glfw_key == GLFW_KEY_W;
    program->frozen ^= glfw_key == GLFW_KEY_F;
}

static void describe(void *state, char *text, size_t size)
{
    const struct program *program = state;
    const uint32_t drawn = (uint32_t)program->hiz.last.drawn;
    snprintf(text, size, " \u2014 culling %s%s \u2014 %u boxes drawn, %u culled",
             program->no_culling ? "off"
             : program->wrong    ? "compared"
                                 : "on",
             program->frozen ? ", frozen" : "", drawn, program->num_boxes - drawn);
}

int main(int argc, char **argv)
{
    static struct program program = {.num_boxes = 50000, .freeze = UINT32_MAX};
    const struct argument own[] = {
        {"--boxes", .number = &program.num_boxes, .min = 1, .max = 1000000},
        {"--no-culling", .flag = &program.no_culling},
        {"--wrong", .flag = &program.wrong},
        {"--freeze", .number = &program.freeze, .min = 1, .max = UINT32_MAX - 1},
    };
    struct sample sample = {
        SAMPLE_COMMAND_LINE("hiz", own),
        SAMPLE_CALLS(&program),
        .title = "Weir hiz",
        .finish = finish,
    };
    return sample_main(&sample, argc, argv);
}
