#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir-bench: help, usage errors, and a small run of encode with its stream.
source "$(dirname "$0")/cli_common.sh"
hold weir-bench
bench=$held/weir-bench

grep -q "^weir-bench [0-9]*\.[0-9]*\.[0-9]* (" <<<"$("$bench" --version)" || fail "--version says $("$bench" --version)"
"$bench" --help >help.txt
for command in encode pyramid palette play; do
    grep -q "^  $command " help.txt || fail "weir-bench --help does not list $command"
    "$bench" $command --help >one.txt
    "$bench" help $command >two.txt
    cmp -s one.txt two.txt || fail "weir-bench help $command is not weir-bench $command --help"
    grep -q "^Example:" one.txt || fail "weir-bench $command --help has no example"
    [ "$(wc -l <one.txt)" -le 40 ] && [ "$(wc -L <one.txt)" -le 80 ] || fail "weir-bench $command --help does not fit on a screen"
    ! grep -qiw "seed\|seed's" one.txt || fail "weir-bench $command --help speaks of a seed, which no user knows"
done
expect_status 2 "Commands:" "$bench"
expect_status 2 'unknown command "mips"; known: encode, pyramid, palette, play' "$bench" mips
expect_status 2 "wants a value" "$bench" encode --sizes
expect_status 2 "images" "$bench" encode --images 9
expect_status 2 "each side 1 to" "$bench" encode --sizes 12x
# Lists have as many words as there is room for.
expect_status 2 "at most 16 of" "$bench" encode --sizes "$(printf '2x1,%.0s' {1..17})"
expect_status 2 "at most 64 pictures" "$bench" encode --picture "$(printf 'a.png,%.0s' {1..65})"
expect_status 2 "at most 32 of" "$bench" pyramid --sizes "$(printf '2x1,%.0s' {1..33})"
expect_status 2 "at most 63 of them" "$bench" palette --colors "$(printf '2,%.0s' {1..64})2"
expect_status 2 "at most 63 rows" "$bench" palette --colors 2 --picture "$(printf 'a.png,%.0s' {1..64})"
grep -q -- "--methods LIST .*: single, hybrid, " <<<"$("$bench" pyramid --help | tr -s ' \n' ' ')" || fail "pyramid does not offer its methods"
expect_status 1 "no Vulkan" env VK_ICD_FILENAMES=/dev/null VK_DRIVER_FILES=/dev/null "$bench" encode --sizes 60x60 --quick

# Without --dir nothing is written.
mkdir empty
(cd empty && "$bench" encode --sizes 60x60 --codec Hap-Q --effort fast --quick --milliseconds 20 --images 8 --no-transfer >../plain.txt) || fail "no run without --dir"
[ -z "$(ls -A empty)" ] || fail "weir-bench encode wrote $(ls -A empty)"
grep -q "the bus, .*: [0-9.]*[1-9][0-9.]* GB/s" plain.txt || fail "no word on the bus: $(cat plain.txt)"
grep -q "^  null " plain.txt && ! grep -q "^  file " plain.txt || fail "not the null sink alone: $(cat plain.txt)"
(cd empty && "$bench" >/dev/null 2>&1) && fail "weir-bench alone does something"
[ -z "$(ls -A empty)" ] || fail "weir-bench alone wrote $(ls -A empty)"

"$bench" encode --sizes 60x60 --effort fast --quick --milliseconds 20 --dir . --validation >bench.txt
grep -q "^  file " bench.txt || fail "weir-bench encode has no line of file"
[ "$(find . -name 'weir-bench-*' | wc -l)" = 0 ] || fail "the bench left its movie behind"
expect_status 1 "no_folder" "$bench" encode --sizes 60x60 --quick --milliseconds 20 --dir no_folder
expect_status 1 "cannot write 'no_folder/x.json'" "$bench" encode --sizes 60x60 --quick --no-stream --json no_folder/x.json
echo passed
