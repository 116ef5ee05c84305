// SPDX-License-Identifier: MIT
// OpenEXR files, which are written here without compression: windows, layers, channels of several
// types, luminance with chroma, primaries.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/base/small_float.h"
#include "capture/files/picture/picture.h"
#include "testing.h"

struct box {
    int32_t left, top, right, bottom; // with the last texel
};

static const struct box plain = {0, 0, 11, 7};

struct exr {
    const char *channels; // "R h 1, G f 1": name, type (h, f, u), step, sorted by their names
    struct box data, display;
    const float *primaries; // NULL: none
    float (*value)(char kind, int x,
                   int y); // of a channel, by the letter that its own name begins with
};

static float plain_value(char kind, int x, int y)
{
    const float at = (float)(x + 20) / 64 + (float)(y + 20) / 256; // exact as a half
    return kind == 'R' ? at : kind == 'G' ? at / 2 : kind == 'B' ? 1 - at : kind == 'A' ? 0.5f : 7;
}

static void put(FILE *out, const void *bytes, size_t size)
{
    test_must(fwrite(bytes, size, 1, out) == 1, "write");
}

static void put_attribute(FILE *out, const char *name, const char *type, const void *value,
                          size_t size)
{
    const uint32_t length = (uint32_t)size;
    put(out, name, strlen(name) + 1);
    put(out, type, strlen(type) + 1);
    put(out, &length, sizeof(length));
    put(out, value, size);
}

struct channel {
    char name[64], type;
    int step;
};

static int parse(const char *text, struct channel channels[8])
{
    int num = 0, length = 0;
    while (sscanf(text, " %63s %c %d%n", channels[num].name, &channels[num].type,
                  &channels[num].step, &length) == 3) {
        text += length;
        text += *text == ',';
        num++;
    }
    return num;
}

static size_t make_list(const struct channel *channels, int num, uint8_t list[512])
{
    uint8_t *at = list;
    for (int i = 0; i < num; i++) {
        const char type = channels[i].type;
        const int32_t words[4] = {type == 'u'   ? 0
                                  : type == 'h' ? 1
                                                : 2,
                                  0, channels[i].step, channels[i].step};
        const size_t size = strlen(channels[i].name) + 1;
        memcpy(at, channels[i].name, size);
        memcpy(at + size, words, sizeof(words));
        at += size + sizeof(words);
    }
    *at++ = 0;
    return (size_t)(at - list);
}

static void put_header(FILE *out, const struct exr *file, const uint8_t *list, size_t list_size)
{
    static const float zeros[2] = {0, 0}, one = 1;
    put(out, "\x76\x2f\x31\x01\x02\0\0\0", 8);
    put_attribute(out, "channels", "chlist", list, list_size);
    put_attribute(out, "compression", "compression", "", 1);
    put_attribute(out, "dataWindow", "box2i", &file->data, sizeof(file->data));
    put_attribute(out, "displayWindow", "box2i", &file->display, sizeof(file->display));
    put_attribute(out, "lineOrder", "lineOrder", "", 1);
    put_attribute(out, "pixelAspectRatio", "float", &one, sizeof(one));
    put_attribute(out, "screenWindowCenter", "v2f", zeros, sizeof(zeros));
    put_attribute(out, "screenWindowWidth", "float", &one, sizeof(one));
    if (file->primaries) {
        put_attribute(out, "chromaticities", "chromaticities", file->primaries, 32);
    }
    put(out, "", 1);
}

static size_t make_row(const struct exr *file, const struct channel *channels, int num, int y,
                       uint8_t *row)
{
    uint8_t *at = row;
    for (int i = 0; i < num; i++) {
        const struct channel *channel = &channels[i];
        for (int x = file->data.left; x <= file->data.right && y % channel->step == 0;
             x += channel->step) {
            const char *dot = strrchr(channel->name, '.');
            const float value = file->value(dot ? dot[1] : channel->name[0], x, y);
            const uint16_t half = weir_half_from(value);
            const uint32_t word = (uint32_t)value;
            const size_t size = channel->type == 'h' ? 2 : 4;
            memcpy(at,
                   channel->type == 'h'   ? (const void *)&half
                   : channel->type == 'f' ? (const void *)&value
                                          : &word,
                   size);
            at += size;
        }
    }
    return (size_t)(at - row);
}

