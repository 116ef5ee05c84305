// SPDX-License-Identifier: MIT
// The renderer: records the scene into a command buffer, for an image that it is given.
#include "renderer.h"

#include <stddef.h>
#include <string.h>

#include "descriptors.h"
#include "report.h"

static bool upload(const struct gpu *gpu, const void *data, VkDeviceSize size,
                   VkBufferUsageFlags usage, struct gpu_buffer *out)
{
    if (!gpu_buffer_init(gpu, size, usage, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, out)) {
        return false;
    }
    memcpy(out->mapped, data, size);
    return true;
}

static bool make_meshes(struct renderer *renderer)
{
    // A software device spends most of its time on small triangles.
    const bool slow = renderer->gpu->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    struct mesh_set set;
    if (!mesh_set_init(&set, slow ? 1 : 2)) {
        return report("out of memory");
    }
    memcpy(renderer->meshes, set.ranges, sizeof(renderer->meshes));
    bool ok = upload(renderer->gpu, set.vertices, set.num_vertices * sizeof(*set.vertices),
                     VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, &renderer->vertices) &&
              upload(renderer->gpu, set.indices, set.num_indices * sizeof(*set.indices),
                     VK_BUFFER_USAGE_INDEX_BUFFER_BIT, &renderer->indices);
    mesh_set_finish(&set);
    return ok;
}

// The instances lie behind the view in the slot's buffer, on the largest alignment that a device
// may ask for (minStorageBufferOffsetAlignment is at most 256).
#define INSTANCES_OFFSET ((sizeof(struct view) + 255) / 256 * 256)
#define INSTANCES_SIZE (SCENE_MAX_INSTANCES * sizeof(struct instance))

static void write_set(struct renderer *renderer, uint32_t slot)
{
    const VkBuffer buffer = renderer->scenes[slot].buffer;
    const VkDescriptorBufferInfo view = {buffer, 0, sizeof(struct view)};
    const VkDescriptorBufferInfo instances = {buffer, INSTANCES_OFFSET, INSTANCES_SIZE};
    const VkDescriptorImageInfo shadow = {renderer->passes.shadow_sampler,
                                          renderer->passes.shadow_map.view,
                                          VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL};
    VkWriteDescriptorSet writes[3];
    for (uint32_t i = 0; i < 3; ++i) {
        writes[i] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                           .dstSet = renderer->sets[slot],
                                           .dstBinding = i,
                                           .descriptorCount = 1};
    }
    writes[0].descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    writes[0].pBufferInfo = &view;
    writes[1].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    writes[1].pBufferInfo = &instances;
    writes[2].descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    writes[2].pImageInfo = &shadow;
    vkUpdateDescriptorSets(renderer->gpu->device, 3, writes, 0, NULL);
}

static bool make_slots(struct renderer *renderer, uint32_t num_slots)
{
    const struct gpu *gpu = renderer->gpu;
    const VkDescriptorPoolSize sizes[3] = {
        {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, num_slots},
        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, num_slots},
        {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, num_slots},
    };
    if (!descriptors_make_pool(gpu, sizes, 3, num_slots, &renderer->descriptors)) {
        return false;
    }
    for (uint32_t i = 0; i < num_slots; ++i) {
        if (!gpu_buffer_init(gpu, INSTANCES_OFFSET + INSTANCES_SIZE,
                             VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
                                 VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                             VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, &renderer->scenes[i]) ||
            !descriptors_make_set(gpu, renderer->descriptors, renderer->pipelines.set_layout,
                                  &renderer->sets[i])) {
            return false;
        }
        write_set(renderer, i);
    }
    return true;
}

bool renderer_init(const struct gpu *gpu, const struct renderer_params *params,
                   struct renderer *renderer)
{
    *renderer = (struct renderer){.gpu = gpu, .scene.light = params->light};
    return passes_init(gpu, &params->passes, &renderer->passes) &&
           pipelines_init(gpu, &renderer->passes, &renderer->pipelines) && make_meshes(renderer) &&
           make_slots(renderer, params->num_slots);
}

void renderer_finish(struct renderer *renderer)
{
    const struct gpu *gpu = renderer->gpu;
    if (!gpu) {
        return;
    }
    vkDestroyDescriptorPool(gpu->device, renderer->descriptors, NULL);
    for (uint32_t i = 0; i < RENDERER_MAX_SLOTS; ++i) {
        gpu_buffer_finish(gpu, &renderer->scenes[i]);
    }
    gpu_buffer_finish(gpu, &renderer->vertices);
    gpu_buffer_finish(gpu, &renderer->indices);
    pipelines_finish(gpu, &renderer->pipelines);
    passes_finish(gpu, &renderer->passes);
    *renderer = (struct renderer){0};
}

static void use(struct renderer *renderer, VkCommandBuffer cmd, uint32_t kind)
{
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, renderer->pipelines.pipelines[kind]);
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

static void begin_pass(VkCommandBuffer cmd, VkRenderPass pass, VkFramebuffer framebuffer,
                       uint32_t width, uint32_t height)
{
    // Depth is attachment 0 of the shadow pass and 1 of the picture's, where 0 is not cleared.
    const VkClearValue clear[2] = {{.depthStencil = {1.0f, 0}}, {.depthStencil = {1.0f, 0}}};
    const VkRect2D area = {{0, 0}, {width, height}};
    const VkViewport viewport = {0.0f, 0.0f, (float)width, (float)height, 0.0f, 1.0f};
    const VkRenderPassBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = pass,
        .framebuffer = framebuffer,
        .renderArea = area,
        .clearValueCount = 2,
        .pClearValues = clear,
    };
    vkCmdBeginRenderPass(cmd, &info, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdSetViewport(cmd, 0, 1, &viewport);
    vkCmdSetScissor(cmd, 0, 1, &area);
}

void renderer_record(struct renderer *renderer, uint32_t slot, VkCommandBuffer cmd,
                     const struct picture *picture)
{
    const struct passes *passes = &renderer->passes;
    const VkDeviceSize zero = 0;
    struct scene *scene = &renderer->scene;
    scene_set(scene, picture->seconds, picture->number,
              (float)passes->width / (float)passes->height);
    uint8_t *shared = renderer->scenes[slot].mapped;
    memcpy(shared, &scene->view, sizeof(scene->view));
    memcpy(shared + INSTANCES_OFFSET, scene->instances,
           scene->num_instances * sizeof(*scene->instances));

    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, renderer->pipelines.layout, 0, 1,
                            &renderer->sets[slot], 0, NULL);
    vkCmdBindVertexBuffers(cmd, 0, 1, &renderer->vertices.buffer, &zero);
    vkCmdBindIndexBuffer(cmd, renderer->indices.buffer, 0, VK_INDEX_TYPE_UINT32);

    begin_pass(cmd, passes->shadow, passes->shadow_framebuffer, SHADOW_SIDE, SHADOW_SIDE);
    draw_objects(renderer, cmd, PIPELINE_SHADOW);
    vkCmdEndRenderPass(cmd);

    begin_pass(cmd, passes->picture, picture->framebuffer, passes->width, passes->height);
    draw_objects(renderer, cmd, PIPELINE_OBJECTS);
    if (!passes->params.bare_floor) {
        draw_objects(renderer, cmd, PIPELINE_MIRRORED);
    }
    use(renderer, cmd, PIPELINE_SKY);
    vkCmdDraw(cmd, 3, 1, 0, 0);
    use(renderer, cmd, PIPELINE_FLOOR);
    vkCmdDraw(cmd, 4, 1, 0, 0);
}
