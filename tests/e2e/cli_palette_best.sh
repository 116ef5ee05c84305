#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir palette --colors beside pngquant and ImageMagick, as FFmpeg decodes and compares them: without dither no less dB on any
# picture; by diffusion, beside FFmpeg's too, no further from the picture as it is seen from a distance. A photograph is one of Kodak's at a quarter of its sides; "cli_palette_best.sh PROGRAM FOLDER all" is the
# table of docs/palette.md: every Kodak picture, whole.
seen_difference=$(cd "$(dirname "$1")" && pwd)/e2e_seen_difference
kodak=$(cd "${WEIR_KODAK:-$(dirname "$0")/../../../shared/kodak}" 2>/dev/null && pwd || true)
source "$(dirname "$0")/cli_common.sh"
hold weir ffmpeg ffprobe

# Colour bars, pixel art of large texels in ramps of hue, and a fractal with smooth and with noisy parts.
make bars.png smptehdbars=s=320x180 -frames:v 1 -pix_fmt rgb24
make art.png "nullsrc=s=48x48:r=1:d=1,format=gbrp,geq=r='17*mod(floor(X*Y/37),16)':g='15*mod(floor(X/3),17)':b='255-14*mod(floor(Y/4+X/9),18)',scale=192:192:flags=neighbor" \
    -frames:v 1 -pix_fmt rgb24
make fractal.png mandelbrot=s=192x128:start_scale=0.4 -frames:v 1 -pix_fmt rgb24
pictures=(bars art fractal)
numbers=23 part=scale=192:128:flags=area
[ "${3:-}" != all ] || numbers="01 03 05 08 13 15 20 23" part=null
for number in $numbers; do
    [ -e "$kodak/kodim$number.png" ] || continue
    ffmpeg -nostdin -v error -i "$kodak/kodim$number.png" -vf $part kodim$number.png
    pictures+=(kodim$number)
done
dithers=(none ordered blue_noise diffusion)

# reduce TOOL DITHERS N PICTURE OUTPUT: makes the file; none where the tool is not here or makes none.
reduce() {
    case $1-$2 in
    pngquant-none) pngquant --nofs --speed 1 --force --output "$5" "$3" "$4" ;;
    pngquant-diffusion) pngquant --speed 1 --force --output "$5" "$3" "$4" ;;
    convert-none) convert "$4" +dither -colors "$3" png:"$5" ;;
    convert-diffusion) convert "$4" -dither FloydSteinberg -colors "$3" png:"$5" ;;
    ffmpeg-diffusion)
        ffmpeg -nostdin -v error -y -i "$4" \
            -lavfi "split[a][b];[a]palettegen=max_colors=$3:reserve_transparent=0[p];[b][p]paletteuse=dither=floyd_steinberg" "$5"
        ;;
    esac 2>/dev/null || true
}

# compare PICTURE FILE...: PSNR of each over red, green and blue, as files.txt's lines "FILE dB", and what FFmpeg says of
# them in ffmpeg.txt. RGBA first, as FFmpeg scales indices of a palette inexactly.
compare() {
    local inputs=() picture=$1 graph="" splits="" i
    shift
    for ((i = 1; i <= $#; i++)); do
        inputs+=(-i "${!i}")
        splits+="[s$i]"
        graph+=";[$i]format=rgba,format=gbrp[p$i];[p$i][s$i]psnr@$i"
    done
    ffmpeg -nostdin -hide_banner -i "$picture" "${inputs[@]}" -lavfi \
        "[0]format=rgba,format=gbrp,split=$#$splits$graph" -f null - >/dev/null 2>ffmpeg.txt || fail "$(cat ffmpeg.txt)"
    for ((i = 1; i <= $#; i++)); do
        printf '%s %s\n' "${!i}" "$(sed -n "s/^\[psnr@$i .*PSNR.*average:\([0-9.inf]*\).*/\1/p" ffmpeg.txt)"
    done >files.txt
}

# decibels FILE: of files.txt; "-" where it is not there.
decibels() { awk -v f="$1" '$1 == f { v = $2 } END { print v == "" ? "-" : v }' files.txt; }

# compare_seen: diffusion of $picture in $number colours: ours is as near as any. Half a percent is for rounding to codes.
compare_seen() {
    local tool best raw=()
    reduce ffmpeg diffusion $number $picture.png ffmpeg_diffusion.png
    for tool in original weir pngquant convert ffmpeg; do
        case $tool in
        original) file=$picture.png ;;
        weir) file=${number}_diffusion/$picture.png ;;
        *) file=${tool}_diffusion.png ;;
        esac
        [ -s "$file" ] || continue
        ffmpeg -nostdin -v error -y -i "$file" -vf format=rgba -f rawvideo -pix_fmt rgb24 $tool.raw
        raw+=($tool.raw)
    done
    "$seen_difference" $(ffprobe -v error -show_entries stream=width,height -of csv=p=0:nk=1 $picture.png | tr , ' ') "${raw[@]}" >seen.txt ||
        fail "no difference of $picture"
    printf '%-12s %4s diffusion: CIEDE2000 %s\n' $picture $number "$(tr '\n' ' ' <seen.txt)"
    best=$(grep -v ^weir seen.txt | sort -g -k 2 | awk 'NR == 1 { print 1.005 * $2 }')
    at_least "${best:-inf}" "$(sed -n 's/^weir.raw //p' seen.txt)" || fail "diffusion is further from the picture than the best of them"
    rm -f -- *.raw
}

printf '%-12s %4s %-10s %8s %8s %8s\n' picture N dither weir pngquant ImageM.
counts="16 256"
[ "${3:-}" != all ] || counts="16 64 256"
for number in $counts; do
    for dither in "${dithers[@]}"; do
        "$weir" palette "${pictures[@]/%/.png}" ${number}_$dither --colors $number --dither $dither >stdout.txt 2>stderr.txt ||
            fail "weir palette: $(cat stderr.txt)"
    done
    for picture in "${pictures[@]}"; do
        files=()
        for dither in none diffusion; do
            for tool in pngquant convert; do
                ! command -v $tool >/dev/null || reduce $tool $dither $number $picture.png ${tool}_$dither.png
                [ ! -s ${tool}_$dither.png ] || files+=(${tool}_$dither.png)
            done
        done
        for dither in "${dithers[@]}"; do files+=(${number}_$dither/$picture.png); done
        compare $picture.png "${files[@]}"
        [ "$(grep -c 'from .[0-9]*_[a-z_]*/' ffmpeg.txt)" = ${#dithers[@]} ] &&
            [ "$(grep -A 3 'from .[0-9]*_[a-z_]*/' ffmpeg.txt | grep -c 'Video: png, pal8')" = ${#dithers[@]} ] ||
            fail "$number colours of $picture are no indexed files: $(cat ffmpeg.txt)"
        for dither in none ordered blue_noise; do
            theirs=diffusion
            [ $dither != none ] || theirs=none
            ours=$(decibels ${number}_$dither/$picture.png)
            pngquant=$(decibels pngquant_$theirs.png) convert=$(decibels convert_$theirs.png)
            printf '%-12s %4s %-10s %8s %8s %8s\n' $picture $number $dither "$ours" "$pngquant" "$convert"
            for other in $pngquant $convert; do
                [ "$other" = - ] || at_least "$ours" "$other" || fail "less than $other dB"
            done
            [ $picture-$number-$dither != bars-16-none ] || at_least "$ours" 30 || fail "colour bars have $ours dB in 16 colours"
        done
        compare_seen
        rm -f pngquant_*.png convert_*.png ffmpeg_*.png
    done
done
echo passed
