// SPDX-License-Identifier: MIT
// Frames of other sizes in one movie: scaled into the first size, or laid in its middle. FFmpeg
// decodes them, and they are what float64 arithmetic makes of them, with black borders.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "fixture.h"
#include "reference.h"
#include "testing.h"
#include "tests/sanitized.h"

enum { WIDTH = 70, HEIGHT = 46, NUM_SIZES = 8, MOST = 200 * 100, BLOCK = 4 };
static const int64_t FRAME_NS = 1000000000 / 60;
// Codes of 8 bits, in blocks without an edge of the picture: half a code each from the texels and
// the result, and a code of the encoder's.
static const double WORST = 2.25;

static const uint32_t sizes[NUM_SIZES][2] = {{WIDTH, HEIGHT}, {33, 17}, {128, 96}, {1, 1},
                                             {1, 90},         {200, 1}, {71, 45},  {140, 92}};

// The grey of a texel, which is smooth at every size.
static uint8_t texel(const uint32_t size[2], int x, int y)
{
    const double u = (x + 0.5) / size[0], v = (y + 0.5) / size[1];
    return (uint8_t)lround(127.5 + 40 * sin(4.5 * u + 0.5) * cos(3.5 * v));
}

static double to_light(double code, bool is_srgb)
{
    const double c = code / 255;
    return !is_srgb ? c : c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double to_code(double light, bool is_srgb)
{
    return 255 * (!is_srgb             ? light
                  : light <= 0.0031308 ? 12.92 * light
                                       : 1.055 * pow(light, 1 / 2.4) - 0.055);
}

static int clamp(int value, uint32_t size)
{
    return value < 0 ? 0 : value >= (int)size ? (int)size - 1 : value;
}

// The code at a place between texels.
static double between(const uint32_t size[2], double x, double y, bool is_srgb)
{
    const int left = (int)floor(x), top = (int)floor(y);
    const double weights[2][2] = {{left + 1 - x, x - left}, {top + 1 - y, y - top}};
    double light = 0;
    for (int i = 0; i < 4; i++) {
        light += weights[0][i % 2] * weights[1][i / 2] *
                 to_light(texel(size, clamp(left + i % 2, size[0]), clamp(top + i / 2, size[1])),
                          is_srgb);
    }
    return to_code(light, is_srgb);
}

// Where a picture lies in the movie: begin and size of each axis, and the scale.
struct place {
    int begin[2], size[2];
    double scale[2], from[2];
};

static struct place place_of(const uint32_t size[2], enum weir_resize mode)
{
    const int most[2] = {WIDTH, HEIGHT};
    const double scale = fmin((double)WIDTH / size[0], (double)HEIGHT / size[1]);
    struct place place;
    for (int i = 0; i < 2; i++) {
        const int scaled = mode == WEIR_RESIZE_FIT ? (int)floor(size[i] * scale + 0.5)
                                                   : (int)size[i];
        place.size[i] = scaled < 1 ? 1 : scaled > most[i] ? most[i] : scaled;
        place.begin[i] = (most[i] - place.size[i]) / 2;
        place.scale[i] = mode == WEIR_RESIZE_FIT ? (double)size[i] / place.size[i] : 1;
        place.from[i] = mode == WEIR_RESIZE_FIT ? 0 : ((int)size[i] - place.size[i]) / 2;
    }
    return place;
}

static bool is_inside(const struct place *place, int x, int y)
{
    return x >= place->begin[0] && x < place->begin[0] + place->size[0] && y >= place->begin[1] &&
           y < place->begin[1] + place->size[1];
}

// A block that has picture and border is not exact.
static bool has_edge(const struct place *place, int x, int y)
{
    const int left = x / BLOCK * BLOCK, top = y / BLOCK * BLOCK;
    bool has[2] = {false, false};
    for (int i = 0; i < BLOCK * BLOCK; i++) {
        has[is_inside(place, clamp(left + i % BLOCK, WIDTH), clamp(top + i / BLOCK, HEIGHT))] =
            true;
    }
    return has[0] && has[1];
}

static void expect_frame(const uint8_t *texels, int number, enum weir_resize mode, bool is_srgb)
{
    const uint32_t *size = sizes[number];
    const struct place place = place_of(size, mode);
    double worst = 0, border = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const int x = i % WIDTH, y = i / WIDTH;
        if (has_edge(&place, x, y)) {
            continue;
        }
        const double u = (x - place.begin[0] + 0.5) * place.scale[0] - 0.5 + place.from[0];
        const double v = (y - place.begin[1] + 0.5) * place.scale[1] - 0.5 + place.from[1];
        const bool is_picture = is_inside(&place, x, y);
        for (int c = 0; c < 3; c++) {
            const double code = texels[3 * i + c];
            worst = is_picture ? fmax(worst, fabs(code - between(size, u, v, is_srgb))) : worst;
            border = is_picture ? border : fmax(border, code);
        }
    }
    printf("%ux%u, mode %d: %.2f codes, border %.0f\n", size[0], size[1], (int)mode, worst, border);
    test_expect(worst <= WORST && border <= 1, "%ux%u, mode %d: %.2f codes, border %.0f", size[0],
                size[1], (int)mode, worst, border);
}

