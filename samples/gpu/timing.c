// SPDX-License-Identifier: MIT
// The GPU time of each pass, from time stamps between the passes, and how far the first frame is.
#include "timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

static const uint64_t interval_ns = 100000000;

static void mark_event(struct timing *timing, VkCommandBuffer cmd, const char *name)
{
    const VkEventCreateInfo info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    VkEvent *event = &timing->events[timing->num_events];
    // Without an event the frame is the same, and the pass is not told.
    if (timing->num_events < TIMING_MAX_PASSES &&
        vkCreateEvent(timing->gpu->device, &info, NULL, event) == VK_SUCCESS) {
        vkCmdSetEvent(cmd, *event, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT);
        timing->event_names[timing->num_events++] = name;
    }
}

static uint32_t count_executed(const struct timing *timing)
{
    uint32_t num = 0;
    while (num < timing->num_events &&
           vkGetEventStatus(timing->gpu->device, timing->events[num]) == VK_EVENT_SET) {
        ++num;
    }
    return num;
}

static void drop_events(struct timing *timing)
{
    while (timing->num_events > 0) {
        vkDestroyEvent(timing->gpu->device, timing->events[--timing->num_events], NULL);
    }
}

bool timing_wait_first(struct timing *timing)
{
    weir_gpu *work = timing->gpu->work;
    const struct weir_point last = weir_gpu_get_last(work);
    uint32_t told = UINT32_MAX;
    enum weir_result result;
    while ((result = weir_gpu_wait(work, last, interval_ns)) == WEIR_NOT_READY) {
        char text[96] = "";
        const uint32_t current = count_executed(timing);
        if (current == timing->num_events) {
            continue;
        }
        snprintf(text, sizeof(text), "the first frame, which may compile shaders: %s, %u of %u",
                 timing->event_names[current], current + 1, timing->num_events);
        if (current != told) {
            fprintf(stderr, "%s: %s\n", report_program(), text);
            told = current;
        }
        if (timing->show) {
            timing->show(timing->user, text);
        }
    }
    drop_events(timing);
    return weir_ok(result, "weir_gpu_wait");
}

// A slot's queries: the frame's beginning, then the end of each pass in the order of the frame.
enum { QUERIES = TIMING_MAX_PASSES + 1 };

static uint32_t valid_bits(const struct gpu *gpu)
{
    VkQueueFamilyProperties families[WEIR_MAX_QUEUE_FAMILIES];
    uint32_t num = WEIR_MAX_QUEUE_FAMILIES;
    vkGetPhysicalDeviceQueueFamilyProperties(gpu->physical_device, &num, families);
    return gpu->graphics.family < num ? families[gpu->graphics.family].timestampValidBits : 0;
}

static void destroy(struct gpu *gpu, void *object)
{
    struct timing *timing = object;
    drop_events(timing);
    vkDestroyQueryPool(gpu->device, timing->pool, NULL);
}

bool timing_init(struct gpu *gpu, bool has_no_times, struct timing *timing)
{
    const uint32_t bits = valid_bits(gpu);
    timing->gpu = gpu;
    timing->has_no_times = has_no_times;
    timing->tick_ns = gpu->properties.limits.timestampPeriod;
    timing->mask = bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
    gpu_own(gpu, destroy, timing);
    if (has_no_times || bits == 0 || gpu->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU) {
        return true;
    }
    const VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_TIMESTAMP,
        .queryCount = TIMING_MAX_SLOTS * QUERIES,
    };
    return vulkan_made(vkCreateQueryPool(gpu->device, &info, NULL, &timing->pool),
                       "vkCreateQueryPool", &timing->pool);
}

static bool read_stamp(const struct timing *timing, uint32_t query, uint64_t *stamp)
{
    return vkGetQueryPoolResults(timing->gpu->device, timing->pool, query, 1, sizeof(*stamp), stamp,
                                 sizeof(*stamp), VK_QUERY_RESULT_64_BIT) == VK_SUCCESS;
}

