// SPDX-License-Identifier: MIT
// Which codecs and efforts weir-bench encode measures, and how the blocks of each are compared.
#include "tests/bench/bench.h"
#include "tests/bench/encode/encode.h"

// In the order of their effort.
static const enum weir_effort efforts[] = {WEIR_EFFORT_LIVE, WEIR_EFFORT_FAST, WEIR_EFFORT_DEFAULT,
                                           WEIR_EFFORT_HIGH, WEIR_EFFORT_EXHAUSTIVE};
enum { NUM_EFFORTS = sizeof(efforts) / sizeof(efforts[0]) };

VkFormat bench_source_format(enum bench_source source)
{
    return source == BENCH_LIGHT ? VK_FORMAT_R16G16B16A16_SFLOAT : VK_FORMAT_R8G8B8A8_UNORM;
}

// A name of --codec. "all" has neither.
struct choice {
    const char *name; // NULL: behind the last
    const struct weir_codec_info *info;
    const struct weir_movie_codec_info *movie;
};

// "all", the codecs of movies whose frames are what one kernel writes (BC4 of alpha is no row of
// its own), the codecs of textures. Signed ones have the kernels of the others.
static struct choice choice_at(int index)
{
    size_t num_movies, num_codecs;
    const struct weir_movie_codec_info *movies = weir_movie_codec_list(&num_movies);
    const struct weir_codec_info *codecs = weir_codec_list(&num_codecs);
    if (index-- == 0) {
        return (struct choice){"all", NULL, NULL};
    }
    for (const struct weir_movie_codec_info *movie = movies; movie < movies + num_movies; movie++) {
        if (movie->num_textures == 1 && movie->textures[0] != WEIR_CODEC_BC4 && index-- == 0) {
            return (struct choice){movie->name, weir_codec_get_info(movie->textures[0]), movie};
        }
    }
    for (const struct weir_codec_info *info = codecs; info < codecs + num_codecs; info++) {
        if (!info->is_signed && index-- == 0) {
            return (struct choice){info->name, info, NULL};
        }
    }
    return (struct choice){0};
}

const char *bench_codec_choice(int index)
{
    return choice_at(index).name;
}

const char *bench_effort_choice(int index)
{
    return index == 0 ? "all" : index <= NUM_EFFORTS ? cli_effort_names[efforts[index - 1]] : NULL;
}

// Each once: a movie's codec is one of textures too.
static void add_row(struct bench_result *result, const struct bench_row *row)
{
    for (uint32_t i = 0; i < result->num_rows; i++) {
        struct bench_row *there = &result->rows[i];
        if (there->info == row->info && there->effort == row->effort) {
            there->movie = there->movie ? there->movie : row->movie;
            return;
        }
    }
    result->rows[result->num_rows++] = *row;
}

// A codec without efforts is measured at its only one, whatever was asked. `asked`: by index of the
// choices of efforts.
static void add_codec(struct bench_result *result, const struct choice *choice, const bool *asked)
{
    const struct weir_codec_info *info = choice->info;
    for (int i = 0; i < NUM_EFFORTS; i++) {
        const bool has = efforts[i] == WEIR_EFFORT_LIVE ? info->has_live
                                                        : efforts[i] <= info->max_effort;
        if (!has || (info->max_effort != WEIR_EFFORT_DEFAULT && !asked[0] && !asked[1 + i])) {
            continue;
        }
        const struct weir_block_format *format = weir_block_get_format(info->format);
        add_row(result,
                &(const struct bench_row){
                    .name = choice->name,
                    .info = info,
                    .format = format,
                    .source = format->values == WEIR_BLOCK_FLOAT ? BENCH_LIGHT : BENCH_CODES,
                    .effort = efforts[i],
                    .movie = choice->movie,
                    .is_steady = result->options->steady && info->has_steady,
                    .is_rdo = result->options->quality > 0 && info->has_rdo,
                });
    }
}

