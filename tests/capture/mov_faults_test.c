// SPDX-License-Identifier: MIT
// Movies under faults: a kill after frame k, a kill while the index is written, a full disk, paths
// that cannot be written. What was written is there, what was there before stays, nothing else is
// left.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/movie/hap.h"
#include "recover_movie.h"
#include "reference.h"
#include "testing.h"

// Small frames go through the system's cache, large ones past it.
static const struct {
    uint32_t width, height;
} sizes[] = {{256, 144}, {1024, 578}};

static uint32_t width, height, packet_size;
static uint8_t packet_bytes[1024 * 580 + 4];

static void use_size(int i)
{
    width = sizes[i].width;
    height = sizes[i].height;
    const uint32_t size = test_texture_size(width, height);
    test_random_bytes(packet_bytes + 4, size);
    packet_size = 4 + size;
    weir_hap_write_header(packet_bytes + 4, size, 0xaf);
}

// Not in step with the nominal rate: now early, now late.
static uint64_t ticks_of(int frame)
{
    return (uint64_t)frame * 1500 + (uint64_t)(frame % 3) * 700 * (frame > 0);
}

static enum weir_result write_frame(struct weir_mux *mux, int frame)
{
    const struct weir_mux_packet packet = {
        .data = packet_bytes, .size = packet_size, .ticks = ticks_of(frame)};
    return mux->ops->write(mux, &packet);
}

static struct weir_mux *open_movie(const char *path, enum weir_result want)
{
    const struct weir_mux_params params = test_movie(path, width, height);
    struct weir_mux *mux = NULL;
    const enum weir_result result = weir_mux_mov.open(&params, &mux);
    test_expect(result == want, "open '%s': %s (%s)", path, weir_result_name(result),
                test_log_text());
    return result == WEIR_OK ? mux : NULL;
}

static void write_movie(const char *path, int num_frames)
{
    struct weir_mux *mux = open_movie(path, WEIR_OK);
    for (int i = 0; i < num_frames; i++) {
        test_expect(write_frame(mux, i) == WEIR_OK, "frame %d", i);
    }
    test_expect(mux->ops->close(mux) == WEIR_OK, "close");
}

static void expect_times(const char *path, int num_frames)
{
    struct reference reference;
    reference_open(&reference, path);
    const struct reference_stream *frames = reference_stream(&reference, AVMEDIA_TYPE_VIDEO, 0);
    for (int i = 0; i < num_frames && (size_t)i < frames->num_packets; i++) {
        const struct reference_packet *packet = &frames->packets[i];
        if (!test_expect(packet->pts == (int64_t)ticks_of(i) && packet->size == packet_size &&
                             memcmp(frames->bytes + packet->offset, packet_bytes, packet_size) == 0,
                         "frame %d of %d at %lld", i, num_frames, (long long)packet->pts)) {
            break;
        }
    }
    reference_close(&reference);
}

static void write_open_movie(void *user)
{
    const int num_frames = *(const int *)user;
    struct weir_mux *mux = open_movie(test_path("killed.mov"), WEIR_OK);
    for (int i = 0; i < num_frames && mux; i++) {
        write_frame(mux, i);
    }
}

static void test_kill(int num_frames)
{
    const char *path = test_path("killed.mov");
    test_run_killed(write_open_movie, &num_frames);
    reference_expect_frames("killed", path, num_frames);
    expect_times(path, num_frames);
    unlink(path);
}

// Killed between the first byte of the index and the last step: the head is as it was, a part of
// the index stands behind the last frame.
static void test_kill_in_close(void)
{
    enum { NUM_FRAMES = 20, HEAD = 512 };
    const char *path = test_path("closing.mov");
    struct weir_mux *mux = open_movie(path, WEIR_OK);
    for (int i = 0; i < NUM_FRAMES; i++) {
        test_expect(write_frame(mux, i) == WEIR_OK, "frame %d", i);
    }
    struct movie_bytes growing = movie_read(path);
    test_expect(mux->ops->close(mux) == WEIR_OK, "close");
    struct movie_bytes closed = movie_read(path);
    const size_t index = growing.size; // behind the last frame
    test_expect(memcmp(closed.bytes + 20, "\0\0\0\1mdat", 8) == 0, "a closed movie is plain");
    memcpy(closed.bytes, growing.bytes, HEAD);
    for (int round = 0; round < 6; round++) {
        const size_t size = round == 0 ? closed.size : index + test_below(closed.size - index);
        FILE *file = fopen(path, "wb");
        fwrite(closed.bytes, 1, size, file);
        fclose(file);
        struct reference reference; // which may complain of the index
        reference_open(&reference, path);
        test_expect(reference_stream(&reference, AVMEDIA_TYPE_VIDEO, 0)->num_packets == NUM_FRAMES,
                    "%zu bytes of index: %zu frames", size - index,
                    reference_stream(&reference, AVMEDIA_TYPE_VIDEO, 0)->num_packets);
        reference_close(&reference);
        expect_times(path, NUM_FRAMES);
    }
    free(growing.bytes);
    free(closed.bytes);
}

