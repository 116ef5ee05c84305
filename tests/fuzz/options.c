// SPDX-License-Identifier: MIT
// Command lines of the program weir: values are within their bounds, and mean what was written.
#include "capture/weir/common/options.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"

enum { MAX_WORDS = 32 };

struct values {
    bool flag;
    const char *text, *list;
    uint64_t number, large, bytes, stream;
    double real;
    struct cli_size size;
    struct weir_ratio rate;
    struct cli_range range;
    struct cli_scale scale;
    int choice, letter;
};

static const char *const names[] = {"bc1", "bc7", "etc2_rgb", "a", NULL};

static const char *letter(int index)
{
    static const char *const letters[] = {"x", "y", "z"};
    return index < 3 ? letters[index] : NULL;
}

#define AT(field) .offset = offsetof(struct values, field)
static const struct cli_option options[] = {
    {.name = "flag", .type = CLI_FLAG, AT(flag), .help = "a flag"},
    {.name = "text", .type = CLI_TEXT, AT(text), .argument = "TEXT", .help = "a text"},
    {.name = "number", .type = CLI_NUMBER, AT(number), .argument = "N", .min = 1, .max = 1000},
    {.name = "large", .type = CLI_NUMBER, AT(large), .argument = "N", .max = UINT64_MAX},
    {.name = "real", .type = CLI_REAL, AT(real), .argument = "X", .real_min = 0.001, .real_max = 8},
    {.name = "bytes", .type = CLI_BYTES, AT(bytes), .argument = "SIZE"},
    {.name = "stream", .type = CLI_STREAM, AT(stream), .argument = "BYTES"},
    {.name = "size", .type = CLI_SIZE, AT(size), .argument = "WxH"},
    {.name = "rate", .type = CLI_RATE, AT(rate), .argument = "RATE"},
    {.name = "range", .type = CLI_RANGE, AT(range), .argument = "A-B"},
    {.name = "scale", .type = CLI_SCALE, AT(scale), .argument = "SIZE"},
    {.name = "choice", .type = CLI_CHOICE, AT(choice), .argument = "NAME", .choices = names},
    {.name = "letter", .type = CLI_CHOICE, AT(letter), .argument = "NAME", .choice = letter},
    {.name = "list", .type = CLI_LIST, AT(list), .argument = "NAMES", .choices = names},
};
enum { NUM_OPTIONS = sizeof(options) / sizeof(options[0]) };

static const char *const seeds[] = TEST_LIST(
    "in\nout", "--flag\nin\nout", "in\n--number=17\n--large\n18446744073709551615\nout",
    "--large=18446744073709551616\nin\nout", "--real=0.5\n--real\n1e-3\n--real=.25E+1\nin\nout",
    "--bytes\n2G\n--bytes=512MiB\n--bytes=0.0001T\nin\nout", "--bytes=1e999G\nin\nout",
    "--bytes=9999999999999999999999.9T\nin\nout", "--stream=60M\n--stream\n1.5GB/s\nin\nout",
    "--stream=999999999999999999999T\nin\nout", "--size\n1920x1080\n--size=65535x1\nin\nout",
    "--rate\n29.97\nin\nout", "--rate=23.976\nin\nout", "--rate=59.94\nin\nout",
    "--rate=5.117\nin\nout", "--rate=30000/1001\nin\nout", "--rate=1e30\nin\nout",
    "--rate=1e999/1\nin\nout", "--rate=18446744073709551615/18446744073709551615\nin\nout",
    "--rate=0.001\nin\nout", "--rate=12.34567890123456789\nin\nout", "--rate=30.E15\nin\nout",
    "--rate=60000000/1001000\nin\nout", "--range=10-20\nin\nout",
    "--range\n-1:02:03.004\n--range=5-\nin\nout", "--range=999999999:59:59-\nin\nout",
    "--scale=1280x720\n--scale=x5\n--scale\n65535x\nin\nout", "--scale=33.333333%\nin\nout",
    "--scale=100.0000001%\n--scale=0x5\nin\nout",
    "--choice=bc7\n--letter=z\n--list=bc1,bc7,a\nin\nout", "--list=,\nin\nout",
    "--choice=B-c_7\n--list=DXT1,Bptc,A,etc2-rgb\nin\nout", "--list\n\nin\nout", "--\n--flag\nout",
    "-\n-\n", "--flag=1\nin\nout", "--=\nin\nout", "--text", NULL);

