// SPDX-License-Identifier: MIT
// The thread that makes frames: it reads what a frame needs, has it unpacked into mapped memory,
// and submits the copy to the images of a slot.
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
            const bool is_idle = slot->frame == UINT64_MAX || slot->is_made;
            if (is_idle && slot->num_held == 0 && !is_wanted(play, slot->frame)) {
                slot->frame = frame;
                slot->is_made = false;
                return slot;
            }
        }
    }
    return NULL;
}

static VkFormat format_of(enum weir_hap_texture texture)
{
    switch (texture) {
    case WEIR_HAP_ALPHA_BC4:
        return VK_FORMAT_BC4_UNORM_BLOCK;
    case WEIR_HAP_RGB_BC6H:
        return VK_FORMAT_BC6H_UFLOAT_BLOCK;
    case WEIR_HAP_RGB_BC6H_SIGNED:
        return VK_FORMAT_BC6H_SFLOAT_BLOCK;
    case WEIR_HAP_RGB_BC1:
        return VK_FORMAT_BC1_RGB_UNORM_BLOCK;
    case WEIR_HAP_RGBA_BC7:
        return VK_FORMAT_BC7_UNORM_BLOCK;
    default:
        return VK_FORMAT_BC3_UNORM_BLOCK;
    }
}

// Get where a texture begins in memory, at whole blocks, or for their number the size of all.
static uint64_t begin_of(const struct weir_hap_format *format, uint32_t index)
{
    enum { BLOCK = 16 };
    uint64_t begin = 0;
    for (uint32_t i = 0; i < index; i++) {
        begin += weir_round_up(weir_hap_texture_size(weir_hap_texture_of(format->codec, i),
                                                     format->width, format->height),
                               BLOCK);
    }
    return begin;
}

// Read the sections of a frame.
static bool read_frame(struct weir_view *view, const struct weir_piece *piece,
                       const struct weir_play_info *info, struct weir_hap_frame *frame)
{
    view->filled = 0; // a file may change
    view->failed = false;
    return weir_hap_frame_read(view, piece->offset, piece->offset + piece->size, frame) &&
           frame->num_textures == info->num_textures;
}

static enum weir_result unpack(struct play_maker *maker, uint64_t number)
{
    const struct weir_play *play = maker->play;
    const struct weir_hap_format *format = &play->list.format;
    struct weir_hap_frame frame;
    if (!read_frame(&maker->view, &play->list.pieces[number], &play->info, &frame)) {
        return maker->view.failed ? WEIR_ERROR_IO : WEIR_ERROR_DATA;
    }
    WEIR_TRY(weir_gpu_wait(play->gpu, maker->staged, UINT64_MAX));
    for (uint32_t i = 0; i < frame.num_textures; i++) {
        const enum weir_hap_texture type = (enum weir_hap_texture)(frame.textures[i].type & 0x0f);
        if (!weir_hap_codec_has(format->codec, frame.textures[i].type) ||
            format_of(type) != play->info.formats[i]) {
            return WEIR_ERROR_DATA;
        }
        WEIR_TRY(weir_hap_unpack(&maker->unpacker, &frame.textures[i],
                                 maker->stage.mapped + begin_of(format, i),
                                 weir_hap_texture_size(type, format->width, format->height)));
    }
    return WEIR_OK;
}

static enum weir_result upload(struct play_maker *maker, struct play_slot *slot)
{
    const struct weir_play *play = maker->play;
    const struct weir_gpu_submission submission = {.wait = slot->released,
                                                   .wait_stages = VK_PIPELINE_STAGE_TRANSFER_BIT};
    VkCommandBuffer cmd;
    WEIR_TRY(weir_gpu_begin(play->gpu, &cmd));
    for (uint32_t i = 0; i < play->info.num_textures; i++) {
        // The point makes the copies visible to the submission that waits for it.
        const struct weir_gpu_copy copy = {
            .image = &slot->images[i].params,
            .buffer = maker->stage.buffer,
            .offset = begin_of(&play->list.format, i),
            .scope = {.stages = VK_PIPELINE_STAGE_TRANSFER_BIT,
                      .layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL}};
        weir_cmd_upload(play->gpu, cmd, &copy);
    }
    WEIR_TRY(weir_gpu_submit(play->gpu, cmd, &submission, &slot->ready));
    slot->released = (struct weir_point){VK_NULL_HANDLE, 0};
    maker->staged = slot->ready;
    return WEIR_OK;
}

static void make(struct play_maker *maker, struct play_slot *slot)
{
    struct weir_play *play = maker->play;
    pthread_mutex_unlock(&play->lock);
    enum weir_result result = unpack(maker, slot->frame);
    const bool is_damaged = result == WEIR_ERROR_DATA || result == WEIR_ERROR_IO;
    if (is_damaged) {
        weir_log_printf(&play->log, WEIR_LOG_ERROR, WEIR_LOG_CODE_READ_FAILED, "%s: frame %llu %s",
                        play->path, (unsigned long long)slot->frame,
                        result == WEIR_ERROR_IO ? "cannot be read" : "is damaged");
    }
    if (result == WEIR_OK) {
        pthread_mutex_lock(&play->gpu_lock);
        result = upload(maker, slot);
        pthread_mutex_unlock(&play->gpu_lock);
    }
    pthread_mutex_lock(&play->lock);
    slot->result = result;
    slot->is_made = true;
    play->stats.num_frames += result == WEIR_OK;
    play->stats.num_damaged += is_damaged;
    play->stats.bytes += result == WEIR_OK ? play->list.pieces[slot->frame].size : 0;
    pthread_cond_broadcast(&play->made);
}

