// SPDX-License-Identifier: MIT
// Damaged movies: what is found in them lies in the file, is whole, and can be made a plain movie.
#include "capture/weir/recover/find.h"

#include <stdlib.h>
#include <string.h>

#include "capture/format/codec.h"
#include "capture/format/fragment.h"
#include "capture/format/head.h"
#include "capture/format/timecode_track.h"
#include "capture/weir/recover/check.h"
#include "tests/fuzz/fuzz.h"

// Six blocks a frame of scaled YCoCg.
enum { WIDTH = 12, HEIGHT = 8, TEXTURE_SIZE = 96, NUM_FRAMES = 6, TICKS = 1500 };

static const struct weir_track track = {
    .tag = WEIR_BOX('H', 'a', 'p', 'Y'),
    .width = WIDTH,
    .height = HEIGHT,
    .ticks_per_second = 90000,
    .color_primaries = 1,
    .color_transfer = 13,
};

// A frame that is stored, or one of two chunks that are stored.
static uint32_t put_frame(struct fuzz_random *random, bool is_complex, uint8_t *data)
{
    static const uint8_t tables[] = {14, 0, 0,    0x01, 2, 0, 0, 0x02, 0x0a, 0x0a, 8,
                                     0,  0, 0x03, 48,   0, 0, 0, 48,   0,    0,    0};
    const uint32_t num_tables = is_complex ? sizeof(tables) : 0;
    uint8_t *payload = data + 4;
    weir_hap_write_header(payload, num_tables + TEXTURE_SIZE, is_complex ? 0xcf : 0xaf);
    memcpy(payload, tables, num_tables);
    payload[0] = is_complex ? (uint8_t)(num_tables - 4) : payload[0];
    fuzz_fill(random, payload + num_tables, TEXTURE_SIZE);
    return 4 + num_tables + TEXTURE_SIZE;
}

// A head that describes pictures, with time code or without.
static size_t put_head(bool has_timecode, uint8_t *data)
{
    uint8_t plain[WEIR_HEAD_ROOM];
    const struct weir_timecode timecode = {.start = 1799, .frames_per_second = 60};
    const struct weir_timecode_head head = {.bytes = plain,
                                            .size = weir_head_write(&track, plain),
                                            .moov = WEIR_HEAD_MOOV,
                                            .num_tracks = 1,
                                            .ticks_per_second = track.ticks_per_second,
                                            .ticks_per_frame = TICKS};
    struct weir_boxes boxes = {.bytes = data, .room = head.size + WEIR_TIMECODE_TRACK_ROOM};
    if (!has_timecode) {
        memcpy(data, plain, head.size);
        return head.size;
    }
    weir_timecode_track_insert(&timecode, &head, &boxes);
    fuzz_expect(!boxes.overflow, "a head with time code");
    return boxes.size;
}

