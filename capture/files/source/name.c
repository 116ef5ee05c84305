// SPDX-License-Identifier: MIT
// What the name of a file says: its kind by its ending, and its place among others.
#include "capture/files/source/name.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

// Names by which FFmpeg's image2 demuxer knows a picture, and that people use.
static const char *const picture_extensions[] = {
    "png", "jpg", "jpeg", "bmp",  "tga", "tif", "tiff", "exr", "webp", "dpx",
    "jp2", "j2k", "jxl",  "avif", "gif", "hdr", "pbm",  "pfm", "pgm",  "pnm",
    "ppm", "pam", "pcx",  "psd",  "qoi", "sgi", "sun",  "ras", "xbm",  "xwd",
};

// Names of movies that people have beside their pictures.
static const char *const movie_extensions[] = {
    "mov", "mp4", "m4v", "mkv", "webm", "avi", "mxf", "mpg",  "mpeg", "ts",  "mts",
    "wmv", "ogv", "flv", "f4v", "3gp",  "vob", "m2v", "m2ts", "asf",  "nut", "dv",
};

static bool ends_in(const char *path, const char *const *extensions, size_t num)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    if (name[0] == '.' || !dot) {
        return false;
    }
    for (size_t i = 0; i < num; i++) {
        if (strcasecmp(dot + 1, extensions[i]) == 0) {
            return true;
        }
    }
    return false;
}

bool weir_name_is_picture(const char *path)
{
    return ends_in(path, picture_extensions,
                   sizeof(picture_extensions) / sizeof(picture_extensions[0]));
}

bool weir_name_is_movie(const char *path)
{
    return ends_in(path, movie_extensions, sizeof(movie_extensions) / sizeof(movie_extensions[0]));
}

int weir_name_compare(const char *a, const char *b)
{
    while (*a != 0 && *b != 0) {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            a += strspn(a, "0");
            b += strspn(b, "0");
            size_t na = strspn(a, "0123456789"), nb = strspn(b, "0123456789");
            int order = na != nb ? (na < nb ? -1 : 1) : strncmp(a, b, na);
            if (order != 0) {
                return order;
            }
            a += na;
            b += nb;
        } else if (*a != *b) {
            break;
        } else {
            a++;
            b++;
        }
    }
    return (unsigned char)*a - (unsigned char)*b;
}
