#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tests/bench/transcode.sh: a table of three figures that can be, and a word on its use. bash bench_transcode.sh WEIR FOLDER
script=$(dirname "$(readlink -f "$0")")/../bench/transcode.sh
source "$(dirname "$0")/cli_common.sh"

make movie.mp4 testsrc2=s=300x180:r=25:d=4 -c:v libx264 -preset ultrafast -pix_fmt yuv420p
MILLISECONDS=200 bash "$script" "$(dirname "$program")" movie.mp4 1 --codec hap_q --effort fast >table.txt 2>messages.txt ||
    fail "status $?: $(cat messages.txt)"
cat table.txt
grep -q '^movie.mp4: 300x180, 100 frames; hap_q at effort fast; .*; median of 1 rounds$' table.txt || fail "another head"
for name in decode encode transcode; do
    awk -v n=$name '$1 == n && NF == 3 && $2 > 0 && $3 > 0 { found = 1 } END { exit !found }' table.txt || fail "no figures of $name"
done
grep -q '^frames/s: [0-9.]* of the slower' table.txt && grep -q '^CPU time: [0-9.]* of it' table.txt || fail "no quotients"
expect_status 2 "transcode.sh BIN MOVIE" bash "$script"
expect_status 1 "missing.mp4: No such file" bash "$script" "$(dirname "$program")" missing.mp4
echo passed
