// SPDX-License-Identifier: MIT
// Pictures that another process decodes, as the program has them.
#include <stdlib.h>
#include <string.h>

#include "capture/weir/common/report.h"
#include "capture/weir/decoder/client.h"
#include "capture/weir/decoder/decoder.h"

static enum weir_result start(struct cli_pictures *pictures)
{
    const size_t num = pictures->list ? pictures->list->num_files : 1;
    const char **paths = calloc(num, sizeof(*paths));
    for (size_t i = 0; paths && i < num; i++) {
        paths[i] = pictures->list ? pictures->list->files[i].path : pictures->path;
    }
    const enum weir_result result = paths ? client_start((char *const *)paths, num,
                                                         pictures->max_memory, &pictures->process)
                                          : WEIR_ERROR_OUT_OF_MEMORY;
    free(paths);
    return result;
}

static enum weir_result take(struct cli_pictures *pictures, const char *path,
                             const struct channel_message *reply, struct weir_picture *picture)
{
    *picture = reply->picture;
    const size_t size = picture->pitch * picture->height;
    picture->changes = NULL;
    picture->texels = aligned_alloc(WEIR_SOURCE_ALIGNMENT, size);
    if (!picture->texels) {
        client_finish(&pictures->process); // which has them on its way
        return cli_fail(WEIR_ERROR_OUT_OF_MEMORY, "no memory to read %s", path);
    }
    return client_receive(pictures->process, pictures->process->socket, picture->texels, size);
}

enum weir_result cli_picture_read(struct cli_pictures *pictures, const char *path,
                                  const struct weir_memory_use *memory,
                                  struct weir_picture *picture)
{
    struct channel_message message = {
        .type = CHANNEL_PICTURE, .size = strlen(path), .wanted = {*memory, pictures->still}};
    *picture = (struct weir_picture){0};
    if (pictures->process && pictures->process->is_over) {
        client_finish(&pictures->process);
    }
    if (!pictures->process) {
        WEIR_TRY(start(pictures));
    }
    pictures->process->input = path;
    WEIR_TRY(client_ask_timed(pictures->process, &message,
                              &(const struct client_request){.bytes = path}));
    WEIR_TRY((enum weir_result)message.result);
    return reply_is_picture(&message, memory) ? take(pictures, path, &message, picture)
                                              : client_refuse(pictures->process);
}

void cli_pictures_finish(struct cli_pictures *pictures)
{
    client_finish(&pictures->process);
}