// Write until it fails. Returns how many frames went well.
static int fill_disk(struct weir_mux *mux)
{
    int num = 0;
    enum weir_result result;
    while ((result = write_frame(mux, num)) == WEIR_OK && num < 100000) {
        num++;
    }
    test_expect(result == WEIR_ERROR_DISK_FULL, "full: %s", weir_result_name(result));
    test_expect(write_frame(mux, num) == WEIR_ERROR_DISK_FULL, "full: the failure stays");
    return num;
}

static void expect_whole(const char *path, int num_frames)
{
    test_expect(num_frames > 2, "%d frames fit", num_frames);
    reference_expect_frames("full", path, num_frames);
    expect_times(path, num_frames < 100 ? num_frames : 100);
}

static void test_file_limit(void)
{
    const char *path = test_path("limit.mov");
    for (int i = 0; i < 5; i++) {
        test_limit_files(10 * packet_size + test_below(3 * packet_size));
        const int full_before = test_log_count(WEIR_LOG_CODE_DISK_FULL);
        struct weir_mux *mux = open_movie(path, WEIR_OK);
        const int num = mux ? fill_disk(mux) : 0;
        test_expect(mux && mux->ops->close(mux) == WEIR_ERROR_DISK_FULL, "close repeats it");
        test_expect(test_log_count(WEIR_LOG_CODE_DISK_FULL) == full_before + 1, "told once");
        test_limit_files(0);
        expect_whole(path, num);
    }
    unlink(path);
}

static void fill_and_check(const char *folder)
{
    char path[300], filler[300];
    snprintf(path, sizeof(path), "%s/full.mov", folder);
    snprintf(filler, sizeof(filler), "%s/filler", folder);
    struct weir_mux *mux = open_movie(path, WEIR_OK);
    const int num = fill_disk(mux);
    test_expect(mux->ops->close(mux) == WEIR_ERROR_DISK_FULL, "close repeats it");
    expect_whole(path, num);
    // With no byte left a movie cannot even begin, and the one that is there stays.
    char output[256];
    test_run(output, sizeof(output),
             "dd if=/dev/zero of='%s' bs=4096; dd if=/dev/zero bs=1 of='%s'2", filler, filler);
    const int entries = test_num_entries(folder);
    open_movie(path, WEIR_ERROR_DISK_FULL);
    test_expect(test_num_entries(folder) == entries, "nothing was left on the full disk");
    expect_whole(path, num);
}

static void test_full_tmpfs(void)
{
    const char *folder = test_path("memory");
    char options[32];
    mkdir(folder, 0777);
    snprintf(options, sizeof(options), "size=%u", 20 * packet_size);
    if (mount("weir-test", folder, "tmpfs", 0, options) != 0) {
        printf("no small tmpfs to fill: %s; RLIMIT_FSIZE was tested\n", strerror(errno));
    } else {
        fill_and_check(folder);
        umount(folder);
    }
    rmdir(folder);
}

// A disk whose file system takes direct writes.
static void test_full_ext4(void)
{
    const char *folder = test_path("disk"), *image = test_path("disk.img");
    char output[1024];
    mkdir(folder, 0777);
    if (test_run(output, sizeof(output),
                 "truncate -s 16M '%s' && mkfs.ext4 -q -m 0 '%s' && mount -o loop '%s' '%s'", image,
                 image, image, folder) != 0) {
        printf("no small ext4 to fill: %s", output);
    } else {
        fill_and_check(folder);
        umount(folder);
    }
    rmdir(folder);
    unlink(image);
}

