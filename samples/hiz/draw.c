// SPDX-License-Identifier: MIT
// Drawing the city: its light and its depth, and the picture that is shown of them.
#include "draw.h"

#include "graphics.h"
#include "rendering.h"
#include "shaders.h"

static const VkFormat light_format = VK_FORMAT_R16G16B16A16_SFLOAT;

// As in the shaders.
struct box_constants {
    struct mat4 clip;
    float eye[3];
    uint32_t first;
};
struct show_constants {
    // Rays to the picture's edges; in w the near plane, the far plane, and 1 to compare.
    float right[4], up[4], forward[4];
    float eye_height;
};

static bool make_pipeline(struct draw *draw)
{
    const struct graphics_params box = {
        .vert = SHADER(box_vert),
        .frag = SHADER(box_frag),
        .layout = draw->pass.layout,
        .color_format = light_format,
        .depth_format = DRAW_DEPTH_FORMAT,
        .depth_test = VK_COMPARE_OP_GREATER, // depth is reversed
    };
    return graphics_init(draw->gpu, &box, &draw->pass.pipeline);
}

bool draw_init(const struct gpu *gpu, const struct sample_images *images, uint32_t num_boxes,
               VkBuffer boxes, VkBuffer lists, struct draw *draw)
{
    const struct screen_params show = {
        .code = SHADER(show_frag),
        .num_textures = 1,
        .num_depths = 1,
        .constants_size = sizeof(struct show_constants),
        .nearest = true,
    };
    const struct pass_params boxes_pass = {
        .stages = VK_SHADER_STAGE_VERTEX_BIT,
        .num_buffers = 2,
        .constants_size = sizeof(struct box_constants),
    };
    *draw = (struct draw){.gpu = gpu, .num_boxes = num_boxes};
    return pass_init(gpu, &boxes_pass, &draw->pass) &&
           pass_make_set(gpu, &draw->pass, NULL, (VkBuffer[]){boxes, lists}, &draw->set) &&
           make_pipeline(draw) && screen_init(gpu, images, &show, &draw->screen);
}

static void drop_images(struct draw *draw)
{
    gpu_image_finish(draw->gpu, &draw->depth);
    gpu_image_finish(draw->gpu, &draw->light);
}

void draw_finish(struct draw *draw)
{
    if (!draw->gpu) {
        return;
    }
    drop_images(draw);
    screen_finish(&draw->screen);
    pass_finish(draw->gpu, &draw->pass);
    *draw = (struct draw){0};
}

static bool make_images(struct draw *draw, uint32_t width, uint32_t height)
{
    const struct gpu *gpu = draw->gpu;
    struct weir_image_params params = {.format = light_format,
                                       .width = width,
                                       .height = height,
                                       .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                                VK_IMAGE_USAGE_SAMPLED_BIT};
    if (!gpu_image_init(gpu, &params, 0, &draw->light)) {
        return false;
    }
    params.format = DRAW_DEPTH_FORMAT;
    params.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT;
    return gpu_image_init(gpu, &params, 0, &draw->depth);
}

bool draw_resize(struct draw *draw, uint32_t width, uint32_t height)
{
    drop_images(draw);
    return make_images(draw, width, height) &&
           screen_resize(&draw->screen, width, height,
                         (VkImageView[]){draw->light.view, draw->depth.view});
}

// Get how a pass draws. The first clears the light, and depth to 0, the farthest.
static struct rendering get_pass(const struct draw *draw, uint32_t pass)
{
    return (struct rendering){
        .color = &draw->light,
        .color_layout = VK_IMAGE_LAYOUT_GENERAL,
        .depth = &draw->depth,
        .keeps_depth = true,
        .loads = pass > 0,
        .clears_color = true,
    };
}

void draw_end(const struct draw *draw, VkCommandBuffer cmd, uint32_t pass)
{
    const struct rendering rendering = get_pass(draw, pass);
    rendering_end(draw->gpu, cmd, &rendering);
}

void draw_begin(const struct draw *draw, VkCommandBuffer cmd, uint32_t pass,
                const struct camera *camera)
{
    const uint32_t width = draw->screen.width, height = draw->screen.height;
    struct box_constants constants = {
        .clip = city_clip(camera, width, height),
        .eye = {camera->eye.x, camera->eye.y, camera->eye.z},
        .first = 2 * draw->num_boxes, // the ground
    };
    const struct rendering rendering = get_pass(draw, pass);
    rendering_begin(draw->gpu, cmd, &rendering);
    if (pass == 0) {
        pass_use(&draw->pass, cmd, draw->set, &constants);
        vkCmdDraw(cmd, 18, 1, 0, 0);
    }
    constants.first = pass * draw->num_boxes;
    pass_use(&draw->pass, cmd, draw->set, &constants);
}

void draw_show(const struct draw *draw, VkCommandBuffer cmd, const struct gpu_image *image,
               const struct camera *camera, bool compares)
{
    float tangents[2];
    city_angles(draw->screen.width, draw->screen.height, tangents);
    const struct vec3 right = vec3_scale(camera->right, tangents[0]);
    const struct vec3 up = vec3_scale(camera->up, tangents[1]), forward = camera->forward;
    const struct show_constants constants = {
        .right = {right.x, right.y, right.z, CITY_NEAR},
        .up = {up.x, up.y, up.z, CITY_FAR},
        .forward = {forward.x, forward.y, forward.z, compares ? 1.0f : 0.0f},
        .eye_height = camera->eye.y,
    };
    screen_record(&draw->screen, cmd, image, &constants);
}
