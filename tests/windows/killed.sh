#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A recording under Wine that is killed plays up to its last frame, and weir recover completes it; one on a full disk ends
# with a reason, and plays.
set -euo pipefail
program=$1 weir=$2
work=$(mktemp -d)
trap 'umount "$work/disk" 2>/dev/null || true; rm -rf "$work"' EXIT
fail() { echo "$*"; exit 1; }
command -v ffprobe >/dev/null || { echo "skipped: no ffprobe, which judges movies"; exit 77; }
num_frames() { ffprobe -v error -count_packets -show_entries stream=nb_read_packets -of csv=p=0 "$1"; }

wine "$program" "$work/killed.mov" 1000000 &
recorder=$!
for _ in {1..300}; do
    [ "$(stat -c %s "$work/killed.mov" 2>/dev/null || echo 0)" -lt 20000000 ] || break
    sleep 0.1
done
kill -9 $recorder
wait $recorder || true
frames=$(num_frames "$work/killed.mov")
[ "$frames" -gt 100 ] || fail "a killed recording has $frames frames"
[ "$(cd "$work" && ls -A)" = killed.mov ] || fail "a killed recording leaves files: $(ls -A "$work")"
if [ -x "$weir" ]; then
    "$weir" recover "$work/killed.mov" || fail "weir recover does not complete it"
    [ "$(num_frames "$work/killed.mov")" = "$frames" ] || fail "weir recover loses frames"
fi
wine "$program" "$work/killed.mov" 30 || fail "the name of a killed recording cannot be used again"
[ "$(num_frames "$work/killed.mov")" = 30 ] || fail "a movie that replaces it has other frames"

mkdir "$work/disk"
if mount -t tmpfs -o size=8m none "$work/disk" 2>/dev/null; then
    ! wine "$program" "$work/disk/full.mov" 1000 2>"$work/log" || fail "a full disk is not noticed"
    grep -q "Make room on the disk" "$work/log" || fail "a full disk: $(cat "$work/log")"
    full=$(num_frames "$work/disk/full.mov")
    [ "$full" -gt 20 ] || fail "the movie on a full disk has $full frames"
else
    echo "not tried: a full disk, which needs root"
fi
echo "killed after $frames frames, full disk after ${full:-no} frames"
