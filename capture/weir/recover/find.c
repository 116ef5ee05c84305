// SPDX-License-Identifier: MIT
// What is left of a movie: its frames, their times, and the head that says what they are.
#include "capture/weir/recover/find.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/movie/segment_reader.h"
#include "capture/weir/recover/chapters.h"
#include "capture/weir/recover/head.h"
#include "capture/weir/recover/lost.h"
#include "capture/weir/recover/timecode.h"
#include "capture/weir/recover/walk.h"

// Windows of the two views [bytes].
#define NEAR_ROOM 4096u
#define FAR_ROOM (1u << 20)
// Ticks a second are made at least this many where no box says them.
#define LEAST_TICKS 60000u

struct find {
    const struct recover_params *params;
    struct recover_found *found;
    struct weir_view near, far;
    struct recover_kind kind;
    struct weir_moov moov; // the one that says what the tracks are, if `has_moov`
    bool has_moov;
    uint64_t num_samples;        // of the tables of a plain movie
    uint64_t num_lost_fragments; // by their numbers
    bool stopped;                // by progress()
};

static bool refuse(struct find *find, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool refuse(struct find *find, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(find->found->refusal, sizeof(find->found->refusal), format, arguments);
    va_end(arguments);
    return false;
}

static bool accept_track(struct find *find, const struct weir_moov *moov)
{
    const uint32_t tag = moov->track.tag;
    find->kind = (struct recover_kind){.codec = weir_hap_codec_of_tag(tag),
                                       .width = moov->track.width,
                                       .height = moov->track.height};
    find->found->track = moov->track;
    if (!find->kind.codec) {
        char name[5] = {(char)(tag >> 24), (char)(tag >> 16), (char)(tag >> 8), (char)tag, 0};
        for (int i = 0; i < 4; i++) {
            name[i] = name[i] >= ' ' && name[i] <= '~' ? name[i] : '?';
        }
        return refuse(find, "its pictures are '%s', and only movies of HAP are recovered", name);
    }
    if (!moov->is_ours) {
        return refuse(
            find,
            "another program made its %u tracks; only movies of pictures, with or without "
            "sound that is not compressed, as Weir makes them, are recovered",
            moov->num_tracks);
    }
    memcpy(find->found->sound.tracks, moov->audio, sizeof(moov->audio));
    find->found->sound.num_tracks = moov->num_audio;
    find->found->has_timecode = moov->has_timecode;
    find->found->timecode = moov->timecode;
    find->moov = *moov;
    find->has_moov = true;
    return recover_chapters_take(find->found, &find->near, moov) ||
           refuse(find, "there is no memory for its chapters");
}

static bool visit_sample(void *user, const struct weir_sample *sample)
{
    struct find *find = user;
    const uint64_t size = find->near.source.size;
    find->num_samples++;
    find->found->ticks_per_frame = sample->duration;
    if (find->num_samples > size) {
        return false; // more frames than bytes
    }
    uint64_t end;
    if (sample->size == 0 || sample->size > RECOVER_MAX_FRAME || sample->offset > size ||
        sample->size > size - sample->offset ||
        !recover_check(&find->near, &find->kind, sample->offset, sample->offset + sample->size,
                       RECOVER_HEADERS, &end) ||
        end != sample->offset + sample->size) {
        recover_lost_add(find->found, sample->ticks, 1);
        return true;
    }
    const struct recover_frame frame = {
        .offset = sample->offset, .size = sample->size, .ticks = sample->ticks, .has_time = true};
    return recover_frames_add(&find->found->frames, &frame);
}

// Take the frames from the tables of a moov box. False: it has none, or they are not where it says.
static bool take_samples(struct find *find, const struct weir_moov *moov)
{
    struct recover_found *found = find->found;
    find->num_samples = 0;
    found->num_lost = 0;
    const enum weir_result result = weir_samples_read(&find->near, moov, visit_sample, find);
    if (result == WEIR_ERROR_OUT_OF_MEMORY) {
        return refuse(find, "there is no memory for its index");
    }
    if (found->frames.num == 0) {
        return false;
    }
    found->num_parts = found->num_lost;
    found->state = result == WEIR_OK && found->num_lost == 0 ? RECOVER_NOTHING_TO_DO
                                                             : RECOVER_DAMAGED;
    if (!recover_sound_read(&found->sound, &find->near)) {
        return refuse(find, "there is no memory for the list of its sound");
    }
    return true;
}

static void take_fragments(struct find *find, uint64_t at, uint64_t *num_foreign)
{
    struct recover_found *found = find->found;
    struct recover_walk walk = {
        .near = &find->near,
        .far = &find->far,
        .kind = find->kind,
        .frames = &found->frames,
        .sound = &found->sound,
        .progress = find->params->progress,
        .user = find->params->user,
        .end = at,
    };
    recover_walk_run(&walk, at);
    find->kind = walk.kind;
    found->end = walk.end;
    found->ticks_per_frame = walk.ticks_per_frame;
    found->num_parts = walk.num_parts;
    const uint64_t num_there = found->frames.num + found->sound.num + found->sound.num_unknown;
    find->num_lost_fragments = walk.num_known > num_there ? walk.num_known - num_there : 0;
    found->is_torn = walk.is_torn;
    found->num_behind = find->near.source.size - found->end;
    *num_foreign = walk.ticks_per_frame == 0 ? walk.num_foreign : 0;
    find->stopped = walk.stopped && !walk.is_out_of_memory && *num_foreign == 0;
    if (walk.is_out_of_memory) {
        refuse(find, "there is no memory for the list of its frames");
    }
}

static bool copy_head(struct find *find, uint64_t moov, uint64_t end)
{
    struct recover_found *found = find->found;
    const uint8_t *bytes = weir_view_at(&find->far, 0, (size_t)end);
    found->head = bytes ? malloc((size_t)end) : NULL;
    if (!found->head) {
        return false;
    }
    memcpy(found->head, bytes, (size_t)end);
    found->head_size = (size_t)end;
    found->moov = (size_t)moov;
    return true;
}

static bool find_grown(struct find *find, const struct recover_head *head)
{
    struct recover_found *found = find->found;
    uint64_t num_foreign;
    if (!accept_track(find, &head->moov)) {
        return false;
    }
    const uint64_t end = head->moov.box.end, sample = found->timecode.sample;
    if (found->has_timecode && (sample != found->timecode.at || sample > end || end - sample < 4)) {
        return refuse(find, "another program made its track of time code");
    }
    if (!copy_head(find, head->moov.box.begin, end)) {
        return refuse(find, "there is no memory for its head");
    }
    take_fragments(find, end, &num_foreign);
    if (num_foreign > 0) {
        return refuse(find, "its fragments were written by another program; ffmpeg -i FILE -c copy "
                            "NEW.mov may read them");
    }
    found->state = head->is_restored ? RECOVER_CUT : RECOVER_NOT_CLOSED;
    found->is_in_place = true;
    return true;
}

// a * b / c, rounded, in what a movie can say.
static uint32_t scale_ticks(uint64_t a, uint32_t b, uint32_t c)
{
    const uint64_t ticks = (a * b + c / 2) / c;
    return ticks < 1 ? 1 : ticks < INT32_MAX ? (uint32_t)ticks : INT32_MAX;
}

// Complete the ticks a second and those of a frame by the rate that was given. A head has the one,
// a fragment the other; both may be lost.
static void complete_ticks(struct find *find)
{
    struct recover_found *found = find->found;
    const struct recover_params *params = find->params;
    if (found->ticks_per_frame > 0) {
        found->track.ticks_per_second = scale_ticks(found->ticks_per_frame, params->rate_num,
                                                    params->rate_den);
        return;
    }
    if (found->track.ticks_per_second == 0) {
        const uint64_t scale = (LEAST_TICKS + params->rate_num - 1) / params->rate_num;
        found->track.ticks_per_second = scale_ticks(scale, params->rate_num, 1);
    }
    found->ticks_per_frame = scale_ticks(found->track.ticks_per_second, params->rate_den,
                                         params->rate_num);
}

static bool use_given_kind(struct find *find)
{
    const struct recover_params *params = find->params;
    if (params->width == 0 || params->rate_num == 0) {
        return refuse(find, "no head and no index of a movie is left in it; to search for the "
                            "frames of one, give their size and rate: --size WxH --fps N");
    }
    find->kind = (struct recover_kind){.width = params->width, .height = params->height};
    find->found->track = (struct weir_track){.width = params->width, .height = params->height};
    return true;
}

// Search for the frames of a movie whose head is lost: by an index that is left anywhere, else one
// by one.
static bool find_lost(struct find *find)
{
    struct recover_found *found = find->found;
    struct weir_moov moov;
    uint64_t num_foreign;
    const bool has_moov = recover_moov_search(&find->near, &find->far, &moov);
    found->state = RECOVER_SALVAGED;
    if (has_moov ? !accept_track(find, &moov) : !use_given_kind(find)) {
        return false;
    }
    // The number of the first frame lay in the head, and something else may be in its place.
    found->is_timecode_lost = found->has_timecode && !found->timecode.is_marked;
    found->has_timecode = found->has_timecode && found->timecode.is_marked;
    if (has_moov && take_samples(find, &moov)) {
        found->state = RECOVER_SALVAGED;
        return true;
    }
    if (found->refusal[0] != 0) {
        return false;
    }
    found->num_lost = 0; // the fragments say it
    take_fragments(find, 0, &num_foreign);
    if (!find->kind.codec) {
        found->frames.num = 0; // none was found, or its head could not be read again
    } else if (!has_moov) {
        found->track.tag = weir_hap_tag(find->kind.codec);
        found->track.color_primaries = WEIR_HAP_PRIMARIES_BT709;
        found->track.color_transfer = weir_hap_transfer(find->kind.codec);
        found->track.color_matrix = WEIR_HAP_MATRIX_RGB;
        found->track.graphics_mode = weir_hap_graphics_mode(find->kind.codec,
                                                            find->params->premultiplied);
        found->is_alpha_assumed = find->kind.codec->has_alpha && !find->params->premultiplied;
    }
    return true;
}

// Leave out the frames that are not whole.
static void check_frames(struct find *find)
{
    struct recover_found *found = find->found;
    const bool checks_all = find->params->checks_all || found->num_parts > 0 || find->near.failed;
    size_t num = 0;
    for (size_t i = 0; i < found->frames.num; i++) {
        const struct recover_frame *frame = &found->frames.items[i];
        uint64_t end;
        const bool is_whole = (!checks_all && !frame->is_doubtful) ||
                              recover_check(&find->far, &find->kind, frame->offset,
                                            frame->offset + frame->size, RECOVER_WHOLE, &end);
        if (is_whole) {
            found->frames.items[num++] = *frame;
        } else {
            recover_lost_add(found, frame->ticks, 1);
            found->num_parts++;
        }
        if (find->params->progress &&
            !find->params->progress(find->params->user, frame->offset, num)) {
            find->stopped = true;
            return;
        }
    }
    found->frames.num = num;
}

// True if the frames of a plain movie are damaged, and it has sound, which its fragments have too.
static bool lacks_sound(const struct find *find, const struct weir_moov *moov)
{
    return find->found->state == RECOVER_DAMAGED && moov->num_audio > 0;
}

static bool find_frames(struct find *find)
{
    struct weir_moov moov;
    struct recover_head head;
    if (recover_moov_find(&find->near, &moov) && !moov.is_fragmented) {
        // An index says what the file is; one of another kind is not searched.
        if (!accept_track(find, &moov)) {
            return false;
        }
        if (take_samples(find, &moov) && !lacks_sound(find, &moov)) {
            return true;
        }
        if (find->found->refusal[0] != 0) {
            return false;
        }
        recover_frames_finish(&find->found->frames);
        recover_sound_finish(&find->found->sound);
        find->found->num_lost = find->found->num_parts = 0;
    }
    if (recover_head_find(&find->near, &find->far, &head)) {
        return find_grown(find, &head);
    }
    return find_lost(find);
}

static struct recover_span span_of(const struct recover_found *found)
{
    const struct recover_frames *frames = &found->frames;
    return (struct recover_span){.start = frames->start,
                                 .end = frames->start + frames->items[frames->num - 1].ticks +
                                        found->ticks_per_frame,
                                 .ticks_per_second = found->track.ticks_per_second};
}

static bool complete(struct find *find)
{
    struct recover_found *found = find->found;
    if (find->stopped || found->refusal[0] != 0) {
        return false;
    }
    check_frames(find);
    if (find->stopped) {
        return false;
    }
    if (found->state == RECOVER_NOTHING_TO_DO && found->num_lost > 0) {
        found->state = RECOVER_DAMAGED;
    }
    if (found->frames.num == 0) {
        return refuse(find, "no whole frame of %ux%u is in it", find->kind.width,
                      find->kind.height);
    }
    if (found->frames.num > UINT32_MAX) {
        return refuse(find, "it has more frames than a movie can list");
    }
    found->ticks_per_frame = found->ticks_per_frame > INT32_MAX ? 0 : found->ticks_per_frame;
    if (found->ticks_per_frame == 0 || found->track.ticks_per_second == 0) {
        if (find->params->rate_num == 0) {
            return refuse(find, "nothing in it says how long a frame is; give the rate: --fps N");
        }
        complete_ticks(find);
    }
    recover_frames_settle(&found->frames, found->ticks_per_frame);
    const char *wrong = recover_timecode_settle(found, find->params->timecode);
    if (wrong) {
        return refuse(find, "--timecode %s: %s", find->params->timecode, wrong);
    }
    const struct recover_span span = span_of(found);
    if (!recover_sound_settle(&found->sound, &span)) {
        return refuse(find, "there is no memory for the list of its sound");
    }
    recover_chapters_settle(found);
    recover_lost_count(found, find->num_lost_fragments);
    if (found->state == RECOVER_NOTHING_TO_DO && found->sound.num_lost > 0) {
        found->state = RECOVER_DAMAGED;
    }
    found->is_in_place = found->is_in_place && found->sound.num_lost == 0;
    return found->head ||
           recover_head_make(found, find->has_moov ? &find->moov : NULL, &find->near) ||
           refuse(find, "there is no memory for its head");
}

bool recover_find(const struct recover_params *params, struct recover_found *found)
{
    *found = (struct recover_found){.head = NULL};
    struct find find = {.params = params, .found = found};
    bool is_found = weir_view_init(&find.near, &params->source, NEAR_ROOM);
    const uint64_t size = params->source.size;
    const size_t far_room = size < NEAR_ROOM  ? NEAR_ROOM
                            : size < FAR_ROOM ? (size_t)size
                                              : FAR_ROOM;
    is_found = weir_view_init(&find.far, &params->source, far_room) && is_found;
    if (!is_found) {
        refuse(&find, "there is no memory");
    }
    found->is_segment = is_found && weir_segment_read(&find.near, &found->segment);
    is_found = is_found && find_frames(&find) && complete(&find);
    weir_view_finish(&find.near);
    weir_view_finish(&find.far);
    return is_found;
}

void recover_found_finish(struct recover_found *found)
{
    recover_frames_finish(&found->frames);
    recover_sound_finish(&found->sound);
    weir_chapters_finish(&found->chapters);
    free(found->head);
    found->head = NULL;
}
