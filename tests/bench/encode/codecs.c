// SPDX-License-Identifier: MIT
// Which codecs and levels weir-bench encode measures, and how the blocks of each are judged.
#include <stdio.h>
#include <string.h>

#include "tests/bench/encode/encode.h"
#include "capture/weir/common/shared_options.h"
#include "capture/weir/common/texture_codec.h"

// In the order of their effort.
static const enum weir_level levels[] = {WEIR_LEVEL_FAST, WEIR_LEVEL_DEFAULT, WEIR_LEVEL_HIGH,
                                         WEIR_LEVEL_EXHAUSTIVE};
enum { NUM_LEVELS = sizeof(levels) / sizeof(levels[0]) };

// The texture of HAP Q is BC3 as far as its blocks go; its alpha is luma.
static const struct weir_block_format *format_of(enum weir_codec codec)
{
    return weir_block_get_format(codec == WEIR_CODEC_YCOCG_BC3 ? VK_FORMAT_BC3_UNORM_BLOCK
                                                               : texture_codec_of(codec)->format);
}

VkFormat bench_source_format(enum bench_source source)
{
    return source == BENCH_LIGHT ? VK_FORMAT_R16G16B16A16_SFLOAT : VK_FORMAT_R8G8B8A8_UNORM;
}

// The codec of that index among those that there are; NULL after the last. Signed ones have the
// kernels of the others.
static const struct weir_codec_info *codec_at(int index)
{
    for (int value = WEIR_CODEC_DEFAULT + 1; value <= BENCH_MAX_CODECS; value++) {
        const struct weir_codec_info *info = weir_codec_get_info((enum weir_codec)value);
        const bool is_known = info && !info->is_signed &&
                              (info->codec == WEIR_CODEC_YCOCG_BC3 ||
                               texture_codec_of(info->codec));
        if (is_known && index-- == 0) {
            return info;
        }
    }
    return NULL;
}

// "all", the codecs of movies, the codecs of textures.
const char *bench_codec_choice(int index)
{
    if (index-- == 0) {
        return "all";
    }
    for (int i = 0; cli_codec_names[i]; i++) {
        if (index-- == 0) {
            return cli_codec_names[i];
        }
    }
    const struct weir_codec_info *info = codec_at(index);
    return info ? info->name : NULL;
}

const char *bench_level_choice(int index)
{
    return index == 0 ? "all" : index <= NUM_LEVELS ? cli_level_names[levels[index - 1]] : NULL;
}

// Whether a list of names with commas between them begins with this one.
static bool begins_with(const char *list, const char *name)
{
    const size_t length = strcspn(list, ",");
    return strlen(name) == length && strncmp(list, name, length) == 0;
}

// What follows the first name of a list; NULL where nothing does.
static const char *next_of(const char *list)
{
    list = strchr(list, ',');
    return list ? list + 1 : NULL;
}

static bool has_name(const char *list, const char *name)
{
    while (list && !begins_with(list, name)) {
        list = next_of(list);
    }
    return list;
}

// Each once: a movie's codec is one of textures too.
static void add_row(struct bench_result *result, const struct bench_row *row)
{
    for (uint32_t i = 0; i < result->num_rows; i++) {
        struct bench_row *there = &result->rows[i];
        if (there->info == row->info && there->level == row->level) {
            there->is_movie = there->is_movie || row->is_movie;
            return;
        }
    }
    result->rows[result->num_rows++] = *row;
}

// A codec without levels is measured at its only one, whatever was asked.
static void add_codec(struct bench_result *result, const char *name,
                      const struct weir_codec_info *info, bool is_movie)
{
    const char *asked = result->options->levels;
    const bool has_levels = info->max_level != WEIR_LEVEL_DEFAULT;
    for (int i = 0; i < NUM_LEVELS; i++) {
        if (levels[i] > info->max_level) {
            continue;
        }
        const bool wanted = !has_levels || has_name(asked, "all") ||
                            has_name(asked, cli_level_names[levels[i]]);
        const struct weir_block_format *format = format_of(info->codec);
        const struct bench_row row = {
            .name = name,
            .info = info,
            .format = format,
            .num_channels = info->codec == WEIR_CODEC_YCOCG_BC3 ? 3 : format->num_channels,
            .source = format->values == WEIR_BLOCK_FLOAT ? BENCH_LIGHT : BENCH_CODES,
            .level = levels[i],
            .is_movie = is_movie,
        };
        if (wanted) {
            add_row(result, &row);
        }
    }
}

void bench_rows_init(struct bench_result *result)
{
    for (const char *list = result->options->codecs; list; list = next_of(list)) {
        for (int i = 0; cli_codec_names[i]; i++) {
            if (begins_with(list, cli_codec_names[i])) {
                add_codec(result, cli_codec_names[i], weir_codec_get_info(cli_codec(i)), true);
            }
        }
        const bool all = begins_with(list, "all");
        const struct weir_codec_info *info;
        for (int i = 0; (info = codec_at(i)); i++) {
            if (all || begins_with(list, info->name)) {
                add_codec(result, info->name, info, false);
            }
        }
    }
}

enum weir_result bench_rows_open(struct cli_gpu *gpu, struct bench_result *result)
{
    enum weir_result status = WEIR_ERROR_UNSUPPORTED;
    for (uint32_t i = 0; i < result->num_rows; i++) {
        struct bench_row *row = &result->rows[i];
        char text[64];
        cli_progress_step(result->progress, i + 1, result->num_rows,
                          bench_row_text(row, text, sizeof(text)));
        const enum weir_result made = weir_encoder_create(
            gpu->context,
            weir_encoder_params(.codec = row->info->codec, .level = row->level,
                                .format = bench_source_format(row->source)),
            &row->encoder);
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
        weir_encoder_destroy(&result->rows[i].encoder);
    }
}

bool bench_rows_have(const struct bench_result *result, enum bench_source source,
                     uint32_t block_size)
{
    for (uint32_t i = 0; i < result->num_rows; i++) {
        const struct bench_row *row = &result->rows[i];
        if (row->encoder && row->source == source &&
            (block_size == 0 || row->info->block_size == block_size)) {
            return true;
        }
    }
    return false;
}

const char *bench_row_text(const struct bench_row *row, char *text, size_t size)
{
    snprintf(text, size, "%s %s", row->name, cli_level_names[row->level]);
    return text;
}
