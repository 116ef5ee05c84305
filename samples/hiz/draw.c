// SPDX-License-Identifier: MIT
// Drawing the city: its light and its depth, and the picture that is shown of them.
#include "hiz.h"

#include "graphics.h"
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
        .layout = draw->pass.layout.layout,
        .color_format = light_format,
        .depth_format = DRAW_DEPTH_FORMAT,
        .depth_test = VK_COMPARE_OP_GREATER, // depth is reversed
    };
    return graphics_init(draw->gpu, &box, &draw->pass.pipeline);
}

bool draw_init(struct gpu *gpu, const struct sample_images *images, const struct hiz *hiz,
               struct draw *draw)
{
    const struct pass_params show = {
        .code = SHADER(show_frag),
        .num_textures = 1,
        .num_depths = 1,
        .constants_size = sizeof(struct show_constants),
        .nearest = true,
    };
    const struct pass_params boxes = {
        .stages = VK_SHADER_STAGE_VERTEX_BIT,
        .num_buffers = 2,
        .constants_size = sizeof(struct box_constants),
    };
    *draw = (struct draw){.gpu = gpu, .hiz = hiz};
    return pass_init(gpu, &boxes, &draw->pass) && make_pipeline(draw) &&
           screen_init(gpu, images, show, &draw->screen);
}

bool draw_resize(struct draw *draw, uint32_t width, uint32_t height)
{
    const VkExtent2D size = {width, height};
    return gpu_texture_init(draw->gpu, light_format, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, size, 1,
                            &draw->light) &&
           gpu_texture_init(draw->gpu, DRAW_DEPTH_FORMAT,
                            VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, size, 1, &draw->depth);
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
    const struct hiz *hiz = draw->hiz;
    const struct weir_image_params *size = &draw->light.params;
    const VkBuffer buffers[] = {hiz->boxes.buffer, hiz->lists.buffer};
    struct box_constants constants = {
        .clip = city_clip(camera, size->width, size->height),
        .eye = {camera->eye.x, camera->eye.y, camera->eye.z},
        .first = 2 * hiz->num_boxes, // the ground
    };
    const struct rendering rendering = get_pass(draw, pass);
    rendering_begin(draw->gpu, cmd, &rendering);
    if (pass == 0) {
        pass_use(&draw->pass, cmd, (struct bindings){NULL, buffers, &constants});
        vkCmdDraw(cmd, 18, 1, 0, 0);
    }
    constants.first = pass * hiz->num_boxes;
    pass_use(&draw->pass, cmd, (struct bindings){NULL, buffers, &constants});
}

void draw_show(const struct draw *draw, VkCommandBuffer cmd, const struct gpu_image *image,
               const struct camera *camera, bool compares)
{
    float tangents[2];
    city_angles(draw->light.params.width, draw->light.params.height, tangents);
    const struct vec3 right = vec3_scale(camera->right, tangents[0]);
    const struct vec3 up = vec3_scale(camera->up, tangents[1]), forward = camera->forward;
    const struct show_constants constants = {
        .right = {right.x, right.y, right.z, CITY_NEAR},
        .up = {up.x, up.y, up.z, CITY_FAR},
        .forward = {forward.x, forward.y, forward.z, compares ? 1.0f : 0.0f},
        .eye_height = camera->eye.y,
    };
    const VkImageView textures[] = {draw->light.view, draw->depth.view};
    screen_record(&draw->screen, cmd, image, textures, &constants);
}
