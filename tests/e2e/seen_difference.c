// SPDX-License-Identifier: MIT
// seen_difference WIDTH HEIGHT ORIGINAL FILE...: how far pictures are from one as it is seen from a
// distance: both are blurred in linear light (a Gaussian whose standard deviation is a pixel), then
// compared by CIEDE2000 (G. Sharma, W. Wu, E. Dalal, 2005). Files are rows of RGB, 8 bits a value.
// Prints the mean over all pixels, a line a file.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { REACH = 4 };
static const double pi = 3.14159265358979323846;

static double *blur(double *picture, size_t width, size_t height)
{
    double *out = calloc(3 * width * height, sizeof(*out));
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < 3 * width * height; i++) {
            const long at = pass == 0 ? (long)(i / 3 % width) : (long)(i / 3 / width);
            const long num = (long)(pass == 0 ? width : height),
                       step = pass == 0 ? 3 : 3 * (long)width;
            double sum = 0, weights = 0;
            for (long t = -REACH; t <= REACH; t++) {
                const long near = at + t < 0 ? 0 : at + t >= num ? num - 1 : at + t;
                const double weight = exp(-(double)(t * t) / 2);
                sum += weight * picture[(long)i + (near - at) * step];
                weights += weight;
            }
            out[i] = sum / weights;
        }
        double *used = picture;
        picture = out;
        out = used;
    }
    free(out);
    return picture;
}

static double curve(double t)
{
    return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

static void to_lab(double *pixel)
{
    const double r = pixel[0], g = pixel[1], b = pixel[2];
    const double x = curve((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
    const double y = curve(0.2126729 * r + 0.7151522 * g + 0.0721750 * b);
    const double z = curve((0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883);
    pixel[0] = 116 * y - 16;
    pixel[1] = 500 * (x - y);
    pixel[2] = 200 * (y - z);
}

static double *read_lab(const char *path, size_t width, size_t height)
{
    FILE *file = fopen(path, "rb");
    double *lab = malloc(3 * width * height * sizeof(*lab));
    for (size_t i = 0; i < 3 * width * height; i++) {
        const int byte = file ? getc(file) : EOF;
        if (byte == EOF) {
            fprintf(stderr, "%s is not %zux%zu\n", path, width, height);
            exit(EXIT_FAILURE);
        }
        const double code = byte / 255.0;
        lab[i] = code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4);
    }
    fclose(file);
    lab = blur(lab, width, height);
    for (size_t i = 0; i < width * height; i++) {
        to_lab(lab + 3 * i);
    }
    return lab;
}

static double degrees(double a, double b)
{
    const double angle = a == 0 && b == 0 ? 0 : atan2(b, a) * 180 / pi;
    return angle < 0 ? angle + 360 : angle;
}

static double ciede2000(const double p[3], const double q[3])
{
    const double mean = (hypot(p[1], p[2]) + hypot(q[1], q[2])) / 2;
    const double scale = 1.5 - 0.5 * sqrt(pow(mean, 7) / (pow(mean, 7) + pow(25, 7)));
    const double c1 = hypot(p[1] * scale, p[2]), c2 = hypot(q[1] * scale, q[2]), c = (c1 + c2) / 2;
    const double h1 = degrees(p[1] * scale, p[2]), h2 = degrees(q[1] * scale, q[2]);
    const int is_grey = c1 * c2 == 0, is_far = fabs(h1 - h2) > 180;
    const double turn = is_grey || !is_far ? 0 : h2 > h1 ? -360 : 360;
    const double hue = is_grey ? 0 : 2 * sqrt(c1 * c2) * sin((h2 - h1 + turn) / 360 * pi);
    const double sum = h1 + h2 + (is_grey || !is_far ? 0 : h1 + h2 < 360 ? 360 : -360);
    const double h = (is_grey ? sum : sum / 2) * pi / 180, l = (p[0] + q[0]) / 2 - 50;
    const double t = 1 - 0.17 * cos(h - pi / 6) + 0.24 * cos(2 * h) + 0.32 * cos(3 * h + pi / 30) -
                     0.2 * cos(4 * h - 63 * pi / 180);
    const double around = (h * 180 / pi - 275) / 25;
    const double turned = -2 * sqrt(pow(c, 7) / (pow(c, 7) + pow(25, 7))) *
                          sin(pi / 3 * exp(-around * around));
    const double dl = (q[0] - p[0]) / (1 + 0.015 * l * l / sqrt(20 + l * l));
    const double dc = (c2 - c1) / (1 + 0.045 * c), dh = hue / (1 + 0.015 * c * t);
    return sqrt(dl * dl + dc * dc + dh * dh + turned * dc * dh);
}

// Three of the pairs of the paper's table, which reach its special cases.
static void check_formula(void)
{
    static const double pairs[3][7] = {
        {50, 2.6772, -79.7751, 50, 0, -82.7485, 2.0425},
        {50, 2.49, -0.001, 50, -2.49, 0.0011, 7.2195},
        {2.0776, 0.0795, -1.135, 0.9033, -0.0636, -0.5514, 0.9082},
    };
    for (int i = 0; i < 3; i++) {
        if (fabs(ciede2000(pairs[i], pairs[i] + 3) - pairs[i][6]) > 1e-4) {
            fprintf(stderr, "pair %d is %.4f\n", i, ciede2000(pairs[i], pairs[i] + 3));
            exit(EXIT_FAILURE);
        }
    }
}

int main(int argc, char **argv)
{
    if (argc < 5) {
        return EXIT_FAILURE;
    }
    check_formula();
    const size_t width = strtoul(argv[1], NULL, 10), height = strtoul(argv[2], NULL, 10);
    double *original = read_lab(argv[3], width, height);
    for (int i = 4; i < argc; i++) {
        double *lab = read_lab(argv[i], width, height), sum = 0;
        for (size_t k = 0; k < width * height; k++) {
            sum += ciede2000(original + 3 * k, lab + 3 * k);
        }
        printf("%s %.4f\n", argv[i], sum / (double)(width * height));
        free(lab);
    }
    free(original);
    return EXIT_SUCCESS;
}