static const char *const pieces[] = {"--rate=", "--size=", "--range=",   "--scale=", ":",
                                     "--real=", "--list=", "--number=",  "--large=", "\n",
                                     "x",       "/",       "%",          ",",        ".",
                                     "e",       "0x",      "-",          "=",        "1001",
                                     "65535",   "65536",   "4294967296", "23.976",   "119.88",
                                     "000000",  "bc1",     "BC-7",       "dxt1,",    "1e308",
                                     "nan",     "inf",     NULL};

// A rate is what was written or, of the NTSC rates, what was meant.
static void check_rate(const char *text, const struct weir_ratio *rate)
{
    fuzz_expect(text[strspn(text, "0123456789./")] == 0, "%s is a rate", text);
    fuzz_expect(rate->num > 0 && rate->den > 0 && rate->num <= 1000 * (uint64_t)rate->den,
                "%s is the rate %u/%u", text, rate->num, rate->den);
    const char *slash = strchr(text, '/');
    const double value = strtod(text, NULL) / (slash ? strtod(slash + 1, NULL) : 1);
    fuzz_expect(fabs(value - (double)rate->num / rate->den) <
                    (rate->den == 1001 ? 0.01 : 1e-6 * (1 + value)),
                "%s is the rate %u/%u", text, rate->num, rate->den);
}

// A time as sscanf() reads it.
static double read_time(const char *text)
{
    unsigned a = 0, b = 0;
    double seconds = 0;
    if (sscanf(text, "%u:%u:%lf", &a, &b, &seconds) == 3) {
        return 3600.0 * a + 60.0 * b + seconds;
    }
    return sscanf(text, "%u:%lf", &a, &seconds) == 2 ? 60.0 * a + seconds : strtod(text, NULL);
}

static void check_range(const char *text, const struct cli_range *range)
{
    const char *dash = strchr(text, '-');
    const double from = dash == text ? 0 : read_time(text), to = dash[1] ? read_time(dash + 1) : -1;
    fuzz_expect(!strchr(dash + 1, '-') && text[strspn(text, "0123456789:.-")] == 0, "%s is a range",
                text);
    fuzz_expect(fabs((double)range->from_ns / 1e9 - from) < 1e-6 + 1e-9 * from &&
                    (to < 0 || fabs((double)range->to_ns / 1e9 - to) < 1e-6 + 1e-9 * to) &&
                    range->from_ns < range->to_ns,
                "%s is the range %.9g to %.9g", text, (double)range->from_ns / 1e9,
                (double)range->to_ns / 1e9);
}

// Case and separators do not count, by a second way to compare.
static bool is_name(const char *name, const char *word, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (strchr("-_. ", word[i])) {
            continue;
        }
        name += strspn(name, "-_. ");
        if (tolower((unsigned char)word[i]) != *name++) {
            return false;
        }
    }
    return *name == 0;
}

// Sides are the words on both sides of the cross; a share is a percentage.
static void check_scale(const char *text, const struct cli_scale *scale)
{
    const char *cross = strchr(text, 'x');
    fuzz_expect(text[strspn(text, cross ? "0123456789x" : "0123456789.%")] == 0, "%s is a scale",
                text);
    if (cross) {
        fuzz_expect(scale->width == strtoul(text, NULL, 10) &&
                        scale->height == strtoul(cross + 1, NULL, 10) && scale->share == 0 &&
                        scale->width <= CLI_MAX_SIDE && scale->height <= CLI_MAX_SIDE,
                    "%s is scaled to %ux%u", text, scale->width, scale->height);
        return;
    }
    const double percent = strtod(text, NULL);
    fuzz_expect(scale->width == 0 && scale->height == 0 && scale->share > 0 &&
                    fabs(scale->share / 1e6 - percent) < 1.1e-6 && percent < 100.000001,
                "%s is scaled by %u", text, scale->share);
}

