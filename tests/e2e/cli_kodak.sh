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

# Mean over R, G and B of their PSNR, as the figures of the format are given [dB].
mean_psnr() {
    ffmpeg -nostdin -hide_banner -i "$1" -i "$2" -lavfi "[0]format=gbrp[a];[1]format=gbrp[b];[a][b]psnr" \
        -f null - 2>&1 | sed -n 's/.*PSNR r:\([0-9.]*\) g:\([0-9.]*\) b:\([0-9.]*\).*/\1 \2 \3/p' |
        awk '{ print ($1 + $2 + $3) / 3 }'
}

printf '%-14s %8s %8s %8s\n' "picture" "FFmpeg" "gpu" "ffmpeg"
for picture in "${pictures[@]}"; do
    name=$(basename "$picture" .png)
    ffmpeg -nostdin -v error -y -i "$picture" -c:v hap -format hap_q -compressor none theirs.mov
    "$weir" transcode "$picture" gpu.mov --quiet
    "$weir" transcode "$picture" ffmpeg.mov --quiet --decoder ffmpeg
    printf '%-14s %8.3f %8.3f %8.3f\n' "$name" "$(mean_psnr theirs.mov "$picture")" \
        "$(mean_psnr gpu.mov "$picture")" "$(mean_psnr ffmpeg.mov "$picture")" | tee -a table.txt
done
# The project's bar: 1.7 dB above FFmpeg's encoder, both through FFmpeg's decoder.
awk '{ f += $2; g += $3; m += $4 }
    END { printf "%-14s %8.3f %8.3f %8.3f\n", "mean", f / NR, g / NR, m / NR; exit !(g - f >= 1.7 * NR) }' \
    table.txt || fail "less than 1.7 dB above FFmpeg's encoder"
echo passed
