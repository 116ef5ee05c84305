// SPDX-License-Identifier: MIT
// Which codecs and efforts weir-bench encode measures, and how the blocks of each are judged.
#include <stdio.h>
#include <string.h>

#include "capture/weir/common/choice.h"
#include "capture/weir/common/shared_options.h"
#include "tests/bench/encode/encode.h"

// In the order of their effort.
static const enum weir_effort efforts[] = {WEIR_EFFORT_LIVE, WEIR_EFFORT_FAST, WEIR_EFFORT_DEFAULT,
                                           WEIR_EFFORT_HIGH, WEIR_EFFORT_EXHAUSTIVE};
enum { NUM_EFFORTS = sizeof(efforts) / sizeof(efforts[0]) };

// The texture of HAP Q is BC3 as far as its blocks go; its alpha is luma.
static const struct weir_block_format *format_of(enum weir_codec codec)
{
    return weir_block_get_format(weir_codec_get_info(codec)->format);
}

VkFormat bench_source_format(enum bench_source source)
{
    return source == BENCH_LIGHT ? VK_FORMAT_R16G16B16A16_SFLOAT : VK_FORMAT_R8G8B8A8_UNORM;
}

// The codec of that index among those that there are; NULL after the last. Signed ones have the
// kernels of the others.
static const struct weir_codec_info *codec_at(int index)
{
    size_t num_codecs;
    const struct weir_codec_info *codecs = weir_codec_list(&num_codecs);
    for (size_t i = 0; i < num_codecs; i++) {
        if (!codecs[i].is_signed && index-- == 0) {
            return &codecs[i];
        }
    }
    return NULL;
}

// The codec of movies of that index whose frames are what one kernel writes; NULL after the last.
// BC4 of alpha is no row of its own.
static const struct weir_movie_codec_info *movie_at(int index)
{
    size_t num_movies;
    const struct weir_movie_codec_info *movies = weir_movie_codec_list(&num_movies);
    for (size_t i = 0; i < num_movies; i++) {
        if (movies[i].num_textures == 1 && movies[i].textures[0] != WEIR_CODEC_BC4 &&
            index-- == 0) {
            return &movies[i];
        }
    }
    return NULL;
}

static int num_movies(void)
{
    int num = 0;
    while (movie_at(num)) {
        num++;
    }
    return num;
}

// "all", the codecs of movies, the codecs of textures.
const char *bench_codec_choice(int index)
{
    if (index-- == 0) {
        return "all";
    }
    const struct weir_movie_codec_info *movie = movie_at(index);
    if (movie) {
        return movie->name;
    }
    const struct weir_codec_info *info = codec_at(index - num_movies());
    return info ? info->name : NULL;
}

const char *bench_effort_choice(int index)
{
    return index == 0 ? "all" : index <= NUM_EFFORTS ? cli_effort_names[efforts[index - 1]] : NULL;
}

// True if the first name of a comma-separated list means `name` among those of `choice`.
static bool begins_with(const char *list, const char *name, const char *(*choice)(int index))
{
    const struct cli_option option = {.choice = choice};
    const int index = cli_choice_find(&option, list, strcspn(list, ","));
    return index >= 0 && strcmp(choice(index), name) == 0;
}

// Get the list without its first name; NULL if it has one name only.
static const char *next_of(const char *list)
{
    list = strchr(list, ',');
    return list ? list + 1 : NULL;
}

static bool has_effort(const char *list, const char *name)
{
    while (list && !begins_with(list, name, bench_effort_choice)) {
        list = next_of(list);
    }
    return list;
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

// A codec without efforts is measured at its only one, whatever was asked.
static void add_codec(struct bench_result *result, const char *name,
                      const struct weir_codec_info *info, const struct weir_movie_codec_info *movie)
{
    const char *asked = result->options->efforts;
    const bool has_efforts = info->max_effort != WEIR_EFFORT_DEFAULT;
    for (int i = 0; i < NUM_EFFORTS; i++) {
        if (efforts[i] == WEIR_EFFORT_LIVE ? !info->has_live : efforts[i] > info->max_effort) {
            continue;
        }
        const bool wanted = !has_efforts || has_effort(asked, "all") ||
                            has_effort(asked, cli_effort_names[efforts[i]]);
        const struct weir_block_format *format = format_of(info->codec);
        const struct bench_row row = {
            .name = name,
            .info = info,
            .format = format,
            .num_channels = info->num_channels,
            .source = format->values == WEIR_BLOCK_FLOAT ? BENCH_LIGHT : BENCH_CODES,
            .effort = efforts[i],
            .is_steady = result->options->steady && info->has_steady,
            .has_proxy = result->options->proxy > 0 && info->has_proxy,
            .movie = movie,
        };
        if (wanted) {
            add_row(result, &row);
        }
    }
}

void bench_rows_init(struct bench_result *result)
{
    for (const char *list = result->options->codecs; list; list = next_of(list)) {
        const struct weir_movie_codec_info *movie;
        for (int i = 0; (movie = movie_at(i)); i++) {
            if (begins_with(list, movie->name, bench_codec_choice)) {
                add_codec(result, movie->name, weir_codec_get_info(movie->textures[0]), movie);
            }
        }
        const bool all = begins_with(list, "all", bench_codec_choice);
        const struct weir_codec_info *info;
        for (int i = 0; (info = codec_at(i)); i++) {
            if (all || begins_with(list, info->name, bench_codec_choice)) {
                add_codec(result, info->name, info, NULL);
            }
        }
    }
}

static enum weir_result open_coder(struct cli_gpu *gpu, const struct bench_row *row, bool steady,
                                   uint32_t quality, struct cli_coder *coder)
{
    return cli_coder_init(
        gpu, bench_source_format(row->source),
        weir_encoder_params(.codec = row->info->codec, .effort = row->effort, .steady = steady),
        quality, coder);
}

static enum weir_result open_proxy(struct cli_gpu *gpu, uint32_t level, struct bench_row *row)
{
    struct cli_image like;
    enum weir_result result = cli_image_init_written(gpu, VK_FORMAT_R8G8B8A8_SRGB, 1, 1, &like);
    if (result == WEIR_OK) {
        result = cli_coder_init(gpu, bench_source_format(row->source),
                                weir_encoder_params(.codec = row->info->codec,
                                                    .effort = row->effort, .proxy_like = like.weir,
                                                    .proxy_level = level),
                                CLI_QUALITY_UNCHANGED, &row->proxy);
        cli_image_finish(gpu, &like);
    }
    return result;
}

static enum weir_result open_row(struct cli_gpu *gpu, const struct bench_options *options,
                                 struct bench_row *row)
{
    enum weir_result result = open_coder(gpu, row, false, CLI_QUALITY_UNCHANGED, &row->coder);
    row->is_rdo = options->quality > 0 && row->info->has_rdo;
    if (result == WEIR_OK && (row->is_steady || row->is_rdo)) {
        result = open_coder(gpu, row, row->is_steady,
                            row->is_rdo ? options->quality : CLI_QUALITY_UNCHANGED, &row->timed);
    }
    if (result == WEIR_OK && row->has_proxy) {
        result = open_proxy(gpu, (uint32_t)options->proxy, row);
    }
    return result;
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