void bench_rows_init(struct bench_result *result)
{
    bool codecs[BENCH_MAX_CODECS] = {false}, asked[1 + NUM_EFFORTS] = {false};
    bench_choose(&(const struct cli_option){.choice = bench_codec_choice}, result->options->codecs,
                 codecs);
    bench_choose(&(const struct cli_option){.choice = bench_effort_choice},
                 result->options->efforts, asked);
    for (int i = 1; i < BENCH_MAX_CODECS; i++) {
        const struct choice choice = choice_at(i);
        if (choice.name && (codecs[i] || (codecs[0] && !choice.movie))) {
            add_codec(result, &choice, asked);
        }
    }
}

static enum weir_result open_coder(struct cli_gpu *gpu, const struct bench_row *row, bool steady,
                                   uint32_t quality, struct cli_coder *coder)
{
    return cli_coder_init(
        gpu, bench_source_format(row->source),
        weir_encoder_params(.codec = row->info->codec, .effort = row->effort, .steady = steady),
        quality, false, coder);
}

static enum weir_result open_proxy(struct cli_gpu *gpu, uint32_t level, struct bench_row *row)
{
    struct cli_image like;
    WEIR_TRY(bench_proxy_image_init(gpu, 1, 1, &like));
    const enum weir_result result = cli_coder_init(
        gpu, bench_source_format(row->source),
        weir_encoder_params(.codec = row->info->codec, .effort = row->effort,
                            .proxy_like = like.weir, .proxy_level = level),
        CLI_QUALITY_UNCHANGED, false, &row->proxy);
    cli_image_finish(gpu, &like);
    return result;
}

static enum weir_result open_row(struct cli_gpu *gpu, const struct bench_options *options,
                                 struct bench_row *row)
{
    WEIR_TRY(open_coder(gpu, row, false, CLI_QUALITY_UNCHANGED, &row->coder));
    if (row->is_steady || row->is_rdo) {
        const uint64_t quality = row->is_rdo ? options->quality : CLI_QUALITY_UNCHANGED;
        WEIR_TRY(open_coder(gpu, row, row->is_steady, (uint32_t)quality, &row->timed));
    }
    return options->proxy > 0 && row->info->has_proxy
               ? open_proxy(gpu, (uint32_t)options->proxy, row)
               : WEIR_OK;
}

enum weir_result bench_rows_open(struct cli_gpu *gpu, struct bench_result *result)
{
    enum weir_result status = WEIR_ERROR_UNSUPPORTED;
    for (uint32_t i = 0; i < result->num_rows; i++) {
        struct bench_row *row = &result->rows[i];
        char text[64];
        cli_progress_step(result->progress, i + 1, result->num_rows,
                          bench_row_text(row, text, sizeof(text)));
        const enum weir_result made = open_row(gpu, result->options, row);
        if (made == WEIR_OK) {
            status = WEIR_OK;
        } else if (made != WEIR_ERROR_UNSUPPORTED) {
            return made;
        }
    }
    return status;
}

void bench_rows_close(struct bench_result *result)
{
    for (uint32_t i = 0; i < result->num_rows; i++) {
        cli_coder_finish(&result->rows[i].proxy);
        cli_coder_finish(&result->rows[i].timed);
        cli_coder_finish(&result->rows[i].coder);
    }
}

bool bench_rows_have(const struct bench_result *result, enum bench_source source,
                     uint32_t block_size)
{
    for (uint32_t i = 0; i < result->num_rows; i++) {
        const struct bench_row *row = &result->rows[i];
        if (row->coder.encoder && row->source == source &&
            (block_size == 0 || row->info->block_size == block_size)) {
            return true;
        }
    }
    return false;
}

const char *bench_row_text(const struct bench_row *row, char *text, size_t size)
{
    snprintf(text, size, "%s %s", row->name, cli_effort_names[row->effort]);
    return text;
}
