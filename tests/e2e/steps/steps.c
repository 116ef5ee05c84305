// SPDX-License-Identifier: MIT
// The code of docs/capture-in-ten-steps.md, to the letter.
// clang-format off
#include <stdio.h>
#include <weir/capture.h>
#include "engine.h" // your engine

void enable_features(struct engine *e) // VkDeviceCreateInfo::pNext becomes &e->features
{
    e->vulkan12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    e->vulkan12.timelineSemaphore = VK_TRUE;
    e->features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
    e->features.pNext = &e->vulkan12;
}

static void lock(void *e, uint32_t family, uint32_t index) { engine_lock(e, family, index); }
static void unlock(void *e, uint32_t family, uint32_t index) { engine_unlock(e, family, index); }

struct recording {
    weir_context *weir; weir_image *images[NUM_IMAGES]; weir_capture *capture; int num;
};

static void import_device(struct engine *e, struct recording *r)
{
    weir_context_create(weir_context_params(.instance = e->instance, .physical_device = e->gpu,
        .device = e->device, .get_instance_proc_addr = vkGetInstanceProcAddr,
        .features = &e->features, .graphics = {.queue = e->queue, .family = e->family},
        .lock_queue = lock, .unlock_queue = unlock, .lock_user = e,
        .log = {.print = weir_log_print_stderr, .least_severity = WEIR_LOG_WARNING}), &r->weir);
}

static void wrap_images(struct engine *e, struct recording *r)
{
    for (int i = 0; i < NUM_IMAGES; i++)
        weir_image_create(r->weir, weir_image_params(.image = e->images[i], .format = e->format,
            .width = e->width, .height = e->height, .usage = e->usage), &r->images[i]);
}

static enum weir_result open_movie(struct recording *r)
{
    char path[32];
    snprintf(path, sizeof(path), "movie-%d.mov", ++r->num);
    return weir_capture_open(r->weir, weir_capture_params(.path = path, .like = r->images[0]),
                             &r->capture);
}

static enum weir_result hand_over(struct engine *e, struct recording *r)
{
    const struct weir_frame frame = {.image = r->images[e->index],
        .layout = e->layout, .queue_family = e->family, // now, and when it comes back
        .wait = {.semaphore = e->rendered[e->index]},   // your submission signals it
        .signal = e->presentable[e->index],             // your present waits for it
        .time_ns = e->time_ns};
    return weir_capture_frame(r->capture, &frame, NULL);
}

static enum weir_result close_movie(const struct engine *e, struct recording *r)
{
    struct weir_capture_stats stats;
    const enum weir_result result = weir_capture_close_at(&r->capture, e->time_ns, &stats);
    printf("%d: %d frames, %d dropped\n", r->num, (int)stats.written, (int)stats.dropped);
    for (int i = 0; i < NUM_IMAGES; i++) weir_image_destroy(&r->images[i]);
    return result;
}

static enum weir_result resize(struct engine *e, struct recording *r)
{
    engine_wait(e); // for your submissions, as before every resize
    const enum weir_result result = close_movie(e, r);
    engine_resize(e);
    wrap_images(e, r);
    return result < WEIR_OK ? result : open_movie(r);
}

bool run(struct engine *e)
{
    struct recording r = {0};
    import_device(e, &r);
    wrap_images(e, &r);
    enum weir_result result = open_movie(&r);
    while (r.capture && result != WEIR_ERROR_DEVICE_LOST && engine_draw(e)) {
        result = hand_over(e, &r);
        engine_present(e);
        if (engine_wants_resize(e)) result = resize(e, &r);
    }
    engine_wait(e);
    const enum weir_result closed = close_movie(e, &r);
    weir_context_destroy(&r.weir); // your device after it
    return result >= WEIR_OK && closed >= WEIR_OK;
}
