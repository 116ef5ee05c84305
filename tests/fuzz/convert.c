// SPDX-License-Identifier: MIT
// Frames of any pixel format, one after the other through one conversion to 8 or 16 bits: rows stay
// where they belong, a frame of RGBA is kept, and what is turned turns back.
#include "capture/files/source/convert.h"

#include <stdlib.h>
#include <string.h>

#include <libavutil/display.h>
#include <libavutil/log.h>
#include <libavutil/pixdesc.h>

#include "capture/files/source/scale.h"
#include "capture/files/source/source.h"
#include "tests/fuzz/fuzz.h"
#include "tests/interlaced.h"

enum { MAX_FRAMES = 4, MAX_SIDE = 72, GUARD = 256, MARK = 0xa5, HEAD_SIZE = 3, FRAME_SIZE = 17 };

static size_t pitch_of(uint32_t width, uint32_t texel_size)
{
    return (texel_size * (size_t)width + WEIR_SOURCE_ALIGNMENT - 1) / WEIR_SOURCE_ALIGNMENT *
           WEIR_SOURCE_ALIGNMENT;
}

// The output's sides, then frames.
static size_t seed(unsigned index, uint8_t *data)
{
    struct fuzz_random random = fuzz_random(index);
    if (index >= 200) {
        return 0;
    }
    const size_t size = HEAD_SIZE + FRAME_SIZE * (1 + index % MAX_FRAMES);
    fuzz_fill(&random, data, size);
    if (index % 8 == 0) {
        data[HEAD_SIZE] = AV_PIX_FMT_RGBA;
        data[HEAD_SIZE + 1] = 0;
        memcpy(data + HEAD_SIZE + 2, data, 2); // of the output's size
    }
    return size;
}

struct output {
    struct weir_rows rows;
    size_t size;
    uint8_t *memory; // the rows between guards
};

static struct output make_output(uint32_t width, uint32_t height, uint32_t texel_size)
{
    struct output output = {.rows = {.pitch = pitch_of(width, texel_size),
                                     .width = width,
                                     .height = height,
                                     .texel_size = texel_size}};
    output.size = output.rows.pitch * height;
    output.memory = aligned_alloc(WEIR_SOURCE_ALIGNMENT, output.size + 2 * GUARD);
    fuzz_expect(output.memory, "memory");
    memset(output.memory, MARK, output.size + 2 * GUARD);
    output.rows.pixels = output.memory + GUARD;
    return output;
}

static void check_guards(const struct output *output)
{
    for (size_t i = 0; i < GUARD; i++) {
        fuzz_expect(output->memory[i] == MARK && output->memory[GUARD + output->size + i] == MARK,
                    "byte %zu beside rows", i);
    }
}

static AVFrame *take_frame(struct fuzz_bytes *bytes)
{
    const int format = (fuzz_take_u8(bytes) | (fuzz_take_u8(bytes) & 1) << 8) % AV_PIX_FMT_NB;
    AVFrame *frame = av_frame_alloc();
    fuzz_expect(frame, "memory");
    frame->format = format;
    frame->width = 1 + fuzz_take_u8(bytes) % MAX_SIDE;
    frame->height = 1 + fuzz_take_u8(bytes) % MAX_SIDE;
    frame->color_range = (enum AVColorRange)(fuzz_take_u8(bytes) % 3);
    frame->colorspace = (enum AVColorSpace)(fuzz_take_u8(bytes) % 15);
    frame->color_trc = (enum AVColorTransferCharacteristic)(fuzz_take_u8(bytes) % 19);
    frame->sample_aspect_ratio = (AVRational){fuzz_take_u8(bytes) % 4, fuzz_take_u8(bytes) % 4};
    const uint8_t siting = fuzz_take_u8(bytes);
    frame->chroma_location = (enum AVChromaLocation)(siting % 8); // 7: none that is known
    set_interlaced(frame, siting >= 192);
    struct fuzz_random random = fuzz_random(fuzz_take_u8(bytes));
    const AVPixFmtDescriptor *description = av_pix_fmt_desc_get((enum AVPixelFormat)format);
    if (!description || (description->flags & AV_PIX_FMT_FLAG_HWACCEL) != 0 ||
        av_frame_get_buffer(frame, 0) < 0) {
        av_frame_free(&frame);
        return NULL;
    }
    for (int i = 0; i < AV_NUM_DATA_POINTERS && frame->buf[i]; i++) {
        fuzz_fill(&random, frame->buf[i]->data, frame->buf[i]->size);
    }
    return frame;
}

