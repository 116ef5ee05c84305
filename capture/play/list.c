// SPDX-License-Identifier: MIT
// The list of a movie's frames and samples: by its index, or from fragment to fragment where it has
// none yet.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "capture/base/size.h"
#include "capture/movie/read.h"
#include "capture/movie/scan.h"
#include "capture/play/play.h"

enum { NEAR_ROOM = 4096, FAR_ROOM = 1 << 20 };
#define NS_PER_SECOND 1000000000u

static enum weir_result refuse(const struct weir_log *log, const char *path, const char *why)
{
    return weir_fail(log, WEIR_ERROR_DATA, WEIR_LOG_CODE_READ_FAILED, "%s %s", path, why);
}

// Samples are big-endian by their tag, by the flags of a long description, or unless an extension
// says otherwise (QuickTime File Format, "Sound sample descriptions").
static bool is_big_endian(const struct weir_movie_audio *audio)
{
    enum { FLAGS = 60, LPCM_IS_BIG = 2 };
    static const uint8_t little[] = {'e', 'n', 'd', 'a', 0, 1};
    const struct weir_description *description = &audio->description;
    if (audio->tag == WEIR_BOX("sowt") || audio->tag == WEIR_BOX("twos")) {
        return audio->tag == WEIR_BOX("twos");
    }
    if (audio->tag == WEIR_BOX("lpcm") && description->size >= FLAGS + 4) {
        return (weir_boxes_read_u32(description->bytes + FLAGS) & LPCM_IS_BIG) != 0;
    }
    for (size_t i = 0; i + sizeof(little) <= description->size; i++) {
        if (memcmp(description->bytes + i, little, sizeof(little)) == 0) {
            return false;
        }
    }
    return true;
}

// Leave out what does not lie in the file, or has no time that rises.
static void clean(struct weir_movie *movie)
{
    uint64_t next[1 + WEIR_MOVIE_MAX_AUDIO] = {0};
    const uint32_t num = movie->num_pieces;
    weir_movie_clear(movie);
    for (uint32_t i = 0; i < num; i++) {
        const struct weir_piece piece = movie->pieces[i];
        if (piece.size > 0 && piece.time >= next[piece.track]) {
            next[piece.track] = piece.time + weir_piece_num_samples(movie, &piece);
            weir_movie_add(movie, &piece); // there is room
        }
    }
}

static enum weir_result scan(struct play_list *list, struct weir_view *near, struct weir_view *far,
                             uint64_t at)
{
    struct weir_movie *movie = &list->movie;
    struct weir_scan scan = {.near = near, .far = far, .movie = movie, .format = list->format};
    weir_scan_run(&scan, at);
    for (uint32_t i = 0; i < movie->num_pieces && scan.marks; i++) {
        movie->pieces[i].size = scan.marks[i].is_untimed ? 0 : movie->pieces[i].size;
    }
    free(scan.marks);
    movie->pictures.ticks_per_frame = scan.ticks_per_frame;
    return scan.is_out_of_memory ? WEIR_ERROR_OUT_OF_MEMORY : WEIR_OK;
}

// Begin each track with its first frame's time, and with the samples of that.
static void rebase(struct play_list *list, const struct weir_track_place *tracks)
{
    const uint32_t *begins = list->begins;
    const uint64_t start = list->pieces[0].time;
    for (uint32_t track = 0; track <= list->movie.num_audio; track++) {
        const uint32_t rate = track == 0 ? 0 : list->movie.audio[track - 1].sample_rate;
        const uint64_t cut = track == 0
                                 ? start
                                 : weir_scale(start, rate, list->movie.pictures.ticks_per_second);
        for (uint32_t i = begins[track]; i < begins[track + 1]; i++) {
            const uint64_t time = list->pieces[i].time + tracks[track].delay * (track > 0);
            list->pieces[i].time = time - weir_min(time, cut);
        }
    }
}

// Sort the pieces by their tracks.
static enum weir_result sort(struct play_list *list)
{
    struct weir_movie *movie = &list->movie;
    uint32_t next[2 + WEIR_MOVIE_MAX_AUDIO];
    list->pieces = malloc(movie->num_pieces * sizeof(*list->pieces));
    if (!list->pieces) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    for (uint32_t i = 0; i < movie->num_pieces; i++) {
        list->begins[movie->pieces[i].track + 1]++;
    }
    for (uint32_t i = 1; i < 2 + WEIR_MOVIE_MAX_AUDIO; i++) {
        list->begins[i] += list->begins[i - 1];
    }
    memcpy(next, list->begins, sizeof(next));
    for (uint32_t i = 0; i < movie->num_pieces; i++) {
        list->pieces[next[movie->pieces[i].track]++] = movie->pieces[i];
    }
    free(movie->pieces);
    movie->pieces = NULL;
    return WEIR_OK;
}

