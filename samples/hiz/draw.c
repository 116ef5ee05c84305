// SPDX-License-Identifier: MIT
// Drawing the city: the images of a view of it, and the picture that is shown of them.
#include "draw.h"

#include "descriptors.h"
#include "graphics.h"
#include "report.h"

static const uint32_t box_vert[] =
#include "box.vert.inc"
    ;
static const uint32_t box_frag[] =
#include "box.frag.inc"
    ;
static const uint32_t show_frag[] =
#include "show.frag.inc"
    ;

static const VkFormat light_format = VK_FORMAT_R16G16B16A16_SFLOAT;

// As in the shaders.
struct box_constants {
    struct mat4 clip;
    float eye[3];
    uint32_t first;
    float tint[4];
};
struct show_constants {
    // Rays to the picture's edges; in w the near plane, the far plane, and 1 if views are compared.
    float right[4], up[4], forward[4];
    float eye_height;
};

// Make a pass that draws boxes. It clears the images, or adds to them.
static bool make_pass(struct draw *draw, bool adds, VkRenderPass *out)
{
    const VkImageLayout drawn = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    const VkImageLayout read = VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL;
    const VkAttachmentDescription light = {
        .format = light_format,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .loadOp = adds ? VK_ATTACHMENT_LOAD_OP_LOAD : VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .initialLayout = adds ? drawn : VK_IMAGE_LAYOUT_UNDEFINED,
        .finalLayout = adds ? VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL : drawn,
    };
    VkAttachmentDescription attachments[2] = {light, light};
    attachments[1].format = DRAW_DEPTH_FORMAT;
    attachments[1].initialLayout = adds ? read : VK_IMAGE_LAYOUT_UNDEFINED;
    attachments[1].finalLayout = read;
    const VkAttachmentReference color = {0, drawn};
    const VkAttachmentReference depth = {1, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
    const VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                          .colorAttachmentCount = 1,
                                          .pColorAttachments = &color,
                                          .pDepthStencilAttachment = &depth};
    const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT |
                                        VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT |
                                        VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT;
    const VkPipelineStageFlags readers = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT |
                                         VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
    const VkAccessFlags writes = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT |
                                 VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
    const VkAccessFlags both = writes | VK_ACCESS_COLOR_ATTACHMENT_READ_BIT |
                               VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT;
    const VkSubpassDependency dependencies[2] = {
        {VK_SUBPASS_EXTERNAL, 0, stages | readers, stages, writes, both, 0},
        {0, VK_SUBPASS_EXTERNAL, stages, stages | readers, writes, both | VK_ACCESS_SHADER_READ_BIT,
         0},
    };
    const VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .attachmentCount = 2,
        .pAttachments = attachments,
        .subpassCount = 1,
        .pSubpasses = &subpass,
        .dependencyCount = 2,
        .pDependencies = dependencies,
    };
    return vulkan_made(vkCreateRenderPass(draw->gpu->device, &info, NULL, out),
                       "vkCreateRenderPass", out);
}

// The sets of the views: the boxes, and a list of those that are drawn.
static bool make_layouts(struct draw *draw)
{
    const VkShaderStageFlags vertex = VK_SHADER_STAGE_VERTEX_BIT;
    const VkDescriptorSetLayoutBinding buffers[2] = {
        {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, vertex, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, vertex, NULL},
    };
    const VkPushConstantRange constants = {vertex, 0, sizeof(struct box_constants)};
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2 * DRAW_MAX_VIEWS};
    const struct gpu *gpu = draw->gpu;
    bool ok = descriptors_make_layouts(gpu, buffers, 2, &constants, &draw->set_layout,
                                       &draw->layout) &&
              descriptors_make_pool(gpu, &size, 1, DRAW_MAX_VIEWS, &draw->pool);
    for (uint32_t i = 0; ok && i < draw->num_views; ++i) {
        ok = descriptors_make_set(gpu, draw->pool, draw->set_layout, &draw->views[i].set);
    }
    return ok;
}

