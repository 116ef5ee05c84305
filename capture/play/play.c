// SPDX-License-Identifier: MIT
// The calls of a movie that is played. None but opening, closing, waiting and audio takes longer
// than a look at its slots.
#include "capture/play/play.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/base/clock.h"
#include "capture/base/size.h"
#include "capture/base/thread.h"

static bool read_file(void *user, uint64_t offset, uint8_t *bytes, size_t size)
{
    const int fd = *(const int *)user;
    while (size > 0) {
        const ssize_t num = pread(fd, bytes, size, (off_t)offset);
        if (num <= 0 && !(num < 0 && errno == EINTR)) {
            return false;
        }
        const size_t part = num > 0 ? (size_t)num : 0;
        bytes += part;
        offset += part;
        size -= part;
    }
    return true;
}

// O_NONBLOCK: a pipe that nobody writes would hold the host up.
static enum weir_result open_file(struct weir_play *play, const char *path)
{
    struct stat status;
    play->path = strdup(path);
    play->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (play->fd < 0 || fstat(play->fd, &status) != 0) {
        return weir_fail(&play->log, WEIR_ERROR_IO, WEIR_LOG_CODE_OPEN_FAILED,
                         "cannot open %s: %s; check its name and permissions", path,
                         strerror(errno));
    }
    if (!S_ISREG(status.st_mode)) {
        return weir_fail(&play->log, WEIR_ERROR_IO, WEIR_LOG_CODE_OPEN_FAILED, "%s is not a file",
                         path);
    }
    play->source = (struct weir_view_source){
        .read = read_file, .user = &play->fd, .size = (uint64_t)status.st_size};
    return play->path ? WEIR_OK : WEIR_ERROR_OUT_OF_MEMORY;
}

static enum weir_play_color color_of(const struct weir_movie_codec_info *codec)
{
    const bool is_ycocg = codec->textures[0] == WEIR_CODEC_YCOCG_BC3;
    return codec->is_linear                       ? WEIR_PLAY_COLOR_LINEAR
           : codec->textures[0] == WEIR_CODEC_BC4 ? WEIR_PLAY_COLOR_ALPHA
           : is_ycocg && codec->num_textures > 1  ? WEIR_PLAY_COLOR_YCOCG_ALPHA
           : is_ycocg                             ? WEIR_PLAY_COLOR_YCOCG
           : codec->has_alpha                     ? WEIR_PLAY_COLOR_RGBA
                                                  : WEIR_PLAY_COLOR_RGB;
}

static void describe(struct weir_play *play)
{
    const struct play_list *list = &play->list;
    const struct weir_movie *movie = &list->movie;
    const struct weir_movie_codec_info *codec = list->format.codec;
    struct weir_movie_pictures plain;
    weir_hap_describe(codec, true, &plain);
    const uint64_t divisor = weir_divisor(movie->pictures.ticks_per_second,
                                          movie->pictures.ticks_per_frame);
    play->info = (struct weir_play_info){
        .width = list->format.width,
        .height = list->format.height,
        .num_frames = weir_play_list_num_frames(list),
        .duration_ns = weir_play_list_time(list, UINT64_MAX),
        .rate_num = (uint32_t)(movie->pictures.ticks_per_second / divisor),
        .rate_den = (uint32_t)(movie->pictures.ticks_per_frame / divisor),
        .codec = codec->codec,
        .color = color_of(codec),
        .is_premultiplied = codec->has_alpha &&
                            movie->pictures.graphics_mode == plain.graphics_mode,
        .num_textures = codec->num_textures,
        .num_audio = movie->num_audio,
    };
    for (uint32_t i = 0; i < movie->num_audio; i++) {
        const struct weir_movie_audio *audio = &movie->audio[i];
        const uint32_t end = list->begins[i + 2];
        const struct weir_piece *last = end > list->begins[i + 1] ? &list->pieces[end - 1] : NULL;
        play->info.audio[i] = (struct weir_play_audio){
            .sample_rate = audio->sample_rate,
            .num_channels = audio->num_channels,
            .layout = audio->layout,
            .num_samples = last ? last->time + weir_piece_num_samples(movie, last) : 0,
        };
    }
}

static enum weir_result start(struct weir_play *play, const struct weir_play_params *params)
{
    play->log = params->log;
    WEIR_TRY(open_file(play, params->path));
    WEIR_TRY(weir_play_list_read(&play->list, &play->source, params->path, &play->log));
    describe(play);
    pthread_mutex_init(&play->lock, NULL);
    weir_thread_condition_init(&play->work);
    weir_thread_condition_init(&play->made);
    pthread_mutex_init(&play->gpu_lock, NULL);
    play->has_locks = true;
    return weir_play_makers_start(play, params);
}

enum weir_result weir_play_open(const struct weir_play_params *params, weir_play **out)
{
    const struct weir_log *log = params ? &params->log : NULL;
    if (out) {
        *out = NULL;
    }
    if (!out || !params || !params->import || !params->path || !params->queue.queue) {
        return weir_fail(log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_NULL_ARGUMENT,
                         "weir_play_open: params, import, queue, path or out is NULL");
    }
    if (params->num_ahead > PLAY_MAX_AHEAD || params->num_threads > PLAY_MAX_THREADS) {
        return weir_fail(log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                         "weir_play_params: num_ahead and num_threads are at most %d and %d",
                         PLAY_MAX_AHEAD, PLAY_MAX_THREADS);
    }
    weir_play *play = calloc(1, sizeof(*play));
    enum weir_result result = WEIR_ERROR_OUT_OF_MEMORY;
    if (play) {
        play->fd = -1;
        result = start(play, params);
    }
    if (result != WEIR_OK) {
        weir_play_close(&play);
    }
    *out = play;
    return result;
}

