// SPDX-License-Identifier: MIT
// rows INPUT OUTPUT BITS ...: writes the first frame of each as the program weir takes it, as
// packed RGB of 8 or 16 bits, and prints a line "INPUT: how it is coded".
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/files/source/source.h"

static bool write_rows(FILE *file, const uint8_t *pixels, size_t pitch, size_t value_size,
                       const struct weir_source_info *info)
{
    for (uint32_t y = 0; y < info->height; y++) {
        for (uint32_t x = 0; x < info->width; x++) {
            const uint8_t *texel = pixels + y * pitch + x * 4 * value_size;
            if (fwrite(texel, value_size, 3, file) != 3) {
                return false;
            }
        }
    }
    return true;
}

static bool write_frame(char *input, const char *output, size_t value_size)
{
    const struct weir_source_params params = {
        .paths = &input, .num_paths = 1, .log = {.print = weir_log_print_stderr}};
    weir_source *source = NULL;
    if (weir_source_open(&params, &source) != WEIR_OK) {
        return false;
    }
    const struct weir_source_info info = weir_source_get_info(source);
    printf("%s: %s\n", input, info.coding);
    if (value_size == 2) {
        weir_source_give_16_bits(source);
    }
    const size_t pitch = (info.width * 4 * value_size + WEIR_SOURCE_ALIGNMENT - 1) /
                         WEIR_SOURCE_ALIGNMENT * WEIR_SOURCE_ALIGNMENT;
    uint8_t *pixels = aligned_alloc(WEIR_SOURCE_ALIGNMENT, pitch * info.height);
    FILE *file = fopen(output, "wb");
    weir_source_frame *frame = NULL;
    int64_t time_ns = 0;
    bool end = false;
    const bool is_written = pixels && file && weir_source_frame_create(source, &frame) == WEIR_OK &&
                            weir_source_take(source, frame, &time_ns, &end) == WEIR_OK && !end &&
                            weir_source_frame_convert(frame, pixels, pitch) == WEIR_OK &&
                            write_rows(file, pixels, pitch, value_size, &info);
    const bool is_closed = file && fclose(file) == 0;
    weir_source_frame_destroy(&frame);
    free(pixels);
    weir_source_close(&source);
    return is_written && is_closed;
}

int main(int argc, char **argv)
{
    if (argc < 4 || argc % 3 != 1) {
        return 2;
    }
    for (int i = 1; i < argc; i += 3) {
        if (!write_frame(argv[i], argv[i + 1], strcmp(argv[i + 2], "16") == 0 ? 2 : 1)) {
            return 1;
        }
    }
    return 0;
}
