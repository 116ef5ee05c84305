// SPDX-License-Identifier: MIT
// The renderer: records the scene into a command buffer, for an image that it is given.
#include "renderer.h"

#include <stddef.h>
#include <string.h>

#include "shaders.h"
#include "timing.h"

// The shaders' constants 0, 1 and 2.
struct constants {
    uint32_t film; // enum film of screen.h
    uint32_t pattern;
    float mirror; // 1, or -1 for the image in the floor
};
static const VkSpecializationMapEntry constant_places[3] = {
    {0, offsetof(struct constants, film), sizeof(uint32_t)},
    {1, offsetof(struct constants, pattern), sizeof(uint32_t)},
    {2, offsetof(struct constants, mirror), sizeof(float)},
};

static const VkVertexInputBindingDescription vertex = {0, sizeof(struct vertex),
                                                       VK_VERTEX_INPUT_RATE_VERTEX};
static const VkVertexInputAttributeDescription attributes[3] = {
    {0, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(struct vertex, position)},
    {1, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(struct vertex, normal)},
    {2, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(struct vertex, u)},
};

static VkPipelineVertexInputStateCreateInfo vertices(uint32_t num_attributes)
{
    return (VkPipelineVertexInputStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
        .vertexBindingDescriptionCount = 1,
        .pVertexBindingDescriptions = &vertex,
        .vertexAttributeDescriptionCount = num_attributes,
        .pVertexAttributeDescriptions = attributes,
    };
}

static bool make_pipeline(struct renderer *renderer, struct graphics_params *params,
                          const struct constants *constants, enum pipeline_kind kind)
{
    const VkSpecializationInfo info = {3, constant_places, sizeof(*constants), constants};
    params->layout = renderer->pass.layout.layout;
    params->constants = &info;
    params->depth_format = renderer->depth_format;
    params->depth_test = VK_COMPARE_OP_LESS_OR_EQUAL;
    if (kind != PIPELINE_SHADOW) {
        params->color_format = renderer->params.images.format;
        params->samples = renderer->samples;
    }
    return graphics_init(renderer->gpu, params, &renderer->pipelines[kind]);
}

static bool make_shadow(struct renderer *renderer)
{
    const VkPipelineVertexInputStateCreateInfo positions = vertices(1);
    struct graphics_params params = {
        .vert = SHADER(shadow_vert),
        .vertices = &positions,
        .cull = VK_CULL_MODE_BACK_BIT,
        .depth_bias = true,
    };
    return make_pipeline(renderer, &params, &(struct constants){0}, PIPELINE_SHADOW);
}

static bool make_sky_and_floor(struct renderer *renderer)
{
    const struct constants constants = {.film = film_of(renderer->params.images.format)};
    const bool bare = renderer->params.bare_floor;
    const VkPipelineColorBlendAttachmentState blend = {
        .blendEnable = VK_TRUE,
        .srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA,
        .dstColorBlendFactor = bare ? VK_BLEND_FACTOR_ZERO : VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
        .srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
        .dstAlphaBlendFactor = bare ? VK_BLEND_FACTOR_ZERO : VK_BLEND_FACTOR_ONE,
        .colorWriteMask = 0xf,
    };
    struct graphics_params sky = {
        .vert = SHADER(sky_vert), .frag = SHADER(sky_frag), .no_depth_write = true};
    struct graphics_params floor = {
        .vert = SHADER(floor_vert), .frag = SHADER(floor_frag), .is_strip = true, .blend = &blend};
    return make_pipeline(renderer, &sky, &constants, PIPELINE_SKY) &&
           make_pipeline(renderer, &floor, &constants, PIPELINE_FLOOR);
}

static bool make_objects(struct renderer *renderer)
{
    const VkPipelineVertexInputStateCreateInfo all = vertices(3);
    bool ok = true;
    for (uint32_t i = 0; ok && i < 2 * PATTERN_NUM_KINDS; ++i) {
        const bool mirrored = i >= PATTERN_NUM_KINDS;
        const struct constants constants = {film_of(renderer->params.images.format),
                                            i % PATTERN_NUM_KINDS, mirrored ? -1.0f : 1.0f};
        struct graphics_params params = {
            .vert = SHADER(object_vert),
            .frag = SHADER(object_frag),
            .vertices = &all,
            // A mirror turns triangles around.
            .cull = mirrored ? VK_CULL_MODE_FRONT_BIT : VK_CULL_MODE_BACK_BIT,
        };
        ok = make_pipeline(renderer, &params, &constants, PIPELINE_OBJECTS + i);
    }
    return ok;
}

static bool make_pipelines(struct renderer *renderer)
{
    const bool is_filtered = gpu_has_format(renderer->gpu, renderer->depth_format,
                                            VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT);
    const struct pass_params pass = {
        .stages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT,
        .num_depths = 1,
        .num_buffers = 2,
        .nearest = !is_filtered,
        .compare = VK_COMPARE_OP_LESS_OR_EQUAL,
    };
    return pass_init(renderer->gpu, &pass, &renderer->pass) && make_shadow(renderer) &&
           make_sky_and_floor(renderer) && make_objects(renderer);
}