static void write_exr(const struct exr *file)
{
    uint8_t list[512], row[4096];
    struct channel channels[8];
    const int num = parse(file->channels, channels);
    FILE *out = fopen("in.exr", "wb");
    test_must(out, "in.exr");
    put_header(out, file, list, make_list(channels, num, list));
    const int num_rows = file->data.bottom - file->data.top + 1;
    uint64_t place = (uint64_t)ftell(out) + 8 * (uint64_t)num_rows;
    for (int pass = 0; pass < 2; pass++) {
        for (int y = file->data.top; y <= file->data.bottom; y++) {
            const uint32_t size = (uint32_t)make_row(file, channels, num, y, row);
            if (pass == 0) {
                put(out, &place, sizeof(place));
                place += 8 + size;
            } else {
                put(out, &y, sizeof(y));
                put(out, &size, sizeof(size));
                put(out, row, size);
            }
        }
    }
    fclose(out);
}

static enum weir_result read_exr(const struct exr *file, const char *layer,
                                 struct weir_picture *picture)
{
    struct weir_still_params still = {.profile = WEIR_PROFILE_CONVERT};
    snprintf(still.layer, sizeof(still.layer), "%s", layer);
    write_exr(file);
    return weir_picture_read("in.exr", NULL, &still, &test_log, picture);
}

// Read a file and compare each texel. `kinds`: what R, G, B and A are, by letters; 0 and 1 as such.
static void expect(const struct exr *file, const char *layer, const char *kinds)
{
    struct weir_picture picture;
    test_must(read_exr(file, layer, &picture) == WEIR_OK, test_log_text());
    const struct box *shown = &file->display, *data = &file->data;
    test_expect(picture.width == (uint32_t)(shown->right - shown->left + 1) &&
                    picture.height == (uint32_t)(shown->bottom - shown->top + 1) &&
                    picture.type == WEIR_PICTURE_FLOAT && picture.has_alpha == (kinds[3] != '1'),
                "%s: %ux%u", file->channels, picture.width, picture.height);
    for (int y = shown->top; y <= shown->bottom; y++) {
        float row[64 * 4];
        weir_picture_row(&picture, (uint32_t)(y - shown->top), row);
        for (int i = 0; i < 4 * (int)picture.width; i++) {
            const int x = shown->left + i / 4;
            const bool is_inside = x >= data->left && x <= data->right && y >= data->top &&
                                   y <= data->bottom;
            const char kind = kinds[i % 4];
            const float want = kind == '1'                 ? 1
                               : kind == '0' || !is_inside ? 0
                                                           : file->value(kind, x, y);
            test_expect(row[i] == want, "%s %s: channel %d of %d,%d is %g, not %g", file->channels,
                        layer, i % 4, x, y, (double)row[i], (double)want);
        }
    }
    weir_picture_free(&picture);
}

static void test_windows(void)
{
    static const struct box boxes[][2] = {
        {{0, 0, 11, 7}, {0, 0, 11, 7}},       {{10, 10, 21, 17}, {10, 10, 21, 17}},
        {{13, 12, 24, 19}, {10, 10, 29, 23}}, {{-20, -9, 14, 14}, {-5, 3, 9, 20}},
        {{-4, -4, 11, 7}, {2, 2, 5, 5}},      {{20, 0, 25, 7}, {0, 0, 11, 7}},
    };
    for (size_t i = 0; i < sizeof(boxes) / sizeof(boxes[0]); i++) {
        struct exr file = {"B h 1, G h 1, R h 1", boxes[i][0], boxes[i][1], NULL, plain_value};
        expect(&file, "", "RGB1");
        file.channels = "A f 1, B h 1, G f 1, R h 1, Z u 1"; // types beside each other
        expect(&file, "", "RGBA");
    }
}

static void test_layers(void)
{
    struct exr file = {"V.Combined.A f 1, V.Combined.B f 1, V.Combined.G f 1, V.Combined.R f 1, "
                       "V.Depth.Z f 1, V.Flow.R f 1, V.Flow.Y f 1",
                       plain, plain, NULL, plain_value};
    const int before = test_log_count(WEIR_LOG_CODE_FALLBACK);
    expect(&file, "", "RGBA");
    test_expect(test_log_count(WEIR_LOG_CODE_FALLBACK) == before + 1 &&
                    strstr(test_log_text(), "V.Combined is read") &&
                    strstr(test_log_text(), "V.Depth, V.Flow"),
                "said: %s", test_log_text());
    expect(&file, "V.Combined", "RGBA");
    expect(&file, "V.Flow", "R001");
    expect(&file, "V.Combined.G", "GGG1");
    expect(&file, "V.Depth", "ZZZ1");
    file.channels = "B h 1, G h 1, R f 1, a.B h 1, a.G h 1, a.R h 1";
    expect(&file, "", "RGB1");
    expect(&file, "a", "RGB1");
    file.channels = "G h 1, R h 1";
    expect(&file, "", "RG01");
    file.channels = "A h 1, Y h 1";
    expect(&file, "", "YYYA");
    file.channels = "n.X h 1, n.Y h 1, n.Z h 1";
    expect(&file, "n", "XYZ1");
}

