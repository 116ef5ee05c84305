// SPDX-License-Identifier: MIT
// The sound that was found in a movie: runs of samples, and where they belong.
#include "capture/weir/recover/sound.h"

#include <stdlib.h>

#include "capture/base/grow.h"
#include "capture/base/size.h"
#include "capture/movie/movie.h"

static bool add_run(struct recover_sound *sound, const struct recover_run *run)
{
    struct recover_run *runs = weir_grow(sound->runs, sound->num, &sound->room, sizeof(runs[0]));
    if (!runs) {
        return false;
    }
    sound->runs = runs;
    sound->runs[sound->num++] = *run;
    return true;
}

bool recover_sound_add(struct recover_sound *sound, const struct weir_fragment_found *found)
{
    const struct weir_audio_fragment *audio = &found->audio;
    const uint32_t track = audio->track - WEIR_FRAGMENT_FIRST_AUDIO;
    if (track >= sound->num_tracks || audio->sample_size != sound->tracks[track].sample_size) {
        sound->num_unknown++;
        return true;
    }
    return add_run(sound, &(const struct recover_run){.offset = found->data,
                                                      .position = audio->position,
                                                      .num_samples = audio->num_samples,
                                                      .track = track});
}

struct reading {
    struct recover_sound *sound;
    uint32_t track;
    uint64_t position, file_size;
    bool has_memory;
};

static bool visit_chunk(void *user, const struct weir_audio_chunk *chunk)
{
    struct reading *reading = user;
    const struct weir_audio_track_found *track = &reading->sound->tracks[reading->track];
    const uint64_t size = (uint64_t)chunk->num_samples * track->sample_size;
    const bool is_there = chunk->offset <= reading->file_size &&
                          size <= reading->file_size - chunk->offset && size <= UINT32_MAX - 8;
    if (is_there) {
        reading->has_memory = add_run(reading->sound,
                                      &(const struct recover_run){.offset = chunk->offset,
                                                                  .position = reading->position,
                                                                  .num_samples = chunk->num_samples,
                                                                  .track = reading->track});
    }
    reading->position += chunk->num_samples;
    return reading->has_memory;
}

