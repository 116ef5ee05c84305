// SPDX-License-Identifier: MIT
// The list of what was found in a movie, of which a plain one is made.
#include "capture/weir/recover/find.h"

static bool add_frame(const struct recover_frame *frame, struct remux_movie *movie)
{
    return remux_movie_add(movie, &(const struct remux_piece){.offset = frame->offset,
                                                              .time = frame->ticks,
                                                              .size = frame->size});
}

static bool add_run(const struct recover_run *run, struct remux_movie *movie)
{
    return remux_movie_add(movie, &(const struct remux_piece){.offset = run->offset,
                                                              .time = run->position,
                                                              .num_samples = run->num_samples,
                                                              .track = (uint8_t)run->track,
                                                              .is_silence = run->is_silence});
}

bool recover_found_list(const struct recover_found *found, struct remux_movie *movie)
{
    const struct recover_frames *frames = &found->frames;
    const struct recover_sound *sound = &found->sound;
    *movie = (struct remux_movie){
        .head = found->head,
        .head_size = found->head_size,
        .moov = found->moov,
        .ticks_per_second = found->track.ticks_per_second,
        .ticks_per_frame = found->ticks_per_frame,
        .num_audio = sound->num_tracks,
        .has_timecode = found->has_timecode,
        .chapters = &found->chapters,
    };
    for (uint32_t i = 0; i < sound->num_tracks; i++) {
        movie->audio[i] = (struct remux_audio){.sample_rate = sound->tracks[i].sample_rate,
                                               .sample_size = sound->tracks[i].sample_size};
    }
    bool has_memory = true;
    for (size_t i = 0, n = 0; has_memory && i + n < frames->num + sound->num;) {
        const bool is_frame = i < frames->num &&
                              (n == sound->num || frames->items[i].offset < sound->runs[n].offset);
        has_memory = is_frame ? add_frame(&frames->items[i++], movie)
                              : add_run(&sound->runs[n++], movie);
    }
    return has_memory;
}

double recover_found_seconds(const struct recover_found *found)
{
    const uint64_t last = found->frames.items[found->frames.num - 1].ticks;
    return (double)(last + found->ticks_per_frame) / found->track.ticks_per_second;
}