static void *run(void *user)
{
    struct play_maker *maker = user;
    struct weir_play *play = maker->play;
    pthread_mutex_lock(&play->lock);
    while (!play->ends) {
        struct play_slot *slot = choose(play);
        if (slot) {
            pthread_cond_signal(&play->work); // one wakes the next, so that the host wakes but one
            make(maker, slot);
        } else {
            pthread_cond_wait(&play->work, &play->lock);
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
static void find_formats(struct weir_play *play, struct weir_view *view)
{
    struct weir_hap_frame frame;
    const struct weir_movie_codec_info *codec = play->list.format.codec;
    const bool is_read = read_frame(view, &play->list.pieces[0], &play->info, &frame);
    for (uint32_t i = 0; i < play->info.num_textures; i++) {
        const bool has_sign = is_read &&
                              (frame.textures[i].type & 0x0f) == WEIR_HAP_RGB_BC6H_SIGNED;
        play->info.formats[i] = format_of(has_sign ? WEIR_HAP_RGB_BC6H_SIGNED
                                                   : weir_hap_texture_of(codec, i));
    }
}

static enum weir_result make_maker(struct weir_play *play, struct play_maker *maker)
{
    enum { VIEW_ROOM = 4096 };
    maker->play = play;
    maker->unpacker.view = &maker->view;
    if (!weir_view_init(&maker->view, &play->source, VIEW_ROOM)) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    return weir_gpu_buffer_init(
        play->gpu,
        weir_gpu_buffer_params(.size = begin_of(&play->list.format, play->info.num_textures),
                               .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                               .memory = WEIR_GPU_MEMORY_HOST),
        &maker->stage);
}

enum weir_result weir_play_makers_start(struct weir_play *play,
                                        const struct weir_play_params *params)
{
    // One is shown, and one that was shown may still be read by the device.
    enum { DEFAULT_AHEAD = 8, NUM_SHOWN = 2 };
    const uint64_t ahead = params->num_ahead > 0 ? params->num_ahead : DEFAULT_AHEAD;
    const uint64_t most = params->num_threads > 0 ? params->num_threads : weir_num_processors();
    play->num_ahead = (uint32_t)weir_min(ahead, play->info.num_frames - 1);
    play->num_slots = play->num_ahead + 1 + NUM_SHOWN;
    play->num_makers = (uint32_t)weir_min(most, play->num_ahead + 1);
    play->step = 1;
    play->device = *params->import;
    play->device.log = params->log;
    play->makers = calloc(play->num_makers, sizeof(*play->makers));
    if (!play->makers) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    WEIR_TRY(weir_gpu_create(weir_gpu_params(.import = &play->device, .queue = params->queue),
                             &play->gpu));
    const PFN_vkGetDeviceProcAddr get =
        (PFN_vkGetDeviceProcAddr)play->device.get_instance_proc_addr(play->device.instance,
                                                                     "vkGetDeviceProcAddr");
    play->destroy_view = (PFN_vkDestroyImageView)get(play->device.device, "vkDestroyImageView");
    for (uint32_t i = 0; i < play->num_makers; i++) {
        WEIR_TRY(make_maker(play, &play->makers[i]));
    }
    find_formats(play, &play->makers[0].view);
    WEIR_TRY(make_slots(play));
    for (uint32_t i = 0; i < play->num_makers; i++) {
        struct play_maker *maker = &play->makers[i];
        maker->is_running = weir_thread_start(&maker->thread, "weir-play", run, maker);
        if (!maker->is_running) {
            return WEIR_ERROR_OUT_OF_MEMORY;
        }
    }
    return WEIR_OK;
}

static void finish_slot(struct weir_play *play, struct play_slot *slot)
{
    weir_gpu_wait(play->gpu, slot->released, UINT64_MAX);
    for (uint32_t i = 0; i < play->info.num_textures; i++) {
        play->destroy_view(play->device.device, slot->views[i], NULL);
        weir_gpu_image_finish(play->gpu, &slot->images[i]);
    }
}

void weir_play_makers_stop(struct weir_play *play)
{
    if (play->has_locks) {
        pthread_mutex_lock(&play->lock);
        play->ends = true;
        pthread_cond_broadcast(&play->work);
        pthread_mutex_unlock(&play->lock);
    }
    for (uint32_t i = 0; play->makers && i < play->num_makers; i++) {
        if (play->makers[i].is_running) {
            pthread_join(play->makers[i].thread, NULL);
        }
    }
    if (play->gpu) {
        weir_gpu_wait(play->gpu, weir_gpu_get_last(play->gpu), UINT64_MAX);
    }
    for (uint32_t i = 0; play->makers && i < play->num_makers; i++) {
        weir_gpu_buffer_finish(play->gpu, &play->makers[i].stage);
        weir_view_finish(&play->makers[i].view);
        free(play->makers[i].unpacker.packed);
    }
    for (uint32_t s = 0; play->slots && s < play->num_slots; s++) {
        finish_slot(play, &play->slots[s]);
    }
    weir_gpu_destroy(&play->gpu);
    free(play->makers);
    free(play->slots);
}