bool draw_init(const struct gpu *gpu, const struct sample_images *images, uint32_t num_boxes,
               uint32_t num_views, struct draw *draw)
{
    *draw = (struct draw){.gpu = gpu, .num_boxes = num_boxes, .num_views = num_views};
    const struct screen_params show = {show_frag, sizeof(show_frag), 4,
                                       sizeof(struct show_constants), VK_FILTER_NEAREST};
    if (!gpu_buffer_init(gpu, sizeof(struct box) * ((VkDeviceSize)num_boxes + 1),
                         VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
                         &draw->boxes)) {
        return false;
    }
    city_build(draw->boxes.mapped, num_boxes);
    if (!make_layouts(draw) || !make_pass(draw, false, &draw->passes[0]) ||
        !make_pass(draw, true, &draw->passes[1])) {
        return false;
    }
    const struct graphics_params box = {
        .vert = box_vert,
        .frag = box_frag,
        .vert_size = sizeof(box_vert),
        .frag_size = sizeof(box_frag),
        .layout = draw->layout,
        .pass = draw->passes[0],
        .depth_test = VK_COMPARE_OP_GREATER, // depth is reversed
    };
    return graphics_init(gpu, &box, &draw->pipeline) &&
           screen_init(gpu, images, &show, &draw->screen);
}

static void drop_views(struct draw *draw)
{
    for (uint32_t i = 0; i < draw->num_views; ++i) {
        struct view *view = &draw->views[i];
        vkDestroyFramebuffer(draw->gpu->device, view->framebuffer, NULL);
        view->framebuffer = VK_NULL_HANDLE;
        weir_image_destroy(&view->weir_depth);
        gpu_image_finish(draw->gpu, &view->depth);
        gpu_image_finish(draw->gpu, &view->light);
    }
}

void draw_finish(struct draw *draw)
{
    if (!draw->gpu) {
        return;
    }
    VkDevice device = draw->gpu->device;
    drop_views(draw);
    screen_finish(&draw->screen);
    vkDestroyPipeline(device, draw->pipeline, NULL);
    vkDestroyRenderPass(device, draw->passes[1], NULL);
    vkDestroyRenderPass(device, draw->passes[0], NULL);
    vkDestroyDescriptorPool(device, draw->pool, NULL);
    vkDestroyPipelineLayout(device, draw->layout, NULL);
    vkDestroyDescriptorSetLayout(device, draw->set_layout, NULL);
    gpu_buffer_finish(draw->gpu, &draw->boxes);
    *draw = (struct draw){0};
}

void draw_bind(struct draw *draw, uint32_t view, VkBuffer lists)
{
    const VkDescriptorBufferInfo buffers[2] = {{draw->boxes.buffer, 0, VK_WHOLE_SIZE},
                                               {lists, 0, VK_WHOLE_SIZE}};
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = draw->views[view].set,
        .descriptorCount = 2, // runs over to binding 1
        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        .pBufferInfo = buffers,
    };
    vkUpdateDescriptorSets(draw->gpu->device, 1, &write, 0, NULL);
}

static bool make_framebuffer(const struct draw *draw, struct view *view)
{
    const VkImageView views[2] = {view->light.view, view->depth.view};
    const VkFramebufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
        .renderPass = draw->passes[0],
        .attachmentCount = 2,
        .pAttachments = views,
        .width = draw->width,
        .height = draw->height,
        .layers = 1,
    };
    return vulkan_made(vkCreateFramebuffer(draw->gpu->device, &info, NULL, &view->framebuffer),
                       "vkCreateFramebuffer", &view->framebuffer);
}

