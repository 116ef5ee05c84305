#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The Kodak pictures through weir transcode, decoded by ffmpeg, against FFmpeg's own hap_q encoder.
kodak=${WEIR_KODAK:-$(dirname "$0")/../../../shared/kodak}
pictures=("$(cd "$kodak" 2>/dev/null && pwd || true)"/kodim*.png)
source "$(dirname "$0")/cli_common.sh"
hold weir ffmpeg ffprobe
[ -e "${pictures[0]}" ] || skip "no Kodak pictures; WEIR_KODAK names their folder"
encoders=$(ffmpeg -v error -encoders)
grep -q ' hap ' <<<"$encoders" || skip "this ffmpeg has no HAP encoder to compare with"

# psnr_of MOVIE: of each picture the mean over R, G and B of their PSNR, as the figures of the format are given [dB].
psnr_of() {
    ffmpeg -nostdin -v error -i "$1" -i all.mkv -lavfi \
        "[0]settb=1/1000,setpts=N,format=gbrp[a];[1]settb=1/1000,setpts=N,format=gbrp[b];[a][b]psnr=stats_file=-" -f null - |
        sed -n 's/.* psnr_r:\([0-9.]*\) psnr_g:\([0-9.]*\) psnr_b:\([0-9.]*\).*/\1 \2 \3/p' | awk '{ print ($1 + $2 + $3) / 3 }'
}

# Pictures of one size, as frames of a movie without loss.
mkdir pictures
for i in "${!pictures[@]}"; do ln -s "${pictures[i]}" "pictures/$(printf %04d "$i").png"; done
ffmpeg -nostdin -v error -i pictures/%04d.png -c:v ffv1 -pix_fmt bgr0 all.mkv
ffmpeg -nostdin -v error -i all.mkv -c:v hap -format hap_q -compressor none theirs.mov
"$weir" transcode pictures gpu.mov --quiet
"$weir" transcode pictures ffmpeg.mov --quiet --decoder ffmpeg
for movie in theirs gpu ffmpeg; do psnr_of $movie.mov >$movie.txt; done
[ "$(cat theirs.txt gpu.txt ffmpeg.txt | wc -l)" = $((3 * ${#pictures[@]})) ] || fail "not every picture was compared"
printf '%-14s %8s %8s %8s\n' "picture" "FFmpeg" "gpu" "ffmpeg"
paste <(printf '%s\n' "${pictures[@]##*/}") theirs.txt gpu.txt ffmpeg.txt |
    awk '{ printf "%-14s %8.3f %8.3f %8.3f\n", $1, $2, $3, $4 }' | tee table.txt
# The project's bar: 1.7 dB above FFmpeg's encoder, both through FFmpeg's decoder.
awk '{ f += $2; g += $3; m += $4 }
    END { printf "%-14s %8.3f %8.3f %8.3f\n", "mean", f / NR, g / NR, m / NR; exit !(g - f >= 1.7 * NR) }' \
    table.txt || fail "less than 1.7 dB above FFmpeg's encoder"
echo passed
