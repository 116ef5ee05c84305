// SPDX-License-Identifier: MIT
// Frames of random codes become RGBA within half a code of float64: every matrix, range, depth and
// subsampling, the six sitings, fields, alpha and odd sides; in rows of 8 bits and of 16.
//
// Sources of the formulas: ITU-T H.273, 8.3 and figure 9; the cubic of Mitchell and Netravali with
// B = 0 and C = 0.6. Matrices that are not read are refused by name.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libavutil/pixdesc.h>

#include "capture/files/source/scale.h"
#include "capture/files/source/source.h"
#include "tests/expect.h"
#include "tests/interlaced.h"
#include "tests/sanitized.h"
#include "tests/seeded.h"

enum {
    NUM_SEEDS = 200,
    MAX_SIDE = 45,
    MAX_WIDTH = 1100,
    PITCH = MAX_WIDTH * 8 + 64 - MAX_WIDTH * 8 % 64
};

struct input {
    const AVPixFmtDescriptor *format;
    AVFrame *frame;
    bool is_interlaced;
    double codes[4][MAX_SIDE][MAX_WIDTH];
};

static bool is_yuv(const struct input *input)
{
    return (input->format->flags & AV_PIX_FMT_FLAG_RGB) == 0 && input->format->nb_components > 2;
}

static int side_of(const struct input *input, int component, int side, int log2)
{
    const bool is_less = is_yuv(input) && (component == 1 || component == 2);
    return is_less ? (side + (1 << log2) - 1) >> log2 : side;
}

// Noise, or a field of two codes with an edge, which shows what filters do beyond the range.
static void fill(struct input *input)
{
    for (int c = 0; c < input->format->nb_components; c++) {
        const int width = side_of(input, c, input->frame->width, input->format->log2_chroma_w);
        const int height = side_of(input, c, input->frame->height, input->format->log2_chroma_h);
        const int num = 1 << input->format->comp[c].depth;
        const bool has_edge = seeded_below(3) == 0;
        const int pair[2] = {seeded_below(num), seeded_below(num)}, edge = seeded_below(width);
        for (int y = 0; y < height; y++) {
            uint16_t row[MAX_WIDTH];
            for (int x = 0; x < width; x++) {
                row[x] = (uint16_t)(has_edge ? pair[x < edge] : seeded_below(num));
                input->codes[c][y][x] = row[x];
            }
            av_write_image_line(row, input->frame->data, input->frame->linesize, input->format, 0,
                                y, c, width);
        }
    }
}

static double cubic(double x)
{
    const double b = 0, c = 0.6, a = fabs(x);
    return a < 1
               ? ((12 - 9 * b - 6 * c) * pow(a, 3) + (-18 + 12 * b + 6 * c) * a * a + 6 - 2 * b) / 6
           : a < 2 ? ((-b - 6 * c) * pow(a, 3) + (6 * b + 30 * c) * a * a + (-12 * b - 48 * c) * a +
                      8 * b + 24 * c) /
                         6
                   : 0;
}

// From the first luma sample to the first one of chroma [luma samples].
static double place(int halves, int log2)
{
    return halves / 2.0 * ((1 << log2) - 1);
}

static double chroma_at(const struct input *input, int component, int x, int y)
{
    static const int halves[][2] = {{0, 1}, {0, 1}, {1, 1}, {0, 0}, {1, 0}, {0, 2}, {1, 2}};
    const int right = input->format->log2_chroma_w, down = input->format->log2_chroma_h;
    const bool is_full = input->frame->color_range == AVCOL_RANGE_JPEG;
    const int location = input->frame->chroma_location;
    const int *at = halves[location != 0 ? location : is_full ? 2 : 1];
    const int width = side_of(input, component, input->frame->width, right);
    const int height = side_of(input, component, input->frame->height, down);
    // Rows of a field are those of the frame, twice as far apart.
    const bool by_field = input->is_interlaced && down > 0 &&
                          input->frame->height % (2 << down) == 0;
    const int step = by_field ? 2 : 1, first = by_field ? y % 2 : 0;
    const double of_frame = place(at[1], down);
    const double of_rows = !by_field    ? of_frame
                           : first == 0 ? of_frame / 2
                                        : (of_frame + (1 << down) - 1) / 2;
    const double at_x = (x - place(at[0], right)) / (1 << right);
    const double at_y = (y / step - of_rows) / (1 << down);
    double sum = 0;
    for (int j = (int)floor(at_y) - 1; j <= floor(at_y) + 2; j++) {
        for (int i = (int)floor(at_x) - 1; i <= floor(at_x) + 2; i++) {
            const int column = i < 0 ? 0 : i < width ? i : width - 1;
            const int last = (height - first - 1) / step;
            const int row = step * (j < 0 ? 0 : j < last ? j : last) + first;
            sum += cubic(at_x - i) * cubic(at_y - j) * input->codes[component][row][column];
        }
    }
    return sum;
}

