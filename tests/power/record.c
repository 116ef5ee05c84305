// SPDX-License-Identifier: MIT
// Records a movie at a rate, and writes down when the disk has promised to have how much of it.
//
// power_record MOVIE LOG SIDE FPS SECONDS SYNC_MS: frames of SIDE x SIDE texels. The log has a line
// for each frame that was written, "frame K NS", and for each sync that has ended, "sync K NS": it
// began when K frames were written. At the end of close it has "closed K NS". The last line printed
// has the number of frames, how many were late by more than a frame, the time that all of them took
// and the longest that one took to be written. A rate of 100000 is as fast as it goes.
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "capture/base/clock.h"
#include "capture/movie/hap.h"
#include "tests/capture/testing.h"

static int report;
static atomic_int num_written;
static atomic_bool has_name; // the folder was synced after the movie got its name in it

int __real_fdatasync(int fd);
int __wrap_fdatasync(int fd);
int __real_fsync(int fd);
int __wrap_fsync(int fd);

static void note(const char *what, int num)
{
    dprintf(report, "%s %d %llu\n", what, num, (unsigned long long)weir_clock_ns());
}

int __wrap_fdatasync(int fd)
{
    const int num = num_written;
    const bool counts = has_name;
    const int result = __real_fdatasync(fd);
    if (result == 0 && counts) {
        note("sync", num);
    }
    return result;
}

int __wrap_fsync(int fd)
{
    struct stat status;
    const int result = __real_fsync(fd);
    has_name = has_name || (result == 0 && fstat(fd, &status) == 0 && S_ISDIR(status.st_mode));
    return result;
}

static void wait_until(uint64_t ns)
{
    const struct timespec time = {.tv_sec = (time_t)(ns / 1000000000u),
                                  .tv_nsec = (long)(ns % 1000000000u)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR) {
    }
}

static void record(struct weir_mux *mux, uint32_t side, double fps, double seconds)
{
    const uint32_t size = test_texture_size(side, side);
    uint8_t *bytes = malloc(size + 4);
    test_random_bytes(bytes + 4, size & ~7u);
    weir_hap_write_header(bytes + 4, size, 0xaf);
    const uint64_t begin_ns = weir_clock_ns();
    const double frame_ns = 1e9 / fps;
    uint64_t longest_ns = 0;
    int num_late = 0;
    for (int i = 0; i < (int)(fps * seconds); i++) {
        const uint64_t due_ns = begin_ns + (uint64_t)(i * frame_ns);
        wait_until(due_ns);
        bytes[100] = (uint8_t)i; // no two neighbours are the same
        const struct weir_mux_packet packet = {
            .data = bytes, .size = size + 4, .ticks = (uint64_t)(i * 90000 / fps)};
        const uint64_t write_ns = weir_clock_ns();
        if (!test_expect(mux->ops->write(mux, &packet) == WEIR_OK, "frame %d: %s", i,
                         test_log_text())) {
            break;
        }
        note("frame", ++num_written);
        const uint64_t now_ns = weir_clock_ns();
        num_late += (double)(now_ns - due_ns) > frame_ns;
        longest_ns = now_ns - write_ns > longest_ns ? now_ns - write_ns : longest_ns;
    }
    printf("%d frames, %d late, %.2f s, at most %.1f ms\n", num_written, num_late,
           (double)(weir_clock_ns() - begin_ns) / 1e9, (double)longest_ns / 1e6);
    free(bytes);
}

int main(int argc, char **argv)
{
    if (argc != 7) {
        fputs("usage: power_record MOVIE LOG SIDE FPS SECONDS SYNC_MS\n", stderr);
        return 2;
    }
    const uint32_t side = (uint32_t)atoi(argv[3]);
    report = open(argv[2], O_WRONLY | O_CREAT | O_APPEND | O_TRUNC, 0666);
    struct weir_mux_params params = test_movie(argv[1], side, side);
    params.sync_ns = strtoull(argv[6], NULL, 10) * 1000000;
    struct weir_mux *mux = NULL;
    if (report < 0 || weir_mux_mov.open(&params, &mux) != WEIR_OK) {
        fprintf(stderr, "power_record: cannot record: %s\n", test_log_text());
        return 1;
    }
    record(mux, side, atof(argv[4]), atof(argv[5]));
    test_expect(mux->ops->close(mux) == WEIR_OK, "close: %s", test_log_text());
    note("closed", num_written);
    return test_finish();
}
