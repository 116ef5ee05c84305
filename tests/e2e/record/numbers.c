// SPDX-License-Identifier: MIT
// e2e_numbers MOVIE...: what FFmpeg's programs read of movies of e2e_present. For each frame a
// line with its number, its time in nanoseconds, its size, and the largest difference of a patch
// from its colour in codes of 8 bits; "?" is the number of a picture that does not say one.
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "picture.h"

enum { BLACK = 48, WHITE = 207 };

struct frame {
    uint32_t width, height;
    uint8_t (*texels)[3]; // R, G and B of 8 bits
};

// The mean of the middle of a part, whose edges may share blocks with others.
static int mean(const struct frame *frame, const struct picture_rect *part, int channel)
{
    const uint32_t left = part->x + part->width / 4, top = part->y + part->height / 4;
    const uint32_t width = part->width / 2, height = part->height / 2;
    uint64_t sum = 0;
    for (uint32_t y = top; y < top + height; y++) {
        for (uint32_t x = left; x < left + width; x++) {
            sum += frame->texels[(size_t)y * frame->width + x][channel];
        }
    }
    return (int)((sum + width * height / 2) / (width * height));
}

// False: a cell is neither black nor white.
static bool read_number(const struct frame *frame, uint32_t *number)
{
    *number = 0;
    for (unsigned i = 0; i < PICTURE_CELLS; i++) {
        const struct picture_rect part = picture_rect(frame->width, frame->height, 0, i);
        for (int c = 0; c < 3; c++) {
            const int code = mean(frame, &part, c);
            const uint32_t bit = code > WHITE;
            if ((code > BLACK && code <= WHITE) || (c > 0 && bit != (*number >> i & 1))) {
                return false;
            }
            *number |= bit << i;
        }
    }
    return true;
}

static int worst_patch(const struct frame *frame)
{
    int worst = 0;
    for (unsigned i = PICTURE_CELLS; i < PICTURE_RECTS; i++) {
        const struct picture_rect part = picture_rect(frame->width, frame->height, 0, i);
        for (int c = 0; c < 3; c++) {
            const int difference = abs(mean(frame, &part, c) - part.codes[c]);
            worst = difference > worst ? difference : worst;
        }
    }
    return worst;
}

static void print_frame(const struct frame *frame, uint64_t time_ns)
{
    uint32_t number;
    if (read_number(frame, &number)) {
        printf("%" PRIu32, number);
    } else {
        printf("?");
    }
    printf(" %" PRIu64 " %" PRIu32 "x%" PRIu32 " %d\n", time_ns, frame->width, frame->height,
           worst_patch(frame));
}

// What a program says of a movie.
static FILE *ask(const char *program, const char *path, const char *output)
{
    char command[1024];
    snprintf(command, sizeof(command), "%s -v error -i '%s' %s", program, path, output);
    FILE *answer = popen(command, "r");
    if (!answer) {
        exit(1);
    }
    return answer;
}

static bool print_frames(struct frame *frame, uint64_t ticks_per_second, const char *path)
{
    FILE *times = ask("ffprobe -select_streams v:0 -show_entries packet=pts -of csv=p=0", path, "");
    FILE *frames = ask("ffmpeg -nostdin", path,
                       "-map v:0 -fps_mode passthrough -f rawvideo -pix_fmt rgb24 -");
    const size_t num_texels = (size_t)frame->width * frame->height;
    uint64_t ticks;
    bool is_good = true;
    while (is_good && fread(frame->texels, 3, num_texels, frames) == num_texels) {
        is_good = fscanf(times, "%" SCNu64 "%*[^\n]", &ticks) >= 1;
        print_frame(frame, (uint64_t)(1e9 * (double)ticks / (double)ticks_per_second + 0.5));
    }
    is_good = is_good && fscanf(times, "%" SCNu64, &ticks) != 1; // all packets were decoded
    const int statuses[2] = {pclose(times), pclose(frames)};
    return is_good && statuses[0] == 0 && statuses[1] == 0;
}

static bool print_file(const char *path)
{
    struct frame frame;
    uint64_t ticks_per_second;
    FILE *facts = ask("ffprobe -select_streams v:0 -show_entries stream=width,height,time_base "
                      "-of csv=p=0",
                      path, "");
    bool is_good = fscanf(facts, "%" SCNu32 ",%" SCNu32 ",1/%" SCNu64, &frame.width, &frame.height,
                          &ticks_per_second) == 3;
    is_good = pclose(facts) == 0 && is_good && frame.width >= PICTURE_MIN_WIDTH &&
              frame.height >= PICTURE_MIN_HEIGHT;
    if (is_good) {
        frame.texels = malloc((size_t)frame.width * frame.height * sizeof(*frame.texels));
        is_good = frame.texels && print_frames(&frame, ticks_per_second, path);
        free(frame.texels);
    }
    if (!is_good) {
        fprintf(stderr, "e2e_numbers: %s is no movie that FFmpeg reads\n", path);
    }
    return is_good;
}

int main(int argc, char **argv)
{
    if (argc < 2 || argv[1][0] == '-') {
        printf("Usage: e2e_numbers MOVIE...\n"
               "Prints number, time in nanoseconds, size and worst difference of a colour of each "
               "frame that e2e_present presented.\n");
        return argc == 2 ? 0 : 2;
    }
    for (int i = 1; i < argc; i++) {
        if (!print_file(argv[i])) {
            return 1;
        }
    }
    return 0;
}
