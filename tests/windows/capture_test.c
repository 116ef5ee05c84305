// SPDX-License-Identifier: MIT
// What libweir-capture writes is the same on every system: movies of blocks byte for byte, under
// names of all kinds. With a path as argument it records there until it is killed, or the disk is
// full.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <weir/blocks.h>
#include <weir/still.h>

#include "capture/base/fnv.h"
#include "capture/base/place.h"
#include "tests/expect.h"

enum { FRAME_NS = 16666667 };

static char last_text[512];
static int last_code;
static bool prints; // all messages

static void on_log(void *user, const struct weir_log_message *message)
{
    if (prints) {
        weir_log_print_stderr(user, message);
    }
    last_code = message->code;
    snprintf(last_text, sizeof(last_text), "%s", message->text);
}

static void release(void *user, void *owner)
{
    (void)user;
    free(owner);
}

static enum weir_result open_movie(const char *path, uint32_t width, uint32_t height,
                                   weir_capture **out)
{
    const struct weir_blocks_params blocks = {
        .width = width, .height = height, .release = release, .log = {.print = on_log}};
    return weir_capture_open_blocks(&blocks,
                                    weir_capture_params(.path = path, .sink = WEIR_SINK_MOV,
                                                        .policy = WEIR_POLICY_WAIT,
                                                        .codec = WEIR_MOVIE_CODEC_HAP),
                                    out);
}

// Frames of blocks that are numbers.
static enum weir_result add_frame(weir_capture *capture, uint32_t width, uint32_t height,
                                  int number)
{
    const struct weir_blocks_layout layout = weir_blocks_get_layout(WEIR_MOVIE_CODEC_HAP, width,
                                                                    height);
    uint8_t *memory = calloc(1, layout.size + 16);
    test_must(memory, "memory");
    uint8_t *data = memory + (16 - (uintptr_t)memory % 16) % 16;
    for (uint64_t i = 0; i < layout.sizes[0]; i++) {
        data[layout.offsets[0] + i] = (uint8_t)(i * 7 + i / 251 + (uint64_t)number);
    }
    const struct weir_blocks frame = {.width = width,
                                      .height = height,
                                      .data = data,
                                      .time_ns = (int64_t)number * FRAME_NS,
                                      .owner = memory};
    const enum weir_result result = weir_capture_blocks(capture, &frame);
    if (result != WEIR_OK) {
        free(memory);
    }
    return result;
}

static enum weir_result record(const char *path, uint32_t width, uint32_t height, int num_frames)
{
    weir_capture *capture = NULL;
    enum weir_result result = open_movie(path, width, height, &capture);
    for (int i = 0; i < num_frames && result == WEIR_OK; i++) {
        result = add_frame(capture, width, height, i);
    }
    const enum weir_result closed = weir_capture_close(&capture, NULL);
    return result == WEIR_OK ? closed : result;
}

// The size of a file and the hash of what is in it. -1: there is none.
static long hash_file(const char *path, uint64_t *hash)
{
    static uint8_t bytes[65536];
    FILE *file = fopen(path, "rb");
    long size = file ? 0 : -1;
    *hash = WEIR_FNV_START;
    for (size_t got; file && (got = fread(bytes, 1, sizeof(bytes), file)) > 0; size += (long)got) {
        *hash = weir_fnv(*hash, bytes, got);
    }
    if (file) {
        fclose(file);
    }
    return size;
}

static void expect_movie(const char *path, const char *what)
{
    uint64_t hash;
    const long size = hash_file(path, &hash);
    test_expect(size == 66330 && hash == 0x12cd0a0034ce203f, "%s: %ld bytes, hash %llx", what, size,
                (unsigned long long)hash);
}

static void test_names(void)
{
    static const char *const names[] = {"plain.mov", "Gr\xc3\xbc\xc3\x9f.mov",
                                        "\xf0\x9f\x8e\xac film \xe6\x98\xa0.mov", "no ending"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const char *path = test_path(names[i]);
        const enum weir_result result = record(path, 64, 64, 30);
        test_expect(result == WEIR_OK, "%s: %d, %s", names[i], result, last_text);
        expect_movie(path, names[i]);
        test_expect(remove(path) == 0, "%s is removed", names[i]);
    }
    // 300 characters behind the folder.
    char longer[512], folder[256];
    bool is_new;
    snprintf(folder, sizeof(folder), "%s",
             test_path("0123456789012345678901234567890123456789"
                       "0123456789012345678901234567890123456789"));
    test_expect(weir_place_make_folder(folder, &is_new) == 0 && is_new, "a folder is made");
    test_expect(weir_place_make_folder(folder, &is_new) == 0 && !is_new, "and is there");
    snprintf(longer, sizeof(longer), "%s/%0215d.mov", folder, 0);
    test_expect(record(longer, 64, 64, 30) == WEIR_OK, "300 characters: %s", last_text);
    expect_movie(longer, "300 characters");
    test_expect(remove(longer) == 0, "a long name is removed");
}

