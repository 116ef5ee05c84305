#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Help, versions, usage errors, weir info and a small weir bench encode.
source "$(dirname "$0")/cli_common.sh"

"$weir" --version | grep -q "^weir [0-9]*\.[0-9]*\.[0-9]* (" || fail "--version says $("$weir" --version)"
"$weir" --help >help.txt
for command in info transcode mips texture palette "bench encode" "bench pyramid" "bench palette"; do
    grep -q "^  $command " help.txt || fail "weir --help does not list $command"
    # shellcheck disable=SC2086
    "$weir" $command --help >one.txt
    # shellcheck disable=SC2086
    "$weir" help $command >two.txt
    cmp -s one.txt two.txt || fail "weir help $command is not weir $command --help"
    grep -q "^Example:" one.txt || fail "weir $command --help has no example"
done
expect_status 2 "Commands:" "$weir"
expect_status 2 'unknown command "cook"; known: transcode, mips, texture, palette, info, bench encode, bench pyramid, bench palette' "$weir" cook
expect_status 2 'unknown command "bench decode"' "$weir" bench decode
expect_status 2 "0 argument\|1 argument" "$weir" info device
expect_status 2 "unknown option -x" "$weir" info -x
expect_status 2 "wants a value" "$weir" bench encode --sizes
expect_status 2 "each side 1 to" "$weir" bench encode --sizes 12x
if [ -e /dev/full ]; then
    expect_status 1 "cannot write" sh -c '"$1" info >/dev/full' sh "$weir"
fi

"$weir" info >info.txt
grep -q "^Device 0: " info.txt || fail "weir info lists no device"
for word in driver Vulkan queues encode readback swapchain pyramids required recommended; do
    grep -q "^  $word " info.txt || fail "weir info says nothing of $word"
done

"$weir" bench encode --sizes 64x64,100x30 --quick --validation --json bench.json >bench.txt
for word in floor blocks encode copy null file; do
    grep -q "^  $word " bench.txt || fail "weir bench encode has no line of $word"
done
[ "$(find . -name 'weir-bench-*' | wc -l)" = 0 ] || fail "the bench left its movie behind"
expect_status 1 "no_folder" "$weir" bench encode --sizes 64x64 --quick --dir no_folder
expect_status 1 "cannot write no_folder/x.json" "$weir" bench encode --sizes 64x64 --quick --no-stream \
    --json no_folder/x.json

"$weir" info --json >info.json
if command -v python3 >/dev/null; then
    check() { python3 -m json.tool "$1" >/dev/null; }
elif command -v node >/dev/null; then
    check() { node -e 'JSON.parse(require("fs").readFileSync(process.argv[1]))' "$1"; }
else
    skip "the rest passed; neither python3 nor node is here to read the JSON"
fi
check info.json || fail "weir info --json is no JSON"
check bench.json || fail "weir bench encode --json is no JSON"
echo passed