static bool make_view(struct draw *draw, struct view *view)
{
    VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = light_format,
        .extent = {draw->width, draw->height, 1},
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT,
    };
    if (!gpu_image_init(draw->gpu, &info, VK_IMAGE_ASPECT_COLOR_BIT, &view->light)) {
        return false;
    }
    info.format = DRAW_DEPTH_FORMAT;
    info.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT;
    return gpu_image_init(draw->gpu, &info, VK_IMAGE_ASPECT_DEPTH_BIT, &view->depth) &&
           weir_ok(weir_image_create(draw->gpu->weir,
                                     weir_image_params(.image = view->depth.image,
                                                       .format = DRAW_DEPTH_FORMAT,
                                                       .width = draw->width, .height = draw->height,
                                                       .usage = info.usage),
                                     &view->weir_depth),
                   "weir_image_create") &&
           make_framebuffer(draw, view);
}

bool draw_resize(struct draw *draw, uint32_t width, uint32_t height)
{
    struct screen_texture textures[4];
    drop_views(draw);
    draw->width = width;
    draw->height = height;
    for (uint32_t i = 0; i < draw->num_views; ++i) {
        if (!make_view(draw, &draw->views[i])) {
            return false;
        }
    }
    for (uint32_t i = 0; i < 2; ++i) { // one view is compared to itself
        const struct view *view = &draw->views[i % draw->num_views];
        textures[2 * i] = (struct screen_texture){view->light.view,
                                                  VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
        textures[2 * i + 1] = (struct screen_texture){
            view->depth.view, VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL};
    }
    screen_resize(&draw->screen, width, height);
    screen_bind(&draw->screen, textures);
    return true;
}

void draw_begin(const struct draw *draw, VkCommandBuffer cmd, uint32_t view, uint32_t pass,
                const struct camera *camera, bool tinted)
{
    const VkShaderStageFlags vertex = VK_SHADER_STAGE_VERTEX_BIT;
    const VkRect2D area = {{0, 0}, {draw->width, draw->height}};
    const VkViewport viewport = {0.0f, 0.0f, (float)draw->width, (float)draw->height, 0.0f, 1.0f};
    const VkClearValue clear[2] = {{{{0}}}, {{{0}}}}; // the farthest depth is 0
    const VkRenderPassBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = draw->passes[pass],
        .framebuffer = draw->views[view].framebuffer,
        .renderArea = area,
        .clearValueCount = 2,
        .pClearValues = clear,
    };
    struct box_constants constants = {
        .clip = city_clip(camera, draw->width, draw->height),
        .eye = {camera->eye.x, camera->eye.y, camera->eye.z},
        .first = 2 * draw->num_boxes, // the ground
        .tint = {1, tinted ? 0.35f : 1, tinted ? 0.05f : 1},
    };
    vkCmdBeginRenderPass(cmd, &info, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdSetViewport(cmd, 0, 1, &viewport);
    vkCmdSetScissor(cmd, 0, 1, &area);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, draw->pipeline);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, draw->layout, 0, 1,
                            &draw->views[view].set, 0, NULL);
    if (pass == 0) {
        vkCmdPushConstants(cmd, draw->layout, vertex, 0, sizeof(constants), &constants);
        vkCmdDraw(cmd, 18, 1, 0, 0);
    }
    constants.first = pass * draw->num_boxes;
    vkCmdPushConstants(cmd, draw->layout, vertex, 0, sizeof(constants), &constants);
}

void draw_show(const struct draw *draw, VkCommandBuffer cmd, VkFramebuffer framebuffer,
               const struct camera *camera)
{
    float tangents[2];
    city_angles(draw->width, draw->height, tangents);
    const struct vec3 right = vec3_scale(camera->right, tangents[0]);
    const struct vec3 up = vec3_scale(camera->up, tangents[1]), forward = camera->forward;
    const struct show_constants constants = {
        .right = {right.x, right.y, right.z, CITY_NEAR},
        .up = {up.x, up.y, up.z, CITY_FAR},
        .forward = {forward.x, forward.y, forward.z, draw->num_views > 1 ? 1.0f : 0.0f},
        .eye_height = camera->eye.y,
    };
    screen_record(&draw->screen, cmd, framebuffer, &constants);
}
