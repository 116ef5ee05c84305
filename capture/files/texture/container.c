// SPDX-License-Identifier: MIT
// The file formats that hold textures: KTX2, DDS and KTX.
#include "capture/files/texture/container.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "capture/files/block/block.h"

static const struct weir_container *const containers[] = {&weir_ktx2, &weir_dds, &weir_ktx};
enum { NUM_CONTAINERS = sizeof(containers) / sizeof(containers[0]) };

const struct weir_container *weir_container_at(int index)
{
    return index < NUM_CONTAINERS ? containers[index] : NULL;
}

const struct weir_container *weir_container_of_path(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    if (!dot || dot == name) {
        return NULL;
    }
    for (int i = 0; i < NUM_CONTAINERS; i++) {
        if (strcasecmp(dot + 1, containers[i]->name) == 0) {
            return containers[i];
        }
    }
    return NULL;
}

static const struct weir_container *find_by_head(const uint8_t *data, uint64_t size)
{
    for (int i = 0; i < NUM_CONTAINERS; i++) {
        if (containers[i]->matches(data, size)) {
            return containers[i];
        }
    }
    return NULL;
}

enum weir_result weir_texture_read(const struct weir_texture_bytes *bytes,
                                   struct weir_texture *texture)
{
    const struct weir_container *container = find_by_head(bytes->data, bytes->size);
    *texture = (struct weir_texture){0};
    return container
               ? container->read(bytes, texture)
               : weir_texture_refuse(bytes, WEIR_ERROR_DATA,
                                     "it begins as no DDS, KTX or KTX2 file does; name a texture");
}

// FFmpeg's decoder of DDS files has BC1 to BC5.
static bool has_decoder_in_ffmpeg(const struct weir_container *container, VkFormat format)
{
    return container == &weir_dds && format < VK_FORMAT_BC6H_UFLOAT_BLOCK;
}

struct weir_texture_kind weir_texture_identify(const char *path)
{
    uint8_t head[WEIR_DDS_HEADER_SIZE];
    struct stat status;
    FILE *file = stat(path, &status) == 0 && S_ISREG(status.st_mode) ? fopen(path, "rb") : NULL;
    if (!file) {
        return (struct weir_texture_kind){0};
    }
    const size_t size = fread(head, 1, sizeof(head), file);
    fclose(file);
    const struct weir_container *container = find_by_head(head, size);
    if (!container) {
        return (struct weir_texture_kind){0};
    }
    const VkFormat format = container->peek(head, size);
    const struct weir_block_format *block = weir_block_get_format(format);
    if (!block && container == &weir_dds) {
        return (struct weir_texture_kind){0};
    }
    return (struct weir_texture_kind){container, block ? block->name : NULL,
                                      has_decoder_in_ffmpeg(container, format)};
}
