#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Help, versions, usage errors and weir info.
source "$(dirname "$0")/cli_common.sh"

"$weir" --version | grep -q "^weir [0-9]*\.[0-9]*\.[0-9]* (" || fail "--version says $("$weir" --version)"
"$weir" --help >help.txt
for command in info transcode mips texture palette; do
    grep -q "^  $command " help.txt || fail "weir --help does not list $command"
    "$weir" $command --help >one.txt
    "$weir" help $command >two.txt
    cmp -s one.txt two.txt || fail "weir help $command is not weir $command --help"
    grep -q "^Example:" one.txt || fail "weir $command --help has no example"
done
expect_status 2 "Commands:" "$weir"
expect_status 2 'unknown command "cook"; known: transcode, mips, texture, palette, info' "$weir" cook
expect_status 2 "0 argument\|1 argument" "$weir" info device
expect_status 2 "unknown option -x" "$weir" info -x
expect_status 2 "wants a value" "$weir" transcode in.mp4 out.mov --size
if [ -e /dev/full ]; then
    expect_status 1 "cannot write" sh -c '"$1" info >/dev/full' sh "$weir"
fi

"$weir" info >info.txt
grep -q "^Device 0: " info.txt || fail "weir info lists no device"
for word in driver Vulkan queues encode readback swapchain pyramids required recommended; do
    grep -q "^  $word " info.txt || fail "weir info says nothing of $word"
done

"$weir" info --json >info.json
expect_json info.json
