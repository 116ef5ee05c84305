// SPDX-License-Identifier: MIT
// What the name of a file says: its kind by its ending, its place among others, its number.
#include "capture/files/source/list.h"

#include <ctype.h>
#include <string.h>

#include <libavformat/avformat.h>

#include "capture/base/path.h"

// Names by which FFmpeg's image2 demuxer knows a picture, and that people use.
static const char picture_endings[] = "png,jpg,jpeg,bmp,tga,tif,tiff,exr,webp,dpx,jp2,j2k,jxl,avif,"
                                      "gif,hdr,pbm,pfm,pgm,pnm,ppm,pam,pcx,"
                                      "psd,qoi,sgi,sun,ras,xbm,xwd";

// Names of movies that people have beside their pictures.
static const char movie_endings[] = "mov,mp4,m4v,mkv,webm,avi,mxf,mpg,mpeg,ts,mts,wmv,ogv,flv,f4v,"
                                    "3gp,vob,m2v,m2ts,asf,nut,dv";

bool weir_name_is_picture(const char *path)
{
    return weir_path_name(path)[0] != '.' && av_match_ext(path, picture_endings) != 0;
}

bool weir_name_is_movie(const char *path)
{
    return weir_path_name(path)[0] != '.' && av_match_ext(path, movie_endings) != 0;
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

// Copy text up to a number, %d or, with `has_hashes`, #.
static bool copy_literal(const char **at, bool has_hashes, char *out, size_t size)
{
    size_t n = 0;
    for (; **at != 0 && !(has_hashes && **at == '#') && n + 1 < size; (*at)++) {
        if (**at == '%') {
            if ((*at)[1] != '%') {
                break;
            }
            (*at)++;
        }
        out[n++] = **at;
    }
    out[n] = 0;
    return n + 1 < size;
}

static bool parse(const char *path, bool has_hashes, struct weir_pattern *pattern)
{
    const char *at = weir_path_name(path);
    pattern->folder = path;
    pattern->folder_length = (int)(at - path);
    if (!copy_literal(&at, has_hashes, pattern->before, sizeof(pattern->before))) {
        return false;
    }
    int width = 0;
    if (has_hashes) {
        width = (int)strspn(at, "#");
        at += width;
    } else if (*at++ == '%') {
        while (isdigit((unsigned char)*at) && width < 100) {
            width = 10 * width + (*at++ - '0');
        }
    }
    if (has_hashes ? width == 0 : at[-1] == 0 || *at++ != 'd') {
        return false;
    }
    pattern->width = width;
    return copy_literal(&at, has_hashes, pattern->after, sizeof(pattern->after)) && *at == 0;
}

bool weir_pattern_parse(const char *path, struct weir_pattern *pattern)
{
    return parse(path, false, pattern) || parse(path, true, pattern);
}

static bool has_width(const struct weir_pattern *pattern, const char *digits, int count, int sign)
{
    const int width = pattern->width - sign;
    const bool is_padded = count > 1 && digits[0] == '0';
    return count >= width && (!is_padded || count == width);
}

bool weir_pattern_match(const struct weir_pattern *pattern, const char *name, uint64_t *number)
{
    const size_t before = strlen(pattern->before), after = strlen(pattern->after);
    const size_t size = strlen(name);
    if (size <= before + after || strncmp(name, pattern->before, before) != 0 ||
        strcmp(name + size - after, pattern->after) != 0) {
        return false;
    }
    const int sign = name[before] == '-';
    const char *digits = name + before + sign;
    const int count = (int)(size - before - after) - sign;
    if (count < 1 || (int)strspn(digits, "0123456789") < count ||
        !(has_width(pattern, digits, count, 0) || has_width(pattern, digits, count, sign))) {
        return false;
    }
    int i = (int)strspn(digits, "0");
    uint64_t value = 0;
    const bool is_too_large = i + WEIR_PATTERN_MAX_DIGITS < count;
    for (; i < count && !is_too_large; i++) {
        value = 10 * value + (uint64_t)(digits[i] - '0');
    }
    *number = is_too_large ? WEIR_PATTERN_TOO_LARGE
              : sign       ? WEIR_PATTERN_ZERO - value
                           : WEIR_PATTERN_ZERO + value;
    return !sign || value > 0 || is_too_large;
}