static void add_colors(const AVFrame *frame, double y, double u, double v, double rgba[4])
{
    static const double parts[][2] = {
        [AVCOL_SPC_BT709] = {0.2126, 0.0722},     [AVCOL_SPC_UNSPECIFIED] = {0.299, 0.114},
        [AVCOL_SPC_FCC] = {0.30, 0.11},           [AVCOL_SPC_BT470BG] = {0.299, 0.114},
        [AVCOL_SPC_SMPTE170M] = {0.299, 0.114},   [AVCOL_SPC_SMPTE240M] = {0.212, 0.087},
        [AVCOL_SPC_BT2020_NCL] = {0.2627, 0.0593}};
    if (frame->colorspace == AVCOL_SPC_YCGCO) {
        rgba[0] = y - u + v;
        rgba[1] = y + u;
        rgba[2] = y - u - v;
        return;
    }
    const double red = parts[frame->colorspace][0], blue = parts[frame->colorspace][1];
    rgba[0] = y + 2 * (1 - red) * v;
    rgba[2] = y + 2 * (1 - blue) * u;
    rgba[1] = (y - red * rgba[0] - blue * rgba[2]) / (1 - red - blue);
}

static void reference(const struct input *input, int x, int y, double rgba[4])
{
    const AVPixFmtDescriptor *format = input->format;
    const bool is_full = input->frame->color_range == AVCOL_RANGE_JPEG;
    const bool has_alpha = (format->flags & AV_PIX_FMT_FLAG_ALPHA) != 0;
    const double one = pow(2, format->comp[0].depth - 8), most = pow(2, format->comp[0].depth) - 1;
    const double code = input->codes[0][y][x];
    const double luma = is_full ? code / most : (code - 16 * one) / (219 * one);
    const int last = format->nb_components - 1;
    double chroma[2];
    for (int c = 0; c < 3; c++) {
        rgba[c] = luma;
    }
    for (int c = 0; c < 2 && is_yuv(input); c++) {
        chroma[c] = (chroma_at(input, c + 1, x, y) - 128 * one) / (is_full ? most : 224 * one);
    }
    for (int c = 0; c < 3 && (format->flags & AV_PIX_FMT_FLAG_RGB) != 0; c++) {
        rgba[c] = input->codes[c][y][x] / (pow(2, format->comp[c].depth) - 1);
    }
    if (is_yuv(input)) {
        add_colors(input->frame, luma, chroma[0], chroma[1], rgba);
    }
    rgba[3] = has_alpha ? input->codes[last][y][x] / (pow(2, format->comp[last].depth) - 1) : 1;
}

static double error_of(const struct input *input, const uint8_t *rows, bool is_deep)
{
    double worst = 0;
    for (int y = 0; y < input->frame->height; y++) {
        for (int x = 0; x < input->frame->width; x++) {
            double rgba[4];
            reference(input, x, y, rgba);
            for (int c = 0; c < 4; c++) {
                uint16_t code = rows[y * PITCH + 4 * x + c];
                if (is_deep) {
                    memcpy(&code, rows + y * PITCH + 8 * x + 2 * c, sizeof(code));
                }
                const double wanted = fmin(fmax(rgba[c], 0), 1) * (is_deep ? 65535 : 255);
                worst = fmax(worst, fabs(code - wanted));
            }
        }
    }
    return worst;
}

static AVFrame *make_frame(enum AVPixelFormat format, bool is_interlaced)
{
    static const enum AVColorSpace matrices[] = {
        AVCOL_SPC_BT709,     AVCOL_SPC_UNSPECIFIED, AVCOL_SPC_FCC,        AVCOL_SPC_BT470BG,
        AVCOL_SPC_SMPTE170M, AVCOL_SPC_SMPTE240M,   AVCOL_SPC_BT2020_NCL, AVCOL_SPC_YCGCO};
    AVFrame *frame = av_frame_alloc();
    const bool is_wide = seeded_below(16) == 0;
    const int width = 1 + seeded_below(is_wide ? MAX_WIDTH : MAX_SIDE);
    const int height = 1 + seeded_below(is_wide ? 9 : MAX_SIDE);
    test_must(frame && weir_frame_allocate(frame, format, width, height) >= 0, "memory");
    for (int i = 0; i < AV_NUM_DATA_POINTERS && frame->buf[i]; i++) {
        memset(frame->buf[i]->data, 0, frame->buf[i]->size); // values are added to bits
    }
    frame->colorspace = matrices[seeded_below(8)];
    frame->color_range = seeded_below(2) == 0 ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
    frame->chroma_location = (enum AVChromaLocation)seeded_below(AVCHROMA_LOC_NB);
    set_interlaced(frame, is_interlaced);
    return frame;
}