// Compute the times of the passes. A pass lasts from the end of the pass before it to its own end.
static void read_slot(struct timing *timing, uint32_t slot)
{
    const uint32_t num = timing->num_marked[slot];
    uint64_t last = 0, stamp = 0;
    timing->num_marked[slot] = 0;
    if (num == 0 || !read_stamp(timing, slot * QUERIES, &last)) {
        return;
    }
    timing->frame_ms = 0.0f;
    timing->read = 0;
    for (uint32_t i = 0; i < num && read_stamp(timing, slot * QUERIES + 1 + i, &stamp); ++i) {
        const uint32_t pass = timing->marked[slot][i];
        const float ms = (float)((double)((stamp - last) & timing->mask) * timing->tick_ns * 1e-6);
        timing->times[pass][timing->num_frames[pass]++ % TIMING_MAX_FRAMES] = ms;
        timing->frame_ms += ms;
        timing->read |= 1u << pass;
        last = stamp;
    }
}

void timing_begin(struct timing *timing, uint32_t slot, VkCommandBuffer cmd, bool is_first)
{
    timing->is_first = is_first;
    timing->slot = slot;
    if (!timing->pool) {
        return;
    }
    read_slot(timing, slot);
    vkCmdResetQueryPool(cmd, timing->pool, slot * QUERIES, QUERIES);
    vkCmdWriteTimestamp(cmd, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, timing->pool, slot * QUERIES);
}

// Get the number of a pass: a new one if it has not been marked before.
static uint32_t find(struct timing *timing, const char *name)
{
    uint32_t pass = 0;
    while (pass < timing->num_passes && strcmp(timing->names[pass], name) != 0) {
        ++pass;
    }
    timing->num_passes += pass == timing->num_passes;
    timing->names[pass] = name;
    return pass;
}

void timing_mark(struct timing *timing, VkCommandBuffer cmd, const char *pass)
{
    const uint32_t slot = timing->slot;
    if (timing->is_first) {
        mark_event(timing, cmd, pass);
    }
    if (!timing->pool) {
        return;
    }
    timing->marked[slot][timing->num_marked[slot]++] = find(timing, pass);
    vkCmdWriteTimestamp(cmd, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, timing->pool,
                        slot * QUERIES + timing->num_marked[slot]);
}

void timing_describe(const struct timing *timing, char *text, size_t size)
{
    size_t used = strlen(text);
    if (timing->frame_ms > 0.0f) {
        snprintf(text + used, size - used, " \u2014 GPU %.3f ms", (double)timing->frame_ms);
    }
    for (uint32_t pass = 0; pass < timing->num_passes; ++pass) {
        if (timing->read >> pass & 1) {
            const uint32_t last = (timing->num_frames[pass] - 1) % TIMING_MAX_FRAMES;
            used = strlen(text);
            snprintf(text + used, size - used, ", %s %.3f", timing->names[pass],
                     (double)timing->times[pass][last]);
        }
    }
}

static int ascending(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

void timing_print(struct timing *timing)
{
    if (!timing->gpu || timing->has_no_times) {
        return;
    }
    if (!timing->pool) {
        printf("GPU time of each pass: no timestamps on a %s\n",
               timing->mask ? "software device" : "queue of this kind");
        return;
    }
    for (uint32_t slot = 0; slot < TIMING_MAX_SLOTS; ++slot) {
        read_slot(timing, slot);
    }
    printf("GPU time of each pass on %s, median:\n", timing->gpu->properties.deviceName);
    for (uint32_t pass = 0; pass < timing->num_passes; ++pass) {
        const uint32_t all = timing->num_frames[pass];
        const uint32_t num = all < TIMING_MAX_FRAMES ? all : TIMING_MAX_FRAMES;
        if (num == 0) {
            continue;
        }
        qsort(timing->times[pass], num, sizeof(*timing->times[pass]), ascending);
        printf("  %-28s %8.1f us over %u frames\n", timing->names[pass],
               (double)timing->times[pass][(num - 1) / 2] * 1e3, num);
    }
}
