#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Samples under Wine, without a window and in one: their movies have all frames, and their pictures are those made here, but
# for what the systems' sines differ by. samples.sh WINDOWS LINUX: the folders of both.
set -euo pipefail
windows=$1 linux=$2
[ -x "$linux/sample_mips" ] || { echo "skipped: no $linux/sample_mips (./dev build)"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "$*"; exit 1; }
expect_frames() { # MOVIE NUMBER
    local frames
    frames=$(ffprobe -v error -count_packets -show_entries stream=nb_read_packets -select_streams v -of csv=p=0 "$1")
    [ "$frames" = "$2" ] || fail "$1 has $frames frames and should have $2"
}
run() { "$@" >log 2>&1 || fail "$*: $(cat log)"; }
for name in capture bloom hiz ssr palette mips; do
    options=(--headless --size 160x96 --frames 3)
    run "$linux/sample_$name" "${options[@]}" --capture linux.mov --picture linux.png
    run wine "$windows/sample_$name.exe" "${options[@]}" --capture $name.mov --picture windows.png
    expect_frames $name.mov 3
    psnr=$(ffmpeg -nostdin -hide_banner -i linux.png -i windows.png -lavfi psnr -f null - 2>&1 |
        sed -n 's/.*PSNR.*average:\([0-9.inf]*\).*/\1/p')
    awk -v psnr="$psnr" 'BEGIN { exit !(psnr == "inf" || psnr > 45) }' || fail "the picture of sample_$name is $psnr dB off"
    echo "sample_$name: $psnr dB"
done
run wine "$windows/sample_bloom.exe" --size 160x96 --frames 5 --policy wait --capture window.mov
expect_frames window.mov 5
