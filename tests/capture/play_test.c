// SPDX-License-Identifier: MIT
// libweir-play on a device: frames come in any order and direction, the host is never kept waiting,
// images are used again behind the host's points, and damage is the frame's own. NULL is refused.
#include <weir/play.h>

#include <pthread.h>
#include <stdio.h>

#include "tests/fuzz/hap_movie.h"
#include "tests/gpu/harness.h"

enum { NUM_FRAMES = 6 };

static uint8_t bytes[FUZZ_MAX_SIZE];

// The movie's thread submits to the queue that the host uses.
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static struct weir_context_params import;
static weir_gpu *host;

static void lock(void *user, uint32_t family, uint32_t index)
{
    (void)user;
    (void)family;
    (void)index;
    pthread_mutex_lock(&queue_lock);
}

static void unlock(void *user, uint32_t family, uint32_t index)
{
    (void)user;
    (void)family;
    (void)index;
    pthread_mutex_unlock(&queue_lock);
}

// What the makers of movies belong to; none is run here.
const struct fuzz_target fuzz_target = {.name = "none"};

static weir_play *open_movie(struct harness *harness, const uint8_t *data, size_t size,
                             uint32_t num_ahead, enum weir_result want)
{
    static const char path[] = "played.mov";
    weir_play *play = NULL;
    FILE *file = fopen(path, "wb");
    test_must(file && fwrite(data, 1, size, file) == size && fclose(file) == 0, "a file");
    const enum weir_result result = weir_play_open(
        weir_play_params(.import = &import, .queue = harness->host, .path = path,
                         .num_ahead = num_ahead, .num_threads = 2, .log = import.log),
        &play);
    test_expect(result == want && !play == (want != WEIR_OK), "opened: %s",
                weir_result_name(result));
    return play;
}

// Frames in any order; each is released behind a submission of the host's.
static void test_order(struct harness *harness, enum hap_movie_form form)
{
    const struct hap_movie movie = {.form = form,
                                    .num_frames = NUM_FRAMES,
                                    .num_audio = 1,
                                    .is_complex = true,
                                    .seed = harness_random(harness)};
    const size_t size = hap_movie_make(&movie, bytes, sizeof(bytes));
    weir_play *play = open_movie(harness, bytes, size, 2, WEIR_OK);
    const struct weir_play_info info = weir_play_get_info(play);
    test_expect(info.num_frames == NUM_FRAMES && info.width == HAP_MOVIE_WIDTH &&
                    info.color == WEIR_PLAY_COLOR_YCOCG && info.num_textures == 1 &&
                    info.num_audio == 1 && info.audio[0].sample_rate == 6000,
                "facts of form %d: %llu frames", (int)form, (unsigned long long)info.num_frames);
    for (int i = 0; i < 40; i++) {
        const uint64_t frame = harness_random(harness) % NUM_FRAMES;
        struct weir_play_image image;
        VkCommandBuffer cmd;
        struct weir_point done;
        const enum weir_result now = weir_play_frame(play, frame, i % 2 ? -1 : 1, &image);
        test_expect(now == WEIR_OK || now == WEIR_NOT_READY, "frame %d: %s", i,
                    weir_result_name(now));
        test_must(now == WEIR_OK || weir_play_wait(play, frame, UINT64_MAX, &image) == WEIR_OK,
                  "it is made");
        test_expect(image.frame == frame && image.views[0] && image.ready.semaphore, "an image");
        test_must(weir_gpu_begin(host, &cmd) == WEIR_OK, "commands");
        const struct weir_gpu_submission submission = {
            .wait = image.ready, .wait_stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT};
        test_must(weir_gpu_submit(host, cmd, &submission, &done) == WEIR_OK, "submitted");
        weir_play_release(play, &image, done);
        weir_gpu_wait(host, done, UINT64_MAX);
    }
    for (uint64_t i = 0; i < NUM_FRAMES; i++) {
        const int64_t time = weir_play_get_time(play, i);
        test_expect(weir_play_find(play, time) == i && (i == 0) == (time == 0) &&
                        weir_play_find(play, time - 1) == (i > 0 ? i - 1 : 0),
                    "time of frame %llu", (unsigned long long)i);
    }
    test_expect(weir_play_find(play, INT64_MAX) == NUM_FRAMES - 1, "the last frame stays");
    weir_play_close(&play);
    test_expect(!play, "closed");
}