static int compare_offsets(const void *a, const void *b)
{
    const struct recover_run *x = a, *y = b;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

bool recover_sound_read(struct recover_sound *sound, struct weir_view *view)
{
    struct reading reading = {.sound = sound, .file_size = view->source.size, .has_memory = true};
    for (uint32_t i = 0; reading.has_memory && i < sound->num_tracks; i++) {
        reading.track = i;
        reading.position = 0;
        const enum weir_result result = weir_audio_chunks_read(view, &sound->tracks[i], visit_chunk,
                                                               &reading);
        reading.has_memory = reading.has_memory && result != WEIR_ERROR_OUT_OF_MEMORY;
    }
    if (sound->num > 0) {
        qsort(sound->runs, sound->num, sizeof(sound->runs[0]), compare_offsets);
    }
    return reading.has_memory;
}

void recover_sound_finish(struct recover_sound *sound)
{
    free(sound->runs);
    sound->runs = NULL;
    sound->num = sound->room = 0;
}

// Leave out the samples of a run before a position. False: none is left.
static bool cut_before(struct recover_run *run, uint64_t position, uint32_t sample_size)
{
    if (run->position >= position) {
        return true;
    }
    const uint64_t cut = position - run->position;
    if (cut >= run->num_samples) {
        return false;
    }
    run->offset += cut * sample_size;
    run->num_samples -= (uint32_t)cut;
    run->position = position;
    return true;
}

// Add silence up to a run, in pieces of a second, or of a megabyte where that is longer: what a
// damaged head says of the rate makes no list of one sample each.
static bool add_silence(struct recover_sound *sound, const struct recover_run *run, uint64_t from)
{
    const struct weir_audio_track_found *track = &sound->tracks[run->track];
    const uint32_t megabyte = (1u << 20) / track->sample_size;
    const uint32_t most = track->sample_rate > megabyte ? track->sample_rate : megabyte;
    while (from < run->position) {
        const uint64_t left = run->position - from;
        struct recover_run silence = *run;
        silence.position = from;
        silence.num_samples = left < most ? (uint32_t)left : most;
        silence.is_silence = true;
        if (!add_run(sound, &silence)) {
            return false;
        }
        sound->num_lost += silence.num_samples;
        from += silence.num_samples;
    }
    return true;
}

static void find_longest(const struct recover_sound *sound, uint32_t longest[WEIR_MOOV_MAX_AUDIO])
{
    for (size_t i = 0; i < sound->num; i++) {
        const struct recover_run *run = &sound->runs[i];
        if (run->num_samples > longest[run->track]) {
            longest[run->track] = run->num_samples;
        }
    }
}

uint64_t recover_sound_length(const struct recover_sound *sound, uint32_t track)
{
    uint64_t length = 0;
    for (size_t i = 0; i < sound->num; i++) {
        length += sound->runs[i].track == track ? sound->runs[i].num_samples : 0;
    }
    return length;
}

// Mend the position of a run that the runs around it leave no room for: between the end of the one
// before and the begin of the one behind.
static void mend_between(struct recover_run *run, uint64_t before, uint64_t behind)
{
    const bool fits = run->position >= before && run->position <= behind &&
                      run->num_samples <= behind - run->position;
    if (!fits && before <= behind && run->num_samples <= behind - before) {
        run->position = behind - run->num_samples;
    }
}

// Mend positions of a track that are damaged one by one. No sound begins later than `latest`.
static void mend_positions(struct recover_sound *sound, uint32_t track, uint64_t latest)
{
    struct recover_run *run = NULL;
    uint64_t before = 0;
    for (size_t i = 0; i < sound->num; i++) {
        struct recover_run *next = &sound->runs[i];
        if (next->track != track) {
            continue;
        }
        if (run) {
            mend_between(run, before, next->position);
            before = run->position + run->num_samples;
        }
        run = next;
    }
    if (run && (run->position < before || run->position > latest)) {
        run->position = before;
    }
}

// Get how many samples are before a time [1 / ticks_per_second s].
static uint64_t samples_before(uint64_t ticks, uint32_t ticks_per_second, uint64_t sample_rate)
{
    return ticks / ticks_per_second * sample_rate +
           ticks % ticks_per_second * sample_rate / ticks_per_second;
}

bool recover_sound_settle(struct recover_sound *sound, const struct recover_span *span)
{
    enum { SECONDS_BEHIND = 10 }; // of sound behind the last frame
    uint64_t start[WEIR_MOOV_MAX_AUDIO], next[WEIR_MOOV_MAX_AUDIO] = {0};
    uint32_t longest[WEIR_MOOV_MAX_AUDIO] = {0};
    struct recover_run *runs = sound->runs;
    const size_t num = sound->num;
    find_longest(sound, longest);
    bool has_memory = true;
    for (uint32_t i = 0; i < sound->num_tracks; i++) {
        const uint64_t rate = sound->tracks[i].sample_rate;
        start[i] = samples_before(span->start, span->ticks_per_second, rate);
        mend_positions(sound, i,
                       samples_before(span->end, span->ticks_per_second, rate) +
                           SECONDS_BEHIND * rate);
    }
    sound->runs = NULL;
    sound->num = sound->room = 0;
    for (size_t i = 0; i < num && has_memory; i++) {
        struct recover_run run = runs[i];
        uint64_t *end = &next[run.track];
        const uint32_t sample_size = sound->tracks[run.track].sample_size;
        if (!cut_before(&run, start[run.track] + *end, sample_size)) {
            continue;
        }
        run.position -= start[run.track];
        // A position that no movie of this program has is damaged.
        if (run.position + run.num_samples > WEIR_AUDIO_MAX_SAMPLES) {
            continue;
        }
        const uint64_t num_missing = run.position > *end ? run.position - *end : 0;
        sound->num_lost_fragments += weir_divide_up(num_missing, longest[run.track]);
        has_memory = add_silence(sound, &run, *end) && add_run(sound, &run);
        *end = run.position + run.num_samples;
    }
    free(runs);
    return has_memory;
}
