// SPDX-License-Identifier: MIT
// An image that frames are rendered to and that Weir reads: of a swapchain, or offscreen.
#include "target.h"

#include "report.h"

bool target_init(const struct gpu *gpu, const struct sample *sample,
                 const struct weir_image_params *params, struct target *target)
{
    *target = (struct target){.image = params->image};
    return weir_ok(weir_gpu_view_init(gpu->work, params, 0, 1, &target->view), "a view") &&
           sample->framebuffer(sample->state, target->view, &target->framebuffer) &&
           weir_ok(weir_image_create(gpu->weir, params, &target->captured), "weir_image_create");
}

void target_finish(const struct gpu *gpu, struct target *target)
{
    weir_image_destroy(&target->captured);
    vkDestroyFramebuffer(gpu->device, target->framebuffer, NULL);
    vkDestroyImageView(gpu->device, target->view, NULL);
    *target = (struct target){0};
}