static void check_list(const char *list)
{
    for (;;) {
        const size_t length = strcspn(list, ",");
        bool known = false;
        for (int i = 0; names[i]; i++) {
            known = known || is_name(names[i], list, length);
        }
        known = known || is_name("dxt1", list, length) || is_name("bptc", list, length) ||
                is_name("etc2", list, length) || is_name("etc2_rgb8", list, length);
        fuzz_expect(known, "%.*s is known", (int)length, list);
        if (list[length] == 0) {
            return;
        }
        list += length + 1;
    }
}

static void check_size(const char *text)
{
    struct cli_size size = {0, 0};
    if (cli_parse_size(text, &size)) {
        const char *cross = strchr(text, 'x');
        const uint64_t width = strtoull(text, NULL, 10), height = strtoull(cross + 1, NULL, 10);
        fuzz_expect(size.width == (width < UINT32_MAX ? width : UINT32_MAX) &&
                        size.height == (height < UINT32_MAX ? height : UINT32_MAX),
                    "%s is %ux%u", text, size.width, size.height);
    }
}

// The word that an option was given last.
static const char *value_of(const char *name, int argc, char *const *argv)
{
    const char *value = NULL;
    const size_t length = strlen(name);
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strncmp(argv[i], "--", 2) != 0) {
            continue;
        }
        if (strncmp(argv[i] + 2, name, length) == 0 && argv[i][2 + length] == '=') {
            value = argv[i] + 3 + length;
        } else if (strcmp(argv[i] + 2, name) == 0) {
            value = argv[i + 1];
        }
        // The value of another option is none itself.
        i += !strchr(argv[i], '=') && strcmp(argv[i], "--flag") != 0;
    }
    return value;
}

static void check(const struct values *values, int argc, char *const *argv)
{
    fuzz_expect(values->number == 0 || (values->number >= 1 && values->number <= 1000), "a number");
    fuzz_expect(values->real == 0 || (values->real >= 0.001 && values->real <= 8), "a real");
    fuzz_expect(values->bytes == 0 || (values->bytes >= 1 << 20 && values->bytes < INT64_MAX),
                "an amount of memory");
    fuzz_expect(values->stream == 0 ||
                    (values->stream >= 1000 && values->stream <= UINT64_C(1000000000000000)),
                "bytes a second");
    fuzz_expect(values->choice >= 0 && values->choice < 4 && values->letter >= 0 &&
                    values->letter < 3,
                "a choice");
    fuzz_expect(values->size.width <= CLI_MAX_SIDE && values->size.height <= CLI_MAX_SIDE &&
                    !values->size.width == !values->size.height,
                "a size");
    if (values->rate.num != 0) {
        check_rate(value_of("rate", argc, argv), &values->rate);
    }
    const struct cli_range *range = &values->range;
    fuzz_expect(range->from_ns >= 0 && range->from_ns <= range->to_ns, "a range");
    if (range->to_ns != 0) {
        check_range(value_of("range", argc, argv), range);
    }
    const struct cli_scale *scale = &values->scale;
    if (scale->width != 0 || scale->height != 0 || scale->share != 0) {
        check_scale(value_of("scale", argc, argv), scale);
    }
    if (values->list) {
        check_list(values->list);
    }
    if (values->text) {
        fuzz_expect(values->text == value_of("text", argc, argv), "the text is the word itself");
    }
}

static void run(const uint8_t *data, size_t size)
{
    char *argv[MAX_WORDS + 1] = {NULL};
    int argc = 0;
    char *words = fuzz_split_words(data, size, argv, &argc, MAX_WORDS);
    for (int i = 0; i < argc; i++) {
        check_size(argv[i]);
    }
    struct values values = {0};
    char *arguments[MAX_WORDS + 1];
    const int num = cli_options_parse("fuzz", options, NUM_OPTIONS, argc, argv, &values, arguments);
    if (num >= 0) {
        fuzz_expect(num <= argc && !arguments[num], "NULL stands behind the arguments");
        for (int i = 1; i < num; i++) {
            fuzz_expect(arguments[i - 1] < arguments[i], "the arguments are in order");
        }
        check(&values, argc, argv);
    }
    free(words);
}

const struct fuzz_target fuzz_target = TEST_LIST(.name = "options", .num_runs = 30000,
                                                 .init = fuzz_silence_stderr, .texts = seeds,
                                                 .pieces = pieces, .run = run);
