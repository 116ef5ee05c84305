#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What the minimal samples make under Wine is byte for byte what they make here: a movie, levels, blocks, a palette. And a
# movie with audio, whose parts have another order at each run, is of a window. minimal.sh WINDOWS LINUX: the folders of both.
set -euo pipefail
windows=$1 linux=$2
[ -x "$linux/minimal_palette" ] || { echo "skipped: no $linux/minimal_palette (./dev build)"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
make_all() { # FOLDER SUFFIX COMMAND...
    local name
    mkdir "$work/$1"
    cd "$work/$1"
    "${@:3:$#-3}" "${*: -1}/minimal_capture$2" movie.mov --headless --frames 25 --size 203x117
    for name in mips encode palette; do
        "${@:3:$#-3}" "${*: -1}/minimal_$name$2" $name.png --headless --size 203x117
    done
}
(make_all windows .exe wine "$windows") && (make_all linux "" "$linux")
diff -r "$work/windows" "$work/linux"
wine "$windows/minimal_audio.exe" "$work/window.mov" --frames 25
frames=$(ffprobe -v error -count_packets -show_entries stream=nb_read_packets -select_streams v -of csv=p=0 "$work/window.mov")
[ "$frames" = 25 ] || { echo "a window's movie has $frames frames"; exit 1; }
echo "$(ls "$work/linux" | wc -l) files are the same"