static bool make_meshes(struct renderer *renderer)
{
    // A software device spends most of its time on small triangles.
    struct gpu *gpu = renderer->gpu;
    const bool slow = gpu->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    if (!gpu_buffer_init(gpu, MESH_MAX_VERTICES * sizeof(struct vertex),
                         VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, WEIR_GPU_MEMORY_DEVICE_MAPPED,
                         &renderer->vertices) ||
        !gpu_buffer_init(gpu, MESH_MAX_INDICES * sizeof(uint32_t), VK_BUFFER_USAGE_INDEX_BUFFER_BIT,
                         WEIR_GPU_MEMORY_DEVICE_MAPPED, &renderer->indices)) {
        return false;
    }
    struct mesh_set set = {.vertices = (void *)renderer->vertices.mapped,
                           .indices = (void *)renderer->indices.mapped,
                           .ranges = renderer->meshes};
    mesh_set_make(&set, slow ? 1 : 2);
    return true;
}

static bool make_slots(struct renderer *renderer)
{
    struct gpu *gpu = renderer->gpu;
    const VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    const enum weir_gpu_memory local = WEIR_GPU_MEMORY_DEVICE_MAPPED;
    bool ok = true;
    for (uint32_t i = 0; ok && i < renderer->params.images.num_slots; ++i) {
        ok = gpu_buffer_init(gpu, sizeof(struct view), usage, local, &renderer->views[i]) &&
             gpu_buffer_init(gpu, SCENE_MAX_INSTANCES * sizeof(struct instance), usage, local,
                             &renderer->instances[i]);
    }
    return ok;
}

// D16_UNORM can be rendered to and sampled everywhere (Vulkan 1.2, 42.3 "Required Format Support").
static void choose_formats(struct renderer *renderer)
{
    const VkPhysicalDeviceLimits *limits = &renderer->gpu->properties.limits;
    const VkSampleCountFlags counts = limits->framebufferColorSampleCounts &
                                      limits->framebufferDepthSampleCounts;
    const bool is_fine = gpu_has_format(renderer->gpu, VK_FORMAT_D32_SFLOAT,
                                        VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT |
                                            VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT);
    renderer->depth_format = is_fine ? VK_FORMAT_D32_SFLOAT : VK_FORMAT_D16_UNORM;
    renderer->samples = counts & VK_SAMPLE_COUNT_4_BIT ? VK_SAMPLE_COUNT_4_BIT
                                                       : VK_SAMPLE_COUNT_1_BIT;
}

bool renderer_init(struct gpu *gpu, const struct renderer_params *params, struct renderer *renderer)
{
    *renderer = (struct renderer){.gpu = gpu, .params = *params, .scene.light = params->light};
    choose_formats(renderer);
    return gpu_texture_init(gpu, renderer->depth_format,
                            VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT,
                            (VkExtent2D){SHADOW_SIDE, SHADOW_SIDE}, 1, &renderer->shadow_map) &&
           make_pipelines(renderer) && make_meshes(renderer) && make_slots(renderer);
}

bool renderer_resize(struct renderer *renderer, uint32_t width, uint32_t height)
{
    struct gpu *gpu = renderer->gpu;
    const VkSampleCountFlagBits samples = renderer->samples;
    const bool several = samples > VK_SAMPLE_COUNT_1_BIT, keeps = renderer->params.keeps_depth;
    const struct weir_image_params color = {.format = renderer->params.images.format,
                                            .width = width,
                                            .height = height,
                                            .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                                     VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT};
    struct weir_image_params depth = color;
    depth.format = renderer->depth_format;
    depth.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT |
                  VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT;
    renderer->width = width;
    renderer->height = height;
    // With one sample the picture is drawn to its own image, and kept depth to the texture.
    return (!several || gpu_image_init(gpu, &color, samples, &renderer->color)) &&
           ((!several && keeps) || gpu_image_init(gpu, &depth, samples, &renderer->depth)) &&
           (!keeps ||
            gpu_texture_init(gpu, depth.format, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT,
                             (VkExtent2D){width, height}, 1, &renderer->depth_texture));
}

// Get how a picture is drawn to an image.
static struct rendering draw_to(const struct renderer *renderer, const struct gpu_image *image)
{
    const bool several = renderer->samples > VK_SAMPLE_COUNT_1_BIT;
    const bool keeps = renderer->params.keeps_depth;
    return (struct rendering){
        .color = several ? &renderer->color : image,
        .color_layout = renderer->params.images.final_layout,
        .depth = several || !keeps ? &renderer->depth : &renderer->depth_texture,
        .keeps_depth = keeps,
        .resolved_color = several ? image : NULL,
        .resolved_depth = several && keeps ? &renderer->depth_texture : NULL,
        .clear_depth = 1.0f,
    };
}

