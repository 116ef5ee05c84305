#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir palette --colors beside pngquant and ImageMagick, with and without dither, as FFmpeg decodes and compares them:
# no less dB on any picture. "cli_palette_best.sh PROGRAM FOLDER all" is the table of docs/palette.md: every Kodak picture.
kodak=$(cd "${WEIR_KODAK:-$(dirname "$0")/../../../shared/kodak}" 2>/dev/null && pwd || true)
source "$(dirname "$0")/cli_common.sh"

# decibels FILE PICTURE: PSNR over red, green and blue; RGBA first, as FFmpeg scales indices of a palette inexactly.
decibels() {
    ffmpeg -nostdin -hide_banner -i "$1" -i "$2" -lavfi \
        "[0]format=rgba,format=gbrp[a];[1]format=rgba,format=gbrp[b];[a][b]psnr" -f null - 2>&1 |
        sed -n 's/.*PSNR.*average:\([0-9.inf]*\).*/\1/p'
}

# at_least OURS THEIRS: so many decibels.
at_least() { awk -v o="$1" -v t="$2" 'BEGIN { exit !(o == "inf" || (t != "inf" && o + 0 >= t + 0)) }'; }

# Colour bars, pixel art of large texels in ramps of hue, and a fractal with smooth and with noisy parts.
make bars.png smptehdbars=s=320x180 -frames:v 1 -pix_fmt rgb24
make art.png "nullsrc=s=48x48:r=1:d=1,format=gbrp,geq=r='17*mod(floor(X*Y/37),16)':g='15*mod(floor(X/3),17)':b='255-14*mod(floor(Y/4+X/9),18)',scale=192:192:flags=neighbor" \
    -frames:v 1 -pix_fmt rgb24
make fractal.png mandelbrot=s=192x128:start_scale=0.4 -frames:v 1 -pix_fmt rgb24
pictures=(bars.png art.png fractal.png)
for name in $([ "${3:-}" = all ] && echo 01 03 05 08 13 15 20 23 || echo 08 23); do
    [ ! -e "$kodak/kodim$name.png" ] || pictures+=("$kodak/kodim$name.png")
done

# reduce TOOL DITHER N PICTURE: makes reduced.png; false where the tool is not here or makes none.
reduce() {
    case $1-$2 in
    pngquant-none) pngquant --nofs --speed 1 --force --output reduced.png "$3" "$4" ;;
    pngquant-*) pngquant --speed 1 --force --output reduced.png "$3" "$4" ;;
    convert-none) convert "$4" +dither -colors "$3" png:reduced.png ;;
    convert-*) convert "$4" -dither FloydSteinberg -colors "$3" png:reduced.png ;;
    esac 2>/dev/null
}

# theirs DITHER N PICTURE: the decibels of both, "-" where one is not here.
theirs() {
    local tool
    for tool in pngquant convert; do
        if command -v $tool >/dev/null && reduce $tool "$@"; then decibels reduced.png "$3"; else echo -; fi
    done
}

printf '%-12s %4s %-10s %8s %8s %8s\n' picture N dither weir pngquant ImageM.
for picture in "${pictures[@]}"; do
    for number in 16 256; do
        for dither in none ordered blue_noise diffusion; do
            "$weir" palette "$picture" ours.png --colors $number --dither $dither >stdout.txt 2>stderr.txt ||
                fail "weir palette $picture: $(cat stderr.txt)"
            [ "$(field ours.png pix_fmt)" = pal8 ] || fail "$number colours of $picture are no indexed file"
            ours=$(decibels ours.png "$picture")
            read -r pngquant convert < <(theirs $dither $number "$picture" | xargs)
            printf '%-12s %4s %-10s %8s %8s %8s\n' "$(basename "$picture" .png)" $number $dither "$ours" "$pngquant" "$convert"
            for other in $pngquant $convert; do
                [ "$other" = - ] || at_least "$ours" "$other" || fail "less than $other dB"
            done
            [ "$(basename "$picture")-$number-$dither" != bars.png-16-none ] || at_least "$ours" 30 ||
                fail "colour bars have $ours dB in 16 colours"
        done
    done
done
echo passed
