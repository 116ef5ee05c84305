// SPDX-License-Identifier: MIT
// What is said of a movie that is made.
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

#include "capture/base/size.h"
#include "capture/weir/common/report.h"
#include "capture/weir/common/shared_options.h"
#include "capture/weir/movie/movie.h"

static void print_size(const struct cli_movie *movie)
{
    const uint32_t width = movie->shape.width, height = movie->shape.height;
    const uint32_t whole_width = (uint32_t)weir_round_up(width, 4);
    const uint32_t whole_height = (uint32_t)weir_round_up(height, 4);
    if (movie->params.capture.movie.pad && (whole_width > width || whole_height > height)) {
        fprintf(stderr, "%ux%u (padded from %ux%u)", whole_width, whole_height, width, height);
    } else {
        fprintf(stderr, "%ux%u", width, height);
    }
}

static void print_quality(const struct weir_quality_stats *quality)
{
    if (quality->frames > 0) {
        fprintf(stderr, ", %.1f dB at quality %.0f", quality->mean_db, quality->least);
        if (quality->most > quality->least) {
            fprintf(stderr, " to %.0f", quality->most);
        }
    }
}

void cli_movie_summarize(const struct cli_movie *movie, const struct weir_capture_stats *stats,
                         double seconds)
{
    struct stat status;
    const bool is_file = !movie->params.receiver.is_all && stat(movie->params.output, &status) == 0;
    double megabytes = (double)(is_file ? (uint64_t)status.st_size : stats->bytes) / 1e6;
    double rate = seconds > 0 ? (double)stats->written / seconds : 0;
    cli_print(stderr, "%s: %" PRIu64 " frame%s, ", movie->params.output, stats->written,
              stats->written == 1 ? "" : "s");
    print_size(movie);
    fprintf(stderr, ", %s, %.1f MB, in %.1f s (%.1f fps, %.1f MB/s)",
            cli_movie_codec_fourcc(movie->params.codec).text, megabytes, seconds, rate,
            seconds > 0 ? megabytes / seconds : 0);
    if (movie->audio.num_tracks > 0) {
        fprintf(stderr, ", %u audio track%s", movie->audio.num_tracks,
                movie->audio.num_tracks == 1 ? "" : "s");
    }
    print_quality(&stats->quality);
    const uint64_t num_damaged = cli_source_get_info(movie->source).counts.num_errors;
    if (num_damaged > 0) {
        fprintf(stderr, ", %" PRIu64 " damaged part%s", num_damaged, num_damaged == 1 ? "" : "s");
    }
    cli_receiver_report(&movie->params.receiver, &movie->sent);
    fputc('\n', stderr);
}

// Where the disk failed (WEIR_ERROR_IO) the capture has said what can be relied on.
void cli_movie_tell_of_output(const struct cli_movie *movie, const struct weir_capture_stats *stats,
                              enum weir_result closed)
{
    if (stats->written > 0 && closed != WEIR_ERROR_IO && !movie->params.receiver.is_all) {
        cli_report_error("%s ends early: it holds %" PRIu64 " frame%s, and plays",
                         movie->params.output, stats->written, stats->written == 1 ? "" : "s");
    }
}

void cli_movie_tell_of_losses(const struct cli_movie *movie, const struct weir_capture_stats *stats)
{
    const uint64_t num_jumps = stats->dropped_by_reason[WEIR_DROP_TIME];
    cli_report_error(
        "%s lacks %" PRIu64 " of %" PRIu64 " frames%s", movie->params.output, stats->dropped,
        stats->received,
        num_jumps == stats->dropped
            ? ": their times jump by more than a movie can store; make a movie of each part"
            : "; the messages above say why");
}

void cli_movie_tell_of_input(const struct cli_movie *movie)
{
    const struct weir_source_info *info = &movie->info;
    cli_print(stderr, "%s: %ux%u %s\n", cli_source_name(movie->source), info->native_width,
              info->native_height, info->coding);
}
