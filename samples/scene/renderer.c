// SPDX-License-Identifier: MIT
// The renderer: records the scene into a command buffer, for an image that it is given.
#include "renderer.h"

#include <string.h>

#include "report.h"

static bool upload(const struct gpu *gpu, const void *data, VkDeviceSize size,
                   VkBufferUsageFlags usage, struct weir_gpu_buffer *out)
{
    if (!gpu_buffer_init(gpu, size, usage, WEIR_GPU_MEMORY_DEVICE_MAPPED, out)) {
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

static bool make_slots(struct renderer *renderer, uint32_t num_slots)
{
    const struct gpu *gpu = renderer->gpu;
    const VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    const enum weir_gpu_memory local = WEIR_GPU_MEMORY_DEVICE_MAPPED;
    const struct bindings_image shadow = {renderer->passes.shadow_map.view,
                                          VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL};
    bool ok = true;
    for (uint32_t i = 0; ok && i < num_slots; ++i) {
        struct weir_gpu_buffer *view = &renderer->views[i], *instances = &renderer->instances[i];
        ok = gpu_buffer_init(gpu, sizeof(struct view), usage, local, view) &&
             gpu_buffer_init(gpu, SCENE_MAX_INSTANCES * sizeof(struct instance), usage, local,
                             instances) &&
             bindings_make_set(gpu, &renderer->pipelines.bindings, &shadow,
                               (VkBuffer[]){view->buffer, instances->buffer}, &renderer->sets[i]);
    }
    return ok;
}

bool renderer_init(const struct gpu *gpu, const struct renderer_params *params,
                   struct renderer *renderer)
{
    *renderer = (struct renderer){.gpu = gpu, .scene.light = params->light};
    return passes_init(gpu, &params->passes, &renderer->passes) &&
           pipelines_init(gpu, &renderer->passes, params->num_slots, &renderer->pipelines) &&
           make_meshes(renderer) && make_slots(renderer, params->num_slots);
}

void renderer_finish(struct renderer *renderer)
{
    const struct gpu *gpu = renderer->gpu;
    if (!gpu) {
        return;
    }
    for (uint32_t i = 0; i < RENDERER_MAX_SLOTS; ++i) {
        weir_gpu_buffer_finish(gpu->work, &renderer->views[i]);
        weir_gpu_buffer_finish(gpu->work, &renderer->instances[i]);
    }
    weir_gpu_buffer_finish(gpu->work, &renderer->vertices);
    weir_gpu_buffer_finish(gpu->work, &renderer->indices);
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

void renderer_record(struct renderer *renderer, uint32_t slot, VkCommandBuffer cmd,
                     const struct picture *picture)
{
    const struct passes *passes = &renderer->passes;
    const VkDeviceSize zero = 0;
    struct scene *scene = &renderer->scene;
    scene_set(scene, picture->seconds, picture->number,
              (float)passes->width / (float)passes->height);
    memcpy(renderer->views[slot].mapped, &scene->view, sizeof(scene->view));
    memcpy(renderer->instances[slot].mapped, scene->instances,
           scene->num_instances * sizeof(*scene->instances));

    bindings_use(&renderer->pipelines.bindings, cmd, renderer->sets[slot], NULL);
    vkCmdBindVertexBuffers(cmd, 0, 1, &renderer->vertices.buffer, &zero);
    vkCmdBindIndexBuffer(cmd, renderer->indices.buffer, 0, VK_INDEX_TYPE_UINT32);

    render_pass_begin(&passes->shadow, cmd, passes->shadow_framebuffer, SHADOW_SIDE, SHADOW_SIDE);
    draw_objects(renderer, cmd, PIPELINE_SHADOW);
    vkCmdEndRenderPass(cmd);

    render_pass_begin(&passes->picture, cmd, picture->framebuffer, passes->width, passes->height);
    draw_objects(renderer, cmd, PIPELINE_OBJECTS);
    if (!passes->params.bare_floor) {
        draw_objects(renderer, cmd, PIPELINE_MIRRORED);
    }
    use(renderer, cmd, PIPELINE_SKY);
    vkCmdDraw(cmd, 3, 1, 0, 0);
    use(renderer, cmd, PIPELINE_FLOOR);
    vkCmdDraw(cmd, 4, 1, 0, 0);
}