// The images are as many as are needed, and no frame comes while the host holds all.
static void test_held(struct harness *harness)
{
    const struct hap_movie movie = {.form = HAP_MOVIE_CLOSED, .num_frames = NUM_FRAMES, .seed = 1};
    weir_play *play = open_movie(harness, bytes, hap_movie_make(&movie, bytes, sizeof(bytes)), 1,
                                 WEIR_OK);
    struct weir_play_image images[NUM_FRAMES];
    uint64_t num = 0;
    while (num < NUM_FRAMES && weir_play_wait(play, num, 300000000, &images[num]) == WEIR_OK) {
        num++;
    }
    test_expect(num == 4, "%llu images are held", (unsigned long long)num);
    weir_play_release(play, &images[0], (struct weir_point){VK_NULL_HANDLE, 0});
    test_expect(weir_play_wait(play, num, UINT64_MAX, &images[0]) == WEIR_OK, "one is free again");
    weir_play_close(&play);
}

static void test_damage(struct harness *harness)
{
    const struct hap_movie movie = {.form = HAP_MOVIE_CLOSED, .num_frames = 3, .seed = 2};
    const size_t size = hap_movie_make(&movie, bytes, sizeof(bytes));
    struct weir_play_image image;
    uint32_t num = 0;
    for (size_t i = 0; i + 4 < size && num < 2; i++) {
        if (bytes[i] == 96 && bytes[i + 1] == 0 && bytes[i + 2] == 0 && bytes[i + 3] == 0xaf) {
            bytes[i + 3] = ++num == 2 ? 0xbf : 0xaf; // the blocks of the second are no Snappy
        }
    }
    test_must(num == 2, "two frames were found");
    weir_play *play = open_movie(harness, bytes, size, 0, WEIR_OK);
    test_expect(weir_play_wait(play, 1, UINT64_MAX, &image) == WEIR_ERROR_DATA, "it is damaged");
    test_expect(weir_play_wait(play, 2, UINT64_MAX, &image) == WEIR_OK, "the next one is not");
    weir_play_release(play, &image, (struct weir_point){VK_NULL_HANDLE, 0});
    test_expect(weir_play_get_stats(play).num_damaged == 1, "one damaged frame");
    test_expect(weir_play_frame(play, 3, 1, &image) == WEIR_ERROR_INVALID, "no such frame");
    float sample;
    test_expect(weir_play_read_audio(play, 0, 0, 1, &sample) == WEIR_ERROR_INVALID, "no audio");
    weir_play_close(&play);
    open_movie(harness, bytes, 100, 0, WEIR_ERROR_DATA);
}

static void test_null(struct harness *harness)
{
    weir_play *play = (weir_play *)harness;
    test_expect(weir_play_open(NULL, &play) == WEIR_ERROR_INVALID && !play, "NULL");
    test_expect(weir_play_open(weir_play_params(.path = "x"), &play) == WEIR_ERROR_INVALID, "NULL");
    weir_play_close(&play);
    weir_play_close(NULL);
    test_expect(weir_play_get_info(NULL).num_frames == 0 && weir_play_find(NULL, 5) == 0 &&
                    weir_play_get_time(NULL, 5) == 0 && weir_play_get_stats(NULL).bytes == 0,
                "facts of NULL");
    test_expect(weir_play_frame(NULL, 0, 0, NULL) == WEIR_ERROR_INVALID &&
                    weir_play_wait(NULL, 0, 0, NULL) == WEIR_ERROR_INVALID &&
                    weir_play_read_audio(NULL, 0, 0, 0, NULL) == WEIR_ERROR_INVALID,
                "frames of NULL");
    weir_play_release(NULL, NULL, (struct weir_point){VK_NULL_HANDLE, 0});
}

int main(void)
{
    struct harness harness;
    VkPhysicalDeviceFeatures features = {.textureCompressionBC = VK_TRUE};
    harness_init_features(&harness, true, &features);
    import = *harness.import;
    import.lock_queue = lock;
    import.unlock_queue = unlock;
    test_must(weir_gpu_create(weir_gpu_params(.import = &import, .queue = harness.host), &host) ==
                  WEIR_OK,
              "the host's commands");
    test_order(&harness, HAP_MOVIE_CLOSED);
    test_order(&harness, HAP_MOVIE_GREW);
    test_held(&harness);
    test_damage(&harness);
    test_null(&harness);
    weir_gpu_destroy(&host);
    return harness_finish(&harness);
}
