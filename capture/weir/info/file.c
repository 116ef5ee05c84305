// SPDX-License-Identifier: MIT
// What weir info says of a file: of a movie its pictures, its audio tracks, and its place in a
// recording; of a texture its format, its size, its images and levels.
#include "capture/weir/info/info.h"

#include <inttypes.h>
#include <stdio.h>

#include "capture/files/block/block.h"
#include "capture/movie/hap.h"
#include "capture/weir/common/movie.h"
#include "capture/weir/common/report.h"
#include "capture/weir/common/shared_options.h"
#include "capture/weir/common/texture_file.h"

// Print or write what audio is compressed.
static void tell_of_others(const struct weir_movie_found *found, struct weir_json *json)
{
    for (uint32_t i = 0; i < found->num_others; i++) {
        const struct weir_movie_audio *audio = &found->others[i];
        const struct cli_fourcc codec = cli_fourcc_of(audio->tag);
        const double seconds = (double)audio->num_samples / audio->sample_rate;
        if (!json) {
            printf("  audio %" PRIu32 ": compressed sound, %s, %" PRIu32 " Hz, %" PRIu32
                   " channel%s, %.3f s\n",
                   found->movie.num_audio + i + 1, codec.text, audio->sample_rate,
                   audio->num_channels, audio->num_channels == 1 ? "" : "s", seconds);
            continue;
        }
        weir_json_begin_object(json, NULL);
        weir_json_text(json, "codec", codec.text);
        weir_json_integer(json, "sample_rate", audio->sample_rate);
        weir_json_integer(json, "channels", audio->num_channels);
        weir_json_number(json, "seconds", seconds);
        weir_json_end_object(json);
    }
}

static void print_movie(const struct cli_movie_file *info)
{
    const struct weir_movie *movie = &info->found.movie;
    const struct weir_movie_pictures *pictures = &movie->pictures;
    cli_print(stdout, "%s: %s, %ux%u", info->path, weir_hap_codec_of_tag(pictures->tag)->name,
              pictures->width, pictures->height);
    cli_movie_print_segment(movie);
    if (info->found.is_fragmented) {
        puts(", not closed: weir recover says what is in it");
    } else {
        printf(", %" PRIu32 " frame%s, %.3f s\n", pictures->num_frames,
               pictures->num_frames == 1 ? "" : "s", cli_movie_seconds(movie));
        cli_movie_print_audio(movie);
        tell_of_others(&info->found, NULL);
    }
    cli_movie_print_timecode(movie);
    cli_movie_print_chapters(movie);
}

static void write_movie(struct weir_json *json, const struct cli_movie_file *info)
{
    const struct weir_movie *movie = &info->found.movie;
    weir_json_begin_object(json, NULL);
    cli_movie_file_json(json, info);
    cli_movie_json_segment(json, &movie->segment);
    cli_movie_json_timecode(json, movie);
    cli_movie_json_audio(json, movie);
    weir_json_begin_array(json, "compressed_audio");
    tell_of_others(&info->found, json);
    weir_json_end_array(json);
    cli_movie_json_chapters(json, movie);
    weir_json_end_object(json);
}

static enum weir_result show_movie(const char *path, struct weir_json *json)
{
    struct cli_movie_file movie;
    const enum weir_result result = cli_movie_file_read(&movie, "weir info", path);
    if (result == WEIR_OK && json) {
        write_movie(json, &movie);
    } else if (result == WEIR_OK) {
        print_movie(&movie);
    }
    cli_movie_file_finish(&movie);
    return result;
}

static void print_texture(const char *path, const struct weir_container *container,
                          const struct cli_texture_file *file)
{
    const struct weir_texture *texture = &file->texture;
    char images[64], swizzle[32] = "";
    if (texture->swizzle[0] != 0) {
        snprintf(swizzle, sizeof(swizzle), ", channels read as %s", texture->swizzle);
    }
    cli_print(stdout, "%s: %s, %ux%u, %s%s, %u mip level%s, %" PRIu64 " bytes%s%s%s%s\n", path,
              container->name, texture->width, texture->height,
              cli_texture_describe_images(texture, images),
              weir_block_get_format(texture->format)->name, texture->num_levels,
              texture->num_levels == 1 ? "" : "s", file->size,
              texture->owned ? ", compressed by Zstandard" : "",
              texture->is_premultiplied ? ", colours multiplied by alpha" : "",
              texture->is_bottom_up ? ", rows from the bottom" : "", swizzle);
}

static void write_texture(struct weir_json *json, const char *path,
                          const struct weir_container *container,
                          const struct cli_texture_file *file)
{
    const struct weir_texture *texture = &file->texture;
    weir_json_begin_object(json, NULL);
    weir_json_text(json, "path", path);
    weir_json_text(json, "container", container->name);
    weir_json_text(json, "format", weir_block_get_format(texture->format)->name);
    weir_json_integer(json, "width", texture->width);
    weir_json_integer(json, "height", texture->height);
    weir_json_integer(json, "levels", texture->num_levels);
    weir_json_integer(json, "layers", texture->num_layers);
    weir_json_integer(json, "faces", texture->is_cube ? WEIR_TEXTURE_FACES : 1);
    weir_json_bool(json, "zstd", texture->owned);
    weir_json_bool(json, "premultiplied", texture->is_premultiplied);
    weir_json_bool(json, "bottom_up", texture->is_bottom_up);
    weir_json_text(json, "swizzle", texture->swizzle[0] != 0 ? texture->swizzle : NULL);
    weir_json_integer(json, "bytes", file->size);
    weir_json_end_object(json);
}

static enum weir_result show_texture(const char *path, const struct weir_container *container,
                                     struct weir_json *json)
{
    struct cli_texture_file file;
    const enum weir_result result = cli_texture_open(&file, "weir info", path, 0);
    if (result == WEIR_OK && json) {
        write_texture(json, path, container, &file);
    } else if (result == WEIR_OK) {
        print_texture(path, container, &file);
    }
    cli_texture_close(&file);
    return result;
}

enum weir_result info_file_print(const char *path, struct weir_json *json)
{
    VkFormat format;
    const struct weir_container *container = weir_texture_identify(path, &format);
    return container ? show_texture(path, container, json) : show_movie(path, json);
}