static enum weir_result read_pieces(struct play_list *list, struct weir_view *near,
                                    struct weir_view *far, struct weir_movie_found *found,
                                    const char *path, const struct weir_log *log)
{
    struct weir_movie *movie = &list->movie;
    WEIR_TRY(found->is_fragmented ? scan(list, near, far, found->moov.end)
                                  : weir_movie_read_tables(near, found->tracks, movie));
    const uint32_t num = movie->num_pieces;
    clean(movie);
    if (movie->pictures.num_frames == 0) {
        return refuse(log, path, "has no frame; weir recover says what is in it");
    }
    const uint32_t num_lost = num - movie->num_pieces;
    if (num_lost > 0 || found->tracks[0].is_damaged) {
        weir_log_printf(log, WEIR_LOG_WARNING, WEIR_LOG_CODE_READ_FAILED,
                        "%s: its index is damaged: %" PRIu32
                        " frames or pieces of audio are left out",
                        path, num_lost);
    }
    if (movie->pictures.ticks_per_frame == 0 || movie->pictures.ticks_per_frame > INT32_MAX) {
        movie->pictures.ticks_per_frame = movie->pictures.ticks_per_second;
    }
    for (uint32_t i = 0; i < movie->num_audio; i++) {
        list->is_big_endian[i] = is_big_endian(&movie->audio[i]);
    }
    WEIR_TRY(sort(list));
    rebase(list, found->tracks);
    return WEIR_OK;
}

static enum weir_result read_movie(struct play_list *list, struct weir_view *near,
                                   struct weir_view *far, const char *path,
                                   const struct weir_log *log)
{
    struct weir_movie_found found;
    const enum weir_result result = weir_movie_read(near, &found);
    list->movie = found.movie;
    if (result == WEIR_ERROR_OUT_OF_MEMORY) {
        return result;
    }
    if (result == WEIR_NOT_READY) {
        return refuse(log, path,
                      "has no index: its end was cut off, or it is no movie; weir "
                      "recover says what is in it");
    }
    const struct weir_movie_pictures *pictures = &list->movie.pictures;
    list->format = (struct weir_hap_format){
        .codec = result == WEIR_OK ? weir_hap_codec_of_tag(pictures->tag) : NULL,
        .width = pictures->width,
        .height = pictures->height};
    if (!list->format.codec) {
        return refuse(log, path, "is no HAP movie");
    }
    return read_pieces(list, near, far, &found, path, log);
}

enum weir_result weir_play_list_read(struct play_list *list, const struct weir_view_source *source,
                                     const char *path, const struct weir_log *log)
{
    struct weir_view near, far;
    *list = (struct play_list){.pieces = NULL};
    bool has_views = weir_view_init(&near, source, NEAR_ROOM);
    has_views = weir_view_init(&far, source, FAR_ROOM) && has_views;
    enum weir_result result = has_views ? read_movie(list, &near, &far, path, log)
                                        : WEIR_ERROR_OUT_OF_MEMORY;
    weir_view_finish(&near);
    weir_view_finish(&far);
    return result != WEIR_ERROR_OUT_OF_MEMORY
               ? result
               : weir_fail(log, result, WEIR_LOG_CODE_OUT_OF_MEMORY,
                           "no memory is left for the list of frames of %s", path);
}

void weir_play_list_finish(struct play_list *list)
{
    weir_movie_finish(&list->movie);
    free(list->pieces);
    *list = (struct play_list){.pieces = NULL};
}

uint32_t weir_play_list_num_frames(const struct play_list *list)
{
    return list->begins[1];
}

int64_t weir_play_list_time(const struct play_list *list, uint64_t frame)
{
    const struct weir_movie_pictures *pictures = &list->movie.pictures;
    const uint32_t num = weir_play_list_num_frames(list);
    const uint32_t last = pictures->last_duration > 0 ? pictures->last_duration
                                                      : pictures->ticks_per_frame;
    const uint64_t ticks = frame < num ? list->pieces[frame].time
                                       : list->pieces[num - 1].time + last;
    const uint64_t most = INT64_MAX / NS_PER_SECOND;
    return ticks / pictures->ticks_per_second >= most
               ? INT64_MAX
               : (int64_t)weir_scale_round(ticks, NS_PER_SECOND, pictures->ticks_per_second);
}
