// SPDX-License-Identifier: MIT
// How far the first frame of a size is.
#include "progress.h"

#include <stdio.h>

#include "report.h"

static const uint64_t interval_ns = 100000000;

void progress_mark(struct progress *progress, VkCommandBuffer cmd, const char *name)
{
    const VkEventCreateInfo info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    // Without an event the frame is the same, and the pass is not told.
    if (!progress || progress->num_passes == PROGRESS_MAX_PASSES ||
        vkCreateEvent(progress->gpu->device, &info, NULL,
                      &progress->events[progress->num_passes]) != VK_SUCCESS) {
        return;
    }
    vkCmdSetEvent(cmd, progress->events[progress->num_passes],
                  VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT);
    progress->names[progress->num_passes++] = name;
}

static uint32_t count_executed(const struct progress *progress)
{
    uint32_t num = 0;
    while (num < progress->num_passes &&
           vkGetEventStatus(progress->gpu->device, progress->events[num]) == VK_EVENT_SET) {
        ++num;
    }
    return num;
}

bool progress_wait(struct progress *progress)
{
    weir_gpu *work = progress->gpu->work;
    const struct weir_point last = weir_gpu_get_last(work);
    uint32_t told = UINT32_MAX;
    enum weir_result result;
    while ((result = weir_gpu_wait(work, last, interval_ns)) == WEIR_NOT_READY) {
        char text[96] = "";
        const uint32_t current = count_executed(progress);
        if (current == progress->num_passes) {
            continue;
        }
        snprintf(text, sizeof(text), "first frame, which may compile kernels: %s, %u of %u",
                 progress->names[current], current + 1, progress->num_passes);
        if (current != told) {
            fprintf(stderr, "%s: %s\n", report_program(), text);
            told = current;
        }
        if (progress->show) {
            progress->show(progress->user, text);
        }
    }
    return weir_ok(result, "weir_gpu_wait");
}

void progress_finish(struct progress *progress)
{
    for (uint32_t i = 0; i < progress->num_passes; ++i) {
        vkDestroyEvent(progress->gpu->device, progress->events[i], NULL);
    }
    progress->num_passes = 0;
}