// What is at a path stays until the first frame, and is then replaced at once.
static void test_replace(void)
{
    const char *path = test_path("replaced.mov");
    uint64_t hash;
    TEST_MUST(record(path, 64, 64, 1));
    const long before = hash_file(path, &hash);
    test_expect(record(path, 64, 64, 0) == WEIR_OK && last_code == WEIR_LOG_CODE_NO_FRAMES,
                "no frames: %s", last_text);
    test_expect(hash_file(path, &hash) == before, "without frames it stays");
    test_expect(record(path, 64, 64, 30) == WEIR_OK, "again: %s", last_text);
    expect_movie(path, "a movie that replaces another one");
}

static void test_refused(void)
{
    const bool is_windows = weir_path_separators[1];
    weir_capture *first = NULL, *second = NULL;
    const char *path = test_path("busy.mov");
    TEST_MUST(open_movie(path, 64, 64, &first));
    for (int i = 0; i < 2; i++) { // before the first frame, and when it has its name
        test_expect(open_movie(path, 64, 64, &second) == WEIR_ERROR_IO &&
                        strstr(last_text, "another program is writing it"),
                    "written already: %s", last_text);
        test_expect(add_frame(first, 64, 64, i) == WEIR_OK, "the first one goes on");
        uint64_t hash;
        for (int k = 0; k < 3000 && hash_file(path, &hash) < 0; k++) {
            usleep(1000);
        }
        test_expect(hash_file(path, &hash) >= 0, "it can be read meanwhile");
        test_expect(!is_windows || remove(path) != 0, "it cannot be removed meanwhile");
    }
    test_expect(weir_capture_close(&first, NULL) == WEIR_OK, "it ends: %s", last_text);
    test_expect(record(path, 64, 64, 30) == WEIR_OK, "free again: %s", last_text);
    expect_movie(path, "free again");
    const char *folder = test_path("folder");
    bool is_new;
    test_must(weir_place_make_folder(folder, &is_new) == 0, "a folder");
    test_expect(record(folder, 64, 64, 1) == WEIR_ERROR_IO && strstr(last_text, "it is a folder"),
                "a folder: %s", last_text);
    test_expect(record(test_path("none/x.mov"), 64, 64, 1) == WEIR_ERROR_IO &&
                    strstr(last_text, "make its folder first"),
                "no folder: %s", last_text);
    test_expect(record("", 64, 64, 1) < 0, "no name: %s", last_text);
}

// Frames that are large enough to bypass the cache.
static void test_large(void)
{
    const char *path = test_path("large.mov");
    test_expect(record(path, 3840, 2160, 12) == WEIR_OK, "large frames: %s", last_text);
    uint64_t hash;
    const long size = hash_file(path, &hash);
    test_expect(size > 12l * 3840 * 2160 / 2 && size < 13l * 3840 * 2160 / 2, "%ld bytes", size);
}

static void test_picture(void)
{
    uint8_t pixels[16 * 16 * 4];
    for (size_t i = 0; i < sizeof(pixels); i++) {
        pixels[i] = (uint8_t)(i * 31);
    }
    const struct weir_still still = {
        .width = 16, .height = 16, .num_channels = 4, .pixels = pixels};
    const struct weir_log log = {.print = on_log};
    const char *path = test_path("bild \xc3\xa4.png");
    uint64_t hash;
    test_expect(weir_still_write_png(path, &still, &log) == WEIR_OK, "a picture: %s", last_text);
    test_expect(hash_file(path, &hash) > 100 && remove(path) == 0, "it is there");
}

int main(int argc, char **argv)
{
    if (argc == 3) {
        prints = true;
        return record(argv[1], 640, 360, atoi(argv[2])) != WEIR_OK;
    }
    test_names();
    test_replace();
    test_refused();
    test_large();
    test_picture();
    return test_finish();
}
