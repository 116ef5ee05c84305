#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Programs that record under the policy wait and lose a frame: status 1, a message with the number, and the others are
# there. bash lost_frames.sh WEIR FOLDER BENCH [SAMPLE...], programs with late_frame.c in them
source "$(dirname "$0")/cli_common.sh"

# Under the policy drop a frame may be lost: it is counted, and no failure.
for sample in "${@:4}"; do
    output=--output
    [[ $sample != *bloom* ]] || output=--capture
    record=("$sample" --headless --size 68x44 --frames 5 $output lost.mov)
    expect_status 1 "lost.mov lacks 1 of 5 frames" "${record[@]}"
    expect_movie lost.mov 68 44 4
    grep -q "^frames received 5, written 4, dropped 1 " stdout.txt || fail "not counted: $(cat stdout.txt)"
    "${record[@]}" --policy drop >stdout.txt || fail "$sample --policy drop: status $?"
    grep -q "dropped [1-9]" stdout.txt || fail "nothing was lost: this test shows nothing: $(cat stdout.txt)"
    rm lost.mov
    expect_status 1 "lost.mov.*No space left" limited 8 "${record[@]}"
    expect_movie lost.mov 68 44 2
done

expect_status 1 "1 of [0-9]* frames were lost" "$3" encode --sizes 60x60 --quick --milliseconds 200 --json lost.json
expect_no lost.json
