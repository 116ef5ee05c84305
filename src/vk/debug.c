// SPDX-License-Identifier: MIT
// Names objects and labels commands for debuggers and validation messages.
#include "vk/context.h"

#include <stdio.h>

void weir_vk_name(const weir_context *context, VkObjectType type, uint64_t handle, const char *what,
                  const char *tag)
{
    if (!context->vk.SetDebugUtilsObjectNameEXT) {
        return;
    }
    char name[160];
    snprintf(name, sizeof(name), "weir %s (%s)", what, tag ? tag : "-");
    const VkDebugUtilsObjectNameInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
        .objectType = type,
        .objectHandle = handle,
        .pObjectName = name,
    };
    context->vk.SetDebugUtilsObjectNameEXT(context->device, &info);
}

void weir_vk_label_begin(const weir_context *context, VkCommandBuffer cmd, const char *label)
{
    if (context->vk.CmdBeginDebugUtilsLabelEXT) {
        const VkDebugUtilsLabelEXT info = {
            .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
            .pLabelName = label,
        };
        context->vk.CmdBeginDebugUtilsLabelEXT(cmd, &info);
    }
}

void weir_vk_label_end(const weir_context *context, VkCommandBuffer cmd)
{
    if (context->vk.CmdEndDebugUtilsLabelEXT) {
        context->vk.CmdEndDebugUtilsLabelEXT(cmd);
    }
}
