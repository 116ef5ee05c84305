// SPDX-License-Identifier: MIT
// The sound tracks of a movie that is joined: those of its parts, which are to be alike.
#include "capture/weir/join/tracks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/movie/fragment.h"
#include "capture/movie/head_copy.h"

void join_tracks_finish(struct join_tracks *tracks)
{
    for (uint32_t i = 0; i < WEIR_MOOV_MAX_AUDIO; i++) {
        free(tracks->list[i].description);
        free(tracks->list[i].trak);
    }
    *tracks = (struct join_tracks){.num = 0};
}

uint32_t join_tracks_place(const struct join_tracks *tracks, const struct join_input *input,
                           uint32_t index)
{
    const uint32_t place = tracks->are_of_segments
                               ? input->moov.audio[index].id - WEIR_FRAGMENT_FIRST_AUDIO
                               : index;
    return place < WEIR_MOOV_MAX_AUDIO ? place : WEIR_MOOV_MAX_AUDIO;
}

static bool begin(struct join_track *track, const struct weir_audio_track_found *found,
                  const uint8_t *description, size_t size, const char *path)
{
    track->description = malloc(size);
    if (!track->description) {
        return false;
    }
    memcpy(track->description, description, size);
    track->description_size = size;
    track->found = *found;
    track->path = path;
    return true;
}

// Say a language, which may be one of the numbers that came before the codes of three letters.
static const char *name_language(const struct weir_audio_track_found *track, char text[32])
{
    char language[4];
    weir_audio_language(track, language);
    const bool is_number = language[0] == 0 && track->language < WEIR_LANGUAGE_LEAST_CODE;
    if (is_number) {
        snprintf(text, 32, "number %u of the Macintosh", track->language);
        return text;
    }
    snprintf(text, 32, "%s", language[0] ? language : "none");
    return text;
}

static bool compare(const struct join_track *track, const struct join_input *input, uint32_t index,
                    const uint8_t *description, size_t size, char refusal[JOIN_REFUSAL_SIZE])
{
    const struct weir_audio_track_found *a = &track->found, *b = &input->moov.audio[index];
    const struct {
        const char *name;
        uint32_t of_first, of_other;
    } numbers[] = {
        {"samples a second", a->sample_rate, b->sample_rate},
        {"channels", a->num_channels, b->num_channels},
        {"bytes a sample", a->sample_size, b->sample_size},
    };
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        if (numbers[i].of_first != numbers[i].of_other) {
            return join_refuse(refusal, "%s: sound track %u has %u %s, and that of %s has %u",
                               input->path, index + 1, numbers[i].of_other, numbers[i].name,
                               track->path, numbers[i].of_first);
        }
    }
    if (a->language != b->language) {
        char first[32], other[32];
        return join_refuse(refusal, "%s: sound track %u has the language %s, and that of %s %s",
                           input->path, index + 1, name_language(b, other), track->path,
                           name_language(a, first));
    }
    if (track->description_size != size || memcmp(track->description, description, size) != 0) {
        return join_refuse(refusal, "%s: sound track %u has another format than that of %s",
                           input->path, index + 1, track->path);
    }
    return true;
}

static bool add(struct join_tracks *tracks, struct weir_view *view, const struct join_input *input,
                uint32_t index, char refusal[JOIN_REFUSAL_SIZE])
{
    const struct weir_audio_track_found *found = &input->moov.audio[index];
    const uint32_t place = join_tracks_place(tracks, input, index);
    const size_t size = found->entry.end - found->entry.begin <= view->room
                            ? (size_t)(found->entry.end - found->entry.begin)
                            : 0;
    const uint8_t *description = size > 0 ? weir_view_at(view, found->entry.begin, size) : NULL;
    if (!description || place == WEIR_MOOV_MAX_AUDIO) {
        return join_refuse(refusal, "%s: its sound track %u is damaged", input->path, index + 1);
    }
    struct join_track *track = &tracks->list[place];
    if (track->path) {
        return compare(track, input, index, description, size, refusal);
    }
    return begin(track, found, description, size, input->path) ||
           join_refuse(refusal, "there is no memory for the tracks of %s", input->path);
}

bool join_tracks_add(struct join_tracks *tracks, struct weir_view *view,
                     const struct join_input *input, char refusal[JOIN_REFUSAL_SIZE])
{
    uint32_t places = 0;
    for (uint32_t i = 0; i < input->moov.num_audio; i++) {
        const uint32_t place = 1u << join_tracks_place(tracks, input, i);
        if ((places & place) != 0) {
            return join_refuse(refusal, "%s: two of its tracks have one number", input->path);
        }
        if (!add(tracks, view, input, i, refusal)) {
            return false;
        }
        places |= place;
    }
    return true;
}

void join_tracks_number(struct join_tracks *tracks)
{
    tracks->num = 0;
    for (uint32_t i = 0; i < WEIR_MOOV_MAX_AUDIO; i++) {
        tracks->list[i].number = tracks->num;
        tracks->num += tracks->list[i].path != NULL;
    }
}

static bool copy(struct join_track *track, struct weir_view *view, const struct join_input *input,
                 uint32_t index, char refusal[JOIN_REFUSAL_SIZE])
{
    uint8_t *bytes = malloc(WEIR_HEAD_MAX_TRACK);
    struct weir_boxes boxes = {.bytes = bytes, .room = WEIR_HEAD_MAX_TRACK};
    const uint32_t number = WEIR_FRAGMENT_FIRST_AUDIO + track->number;
    if (!bytes) {
        return join_refuse(refusal, "there is no memory for the tracks of %s", input->path);
    }
    if (!weir_head_copy_track(view, &input->moov.audio[index].trak, number, &boxes)) {
        free(bytes);
        return join_refuse(refusal, "%s: the boxes of its sound track %u cannot be copied",
                           input->path, index + 1);
    }
    track->trak = bytes;
    track->trak_size = boxes.size;
    return true;
}

bool join_tracks_copy(struct join_tracks *tracks, struct weir_view *view,
                      const struct join_input *input, char refusal[JOIN_REFUSAL_SIZE])
{
    for (uint32_t i = 0; i < input->moov.num_audio; i++) {
        struct join_track *track = &tracks->list[join_tracks_place(tracks, input, i)];
        if (!track->trak && !copy(track, view, input, i, refusal)) {
            return false;
        }
    }
    return true;
}