static void test_paths(void)
{
    const char *folder = test_path("folder");
    mkdir(folder, 0777);
    char path[512];
    const int before = test_log_count(WEIR_LOG_CODE_OPEN_FAILED);
    open_movie(test_path("missing/movie.mov"), WEIR_ERROR_IO);
    test_expect(strstr(test_log_text(), "make its folder first"), "remedy: %s", test_log_text());
    open_movie(folder, WEIR_ERROR_IO);
    test_expect(strstr(test_log_text(), "it is a folder"), "remedy: %s", test_log_text());
    snprintf(path, sizeof(path), "%s/new/", folder);
    open_movie(path, WEIR_ERROR_IO);
    fclose(fopen(test_path("file"), "w"));
    open_movie(test_path("file/movie.mov"), WEIR_ERROR_IO);
    snprintf(path, sizeof(path), "%s/%0300d", folder, 0);
    open_movie(path, WEIR_ERROR_IO);
    open_movie("/dev/null", WEIR_ERROR_IO);
    struct stat status;
    test_expect(stat("/dev/null", &status) == 0 && S_ISCHR(status.st_mode), "/dev/null stays");
    test_expect(test_log_count(WEIR_LOG_CODE_OPEN_FAILED) == before + 6, "each is told once");
    test_expect(test_num_entries(folder) == 0, "nothing was left in the folder");
}

// As a user who may not: root may do anything.
static void test_rights(void)
{
    const char *folder = test_path("locked"), *kept = test_path("kept.mov");
    mkdir(folder, 0555);
    write_movie(kept, 3);
    chmod(kept, 0444);
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        if (geteuid() == 0 && setuid(65534) != 0) {
            printf("cannot drop root's rights: not tested\n");
            exit(0);
        }
        char path[300];
        snprintf(path, sizeof(path), "%s/movie.mov", folder);
        const bool is_refused = !open_movie(path, WEIR_ERROR_IO) &&
                                test_expect(strstr(test_log_text(), "ermission"), "%s",
                                            test_log_text()) &&
                                !open_movie(kept, WEIR_ERROR_IO);
        fflush(stdout);
        _exit(is_refused ? 0 : 1);
    }
    test_expect(test_wait(child) == 0, "without rights: refused");
    test_expect(test_num_entries(folder) == 0, "nothing was left in the locked folder");
    test_expect(reference_count_frames(kept) == 3, "a read-only movie stays");
    unlink(kept);
}

static void test_replacing(void)
{
    const char *path = test_path("old.mov");
    write_movie(path, 5);
    const int no_frames = test_log_count(WEIR_LOG_CODE_NO_FRAMES);
    struct weir_mux *mux = open_movie(path, WEIR_OK);
    test_expect(reference_count_frames(path) == 5, "opened: the old movie is still there");
    test_expect(mux->ops->close(mux) == WEIR_OK, "close without a frame");
    test_expect(reference_count_frames(path) == 5, "closed without a frame: the old movie stays");
    test_expect(test_log_count(WEIR_LOG_CODE_NO_FRAMES) == no_frames + 1, "and it is told");
    mux = open_movie(path, WEIR_OK);
    write_frame(mux, 0);
    test_expect(reference_count_frames(path) == 1, "the first frame replaces it");
    mux->ops->close(mux);
    // Through a link the file behind it is replaced, and the link stays.
    const char *link = test_path("link.mov");
    test_expect(symlink("old.mov", link) == 0, "link");
    write_movie(link, 7);
    struct stat status;
    test_expect(lstat(link, &status) == 0 && S_ISLNK(status.st_mode), "the link stays");
    test_expect(reference_count_frames(path) == 7, "the file behind the link is the new movie");
    const char *fresh = test_path("fresh.mov");
    mux = open_movie(fresh, WEIR_OK);
    mux->ops->close(mux);
    test_expect(!test_file_exists(fresh), "no frame, no file");
    unlink(path);
    unlink(link);
}

int main(void)
{
    for (int i = 0; i < 2; i++) {
        use_size(i);
        const int kills[] = {1, 2, 10, 61};
        for (int k = 0; k < 4; k++) {
            test_kill(kills[k]);
        }
        test_kill_in_close();
        test_file_limit();
        test_full_tmpfs();
        test_full_ext4();
    }
    use_size(0);
    test_paths();
    test_rights();
    test_replacing();
    char output[1024];
    test_run(output, sizeof(output), "find '%s' -name '.weir*'", test_path("."));
    test_expect(output[0] == '\0', "left behind: %s", output);
    return test_finish();
}