static void test_refused(void)
{
    static const struct {
        const char *channels, *layer, *words;
    } files[] = {
        {"A h 1", "", "it has no colours, but A"},
        {"Z f 1", "", "it has no colours, but Z; --layer NAME"},
        {"a.B h 1, a.G h 1, a.R h 1", "b", "it has no layer or channel b, but a"},
        {"B h 2, G h 1, R h 1", "", "channels of fewer samples"},
    };
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        const struct exr file = {files[i].channels, plain, plain, NULL, plain_value};
        struct weir_picture picture;
        test_expect(read_exr(&file, files[i].layer, &picture) == WEIR_ERROR_UNSUPPORTED &&
                        strstr(test_log_text(), files[i].words),
                    "%s: %s", files[i].channels, test_log_text());
        weir_picture_free(&picture);
    }
}

// Luminance, and (R - Y) / Y and (B - Y) / Y, which rise evenly and are so between samples.
static float chroma_value(char kind, int x, int y)
{
    return kind == 'Y' ? (float)(x + 2 * y + 1) / 32 : kind == 'R' ? (float)x / 64 : (float)y / 32;
}

static void test_chroma(void)
{
    const struct box window = {4, 6, 17, 15};
    for (int step = 1; step <= 2; step++) {
        char channels[64];
        struct weir_picture picture;
        snprintf(channels, sizeof(channels), "BY f %d, RY f %d, Y f 1", step, step);
        const struct exr file = {channels, window, window, NULL, chroma_value};
        test_must(read_exr(&file, "", &picture) == WEIR_OK, test_log_text());
        for (int y = window.top; y <= window.bottom - (step - 1); y++) {
            float row[64 * 4];
            weir_picture_row(&picture, (uint32_t)(y - window.top), row);
            for (int x = window.left; x <= window.right - (step - 1); x++) {
                const float luma = chroma_value('Y', x, y);
                const float red = (chroma_value('R', x, y) + 1) * luma;
                const float blue = (chroma_value('B', x, y) + 1) * luma;
                const float green = (luma - 0.2126f * red - 0.0722f * blue) / 0.7152f;
                const float *own = row + 4 * (size_t)(x - window.left);
                test_expect(fabsf(own[0] - red) < 1e-5f && fabsf(own[1] - green) < 1e-5f &&
                                fabsf(own[2] - blue) < 1e-5f,
                            "step %d: %d,%d is %g %g %g, not %g %g %g", step, x, y, (double)own[0],
                            (double)own[1], (double)own[2], (double)red, (double)green,
                            (double)blue);
            }
        }
        weir_picture_free(&picture);
    }
}

// White stays white, and red of BT.2020 becomes what its matrix has (ITU-R BT.2087).
static float red_value(char kind, int x, int y)
{
    (void)y;
    return x == 0 ? 0.5f : kind == 'R' ? 0.5f : 0;
}

static void test_primaries(void)
{
    static const float bt2020[8] = {0.708f, 0.292f, 0.17f, 0.797f, 0.131f, 0.046f, 0.3127f, 0.329f};
    static const float want[2][3] = {{0.5f, 0.5f, 0.5f}, {0.830246f, -0.0622752f, -0.00907538f}};
    const struct exr file = {"B f 1, G f 1, R f 1", {0, 0, 1, 0}, {0, 0, 1, 0}, bt2020, red_value};
    struct weir_picture picture;
    float row[8];
    test_must(read_exr(&file, "", &picture) == WEIR_OK, test_log_text());
    weir_picture_row(&picture, 0, row);
    for (int i = 0; i < 8; i++) {
        test_expect(i % 4 == 3 || fabsf(row[i] - want[i / 4][i % 4]) < 5e-4f, "value %d is %g", i,
                    (double)row[i]);
    }
    weir_picture_free(&picture);
}

int main(void)
{
    test_windows();
    test_layers();
    test_refused();
    test_chroma();
    test_primaries();
    return test_finish();
}
