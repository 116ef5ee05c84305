#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The table of docs/benchmarks.md of movies beside those of FFmpeg's encoder of HAP: PSNR of pictures of one size that went
# through weir transcode, and through ffmpeg, decoded by ffmpeg. Alpha is the green of the picture, mirrored.
# bash movie_quality.sh WEIR FOLDER PICTURE...: FOLDER is made anew; the table is printed.
set -euo pipefail
[ $# -ge 3 ] || { echo "Usage: movie_quality.sh WEIR FOLDER PICTURE..." >&2; exit 2; }
weir=$(realpath "$1")
folder=$2
shift 2
mapfile -t pictures < <(realpath "$@")
rm -rf "$folder"
mkdir -p "$folder/pictures"
cd "$folder"

# One movie of all pictures, without loss.
for i in "${!pictures[@]}"; do
    cp "${pictures[i]}" "pictures/$(printf %04d "$i").png"
done
ffmpeg -nostdin -v error -i pictures/%04d.png -filter_complex \
    "format=gbrp,split[c][m];[m]extractplanes=g,hflip[a];[c]format=rgba[r];[r][a]alphamerge,format=gbrap" -c:v ffv1 all.mkv

# mean_psnr MOVIE PLANES: the mean over pictures and planes [dB].
mean_psnr() {
    ffmpeg -nostdin -v error -i "$1" -i all.mkv -lavfi \
        "[0]settb=1/1000,setpts=N,format=gbrap[a];[1]settb=1/1000,setpts=N,format=gbrap[b];[a][b]psnr=stats_file=-" -f null - |
        awk -v planes="$2" '{ for (i = 1; i <= NF; i++) if (split($i, f, /[_:]/) == 3 && f[1] == "psnr" && index(planes, f[2])) {
            sum += f[3]; n++ } } END { printf n ? "%.2f" : "", sum / (n ? n : 1) }'
}

# row NAME OPTIONS...: the efforts of Weir, and FFmpeg's encoder.
row() {
    local codec=$1 name=$2 effort cells=""
    shift 2
    for effort in fast default high; do
        "$weir" transcode all.mkv weir.mov --codec "$codec" --effort $effort --quiet "$@" 2>/dev/null
        cells+=" $(mean_psnr weir.mov rgb) |"
    done
    ffmpeg -nostdin -v error -y -i all.mkv -c:v hap -format "$codec" -compressor none theirs.mov
    printf '| %s |%s %s |' "$name" "$cells" "$(mean_psnr theirs.mov rgb)"
    if [ "$codec" = hap_alpha ]; then
        printf ' %s | %s |\n' "$(mean_psnr weir.mov a)" "$(mean_psnr theirs.mov a)"
    else
        printf ' | |\n'
    fi
}

echo "| RGB | fast | default | high | FFmpeg | A, high | A, FFmpeg |"
echo "| --- | --- | --- | --- | --- | --- | --- |"
row hap '`hap`'
row hap_alpha '`hap_alpha`'
row hap_q '`hap_q`'
row hap_q '`hap_q`, `--decoder ffmpeg`' --decoder ffmpeg
