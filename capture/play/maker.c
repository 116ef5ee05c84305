// SPDX-License-Identifier: MIT The thread that makes frames: it reads what a frame needs, has it
// unpacked into mapped memory, and submits the copy to the images of a slot.
#include <stdlib.h>

#include "capture/base/size.h"
#include "capture/base/system.h"
#include "capture/base/thread.h"
#include "capture/play/play.h"

// Get the frame that comes `ahead` frames behind the one that is wanted.
static uint64_t wanted_frame(const struct weir_play *play, uint32_t ahead)
{
    const int64_t num = (int64_t)play->info.num_frames;
    const int64_t frame = ((int64_t)play->wanted + play->step % num * ahead) % num;
    return (uint64_t)(frame < 0 ? frame + num : frame);
}

static bool is_wanted(const struct weir_play *play, uint64_t frame)
{
    for (uint32_t i = 0; i <= play->num_ahead; i++) {
        if (wanted_frame(play, i) == frame) {
            return true;
        }
    }
    return false;
}

static bool has_slot(const struct weir_play *play, uint64_t frame)
{
    for (uint32_t i = 0; i < play->num_slots; i++) {
        if (play->slots[i].frame == frame) {
            return true;
        }
    }
    return false;
}

// Get a slot for the first frame that is wanted and has none. NULL: there is no such frame, or all
// images are in use.
static struct play_slot *choose(struct weir_play *play)
{
    for (uint32_t i = 0; i <= play->num_ahead; i++) {
        const uint64_t frame = wanted_frame(play, i);
        for (uint32_t s = 0; !has_slot(play, frame) && s < play->num_slots; s++) {
            struct play_slot *slot = &play->slots[s];
            if (slot->num_held == 0 && !is_wanted(play, slot->frame)) {
                slot->frame = frame;
                slot->is_made = false;
                return slot;
            }
        }
    }
    return NULL;
}

static void make_part(void *user, uint32_t index, uint32_t thread)
{
    struct weir_play *play = user;
    if (play->part_result == WEIR_OK) {
        const enum weir_result result = weir_play_part_make(&play->plan.parts[index], &play->source,
                                                            play->packed[thread],
                                                            play->stages[play->stage].mapped);
        if (result != WEIR_OK) {
            play->part_result = result;
        }
    }
}

// Each thread has memory for the largest part that is packed.
static enum weir_result grow_packed(struct weir_play *play)
{
    if (play->plan.most_packed <= play->packed_room) {
        return WEIR_OK;
    }
    play->packed_room = play->plan.most_packed + play->plan.most_packed / 4;
    for (uint32_t i = 0; i < play->num_threads; i++) {
        free(play->packed[i]);
        play->packed[i] = malloc(play->packed_room);
        if (!play->packed[i]) {
            play->packed_room = 0;
            return WEIR_ERROR_OUT_OF_MEMORY;
        }
    }
    return WEIR_OK;
}

static enum weir_result unpack(struct weir_play *play, uint64_t frame)
{
    enum weir_result result;
    if (!weir_play_plan_read(&play->plan, &play->view, &play->list.format,
                             &play->list.pieces[frame], &result)) {
        return play->view.failed ? WEIR_ERROR_IO : result;
    }
    for (uint32_t i = 0; i < play->info.num_textures; i++) {
        if (play->plan.formats[i] != play->info.formats[i]) { // BC6H, with a sign or without
            return WEIR_ERROR_DATA;
        }
    }
    WEIR_TRY(grow_packed(play));
    WEIR_TRY(weir_gpu_wait(play->gpu, play->staged[play->stage], UINT64_MAX));
    play->part_result = WEIR_OK;
    weir_play_pool_run(play->pool, play->plan.num, make_part, play);
    return (enum weir_result)play->part_result;
}

static enum weir_result upload(struct weir_play *play, struct play_slot *slot)
{
    VkCommandBuffer cmd;
    WEIR_TRY(weir_gpu_begin(play->gpu, &cmd));
    for (uint32_t i = 0; i < play->info.num_textures; i++) {
        // The point makes the copies visible to the submission that waits for it.
        const struct weir_gpu_copy copy = {
            .image = &slot->images[i].params,
            .buffer = play->stages[play->stage].buffer,
            .offset = play->plan.begins[i],
            .scope = {.stages = VK_PIPELINE_STAGE_TRANSFER_BIT,
                      .layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL}};
        weir_cmd_upload(play->gpu, cmd, &copy);
    }
    const struct weir_gpu_submission submission = {.wait = slot->released,
                                                   .wait_stages = VK_PIPELINE_STAGE_TRANSFER_BIT};
    WEIR_TRY(weir_gpu_submit(play->gpu, cmd, &submission, &slot->ready));
    slot->released = (struct weir_point){VK_NULL_HANDLE, 0};
    play->staged[play->stage] = slot->ready;
    play->stage = (play->stage + 1) % PLAY_NUM_STAGES;
    return WEIR_OK;
}

static void make(struct weir_play *play, struct play_slot *slot)
{
    const uint64_t frame = slot->frame;
    pthread_mutex_unlock(&play->lock);
    enum weir_result result = unpack(play, frame);
    const bool is_damaged = result == WEIR_ERROR_DATA || result == WEIR_ERROR_IO;
    if (is_damaged) {
        weir_log_printf(&play->log, WEIR_LOG_ERROR, WEIR_LOG_CODE_READ_FAILED, "%s: frame %llu %s",
                        play->path, (unsigned long long)frame,
                        result == WEIR_ERROR_IO ? "cannot be read" : "is damaged");
    }
    result = result == WEIR_OK ? upload(play, slot) : result;
    pthread_mutex_lock(&play->lock);
    play->view.failed = false;
    slot->result = result;
    slot->is_made = true;
    play->stats.num_frames += result == WEIR_OK;
    play->stats.num_damaged += is_damaged;
    play->stats.bytes += result == WEIR_OK ? play->plan.bytes : 0;
    pthread_cond_broadcast(&play->changed);
}

