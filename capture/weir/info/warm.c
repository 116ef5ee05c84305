// SPDX-License-Identifier: MIT
// weir info --warm: compiles the kernels that the other commands use, and keeps them in the user's
// cache folder.
#include <sys/stat.h>

#include "capture/base/thread.h"
#include "capture/weir/common/report.h"
#include "capture/weir/gpu/pyramid.h"
#include "capture/weir/gpu/reduction.h"
#include "capture/weir/gpu/tile.h"
#include "capture/weir/info/info.h"

enum { MAX_JOBS = 256 };

// An effort of a codec, which a thread of its own compiles.
struct job {
    struct cli_gpu *gpu;
    const struct weir_codec_info *codec;
    enum weir_effort effort;
    bool is_movie;
    bool runs;
    pthread_t thread;
    enum weir_result result;
};

struct warm {
    struct cli_gpu gpu;
    struct job jobs[MAX_JOBS];
    uint32_t num_jobs;
};

static void add(struct warm *warm, enum weir_codec codec, bool is_movie)
{
    const struct weir_codec_info *info = weir_codec_get_info(codec);
    for (enum weir_effort effort = WEIR_EFFORT_DEFAULT; effort <= WEIR_EFFORT_LIVE; effort++) {
        const bool has_effort = effort == WEIR_EFFORT_LIVE ? info->has_live
                                                           : effort <= info->max_effort;
        if (has_effort && warm->num_jobs < MAX_JOBS) {
            warm->jobs[warm->num_jobs++] = (struct job){
                .gpu = &warm->gpu, .codec = info, .effort = effort, .is_movie = is_movie};
        }
    }
}

// Add a codec of movies or textures. False: none has that name.
static bool add_named(struct warm *warm, const char *name)
{
    enum weir_movie_codec movie;
    enum weir_codec codec;
    if (weir_codec_by_name(name, &codec)) {
        add(warm, codec, false);
        return true;
    }
    if (!weir_movie_codec_by_name(name, &movie)) {
        return false;
    }
    const struct weir_movie_codec_info *info = weir_movie_codec_get_info(movie);
    for (uint32_t i = 0; i < info->num_textures; i++) {
        add(warm, info->textures[i], true);
    }
    return true;
}

static void add_all(struct warm *warm)
{
    size_t num;
    const struct weir_codec_info *codecs = weir_codec_list(&num);
    for (size_t i = 0; i < num; i++) {
        add(warm, codecs[i].codec, false);
    }
    add(warm, WEIR_CODEC_BC1, true);
    add(warm, WEIR_CODEC_BC4, true);
}

// Compile an encoder, and the optimiser of its codec.
static void *make(void *user)
{
    struct job *job = user;
    const struct weir_codec_info *codec = job->codec;
    const bool is_float = codec->is_signed || codec->codec == WEIR_CODEC_BC6H_UF16 ||
                          codec->codec == WEIR_CODEC_BC6H_SF16;
    struct cli_coder coder;
    job->result = cli_coder_init(
        job->gpu, is_float ? VK_FORMAT_R16G16B16A16_SFLOAT : VK_FORMAT_R8G8B8A8_UNORM,
        weir_encoder_params(.codec = codec->codec, .effort = job->effort,
                            .bc4_alpha = job->is_movie && codec->codec == WEIR_CODEC_BC4),
        codec->has_rdo ? 80 : CLI_QUALITY_UNCHANGED, !job->is_movie, &coder);
    cli_coder_finish(&coder);
    return NULL;
}

static enum weir_result make_codecs(struct warm *warm, struct cli_progress *progress)
{
    enum weir_result result = WEIR_OK;
    for (uint32_t i = 0; i < warm->num_jobs; i++) {
        struct job *job = &warm->jobs[i];
        job->runs = weir_thread_start(&job->thread, "weir-warm", make, job);
    }
    for (uint32_t i = 0; i < warm->num_jobs; i++) {
        struct job *job = &warm->jobs[i];
        cli_progress_step(progress, i + 1, warm->num_jobs, job->codec->name);
        if (!job->runs || pthread_join(job->thread, NULL) != 0) {
            make(job);
        }
        result = job->result != WEIR_OK ? job->result : result;
    }
    return result;
}

// Palettes, and pyramids of sides that halve and that do not: the threads of libweir make them.
static enum weir_result make_others(struct cli_gpu *gpu)
{
    struct cli_reduction reduction;
    enum weir_result result = cli_reduction_init(&reduction, gpu, weir_palette_params(0));
    cli_reduction_finish(&reduction);
    for (uint32_t i = 0; i < 4 && result == WEIR_OK; i++) {
        const uint32_t side = i < 2 ? 2048 : 1919;
        struct cli_pyramid_params params = {.width = side, .height = side};
        struct cli_pyramid run;
        params.levels = weir_pyramid_full_chain(side, side);
        params.format = weir_pyramid_format_get_info(i % 2 ? VK_FORMAT_R8G8B8A8_SRGB
                                                           : VK_FORMAT_R8G8B8A8_UNORM);
        result = cli_pyramid_init(&run, gpu, &params);
        cli_pyramid_finish(&run);
    }
    return result;
}

enum cli_status info_warm(char *const *names, uint32_t device)
{
    struct warm warm = {.num_jobs = 0};
    struct cli_progress progress = {.shown = false};
    struct stat status;
    for (size_t i = 0; names[i]; i++) {
        CLI_USAGE_IF(!add_named(&warm, names[i]), names[i],
                     "no codec has that name; weir texture --help lists them");
    }
    if (!names[0]) {
        add_all(&warm);
    }
    if (cli_gpu_open(&warm.gpu, weir_device_params(.index = device)) != WEIR_OK) {
        return CLI_FAILED;
    }
    cli_progress_start(&progress, false);
    enum weir_result result = make_codecs(&warm, &progress);
    if (result == WEIR_OK && !names[0]) {
        result = make_others(&warm.gpu);
    }
    const double seconds = cli_progress_finish(&progress);
    const struct weir_kernel_file file = warm.gpu.kernels;
    cli_gpu_close(&warm.gpu);
    CLI_FAIL_IF(result == WEIR_OK && stat(file.path, &status) != 0, CLI_FAILED,
                "no kernels are kept in '%s': the driver gives none, or set "
                "XDG_CACHE_HOME to a folder that can be written",
                file.path);
    if (result == WEIR_OK) {
        cli_print(stdout, "%s: %.1f MB, %.1f s\n", file.path, (double)status.st_size / 1e6,
                  seconds);
    }
    return cli_status_of(result);
}
