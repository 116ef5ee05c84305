// SPDX-License-Identifier: MIT
// raw_difference A B WIDTH HEIGHT BYTES MARGIN: how far two pictures of packed RGB, of 1 or 2 bytes
// a value, are from each other, without so many texels at the edges. Prints the largest difference
// in codes of 8 bits, and the ratio of signal to noise [dB].
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint8_t *read_file(const char *path, size_t size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = malloc(size);
    if (!file || !bytes || fread(bytes, 1, size, file) != size) {
        fprintf(stderr, "%s does not hold %zu bytes\n", path, size);
        exit(1);
    }
    fclose(file);
    return bytes;
}

static double code(const uint8_t *bytes, size_t at, size_t value_size)
{
    uint16_t wide = 0;
    if (value_size == 1) {
        return bytes[at];
    }
    memcpy(&wide, bytes + 2 * at, sizeof(wide));
    return wide / 257.0;
}

int main(int argc, char **argv)
{
    if (argc != 7) {
        return 2;
    }
    const size_t width = strtoul(argv[3], NULL, 10), height = strtoul(argv[4], NULL, 10);
    const size_t value_size = strtoul(argv[5], NULL, 10), margin = strtoul(argv[6], NULL, 10);
    uint8_t *a = read_file(argv[1], 3 * width * height * value_size);
    uint8_t *b = read_file(argv[2], 3 * width * height * value_size);
    double largest = 0, sum = 0, num = 0;
    for (size_t y = margin; y + margin < height; y++) {
        for (size_t i = 3 * margin; i < 3 * (width - margin); i++) {
            const size_t at = 3 * y * width + i;
            const double difference = fabs(code(a, at, value_size) - code(b, at, value_size));
            largest = fmax(largest, difference);
            sum += difference * difference;
            num++;
        }
    }
    printf("%.3f %.2f\n", largest, sum > 0 ? 10 * log10(255 * 255 * num / sum) : 999.0);
    free(a);
    free(b);
    return 0;
}