// The movie as it grew; closed, without the index or with it; without its head.
static size_t seed(unsigned index, uint8_t *data)
{
    enum { NUM_FORMS = 4, NUM_SEEDS = 4 * NUM_FORMS };
    if (index >= NUM_SEEDS) {
        return 0;
    }
    struct fuzz_random random = fuzz_random(index);
    struct weir_index places;
    fuzz_expect(weir_index_init(&places), "memory");
    const bool has_timecode = index % 4 == 2;
    size_t size = put_head(has_timecode, data);
    const size_t head_size = size;
    for (uint32_t i = 0; i < NUM_FRAMES; i++) {
        uint8_t *frame = data + size + WEIR_FRAGMENT_HEADER_SIZE;
        const uint32_t frame_size = put_frame(&random, index % 4 == 1, frame);
        const struct weir_fragment fragment = {.number = i + 1,
                                               .ticks = (uint64_t)i * TICKS + (i & 1),
                                               .duration = TICKS,
                                               .size = frame_size};
        weir_fragment_write(&fragment, data + size);
        weir_index_add(&places, size + WEIR_FRAGMENT_HEADER_SIZE, frame_size, fragment.ticks);
        size += WEIR_FRAGMENT_HEADER_SIZE + frame_size;
    }
    const unsigned form = index / 4;
    if (form == 1 || form == 2) {
        struct weir_boxes patch = {.bytes = data + WEIR_HEAD_MOOV, .room = 16};
        const struct weir_index_head head = {.moov = data + WEIR_HEAD_MOOV,
                                             .size = head_size - WEIR_HEAD_MOOV,
                                             .ticks_per_second = track.ticks_per_second,
                                             .ticks_per_frame = TICKS,
                                             .has_timecode = has_timecode};
        size_t moov_size;
        uint8_t *moov = weir_index_make_moov(&places, &head, &moov_size);
        fuzz_expect(moov && size + moov_size <= FUZZ_MAX_SIZE, "an index that fits");
        weir_boxes_u32(&patch, 1);
        weir_boxes_u32(&patch, WEIR_BOX('m', 'd', 'a', 't'));
        weir_boxes_u64(&patch, size - WEIR_HEAD_MOOV);
        memcpy(data + size, moov, moov_size);
        size += form == 1 ? moov_size : 0;
        free(moov);
    } else if (form == 3) {
        memmove(data, data + head_size, size - head_size);
        size -= head_size;
    }
    weir_index_finish(&places);
    return size;
}

static bool read_bytes(void *user, uint64_t offset, uint8_t *bytes, size_t size)
{
    const struct fuzz_bytes *file = user;
    fuzz_expect(offset <= file->size && size <= file->size - offset, "reads lie in the file");
    memcpy(bytes, file->data + offset, size);
    return true;
}

static void check_frames(const struct recover_params *params, const struct recover_found *found)
{
    uint64_t last = 0;
    fuzz_expect(found->frames.num > 0 && found->end <= params->source.size, "there are frames");
    for (size_t i = 0; i < found->frames.num; i++) {
        const struct recover_frame *frame = &found->frames.items[i];
        fuzz_expect(frame->offset <= params->source.size &&
                        frame->size <= params->source.size - frame->offset && frame->size > 4,
                    "frame %zu lies in the file", i);
        fuzz_expect(i > 0 ? frame->ticks > last && frame->ticks - last <= INT32_MAX
                          : frame->ticks == 0,
                    "frame %zu comes after the one before", i);
        last = frame->ticks;
    }
}

static void check_index(const struct recover_found *found)
{
    struct weir_index index;
    fuzz_expect(weir_index_init(&index), "memory");
    for (size_t i = 0; i < found->frames.num; i++) {
        const struct recover_frame *frame = &found->frames.items[i];
        weir_index_add(&index, frame->offset, frame->size, frame->ticks);
    }
    const struct weir_index_head head = {.moov = found->head + found->moov,
                                         .size = found->head_size - found->moov,
                                         .ticks_per_second = found->track.ticks_per_second,
                                         .ticks_per_frame = found->ticks_per_frame,
                                         .has_timecode = found->has_timecode};
    fuzz_expect(found->moov < found->head_size, "moov lies in the head");
    size_t size;
    free(weir_index_make_moov(&index, &head, &size));
    weir_index_finish(&index);
}

static void run(const uint8_t *data, size_t size)
{
    struct fuzz_bytes file = {data, size};
    for (int round = 0; round < 2; round++) {
        const struct recover_params params = {
            .source = {.read = read_bytes, .user = &file, .size = size},
            .width = round == 0 ? 0 : WIDTH,
            .height = round == 0 ? 0 : HEIGHT,
            .rate_num = round == 0 ? 0 : 60000,
            .rate_den = round == 0 ? 0 : 1001,
            .checks_all = round > 0,
        };
        struct recover_found found;
        if (recover_find(&params, &found)) {
            check_frames(&params, &found);
            check_index(&found);
        } else {
            fuzz_expect(found.refusal[0] != 0, "a reason is given");
        }
        recover_found_finish(&found);
    }
}

const struct fuzz_target fuzz_target = {
    .name = "recover",
    .num_runs = 3000,
    .seed = seed,
    .run = run,
};
