// SPDX-License-Identifier: MIT
// What weir info says of a texture: its format, its size, its images and levels.
#include <inttypes.h>
#include <stdio.h>

#include "capture/files/block/block.h"
#include "capture/weir/common/report.h"
#include "capture/weir/common/texture_file.h"
#include "capture/weir/info/info.h"

bool info_is_texture(const char *path)
{
    VkFormat format;
    return weir_texture_identify(path, &format);
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

enum weir_result info_texture_print(const char *path, struct weir_json *json)
{
    struct cli_texture_file file;
    VkFormat format;
    const struct weir_container *container = weir_texture_identify(path, &format);
    const enum weir_result result = cli_texture_open(&file, "weir info", path, 0);
    if (result == WEIR_OK && container && json) {
        write_texture(json, path, container, &file);
    } else if (result == WEIR_OK && container) {
        print_texture(path, container, &file);
    }
    cli_texture_close(&file);
    return result;
}
