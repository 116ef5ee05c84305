// SPDX-License-Identifier: MIT
// The file formats that hold textures: KTX2, DDS and KTX.
#include "capture/files/texture/container.h"

#include <string.h>
#include <strings.h>

#include "capture/files/texture/dds.h"
#include "capture/files/texture/ktx.h"
#include "capture/files/texture/ktx2.h"

static const struct weir_container containers[] = {
    {"ktx2", true, weir_ktx2_holds, weir_ktx2_write, weir_ktx2_matches, weir_ktx2_read},
    {"dds", true, weir_dds_holds, weir_dds_write, weir_dds_matches, weir_dds_read},
    {"ktx", false, weir_ktx_holds, weir_ktx_write, weir_ktx_matches, weir_ktx_read},
};
enum { NUM_CONTAINERS = sizeof(containers) / sizeof(containers[0]) };

const struct weir_container *weir_container_at(int index)
{
    return index < NUM_CONTAINERS ? &containers[index] : NULL;
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
        if (strcasecmp(dot + 1, containers[i].name) == 0) {
            return &containers[i];
        }
    }
    return NULL;
}

enum weir_result weir_texture_read(const struct weir_texture_bytes *bytes,
                                   struct weir_texture *texture)
{
    for (int i = 0; i < NUM_CONTAINERS; i++) {
        if (containers[i].matches(bytes->data, bytes->size)) {
            return containers[i].read(bytes, texture);
        }
    }
    return weir_texture_refuse(bytes, WEIR_ERROR_DATA,
                               "it begins as no DDS, KTX or KTX2 file does; name a texture");
}
