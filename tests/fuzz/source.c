// SPDX-License-Identifier: MIT
// Movies of a source: frames have one size, times rise, rows stay where they belong.
#include "capture/files/source/source.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "capture/files/source/audio.h"
#include "tests/fuzz/media.h"

enum { NUM_OPTIONS = 16, MAX_READS = 64, GUARD = 256, MARK = 0xa5 };

static size_t seed(unsigned index, uint8_t *data)
{
    enum { FIRST_OWN = 160, NUM_OWN = 2 };
    // Rates of six frames: of 68 years each, so that the last one's time has no room in 64 bits,
    // and of half a nanosecond each, so that two would have one time.
    static const uint8_t own[NUM_OWN][9] = {
        {2, 0, 0, 0, 0, 0xfe, 0xff, 0xff, 0x7f},
        {2, 0xfe, 0xff, 0xff, 0x7f, 0, 0, 0, 0},
    };
    memset(data, 0, NUM_OPTIONS);
    const size_t size = media_seed(index, data + NUM_OPTIONS);
    if (size == 0 && index >= FIRST_OWN && index < FIRST_OWN + NUM_OWN) {
        memcpy(data, own[index - FIRST_OWN], sizeof(own[0]));
        media_seed(0, data + NUM_OPTIONS);
        data[NUM_OPTIONS + 4] = MEDIA_MAX_FRAMES - 1;
        return NUM_OPTIONS + 80;
    }
    if (size == 0) {
        return 0;
    }
    data[0] = (uint8_t)(index % 3); // a size of its own, a rate of its own
    for (int i = 1; i < NUM_OPTIONS; i++) {
        data[i] = (uint8_t)(index * 37 + (unsigned)i * 11);
    }
    return NUM_OPTIONS + size;
}

static struct weir_source_params take_params(struct fuzz_bytes *bytes)
{
    const size_t taken = bytes->size < NUM_OPTIONS ? bytes->size : NUM_OPTIONS;
    struct fuzz_bytes own = {bytes->data, taken};
    struct weir_source_params params = {.log = fuzz_log};
    const uint8_t kind = fuzz_take_u8(&own);
    *bytes = (struct fuzz_bytes){bytes->data + taken, bytes->size - taken};
    if ((kind & 1) != 0) {
        params.width = 1 + fuzz_take_u8(&own) % 64;
        params.height = 1 + fuzz_take_u8(&own) % 64;
    }
    if ((kind & 2) != 0) {
        params.rate_num = 1 + fuzz_take_u32(&own) % 1000000;
        params.rate_den = 1 + fuzz_take_u32(&own) % 1000000;
    }
    return params;
}

// Rows between guards: swscale may write to the end of a row's padding, and not further.
static void read_all(weir_source *source, const struct weir_source_info *info)
{
    const size_t pitch = (4 * (size_t)info->width + WEIR_SOURCE_ALIGNMENT - 1) /
                         WEIR_SOURCE_ALIGNMENT * WEIR_SOURCE_ALIGNMENT;
    const size_t size = pitch * info->height;
    uint8_t *memory = aligned_alloc(WEIR_SOURCE_ALIGNMENT, size + 2 * GUARD);
    int64_t last_ns = -1;
    bool end = false;
    weir_source_frame *frame = NULL;
    fuzz_expect(memory && weir_source_frame_create(source, &frame) == WEIR_OK, "memory");
    memset(memory, MARK, size + 2 * GUARD);
    for (int i = 0; i < MAX_READS && !end; i++) {
        int64_t time_ns = -1;
        enum weir_result result = weir_source_take(source, frame, &time_ns, &end);
        if (result == WEIR_OK && !end) {
            result = weir_source_frame_convert(frame, memory + GUARD, pitch);
        }
        if (result != WEIR_OK) {
            fuzz_expect(result == WEIR_ERROR_OUT_OF_MEMORY || result == WEIR_ERROR_UNSUPPORTED,
                        "the result is %d", (int)result);
            break;
        }
        fuzz_expect(end || time_ns > last_ns || last_ns == INT64_MAX,
                    "frame %d is at %" PRId64 ", after %" PRId64, i, time_ns, last_ns);
        fuzz_expect(end || i > 0 || time_ns == 0, "the first frame is at %" PRId64, time_ns);
        last_ns = time_ns;
    }
    for (size_t i = 0; i < GUARD; i++) {
        fuzz_expect(memory[i] == MARK && memory[GUARD + size + i] == MARK, "byte %zu beside rows",
                    i);
    }
    weir_source_frame_destroy(&frame);
    free(memory);
}

