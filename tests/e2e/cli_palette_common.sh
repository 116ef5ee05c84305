# SPDX-License-Identifier: MIT
# What the tests of weir palette share. Sourced: bash cli_palette_x.sh WEIR FOLDER PIXELS, a program that prints the
# texels of PNG files.
. "$(dirname "${BASH_SOURCE[0]}")/cli_common.sh"
printer=$3

# palette INPUT... OUTPUT OPTIONS...: without one message. Every eighth time the validation layer listens.
num_calls=0
palette() {
    local validation=()
    ((num_calls++ % 8)) || validation=(--validation)
    "$weir" palette "$@" "${validation[@]}" >stdout.txt 2>stderr.txt || fail "weir palette $*: $(cat stderr.txt)"
    [ ! -s stderr.txt ] || fail "weir palette $* says $(cat stderr.txt)"
}

# pixels FILE [FILTER]: RGBA, as libpng reads it, or FFmpeg where there is a filter, and of a movie. FILTER gets RGBA:
# FFmpeg scales indices of a palette inexactly.
pixels() {
    if [[ $# = 1 && $1 = *.png ]]; then
        "$printer" "$1"
    else
        ffmpeg -nostdin -v error -i "$1" -vf "format=rgba,${2:-null}" -f rawvideo -pix_fmt rgba -
    fi
}

# same FILE FILE [FILTER]: the same pixels; FILTER is applied to the second.
same() { cmp -s <(pixels "$1") <(pixels "${@:2}") || fail "$1 and $2 differ (${3:-as they are})"; }

# colors FILE...: those that can be seen in any of the pictures, as in a .hex file, the most used first.
colors() {
    "$printer" "$@" | od -An -v -t x1 -w4 |
        awk '$4 != "00" { n[$1 $2 $3]++ } END { for (c in n) print n[c], c }' | LC_ALL=C sort -k 1,1nr -k 2 | cut -d ' ' -f 2
}

# filtered FILE OUTPUT FILTER [OPTIONS...]: a PNG file of FILE, by FFmpeg.
filtered() { ffmpeg -nostdin -v error -y -i "$1" -vf "$3" "${@:4}" "$2" || fail "ffmpeg did not make $2"; }

# The pictures: small ones of many colours, one of few with edges, one with alpha of which a part cannot be seen.
make picture.png testsrc2=s=48x32:r=1:d=1,format=gbrp,gblur=sigma=1 -frames:v 1 -pix_fmt rgb24
make other.png mandelbrot=s=80x60:r=1,format=gbrp -frames:v 1 -pix_fmt rgb24
