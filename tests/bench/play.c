// SPDX-License-Identifier: MIT
// weir-bench play: how fast libweir-play makes frames, beside the bus that brings their blocks, and
// how long its calls hold up the thread that draws.
#include "tests/bench/bench.h"

#include <inttypes.h>
#include <pthread.h>

#include <weir/movie.h>
#include <weir/play.h>

#include "capture/base/clock.h"
#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/report.h"
#include "capture/weir/play/show.h"
#include "tests/bench/bus.h"
#include "tests/bench/timing.h"

#define SECOND 1000000000

struct bench_play_options {
    const char *json;
    uint64_t device, milliseconds, ahead;
    bool validation;
};

#define FIELD(name) offsetof(struct bench_play_options, name)
static const struct cli_option options[] = {
    {"milliseconds", CLI_NUMBER, FIELD(milliseconds), "N",
     .help = "how long a movie is played each way (3000)", .min = 10, .max = 3600000},
    {"ahead", CLI_NUMBER, FIELD(ahead), "N", .help = "frames made ahead (8)", .min = 1, .max = 64},
    BENCH_OPTIONS(struct bench_play_options),
};

static const struct bench_column columns[] = {
    {".name", "", -20, 0, 0},
    {"codec", "", -12, 0, 0},
    {"bytes_per_frame", "MB each", 8, 2, 1e-6},
    BENCH_BAR,
    {"frames_per_s", "frames/s", 9, 1, 0},
    {"bus_gb_per_s", "bus GB/s", 8, 1, 0},
    {"share_of_bus", "of bus", 6, 2, 0},
    BENCH_BAR,
    {"asked", "asked", 7, 0, 0},
    {"late", "late", 6, 0, 0},
    {"calls.median_us", "median", 7, 1, 0},
    {"calls.p99_us", "p99", 7, 1, 0},
    {"calls.max_us", "most", 8, 1, 0},
};

struct played {
    char **paths;
    const struct bench_play_options *options;
};

// What plays: a queue that the library and the bench use in turns.
struct host {
    struct weir_context_params import;
    pthread_mutex_t lock;
    weir_gpu *gpu;
    weir_play *play;
};

