// SPDX-License-Identifier: MIT
// A disk with a volatile cache whose power can be cut: a FUSE folder with one file, `disk`, which a
// loop device makes a disk of. What is written to it is lost until it is flushed (fsync).
//
// power_disk FOLDER MIB IMAGES SEED: mounts FOLDER. `mkdir FOLDER/N` cuts the power: IMAGES/N.img
// becomes what the disk has then, for an even N without anything that was not flushed, for an odd N
// with a random half of the blocks of it, as a disk may store them in any order. IMAGES/N.time gets
// the time of the cut [ns, CLOCK_MONOTONIC] before the image has its name. The disk goes on.
#define FUSE_USE_VERSION 31
#include <fuse.h>

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { BLOCK = 4096 };
#define FLUSH_NS 10000000 // how long a flush takes: that of an SSD

static uint8_t *cache, *stored; // what was written; what was flushed
static uint8_t *state;          // of each block
enum { UNTOUCHED, STORED, DIRTY };
static size_t num_blocks;
static const char *images;
static uint64_t seed;

static uint64_t next_random(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return seed >> 33;
}

static bool is_disk(const char *path)
{
    return strcmp(path, "/disk") == 0;
}

static int get_attributes(const char *path, struct stat *status, struct fuse_file_info *info)
{
    (void)info;
    *status = (struct stat){.st_mode = S_IFDIR | 0755, .st_nlink = 2};
    if (is_disk(path)) {
        status->st_mode = S_IFREG | 0600;
        status->st_nlink = 1;
        status->st_size = (off_t)(num_blocks * BLOCK);
    } else if (strcmp(path, "/") != 0) {
        char image[512];
        snprintf(image, sizeof(image), "%s%s.time", images, path);
        return access(image, F_OK) == 0 ? 0 : -ENOENT;
    }
    return 0;
}

static int open_disk(const char *path, struct fuse_file_info *info)
{
    info->direct_io = 1; // the kernel keeps nothing
    return is_disk(path) ? 0 : -ENOENT;
}

static size_t clamp(size_t size, off_t offset)
{
    const size_t rest = num_blocks * BLOCK - (size_t)offset;
    return size < rest ? size : rest;
}

static int read_disk(const char *path, char *data, size_t size, off_t offset,
                     struct fuse_file_info *info)
{
    (void)path;
    (void)info;
    size = clamp(size, offset);
    memcpy(data, cache + offset, size);
    return (int)size;
}

static int write_disk(const char *path, const char *data, size_t size, off_t offset,
                      struct fuse_file_info *info)
{
    (void)path;
    (void)info;
    size = clamp(size, offset);
    memcpy(cache + offset, data, size);
    for (size_t i = (size_t)offset / BLOCK; i * BLOCK < (size_t)offset + size; i++) {
        state[i] = DIRTY;
    }
    return (int)size;
}

static int flush_disk(const char *path, int data_only, struct fuse_file_info *info)
{
    (void)path;
    (void)data_only;
    (void)info;
    nanosleep(&(struct timespec){.tv_nsec = FLUSH_NS}, NULL);
    for (size_t i = 0; i < num_blocks; i++) {
        if (state[i] == DIRTY) {
            memcpy(stored + i * BLOCK, cache + i * BLOCK, BLOCK);
            state[i] = STORED;
        }
    }
    return 0;
}

// In a process of its own, whose memory is that of the instant of the cut.
static void save_image(const char *name, bool keeps_half)
{
    char path[512], part[520];
    snprintf(path, sizeof(path), "%s%s.img", images, name);
    snprintf(part, sizeof(part), "%s.part", path);
    const int fd = open(part, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    bool ok = fd >= 0 && ftruncate(fd, (off_t)(num_blocks * BLOCK)) == 0;
    for (size_t i = 0; ok && i < num_blocks; i++) {
        const bool is_kept = state[i] == DIRTY && keeps_half && next_random() % 2 == 0;
        if (state[i] != UNTOUCHED) {
            const uint8_t *from = (is_kept ? cache : stored) + i * BLOCK;
            ok = pwrite(fd, from, BLOCK, (off_t)(i * BLOCK)) == BLOCK;
        }
    }
    if (!ok || close(fd) != 0 || rename(part, path) != 0) {
        perror(part);
    }
}

static int cut_power(const char *path, mode_t mode)
{
    (void)mode;
    struct timespec now;
    char name[512];
    clock_gettime(CLOCK_MONOTONIC, &now);
    next_random();
    const pid_t child = fork();
    if (child == 0) {
        save_image(path, atoi(path + 1) % 2 == 1);
        _exit(0);
    }
    snprintf(name, sizeof(name), "%s%s.time", images, path);
    FILE *file = child > 0 ? fopen(name, "w") : NULL;
    if (!file) {
        return -EIO;
    }
    fprintf(file, "%lld%09ld\n", (long long)now.tv_sec, now.tv_nsec);
    return fclose(file) == 0 ? 0 : -EIO;
}

static void *map(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        perror("mmap");
        exit(1);
    }
    return memory;
}

int main(int argc, char **argv)
{
    static const struct fuse_operations operations = {
        .getattr = get_attributes,
        .open = open_disk,
        .read = read_disk,
        .write = write_disk,
        .fsync = flush_disk,
        .mkdir = cut_power,
    };
    if (argc != 5) {
        fputs("usage: power_disk FOLDER MIB IMAGES SEED\n", stderr);
        return 2;
    }
    num_blocks = strtoul(argv[2], NULL, 10) * (1 << 20) / BLOCK;
    cache = map(num_blocks * BLOCK);
    stored = map(num_blocks * BLOCK);
    state = map(num_blocks);
    images = argv[3];
    seed = strtoull(argv[4], NULL, 10);
    char *arguments[] = {argv[0], "-f", "-s", argv[1], NULL};
    return fuse_main(4, arguments, &operations, NULL);
}
