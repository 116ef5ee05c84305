// SPDX-License-Identifier: MIT
// rows WIDTH HEIGHT MARGIN A B BITS ...: how far A is from B, where both have texels, but for so
// many at the edges. Each is the first frame of an input as the program weir takes it, with so many
// bits a value, or a file *.raw of that size, of packed RGB. Prints lines "INPUT: how it is coded"
// and "A B LARGEST DB": the largest difference in codes of 8 bits, and the ratio of signal to noise
// [dB].
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/files/source/source.h"

struct picture {
    size_t width, height, value_size, num_values; // num_values of a texel
    size_t pitch;
    uint8_t *texels;
};

static bool read_raw(const char *path, struct picture *picture)
{
    const size_t size = 3 * picture->value_size * picture->width * picture->height;
    FILE *file = fopen(path, "rb");
    picture->num_values = 3;
    picture->pitch = 3 * picture->value_size * picture->width;
    picture->texels = malloc(size);
    const bool is_read = file && picture->texels && fread(picture->texels, 1, size, file) == size;
    if (file) {
        fclose(file);
    }
    return is_read;
}

static bool read_frame(char *path, struct picture *picture)
{
    const struct weir_source_params params = {
        .paths = &path, .num_paths = 1, .log = {.print = weir_log_print_stderr}};
    weir_source *source = NULL;
    weir_source_frame *frame = NULL;
    int64_t time_ns = 0;
    bool end = false;
    if (weir_source_open(&params, &source) != WEIR_OK) {
        weir_source_close(&source);
        return false;
    }
    const struct weir_source_info info = weir_source_get_info(source);
    printf("%s: %s\n", path, info.coding);
    if (picture->value_size == 2) {
        weir_source_give_16_bits(source);
    }
    picture->width = info.width;
    picture->height = info.height;
    picture->num_values = 4;
    picture->pitch = (info.width * 4 * picture->value_size + WEIR_SOURCE_ALIGNMENT - 1) /
                     WEIR_SOURCE_ALIGNMENT * WEIR_SOURCE_ALIGNMENT;
    picture->texels = aligned_alloc(WEIR_SOURCE_ALIGNMENT, picture->pitch * info.height);
    const bool is_read = picture->texels && weir_source_frame_create(source, &frame) == WEIR_OK &&
                         weir_source_take(source, frame, &time_ns, &end) == WEIR_OK && !end &&
                         weir_source_frame_convert(frame, picture->texels, picture->pitch) ==
                             WEIR_OK;
    weir_source_frame_destroy(&frame);
    weir_source_close(&source);
    return is_read;
}

static bool read_picture(char *path, struct picture *picture)
{
    const size_t length = strlen(path);
    const bool is_raw = length > 4 && strcmp(path + length - 4, ".raw") == 0;
    return is_raw ? read_raw(path, picture) : read_frame(path, picture);
}

static double code(const struct picture *picture, size_t x, size_t y, size_t channel)
{
    const uint8_t *value = picture->texels + y * picture->pitch +
                           (x * picture->num_values + channel) * picture->value_size;
    uint16_t wide;
    memcpy(&wide, value, picture->value_size);
    return picture->value_size == 1 ? *value : wide / 257.0;
}

static void print_difference(const struct picture *a, const struct picture *b, size_t margin)
{
    const size_t width = a->width < b->width ? a->width : b->width;
    const size_t height = a->height < b->height ? a->height : b->height;
    double largest = 0, sum = 0, num = 0;
    for (size_t y = margin; y + margin < height; y++) {
        for (size_t i = 3 * margin; i < 3 * (width - margin); i++) {
            const double difference = fabs(code(a, i / 3, y, i % 3) - code(b, i / 3, y, i % 3));
            largest = fmax(largest, difference);
            sum += difference * difference;
            num++;
        }
    }
    printf("%.3f %.2f\n", largest, sum > 0 ? 10 * log10(255 * 255 * num / sum) : 999.0);
}

int main(int argc, char **argv)
{
    if (argc < 7 || argc % 3 != 1) {
        return 2;
    }
    for (int i = 4; i < argc; i += 3) {
        const struct picture of_raw = {.width = strtoul(argv[1], NULL, 10),
                                       .height = strtoul(argv[2], NULL, 10),
                                       .value_size = strtoul(argv[i + 2], NULL, 10) / 8};
        struct picture a = of_raw, b = of_raw;
        if (!read_picture(argv[i], &a) || !read_picture(argv[i + 1], &b)) {
            fprintf(stderr, "%s or %s is not read\n", argv[i], argv[i + 1]);
            return 1;
        }
        printf("%s %s ", argv[i], argv[i + 1]);
        print_difference(&a, &b, strtoul(argv[3], NULL, 10));
        free(a.texels);
        free(b.texels);
    }
    return 0;
}