// Use a frame as a host does that draws with it: in a submission that waits for it.
static enum weir_result draw(struct host *host, struct weir_point ready)
{
    const struct weir_gpu_submission submit = {.wait = ready,
                                               .wait_stages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
    VkCommandBuffer commands;
    WEIR_TRY(weir_gpu_begin(host->gpu, &commands));
    return weir_gpu_submit(host->gpu, commands, &submit, NULL);
}

// Take each frame as soon as it is there [frames made a second].
static enum weir_result run_fast(struct host *host, uint64_t duration_ns, double *rate)
{
    const struct weir_play_info info = weir_play_get_info(host->play);
    const uint64_t begin = weir_clock_ns(), made = weir_play_get_stats(host->play).num_frames;
    for (uint64_t i = 0; weir_clock_ns() - begin < duration_ns && !cli_interrupted(); i++) {
        struct weir_play_image image;
        WEIR_TRY(weir_play_wait(host->play, i % info.num_frames, UINT64_MAX, &image));
        const enum weir_result result = draw(host, image.ready);
        weir_play_release(host->play, &image, weir_gpu_get_last(host->gpu));
        WEIR_TRY(result);
    }
    WEIR_TRY(weir_gpu_wait(host->gpu, weir_gpu_get_last(host->gpu), UINT64_MAX));
    *rate = (double)(weir_play_get_stats(host->play).num_frames - made) * 1e9 /
            (double)(weir_clock_ns() - begin);
    return WEIR_OK;
}

// Ask for each frame at its time, and count those that are not there then. The time of the calls is
// that of the library: the bench's own submission is no part of it.
static enum weir_result run_at_rate(struct host *host, uint64_t duration_ns,
                                    struct bench_value *row)
{
    static struct bench_samples calls;
    const struct weir_play_info info = weir_play_get_info(host->play);
    const uint64_t interval = (uint64_t)SECOND * info.rate_den / info.rate_num;
    uint64_t late = 0, asked = 0;
    struct weir_play_image image;
    WEIR_TRY(weir_play_wait(host->play, 0, UINT64_MAX, &image)); // as a host that shows it at first
    weir_play_release(host->play, &image, (struct weir_point){0});
    const uint64_t begin = weir_clock_ns();
    for (; asked * interval < duration_ns && !cli_interrupted(); asked++) {
        bench_sleep_until(begin + asked * interval, false);
        const uint64_t start = weir_clock_ns();
        const enum weir_result result = weir_play_frame(host->play, asked % info.num_frames, 1,
                                                        &image);
        uint64_t ns = weir_clock_ns() - start;
        if (result == WEIR_OK) {
            WEIR_TRY(draw(host, image.ready));
            const uint64_t again = weir_clock_ns();
            weir_play_release(host->play, &image, weir_gpu_get_last(host->gpu));
            ns += weir_clock_ns() - again;
        } else if (result != WEIR_NOT_READY) {
            return result;
        }
        late += result == WEIR_NOT_READY;
        bench_samples_add(&calls, (double)ns);
    }
    const struct bench_times times = bench_samples_take(&calls);
    bench_put_integer(row, "asked", asked);
    bench_put_integer(row, "late", late);
    bench_put_times(row, "calls", &times);
    return WEIR_OK;
}

static enum weir_result measure_movie(struct cli_gpu *gpu, struct host *host,
                                      const struct played *played, const char *path,
                                      struct bench_value *row)
{
    const uint64_t duration_ns = played->options->milliseconds * 1000000;
    WEIR_TRY(weir_play_open(
        weir_play_params(.import = &host->import, .queue = gpu->queue, .path = path,
                         .num_ahead = (uint32_t)played->options->ahead, .log = cli_log),
        &host->play));
    const struct weir_play_info info = weir_play_get_info(host->play);
    const uint64_t size = weir_movie_codec_frame_size(info.codec, info.width, info.height);
    double bus, rate;
    WEIR_TRY(run_fast(host, duration_ns, &rate));
    WEIR_TRY(run_at_rate(host, duration_ns, row));
    weir_play_close(&host->play); // which leaves the bus alone
    WEIR_TRY(bench_bus_measure(gpu, size, false, duration_ns / 30, &bus));
    bench_put_text(row, ".name", path);
    bench_put_text(row, "path", path);
    bench_put_text(row, "codec", weir_movie_codec_get_info(info.codec)->name);
    bench_put_integer(row, "width", info.width);
    bench_put_integer(row, "height", info.height);
    bench_put_number(row, "bytes_per_frame", (double)size);
    bench_put_number(row, "bus_gb_per_s", bus);
    bench_put_number(row, "frames_per_s", rate);
    bench_put_number(row, "share_of_bus", rate * (double)size / 1e9 / bus);
    return WEIR_OK;
}

static enum weir_result measure(struct cli_gpu *gpu, FILE *out, struct bench_value *json,
                                void *user)
{
    const struct played *played = user;
    struct host host = {.import = *gpu->import, .lock = PTHREAD_MUTEX_INITIALIZER};
    show_share_queue(&host.import, &host.lock);
    bench_print_head(out, gpu, "movies that are played");
    fprintf(out,
            "frames as fast as they come, and asked for at their times: how many were late, and\n"
            "the time of weir_play_frame() and weir_play_release() [us]\n\n");
    bench_print_row(out, columns, BENCH_COUNT(columns), NULL);
    WEIR_TRY(
        weir_gpu_create(weir_gpu_params(.import = &host.import, .queue = gpu->queue), &host.gpu));
    struct bench_value *movies = bench_add(json, "movies", BENCH_ARRAY);
    enum weir_result result = WEIR_OK;
    for (char **path = played->paths; *path && result == WEIR_OK && !cli_interrupted(); path++) {
        struct bench_value *row = bench_add(movies, NULL, BENCH_OBJECT);
        result = measure_movie(gpu, &host, played, *path, row);
        weir_play_close(&host.play);
        if (result == WEIR_OK && row) {
            bench_print_row(out, columns, BENCH_COUNT(columns), row);
            fflush(out);
        }
    }
    weir_gpu_destroy(&host.gpu);
    return result;
}

static enum cli_status run(char **arguments, const void *values)
{
    static const VkPhysicalDeviceFeatures features = {.textureCompressionBC = VK_TRUE};
    struct played played = {.paths = arguments, .options = values};
    struct bench_task task = {
        .name = "play",
        .json = played.options->json,
        .device = {.index = (uint32_t)played.options->device,
                   .validation = played.options->validation,
                   .features = &features},
        .inputs = (const char *const *)arguments,
        .measure = measure,
        .user = &played,
    };
    while (arguments[task.num_inputs]) {
        task.num_inputs++;
    }
    return bench_task_run(&task);
}

const struct cli_command bench_play_command = {
    .name = "play",
    .arguments = "MOVIE...",
    .num_arguments = 1,
    .max_arguments = CLI_ANY_NUMBER,
    .summary = "measure how fast movies of HAP become images on the device",
    .about = "A movie is played as fast as it goes, and then at its own rate. Of one with few "
             "frames all\n"
             "stay on the device, so that nothing is measured.\n",
    .example = "  weir-bench play clip.mov --json play.json\n",
    .options = options,
    .num_options = BENCH_COUNT(options),
    .run = run,
    .defaults = &(const struct bench_play_options){.milliseconds = 3000},
    .values_size = sizeof(struct bench_play_options),
};
