// SPDX-License-Identifier: MIT
// The sound tracks of a movie that is joined: those of its parts, which are to be alike.
#include "capture/weir/join/tracks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The number that the first audio track has in a file of Weir's.
#define FIRST_AUDIO 2u

void join_tracks_finish(struct join_tracks *tracks)
{
    for (uint32_t i = 0; i < WEIR_MOVIE_MAX_AUDIO; i++) {
        free(tracks->list[i].audio.description.bytes);
    }
    *tracks = (struct join_tracks){.num = 0};
}

uint32_t join_tracks_place(const struct join_tracks *tracks, const struct join_input *input,
                           uint32_t index)
{
    const uint32_t place = tracks->are_of_segments ? input->found.tracks[1 + index].id - FIRST_AUDIO
                                                   : index;
    return place < WEIR_MOVIE_MAX_AUDIO ? place : WEIR_MOVIE_MAX_AUDIO;
}

// Say a language, which may be one of the numbers that came before the codes of three letters.
static const char *name_language(const struct weir_movie_audio *audio, char text[32])
{
    char language[4];
    weir_movie_language(audio, language);
    const bool is_number = language[0] == 0 && audio->language < WEIR_LANGUAGE_LEAST_CODE;
    if (is_number) {
        snprintf(text, 32, "number %u of the Macintosh", audio->language);
        return text;
    }
    snprintf(text, 32, "%s", language[0] ? language : "none");
    return text;
}

static bool have_same_description(const struct weir_movie_audio *a,
                                  const struct weir_movie_audio *b)
{
    return a->description.size == b->description.size &&
           memcmp(a->description.bytes, b->description.bytes, a->description.size) == 0;
}

static bool compare(const struct join_track *track, const struct join_input *input, uint32_t index,
                    char refusal[JOIN_REFUSAL_SIZE])
{
    const struct weir_movie_audio *a = &track->audio, *b = &input->found.movie.audio[index];
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
    if (!have_same_description(a, b)) {
        return join_refuse(refusal, "%s: sound track %u has another format than that of %s",
                           input->path, index + 1, track->path);
    }
    return true;
}

static bool add(struct join_tracks *tracks, struct join_input *input, uint32_t index,
                char refusal[JOIN_REFUSAL_SIZE])
{
    struct weir_movie_audio *audio = &input->found.movie.audio[index];
    const uint32_t place = join_tracks_place(tracks, input, index);
    if (!audio->description.bytes || place == WEIR_MOVIE_MAX_AUDIO) {
        return join_refuse(refusal, "%s: its sound track %u is damaged", input->path, index + 1);
    }
    struct join_track *track = &tracks->list[place];
    if (track->path) {
        return compare(track, input, index, refusal);
    }
    track->audio = *audio;
    track->path = input->path;
    audio->description = (struct weir_description){.bytes = NULL};
    return true;
}

static bool add_all(struct join_tracks *tracks, struct join_input *input,
                    char refusal[JOIN_REFUSAL_SIZE])
{
    uint32_t places = 0;
    for (uint32_t i = 0; i < input->found.movie.num_audio; i++) {
        const uint32_t place = 1u << join_tracks_place(tracks, input, i);
        if ((places & place) != 0) {
            return join_refuse(refusal, "%s: two of its tracks have one number", input->path);
        }
        if (!add(tracks, input, i, refusal)) {
            return false;
        }
        places |= place;
    }
    return true;
}

bool join_tracks_find(struct join_tracks *tracks, struct join_input *inputs, size_t num,
                      bool are_segments, char refusal[JOIN_REFUSAL_SIZE])
{
    tracks->are_of_segments = are_segments;
    for (size_t i = 0; i < num; i++) {
        if (!add_all(tracks, &inputs[i], refusal)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < WEIR_MOVIE_MAX_AUDIO; i++) {
        tracks->list[i].number = tracks->num;
        tracks->num += tracks->list[i].path != NULL;
    }
    return true;
}