static void use(struct renderer *renderer, VkCommandBuffer cmd, uint32_t kind)
{
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, renderer->pipelines[kind]);
}

// Draw the objects. `kind` is the shadow pipeline, or the first of those for the patterns.
static void draw_objects(struct renderer *renderer, VkCommandBuffer cmd, enum pipeline_kind kind)
{
    for (uint32_t i = 0; i < renderer->scene.num_draws; ++i) {
        const struct draw *draw = &renderer->scene.draws[i];
        const struct mesh_range *mesh = &renderer->meshes[draw->mesh];
        use(renderer, cmd, kind == PIPELINE_SHADOW ? kind : kind + draw->pattern);
        vkCmdDrawIndexed(cmd, mesh->num_indices, draw->num_instances, mesh->first_index,
                         mesh->first_vertex, draw->first_instance);
    }
}

void renderer_record(struct renderer *renderer, VkCommandBuffer cmd, const struct gpu_image *image,
                     const struct picture *picture)
{
    const struct gpu *gpu = renderer->gpu;
    const struct rendering shadow = {
        .depth = &renderer->shadow_map, .keeps_depth = true, .clear_depth = 1.0f};
    const VkDeviceSize zero = 0;
    struct scene *scene = &renderer->scene;
    const uint32_t slot = picture->slot;
    scene_set(scene, picture->seconds, picture->number,
              (float)renderer->width / (float)renderer->height);
    memcpy(renderer->views[slot].mapped, &scene->view, sizeof(scene->view));
    memcpy(renderer->instances[slot].mapped, scene->instances,
           scene->num_instances * sizeof(*scene->instances));

    pass_use(&renderer->pass, cmd,
             (struct bindings){
                 &renderer->shadow_map.view,
                 (VkBuffer[]){renderer->views[slot].buffer, renderer->instances[slot].buffer},
                 NULL});
    vkCmdBindVertexBuffers(cmd, 0, 1, &renderer->vertices.buffer, &zero);
    vkCmdBindIndexBuffer(cmd, renderer->indices.buffer, 0, VK_INDEX_TYPE_UINT32);

    rendering_begin(gpu, cmd, &shadow);
    draw_objects(renderer, cmd, PIPELINE_SHADOW);
    rendering_end(gpu, cmd, &shadow);

    renderer->picture = draw_to(renderer, image);
    rendering_begin(gpu, cmd, &renderer->picture);
    draw_objects(renderer, cmd, PIPELINE_OBJECTS);
    if (!renderer->params.bare_floor) {
        draw_objects(renderer, cmd, PIPELINE_MIRRORED);
    }
    use(renderer, cmd, PIPELINE_SKY);
    vkCmdDraw(cmd, 3, 1, 0, 0);
    use(renderer, cmd, PIPELINE_FLOOR);
    vkCmdDraw(cmd, 4, 1, 0, 0);
}

void renderer_end(const struct renderer *renderer, VkCommandBuffer cmd)
{
    rendering_end(renderer->gpu, cmd, &renderer->picture);
}

struct hdr_constants {
    float strength, exposure;
    int32_t adapts;
};

bool hdr_init(struct gpu *gpu, const struct sample_images *images, struct scene_light light,
              bool bare_floor, struct hdr *hdr)
{
    const struct renderer_params scene = {
        // Shaders sample and may store the light: the general layout is the one for both.
        .images = {HDR_FORMAT, VK_IMAGE_LAYOUT_GENERAL, images->num_slots},
        .light = light,
        .keeps_depth = true,
        .bare_floor = bare_floor,
    };
    const struct pass_params screen = {
        .code = SHADER(combine_frag),
        .num_textures = 3,
        .constants_size = sizeof(struct hdr_constants),
    };
    return renderer_init(gpu, &scene, &hdr->renderer) &&
           screen_init(gpu, images, screen, &hdr->screen);
}

bool hdr_resize(struct hdr *hdr, VkImageUsageFlags usage, uint32_t width, uint32_t height)
{
    return renderer_resize(&hdr->renderer, width, height) &&
           gpu_texture_init(hdr->renderer.gpu, HDR_FORMAT,
                            usage | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
                            (VkExtent2D){width, height}, 1, &hdr->light);
}

void hdr_record(struct hdr *hdr, VkCommandBuffer cmd, const struct picture *picture)
{
    renderer_record(&hdr->renderer, cmd, &hdr->light, picture);
    renderer_end(&hdr->renderer, cmd);
    timing_mark(picture->timing, cmd, "scene");
}

void hdr_show(const struct hdr *hdr, VkCommandBuffer cmd, const struct picture *picture,
              const struct hdr_effect *effect)
{
    const VkImageView light = hdr->light.view;
    const VkImageView textures[] = {light, effect->added, effect->stops ? effect->stops : light};
    const struct hdr_constants constants = {effect->strength, exp2f(effect->exposure),
                                            effect->stops != VK_NULL_HANDLE};
    screen_record(&hdr->screen, cmd, picture->image, textures, &constants);
    timing_mark(picture->timing, cmd, "combine");
}