static void check(weir_source *source, const struct weir_source_params *params,
                  const struct media *media)
{
    const struct weir_source_info info = weir_source_get_info(source);
    fuzz_expect(info.width >= 1 && info.height >= 1 && info.native_width >= 1 &&
                    info.native_height >= 1,
                "%ux%u of %ux%u", info.width, info.height, info.native_width, info.native_height);
    fuzz_expect(params->width != 0 ||
                    (info.width >= info.native_width && info.height >= info.native_height &&
                     info.width <= 4 * info.native_width && info.height <= 4 * info.native_height),
                "%ux%u of %ux%u", info.width, info.height, info.native_width, info.native_height);
    fuzz_expect(params->width == 0 ||
                    (info.width == params->width && info.height == params->height),
                "the size that was asked for");
    fuzz_expect(info.rate_num >= 1 && info.rate_den >= 1, "the rate %u/%u", info.rate_num,
                info.rate_den);
    fuzz_expect(info.num_frames <= INT64_MAX, "%" PRIu64 " frames", info.num_frames);
    if (!media->is_damaged && !media->is_gif) {
        // Not every container keeps the note.
        const bool same = info.native_width == (uint32_t)media->width &&
                          info.native_height == (uint32_t)media->height;
        const bool turned = info.native_width == (uint32_t)media->height &&
                            info.native_height == (uint32_t)media->width;
        fuzz_expect(same || (turned && media->turns != 0 && media->turns != 2),
                    "%dx%d became %ux%u", media->width, media->height, info.native_width,
                    info.native_height);
    }
    if ((uint64_t)info.width * info.height <= 1 << 20) {
        read_all(source, &info);
    }
}

// The blocks of all tracks are of the formats that are said; of a track that is found and was not
// damaged all samples are there.
static void check_sound(const struct media *media)
{
    const struct weir_audio_source_params params = {.path = media->path, .log = fuzz_log};
    struct weir_audio_track tracks[WEIR_MAX_AUDIO_TRACKS];
    weir_audio_source *sound = NULL;
    if (weir_audio_source_open(&params, &sound) != WEIR_OK || !sound) {
        return; // FFmpeg does not read every file that it writes
    }
    const uint32_t num_tracks = weir_audio_source_get_tracks(sound, tracks);
    uint64_t num_samples = 0;
    bool end = false;
    fuzz_expect(num_tracks >= 1 && num_tracks <= WEIR_MAX_AUDIO_TRACKS, "%u tracks", num_tracks);
    for (int i = 0; i < MAX_READS && !end; i++) {
        struct weir_audio_block block = {.track = 0};
        if (weir_audio_source_read(sound, &block, &end) != WEIR_OK) {
            break;
        }
        if (!end) {
            const struct weir_audio_track *track = &tracks[block.track];
            fuzz_expect(block.track < num_tracks &&
                            block.sample_size ==
                                weir_audio_sample_size(track->format, track->num_channels),
                        "a block of a track");
            uint8_t *copy = malloc((size_t)block.num_samples * block.sample_size + 1);
            fuzz_expect(copy, "memory");
            memcpy(copy, block.samples, (size_t)block.num_samples * block.sample_size);
            free(copy);
            num_samples += block.num_samples;
        }
    }
    fuzz_expect(!media->has_sound || media->is_damaged || num_samples == MEDIA_SAMPLES,
                "%" PRIu64 " samples", num_samples);
    weir_audio_source_close(&sound);
}

static void run(const uint8_t *data, size_t size)
{
    struct fuzz_bytes bytes = {data, size};
    struct weir_source_params params = take_params(&bytes);
    struct media media;
    if (!media_make(bytes, false, &media)) {
        return;
    }
    check_sound(&media);
    params.paths = (char *[]){(char *)media.path};
    params.num_paths = 1;
    weir_source *source = NULL;
    const unsigned num_errors = fuzz_num_errors();
    const enum weir_result result = weir_source_open(&params, &source);
    fuzz_expect(result != WEIR_OK || source, "a source");
    fuzz_expect(result == WEIR_OK || result == WEIR_ERROR_OUT_OF_MEMORY ||
                    fuzz_num_errors() > num_errors,
                "the log has the reason");
    if (result == WEIR_OK) {
        check(source, &params, &media);
    }
    weir_source_close(&source);
}

const struct fuzz_target fuzz_target = TEST_LIST(.name = "source", .num_runs = 300,
                                                 .init = media_init, .seed = seed, .run = run);
