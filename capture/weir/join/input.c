// SPDX-License-Identifier: MIT
// A movie that is joined with others: what it says of itself.
#include "capture/weir/join/input.h"

#include <stdarg.h>
#include <stdio.h>

#include "capture/movie/codec.h"
#include "capture/movie/edit_reader.h"
#include "capture/movie/segment_reader.h"

bool join_refuse(char refusal[JOIN_REFUSAL_SIZE], const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(refusal, JOIN_REFUSAL_SIZE, format, arguments);
    va_end(arguments);
    return false;
}

static bool find_moov(struct weir_view *view, struct join_input *input,
                      char refusal[JOIN_REFUSAL_SIZE])
{
    struct weir_box box;
    if (!weir_box_find(view, 0, view->source.size, WEIR_BOX('m', 'o', 'o', 'v'), &box)) {
        return join_refuse(refusal,
                           "%s has no index: it was not closed, its end was cut off, or it is no "
                           "movie; weir recover makes a movie of it first",
                           input->path);
    }
    if (!weir_moov_read(view, &box, &input->moov)) {
        return join_refuse(refusal, "%s: its index is damaged, or has no pictures", input->path);
    }
    if (input->moov.is_fragmented) {
        return join_refuse(refusal, "%s was not closed: run weir recover on it first", input->path);
    }
    return true;
}

static bool check_tracks(const struct join_input *input, char refusal[JOIN_REFUSAL_SIZE])
{
    const struct weir_moov *moov = &input->moov;
    if (!weir_hap_codec_of_tag(moov->track.tag)) {
        const uint32_t tag = moov->track.tag;
        char name[5] = {(char)(tag >> 24), (char)(tag >> 16), (char)(tag >> 8), (char)tag, 0};
        return join_refuse(refusal,
                           "%s: its pictures are '%s', and only movies of HAP are joined; weir "
                           "transcode makes one of it",
                           input->path, name);
    }
    if (!moov->is_ours && moov->foreign == WEIR_BOX('s', 'o', 'u', 'n')) {
        return join_refuse(refusal,
                           "%s: its sound is compressed, and only samples are joined; ffmpeg -i "
                           "FILE -map 0 -c copy -c:a pcm_s16le NEW.mov makes such a movie of it",
                           input->path);
    }
    if (!moov->is_ours) {
        return join_refuse(refusal,
                           "%s has other tracks than pictures and then sound; ffmpeg -i FILE -map "
                           "0:v:0 -map 0:a? -c copy NEW.mov makes a movie without them",
                           input->path);
    }
    return true;
}

// Sound may begin behind the pictures, as FFmpeg cuts it; anything else of edit lists is refused.
static bool read_edits(struct weir_view *view, struct join_input *input,
                       char refusal[JOIN_REFUSAL_SIZE])
{
    const struct weir_moov *moov = &input->moov;
    uint64_t delay;
    bool is_whole = weir_edit_read_delay(view, &moov->box, &moov->trak, &delay) && delay == 0;
    for (uint32_t i = 0; is_whole && i < moov->num_audio; i++) {
        is_whole = weir_edit_read_delay(view, &moov->box, &moov->audio[i].trak,
                                        &input->audio_delays[i]);
    }
    return is_whole || join_refuse(refusal,
                                   "%s: its edit list leaves out a part of a track, or delays its "
                                   "pictures; ffmpeg -i FILE -c copy -use_editlist 0 NEW.mov makes "
                                   "a movie without one",
                                   input->path);
}

bool join_input_read(struct weir_view *view, struct join_input *input,
                     char refusal[JOIN_REFUSAL_SIZE])
{
    if (!find_moov(view, input, refusal) || !check_tracks(input, refusal) ||
        !read_edits(view, input, refusal)) {
        return false;
    }
    input->is_segment = weir_segment_read(view, &input->segment);
    if (input->is_segment &&
        input->segment.ticks_per_second != input->moov.track.ticks_per_second) {
        return join_refuse(refusal,
                           "%s: what it says of its recording does not agree with its pictures; "
                           "--end-to-end joins it by the order given",
                           input->path);
    }
    return true;
}
