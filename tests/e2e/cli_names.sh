#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Names of files that hold control characters, and bytes that are no UTF-8: no message passes them on to the terminal, JSON
# stays JSON, and the files are the right ones. bash cli_names.sh WEIR FOLDER BENCH [SAMPLE]
source "$(dirname "$0")/cli_common.sh"
hold weir weir-bench
bench=$held/weir-bench
sample=${4:-}

# A new line, what erases a line of a terminal, a character that starts such in two bytes, DEL, Latin 1, half a character;
# what is none of these stays.
name=$'a\nplanted\e[2Kb\xc2\x9bc\x7fd\xe9\xe2\x82 ä€'
escaped='a\x0aplanted\x1b[2Kb\xc2\x9bc\x7fd\xe9\xe2\x82 ä€'

# expect_clean STATUS COMMAND...: that status; what it prints is UTF-8 without control characters but the ends of lines,
# and has the name.
expect_clean() {
    local wanted=$1 status=0
    shift
    "$@" >printed.txt 2>&1 </dev/null || status=$?
    [ $status = "$wanted" ] || fail "status $status instead of $wanted: $(cat -v printed.txt)"
    iconv -f UTF-8 -t UTF-16 printed.txt >/dev/null || fail "no UTF-8: $(cat -v printed.txt)"
    ! LC_ALL=C grep -q -P '[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' printed.txt || fail "$(cat -v printed.txt)"
    ! grep -q '^planted' printed.txt || fail "the name has made a line: $(cat -v printed.txt)"
    grep -q -F -e "$escaped" printed.txt || fail "where is the name? $(cat -v printed.txt)"
    head -n 1 printed.txt
}

make plain.png testsrc2=s=64x48:r=1:d=1 -frames:v 1
cp plain.png "$name.png"
expect_clean 0 "$weir" transcode "$name.png" "$name.mov"
expect_decodes "$name.mov"
expect_clean 1 "$weir" transcode "$name.jpg" x.mov
expect_clean 1 "$weir" transcode plain.png "$name/x.mov"
expect_clean 2 "$weir" transcode plain.png "$name"
expect_clean 2 "$weir" transcode plain.png x.mov --codec "$name"
expect_clean 2 "$weir" transcode plain.png x.mov --fps "$name"
expect_clean 2 "$weir" transcode plain.png x.mov "--$name"
expect_clean 2 "$weir" "$name"
printf 'no picture' >"$name.bad.png"
expect_clean 1 "$weir" transcode "$name.bad.png" x.mov
mkdir folder
cp plain.png "folder/1$name.png"
cp "$name.bad.png" "folder/2$name.png"
expect_clean 0 "$weir" transcode folder x.mov
cp plain.png "folder/1$name.3.png"
cp plain.png "folder/1$name.7.png"
expect_clean 0 "$weir" transcode "folder/1$name.%d.png" x.mov

expect_clean 0 "$weir" texture "$name.png" "$name.ktx2" --codec bc4 --effort fast
expect_clean 0 "$weir" texture "$name.ktx2" "$name.dds"
expect_clean 0 "$weir" texture --decode "$name.ktx2" "decoded$name.png"
expect_clean 2 "$weir" texture "$name.png" "$name"
expect_clean 1 "$weir" texture folder "$name.out/" --codec bc4 --effort fast
expect_clean 0 "$weir" palette "$name.png" "few$name.png" --export "$name.gpl"
[ "$(sed -n 2p "$name.gpl")" = "Name: $escaped.png" ] || fail "the palette is called $(sed -n 2,3p "$name.gpl" | cat -v)"
expect_clean 1 "$weir" palette folder "$name.few/"
expect_clean 2 "$weir" palette "$name.png" "$name.exe"
expect_clean 0 "$weir" mips "$name.png" "$name.levels/" --json "$name.json"
expect_json "$name.json"
if command -v python3 >/dev/null; then
    python3 - "$name.json" <<'PYTHON' || fail "the JSON names another file"
import json, os, sys
name = os.fsencode(sys.argv[1])[:-5]
report = json.load(open(name + b".json", encoding="utf-8"))
wanted = "a\nplanted\x1b[2Kb\ufffd\ufffdc\x7fd\ufffd\ufffd\ufffd \u00e4\u20ac.png"
sys.exit(report["input"] != wanted)
PYTHON
fi
expect_clean 1 "$bench" encode --sizes 60x60 --quick --no-stream --json "$name/x.json"
expect_clean 2 "$bench" encode --sizes "$name"
expect_clean 0 "$bench" palette --quick --colors 300 --picture "$name.png" --repeats 1 --methods ours --json bench.json
expect_json bench.json
if [ -n "$sample" ]; then
    expect_clean 1 "$sample" --headless --size 64x48 --frames 1 --output "$name/x.mov"
    expect_clean 2 "$sample" "--$name"
fi
echo passed
