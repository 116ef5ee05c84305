// SPDX-License-Identifier: MIT
// weir texture: the pictures of a folder become files of a folder.
#include <stdio.h>

#include "capture/weir/common/folder.h"
#include "capture/weir/texture/texture.h"

static enum weir_result encode(void *user, const char *input, const char *output)
{
    return texture_encode_file(user, input, output);
}

enum weir_result texture_encode_folder(struct texture *texture, const char *input,
                                       const char *output)
{
    struct cli_folder folder;
    enum weir_result result = cli_folder_open(&folder, input, output, texture->container->name,
                                              "textures");
    if (result == WEIR_OK) {
        result = cli_folder_run(&folder, encode, texture);
        printf("%s: %zu of %zu pictures\n", output, folder.num_done, folder.list.num_files);
    }
    cli_folder_close(&folder);
    return result;
}