void weir_play_close(weir_play **play)
{
    if (!play || !*play) {
        return;
    }
    weir_play *self = *play;
    weir_play_makers_stop(self);
    if (self->has_locks) {
        pthread_cond_destroy(&self->work);
        pthread_cond_destroy(&self->made);
        pthread_mutex_destroy(&self->lock);
        pthread_mutex_destroy(&self->gpu_lock);
    }
    weir_play_list_finish(&self->list);
    if (self->fd >= 0) {
        close(self->fd);
    }
    free(self->path);
    free(self);
    *play = NULL;
}

struct weir_play_info weir_play_get_info(const weir_play *play)
{
    return play ? play->info : (struct weir_play_info){0};
}

uint64_t weir_play_find(const weir_play *play, int64_t time_ns)
{
    uint64_t first = 0;
    for (uint64_t num = play ? play->info.num_frames : 0; num > 1;) {
        const uint64_t half = num / 2;
        const bool is_behind = weir_play_list_time(&play->list, first + half) <= time_ns;
        first += is_behind ? half : 0;
        num = is_behind ? num - half : half;
    }
    return first;
}

int64_t weir_play_get_time(const weir_play *play, uint64_t frame)
{
    return play ? weir_play_list_time(&play->list, frame) : 0;
}

// Look for a frame under the lock, and have it made.
static enum weir_result look(weir_play *play, uint64_t frame, int64_t step,
                             struct weir_play_image *image)
{
    if (play->wanted != frame || play->step != step) {
        play->wanted = frame;
        play->step = step;
        pthread_cond_signal(&play->work);
    }
    for (uint32_t s = 0; s < play->num_slots; s++) {
        struct play_slot *slot = &play->slots[s];
        if (slot->frame != frame || !slot->is_made) {
            continue;
        }
        if (slot->result == WEIR_OK) {
            *image = (struct weir_play_image){.frame = frame,
                                              .slot = s,
                                              .num_textures = play->info.num_textures,
                                              .ready = slot->ready};
            for (uint32_t i = 0; i < image->num_textures; i++) {
                image->images[i] = slot->images[i].params.image;
                image->views[i] = slot->views[i];
            }
            slot->num_held++;
        }
        return slot->result;
    }
    return WEIR_NOT_READY;
}

static enum weir_result get(weir_play *play, uint64_t frame, int64_t step, uint64_t timeout_ns,
                            struct weir_play_image *image)
{
    if (!play || !image || frame >= play->info.num_frames) {
        return weir_fail(play ? &play->log : NULL, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                         "weir_play_frame: play or image is NULL, or there is no frame %llu",
                         (unsigned long long)frame);
    }
    const uint64_t now = timeout_ns > 0 ? weir_clock_ns() : 0;
    const uint64_t until = timeout_ns > UINT64_MAX - now ? UINT64_MAX : now + timeout_ns;
    pthread_mutex_lock(&play->lock);
    enum weir_result result = look(play, frame, step, image);
    while (result == WEIR_NOT_READY && timeout_ns > 0 && weir_clock_ns() < until) {
        weir_thread_wait_until(&play->made, &play->lock, until);
        result = look(play, frame, step, image);
    }
    pthread_mutex_unlock(&play->lock);
    return result;
}

enum weir_result weir_play_frame(weir_play *play, uint64_t frame, int32_t step,
                                 struct weir_play_image *image)
{
    return get(play, frame, step == 0 ? 1 : step, 0, image);
}

enum weir_result weir_play_wait(weir_play *play, uint64_t frame, uint64_t timeout_ns,
                                struct weir_play_image *image)
{
    return get(play, frame, 1, timeout_ns, image);
}

void weir_play_release(weir_play *play, const struct weir_play_image *image,
                       struct weir_point point)
{
    if (!play || !image || image->slot >= play->num_slots) {
        return;
    }
    pthread_mutex_lock(&play->lock);
    struct play_slot *slot = &play->slots[image->slot];
    if (slot->num_held > 0) {
        const bool is_later = point.semaphore != slot->released.semaphore ||
                              point.value > slot->released.value;
        slot->released = point.semaphore && is_later ? point : slot->released;
        slot->num_held--;
        pthread_cond_signal(&play->work);
    }
    pthread_mutex_unlock(&play->lock);
}

enum weir_result weir_play_read_audio(weir_play *play, uint32_t track, uint64_t position,
                                      uint32_t num_samples, float *samples)
{
    if (!play || !samples || track >= play->info.num_audio) {
        return weir_fail(play ? &play->log : NULL, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                         "weir_play_read_audio: play or samples is NULL, or there is no track %u",
                         (unsigned)track);
    }
    return weir_play_list_read_audio(&play->list, &play->source, track, position, num_samples,
                                     samples);
}

struct weir_play_stats weir_play_get_stats(weir_play *play)
{
    if (!play) {
        return (struct weir_play_stats){0};
    }
    pthread_mutex_lock(&play->lock);
    const struct weir_play_stats stats = play->stats;
    pthread_mutex_unlock(&play->lock);
    return stats;
}
