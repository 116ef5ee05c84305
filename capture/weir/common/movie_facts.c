// SPDX-License-Identifier: MIT
// What a movie of HAP says of itself: its pictures, its audio tracks, its place in a recording.
#include "capture/weir/common/movie_facts.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/movie/chapters_reader.h"
#include "capture/movie/codec.h"
#include "capture/weir/common/audio_track.h"
#include "capture/weir/common/chapters.h"
#include "capture/weir/common/movie_json.h"
#include "capture/weir/common/read.h"
#include "capture/weir/common/report.h"

#define VIEW_ROOM 4096u

static bool read_file(void *user, uint64_t offset, uint8_t *bytes, size_t size)
{
    return cli_read_at(*(const int *)user, offset, bytes, size);
}

static bool visit_sample(void *user, const struct weir_sample *sample)
{
    struct cli_movie_facts *facts = user;
    if (sample->track == 0) {
        facts->num_frames++;
        facts->end_ticks = sample->time + sample->length;
    } else {
        facts->num_samples[sample->track - 1] += sample->length;
    }
    return true;
}

static enum weir_result read_tables(struct weir_view *view, struct cli_movie_facts *facts)
{
    uint32_t damaged;
    const enum weir_result result = weir_samples_read(view, &facts->moov, visit_sample, facts,
                                                      &damaged);
    if (result == WEIR_OK && damaged != 0) {
        cli_report_error("%s: its index is damaged; weir recover finds its frames", facts->path);
        return WEIR_ERROR_DATA;
    }
    return result;
}

static enum weir_result read_movie(struct weir_view *view, struct cli_movie_facts *facts)
{
    struct weir_box box;
    if (!weir_box_find(view, 0, view->source.size, WEIR_BOX('m', 'o', 'o', 'v'), &box)) {
        cli_report_error("%s has no index: its end was cut off, or it is no movie; weir recover "
                         "says what is in it",
                         facts->path);
        return WEIR_ERROR_DATA;
    }
    if (!weir_moov_read(view, &box, &facts->moov) ||
        !weir_hap_codec_of_tag(facts->moov.track.tag)) {
        cli_report_error("%s is no movie of HAP; ffprobe says what it is", facts->path);
        return WEIR_ERROR_DATA;
    }
    facts->is_segment = weir_segment_read(view, &facts->segment);
    if (!weir_chapters_read(view, &facts->moov.box, &facts->chapters)) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    return facts->moov.is_fragmented ? WEIR_OK : read_tables(view, facts);
}

enum weir_result cli_movie_facts_read(struct cli_movie_facts *facts, const char *command,
                                      const char *path)
{
    *facts = (struct cli_movie_facts){.path = path};
    struct stat status;
    struct weir_view view;
    int fd = cli_read_open(command, path, O_RDONLY, &status);
    if (fd < 0) {
        return WEIR_ERROR_IO;
    }
    facts->size = (uint64_t)status.st_size;
    const struct weir_view_source source = {.read = read_file, .user = &fd, .size = facts->size};
    const enum weir_result result = weir_view_init(&view, &source, VIEW_ROOM)
                                        ? read_movie(&view, facts)
                                        : WEIR_ERROR_OUT_OF_MEMORY;
    weir_view_finish(&view);
    close(fd);
    return result;
}

void cli_movie_facts_finish(struct cli_movie_facts *facts)
{
    weir_chapters_finish(&facts->chapters);
}

double cli_movie_facts_seconds(const struct cli_movie_facts *facts)
{
    return (double)facts->end_ticks / facts->moov.track.ticks_per_second;
}

void cli_movie_facts_json(struct weir_json *json, const struct cli_movie_facts *facts)
{
    const struct weir_moov *moov = &facts->moov;
    weir_json_text(json, "path", facts->path);
    cli_movie_json(json, &moov->track, facts->num_frames, cli_movie_facts_seconds(facts));
    weir_json_bool(json, "closed", !moov->is_fragmented);
}

void cli_movie_facts_json_audio(struct weir_json *json, const struct cli_movie_facts *facts)
{
    weir_json_begin_array(json, "audio_tracks");
    for (uint32_t i = 0; i < facts->moov.num_audio; i++) {
        cli_audio_track_json(json, &facts->moov.audio[i], facts->num_samples[i]);
    }
    weir_json_end_array(json);
    cli_chapters_json(json, &facts->chapters);
}