// Turned upright, and back: the orientations 6 and 8 undo each other, the others themselves.
static void check_turns(const struct weir_rows *rows, int orientation)
{
    const int back = orientation == 6 ? 8 : orientation == 8 ? 6 : orientation;
    const bool swaps = weir_orientation_swaps_sides(orientation);
    const uint32_t width = rows->width, height = rows->height;
    struct output first = make_output(swaps ? height : width, swaps ? width : height,
                                      rows->texel_size);
    struct output second = make_output(width, height, rows->texel_size);
    weir_orientation_apply(orientation, rows->pixels, rows->pitch, &first.rows);
    check_guards(&first);
    weir_orientation_apply(back, first.rows.pixels, first.rows.pitch, &second.rows);
    check_guards(&second);
    for (uint32_t y = 0; y < height; y++) {
        fuzz_expect(memcmp(rows->pixels + y * rows->pitch,
                           second.rows.pixels + y * second.rows.pitch,
                           rows->texel_size * (size_t)width) == 0,
                    "row %u turned by orientation %d and back", y, orientation);
    }
    free(first.memory);
    free(second.memory);
}

// Texels of the frame itself: nothing is scaled. Of 16 bits a code is 257 times that of 8.
static void check_kept(const AVFrame *frame, const struct weir_rows *rows)
{
    for (uint32_t y = 0; y < rows->height; y++) {
        const uint8_t *wanted = frame->data[0] + (ptrdiff_t)y * frame->linesize[0];
        const uint8_t *row = rows->pixels + y * rows->pitch;
        for (uint32_t i = 0; i < 4 * rows->width; i++) {
            uint16_t code = row[i];
            if (rows->texel_size == 8) {
                memcpy(&code, row + 2 * (size_t)i, sizeof(code));
                fuzz_expect(code == 257 * wanted[i], "code %u of 16 bits in row %u", i, y);
            } else {
                fuzz_expect(code == wanted[i], "code %u in row %u", i, y);
            }
        }
    }
}

// The orientation of each turn, and of its mirrored picture, by FFmpeg's own matrices.
static void check_angle(struct fuzz_bytes bytes, AVFrame *frame)
{
    static const int wanted[2][4] = {{1, 6, 3, 8}, {2, 7, 4, 5}};
    AVFrameSideData *data = av_frame_new_side_data(frame, AV_FRAME_DATA_DISPLAYMATRIX,
                                                   9 * sizeof(int32_t));
    fuzz_expect(data, "memory");
    int32_t matrix[9];
    for (int i = 0; i < 9; i++) {
        matrix[i] = (int32_t)fuzz_take_u32(&bytes);
    }
    memcpy(data->data, matrix, sizeof(matrix));
    const int any = weir_orientation_get(frame, NULL);
    fuzz_expect(any >= 1 && any <= WEIR_NUM_ORIENTATIONS, "orientation %d", any);
    for (int i = 0; i < 8; i++) {
        const bool mirrored = i >= 4;
        // libavutil mirrors what is turned already; to mirror first is to turn the other way.
        av_display_rotation_set(matrix, 90.0 * (mirrored ? 4 - i % 4 : i)); // clockwise
        av_display_matrix_flip(matrix, mirrored, 0);
        memcpy(data->data, matrix, sizeof(matrix));
        const int got = weir_orientation_get(frame, NULL);
        fuzz_expect(got == wanted[mirrored][i % 4], "orientation %d, not %d", got,
                    wanted[mirrored][i % 4]);
    }
    av_frame_remove_side_data(frame, AV_FRAME_DATA_DISPLAYMATRIX);
    for (int orientation = 1; orientation <= WEIR_NUM_ORIENTATIONS; orientation++) {
        fuzz_expect(weir_orientation_note(frame, orientation) == 0, "memory");
        fuzz_expect(weir_orientation_get(frame, NULL) == orientation, "orientation %d",
                    orientation);
        av_frame_remove_side_data(frame, AV_FRAME_DATA_DISPLAYMATRIX);
    }
}