static void *run(void *user)
{
    struct weir_play *play = user;
    pthread_mutex_lock(&play->lock);
    while (!play->ends) {
        struct play_slot *slot = choose(play);
        if (slot) {
            make(play, slot);
        } else {
            pthread_cond_wait(&play->changed, &play->lock);
        }
    }
    pthread_mutex_unlock(&play->lock);
    return NULL;
}

static enum weir_result make_slots(struct weir_play *play)
{
    play->slots = calloc(play->num_slots, sizeof(*play->slots));
    if (!play->slots) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    for (uint32_t s = 0; s < play->num_slots; s++) {
        struct play_slot *slot = &play->slots[s];
        slot->frame = UINT64_MAX;
        for (uint32_t i = 0; i < play->info.num_textures; i++) {
            const struct weir_image_params image = {.format = play->info.formats[i],
                                                    .width = play->info.width,
                                                    .height = play->info.height,
                                                    .usage = VK_IMAGE_USAGE_SAMPLED_BIT |
                                                             VK_IMAGE_USAGE_TRANSFER_DST_BIT};
            WEIR_TRY(weir_gpu_image_init(play->gpu, &image, 0, &slot->images[i]));
            WEIR_TRY(weir_gpu_view_init(play->gpu, &slot->images[i].params, 0, 1, &slot->views[i]));
        }
    }
    return WEIR_OK;
}

// The first frame says if BC6H has a sign. Where it is damaged it is taken to have none.
static void find_formats(struct weir_play *play)
{
    enum weir_result result;
    weir_play_plan_read(&play->plan, &play->view, &play->list.format, &play->list.pieces[0],
                        &result);
    play->view.failed = false;
    for (uint32_t i = 0; i < play->info.num_textures; i++) {
        play->info.formats[i] = play->plan.formats[i];
    }
}

enum weir_result weir_play_maker_start(struct weir_play *play,
                                       const struct weir_play_params *params)
{
    // One is shown, and one that was shown may still be read by the device.
    enum { DEFAULT_AHEAD = 4, MOST_THREADS = 8, NUM_SHOWN = 2 };
    const uint64_t size = weir_play_plan_begin(&play->plan, &play->list.format);
    find_formats(play);
    play->num_ahead = params->num_ahead > 0 ? params->num_ahead : DEFAULT_AHEAD;
    play->num_ahead = (uint32_t)weir_min(play->num_ahead, play->info.num_frames - 1);
    play->num_slots = play->num_ahead + 1 + NUM_SHOWN;
    play->num_threads = params->num_threads > 0
                            ? params->num_threads
                            : (uint32_t)weir_min(weir_num_processors(), MOST_THREADS);
    play->step = 1;
    play->device = *params->import;
    play->device.log = params->log;
    WEIR_TRY(weir_gpu_create(weir_gpu_params(.import = &play->device, .queue = params->queue),
                             &play->gpu));
    const PFN_vkGetDeviceProcAddr get =
        (PFN_vkGetDeviceProcAddr)play->device.get_instance_proc_addr(play->device.instance,
                                                                     "vkGetDeviceProcAddr");
    play->destroy_view = (PFN_vkDestroyImageView)get(play->device.device, "vkDestroyImageView");
    for (uint32_t i = 0; i < PLAY_NUM_STAGES; i++) {
        WEIR_TRY(weir_gpu_buffer_init(
            play->gpu,
            weir_gpu_buffer_params(.size = size, .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                                   .memory = WEIR_GPU_MEMORY_HOST),
            &play->stages[i]));
    }
    WEIR_TRY(make_slots(play));
    play->pool = weir_play_pool_create(play->num_threads);
    play->is_running = play->pool && weir_thread_start(&play->thread, "weir-play", run, play);
    return play->is_running ? WEIR_OK : WEIR_ERROR_OUT_OF_MEMORY;
}

void weir_play_maker_stop(struct weir_play *play)
{
    if (play->is_running) {
        pthread_mutex_lock(&play->lock);
        play->ends = true;
        pthread_cond_broadcast(&play->changed);
        pthread_mutex_unlock(&play->lock);
        pthread_join(play->thread, NULL);
    }
    weir_play_pool_destroy(&play->pool);
    if (play->gpu) {
        weir_gpu_wait(play->gpu, weir_gpu_get_last(play->gpu), UINT64_MAX);
    }
    for (uint32_t s = 0; play->slots && s < play->num_slots; s++) {
        struct play_slot *slot = &play->slots[s];
        weir_gpu_wait(play->gpu, slot->released, UINT64_MAX);
        for (uint32_t i = 0; i < play->info.num_textures; i++) {
            play->destroy_view(play->device.device, slot->views[i], NULL);
            weir_gpu_image_finish(play->gpu, &slot->images[i]);
        }
    }
    for (uint32_t i = 0; i < PLAY_NUM_STAGES; i++) {
        weir_gpu_buffer_finish(play->gpu, &play->stages[i]);
    }
    for (uint32_t i = 0; i < play->num_threads; i++) {
        free(play->packed[i]);
    }
    weir_gpu_destroy(&play->gpu);
    weir_play_plan_finish(&play->plan);
    free(play->slots);
}