static void check(const char *name)
{
    static struct input input;
    static _Alignas(WEIR_SOURCE_ALIGNMENT) uint8_t rows[PITCH * MAX_SIDE];
    const struct weir_log log = {0};
    const bool is_deep = seeded_below(2) == 0;
    input.format = av_pix_fmt_desc_get(av_get_pix_fmt(name));
    input.is_interlaced = seeded_below(3) == 0;
    input.frame = make_frame(av_get_pix_fmt(name), input.is_interlaced);
    fill(&input);
    struct weir_scale scale;
    enum weir_result result = weir_scale_init(&scale, name,
                                              is_deep ? AV_PIX_FMT_RGBA64 : AV_PIX_FMT_RGBA, &log);
    if (result == WEIR_OK) {
        result = weir_scale_run(&scale, input.frame, (uint32_t)input.frame->width,
                                (uint32_t)input.frame->height, rows, PITCH);
    }
    const double error = error_of(&input, rows, is_deep);
    test_expect(
        result == WEIR_OK && error < (is_deep ? 0.55 : 0.501),
        "%s, %dx%d, matrix %d, range %d, location %d, interlaced %d, deep %d: %d, %g codes off",
        name, input.frame->width, input.frame->height, (int)input.frame->colorspace,
        (int)input.frame->color_range, (int)input.frame->chroma_location, input.is_interlaced,
        is_deep, (int)result, error);
    weir_scale_finish(&scale);
    av_frame_free(&input.frame);
}

static char last_error[256];

static void keep_error(void *user, const struct weir_log_message *message)
{
    (void)user;
    snprintf(last_error, sizeof(last_error), "%s", message->text);
}

static enum weir_result run_small(const AVFrame *frame)
{
    static _Alignas(WEIR_SOURCE_ALIGNMENT) uint8_t row[WEIR_SOURCE_ALIGNMENT];
    const struct weir_log log = {.print = keep_error};
    struct weir_scale scale;
    enum weir_result result = weir_scale_init(&scale, "in", AV_PIX_FMT_RGBA, &log);
    if (result == WEIR_OK) {
        result = weir_scale_run(&scale, frame, 1, 1, row, sizeof(row));
    }
    weir_scale_finish(&scale);
    return result;
}

static void check_refused(void)
{
    static const struct {
        enum AVColorSpace matrix;
        const char *name;
    } others[] = {{AVCOL_SPC_ICTCP, "ictcp"},
                  {AVCOL_SPC_BT2020_CL, "bt2020c"},
                  {AVCOL_SPC_RGB, "gbr"},
                  {(enum AVColorSpace)17, "unknown"}};
    AVFrame *frame = av_frame_alloc();
    test_must(frame && weir_frame_allocate(frame, AV_PIX_FMT_YUV444P, 1, 1) >= 0, "memory");
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        last_error[0] = 0;
        frame->colorspace = others[i].matrix;
        const enum weir_result result = run_small(frame);
        test_expect(result == WEIR_ERROR_UNSUPPORTED && strstr(last_error, others[i].name),
                    "%s: %d, %s", others[i].name, (int)result, last_error);
    }
    frame->format = AV_PIX_FMT_GBRP;
    frame->colorspace = AVCOL_SPC_RGB;
    test_expect(run_small(frame) == WEIR_OK, "planes of RGB are refused");
    av_frame_free(&frame);
}

int main(void)
{
    static const char *const names[] = {
        "yuv420p",     "yuv422p",     "yuv444p",     "yuv440p",     "yuv411p",      "yuv410p",
        "nv12",        "nv21",        "uyvy422",     "yuyv422",     "yuva420p",     "yuva422p",
        "yuva444p",    "yuv420p9le",  "yuv420p10le", "yuv422p10be", "yuv444p12le",  "yuv420p14be",
        "yuv444p16le", "yuv420p16be", "p010le",      "p016be",      "yuva444p10le", "yuva420p16le",
        "gray",        "gray10le",    "gray16be",    "ya8",         "ya16le",       "gbrp",
        "gbrap",       "gbrp10le",    "gbrap12be",   "gbrp14le",    "gbrap16le",    "rgb24",
        "bgra",        "rgb48be",     "rgba64le",    "x2rgb10le",
    };
    seeded_start();
    for (int i = 0; i < NUM_SEEDS; i += SANITIZED_STRIDE) {
        for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
            check(names[k]);
        }
    }
    check_refused();
    return test_finish();
}