static void run_frame(struct weir_convert *convert, struct weir_meaning_notes *notes,
                      AVFrame *frame, int orientation)
{
    struct output output = make_output(convert->params.width, convert->params.height,
                                       weir_convert_texel_size(&convert->params));
    const struct weir_meaning meaning = weir_convert_note(notes, &convert->params, frame);
    const enum weir_result result = weir_convert_run(convert, frame, &meaning, orientation,
                                                     output.rows.pixels, output.rows.pitch);
    fuzz_expect(result == WEIR_OK || result == WEIR_ERROR_UNSUPPORTED, "the result is %d",
                (int)result);
    check_guards(&output);
    if (result == WEIR_OK) {
        const bool is_light = frame->color_trc == AVCOL_TRC_LINEAR ||
                              frame->color_trc == AVCOL_TRC_SMPTE2084 ||
                              frame->color_trc == AVCOL_TRC_ARIB_STD_B67;
        if (frame->format == AV_PIX_FMT_RGBA && orientation == 1 && !is_light &&
            (uint32_t)frame->width == convert->params.width &&
            (uint32_t)frame->height == convert->params.height &&
            frame->color_range != AVCOL_RANGE_MPEG) {
            check_kept(frame, &output.rows);
        }
        check_turns(&output.rows, orientation);
    }
    free(output.memory);
}

static void run(const uint8_t *data, size_t size)
{
    struct fuzz_bytes bytes = {data, size};
    struct weir_convert convert;
    const uint32_t width = 1 + fuzz_take_u8(&bytes) % MAX_SIDE;
    const uint32_t height = 1 + fuzz_take_u8(&bytes) % MAX_SIDE;
    const uint8_t choice = fuzz_take_u8(&bytes);
    const enum weir_tonemap tonemap = choice % (WEIR_TONEMAP_OFF + 1);
    const struct weir_convert_params params = {.path = "fuzz",
                                               .log = &fuzz_log,
                                               .width = width,
                                               .height = height,
                                               .tonemap = tonemap,
                                               .keeps_alpha = true,
                                               .is_deep = choice >= 128};
    fuzz_expect(weir_convert_init(&convert, &params) == WEIR_OK, "memory");
    struct weir_meaning_notes notes = {0};
    for (int i = 0; i < MAX_FRAMES && bytes.size > 0; i++) {
        const size_t taken = bytes.size < FRAME_SIZE ? bytes.size : FRAME_SIZE;
        struct fuzz_bytes own = {bytes.data, taken};
        bytes = (struct fuzz_bytes){bytes.data + taken, bytes.size - taken};
        AVFrame *frame = take_frame(&own);
        if (frame) {
            run_frame(&convert, &notes, frame, 1 + fuzz_take_u8(&own) % WEIR_NUM_ORIENTATIONS);
            check_angle(own, frame);
        }
        av_frame_free(&frame);
    }
    weir_convert_finish(&convert);
}

static void init(void)
{
    av_log_set_level(AV_LOG_QUIET);
}

const struct fuzz_target fuzz_target = TEST_LIST(.name = "convert", .num_runs = 400, .init = init,
                                                 .seed = seed, .run = run);