// FFmpeg decodes all frames, in the first size.
static void expect_movie(const char *path, enum weir_resize mode, bool is_srgb)
{
    static uint8_t texels[WIDTH * HEIGHT * 3 + 1];
    char command[512];
    reference_expect_frames("resized", path, NUM_SIZES);
    snprintf(command, sizeof(command),
             "ffmpeg -nostdin -v error -i '%s' -f rawvideo -pix_fmt rgb24 -", path);
    FILE *frames = popen(command, "r");
    test_must(frames, "ffmpeg");
    for (int i = 0; i < NUM_SIZES; i++) {
        test_expect(fread(texels, 3, WIDTH * HEIGHT, frames) == WIDTH * HEIGHT, "frame %d", i);
        expect_frame(texels, i, mode, is_srgb);
    }
    test_expect(fread(texels, 1, 1, frames) == 0, "there is more");
    test_expect(pclose(frames) == 0, "ffmpeg");
}

static void test_mode(struct fixture *fixture, VkFormat format, VkImageUsageFlags usage,
                      enum weir_resize mode)
{
    static uint8_t content[MOST][4];
    struct fixture_image images[NUM_SIZES];
    for (int i = 0; i < NUM_SIZES; i++) {
        const uint32_t *size = sizes[i];
        for (uint32_t t = 0; t < size[0] * size[1]; t++) {
            const uint8_t code = texel(size, (int)(t % size[0]), (int)(t / size[0]));
            for (int c = 0; c < 4; c++) {
                content[t][c] = c < 3 ? code : 255;
            }
        }
        fixture_image_init(&fixture->harness, format, size[0], size[1], usage, content, 4,
                           &images[i]);
    }
    const char *path = test_path("fit.mov");
    struct weir_capture_params params = fixture_params(fixture, path, WEIR_SINK_MOV);
    params.like = images[0].image;
    params.codec = WEIR_MOVIE_CODEC_HAP_Q;
    params.on_resize = mode;
    weir_capture *capture = fixture_open(fixture, &params);
    for (int i = 0; i < NUM_SIZES; i++) {
        fixture_send_image(&fixture->harness, capture, &images[i], i * FRAME_NS);
    }
    fixture_expect_end(capture, WEIR_OK, NUM_SIZES, 0);
    expect_movie(path, mode, format == VK_FORMAT_B8G8R8A8_SRGB);
    unlink(path);
    for (int i = 0; i < NUM_SIZES; i++) {
        fixture_image_finish(&fixture->harness, &images[i]);
    }
}

// An image that cannot be copied is refused, and the movie goes on.
static void test_refused(struct fixture *fixture)
{
    struct fixture_image small;
    static const uint8_t content[16 * 8 * 4];
    struct weir_capture_params params = fixture_params(fixture, NULL, WEIR_SINK_NULL);
    params.on_resize = WEIR_RESIZE_FIT;
    fixture_image_init(&fixture->harness, weir_image_get_params(params.like).format, 16, 8,
                       VK_IMAGE_USAGE_SAMPLED_BIT, content, 4, &small);
    weir_capture *capture = fixture_open(fixture, &params);
    weir_image *own = fixture->image;
    test_expect(fixture_present(fixture, capture, 0) == WEIR_OK, "a first frame");
    fixture->image = small.image;
    test_expect(fixture_present(fixture, capture, FRAME_NS) == WEIR_ERROR_UNSUPPORTED, "no usage");
    fixture->image = own;
    test_expect(fixture_present(fixture, capture, 2 * FRAME_NS) == WEIR_OK, "it goes on");
    fixture_expect_end(capture, WEIR_OK, 2, 1);
    fixture_image_finish(&fixture->harness, &small);
    params.on_resize = (enum weir_resize)3;
    test_expect(weir_capture_open(fixture->harness.context, &params, &capture) ==
                    WEIR_ERROR_INVALID,
                "no such mode");
}

int main(void)
{
    static struct fixture fixture;
    const VkImageUsageFlags copied = VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    fixture_init(&fixture, true);
    // Threads know nothing of modes.
    for (int mode = WEIR_RESIZE_FIT; mode <= WEIR_RESIZE_PAD; mode += SANITIZED_STRIDE) {
        test_mode(&fixture, VK_FORMAT_R8G8B8A8_UNORM, copied | VK_IMAGE_USAGE_SAMPLED_BIT,
                  (enum weir_resize)mode);
        test_mode(&fixture, VK_FORMAT_B8G8R8A8_SRGB, copied | VK_IMAGE_USAGE_SAMPLED_BIT,
                  (enum weir_resize)mode);
        test_mode(&fixture, VK_FORMAT_R8G8B8A8_UNORM, copied, (enum weir_resize)mode);
    }
    test_refused(&fixture);
    fixture_finish(&fixture);
    return test_finish();
}
