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

# Old names say the new ones, and names of one command what they are to another.
expect_status 2 'unknown command "bench": weir-bench is a program of its own; known: ' "$weir" bench encode
expect_status 2 "weir-bench is a program of its own" "$weir" help bench
for command in texture transcode; do
    expect_status 2 "unknown option --level: it is now --effort; " "$weir" $command in.png out --level high
    expect_status 2 "unknown option --level=high: it is now --effort; " "$weir" $command in.png out --level=high
done
expect_status 2 "unknown option --transfer: it is now --light; " "$weir" palette in.png out.png --transfer srgb
expect_status 2 'unknown weight "palette": it is now equal; known: ' "$weir" palette in.png out.png --weight palette
expect_status 2 "unknown option --level; " "$weir" mips in.png out --level 3 # which never was an effort there
expect_status 2 'unknown codec "ycocg_bc3": frames of HAP Q.*; known: hap_q$' "$weir" transcode a.png a.mov --codec ycocg_bc3
expect_status 2 'unknown effort "exhaustive": .*; known: default, fast, high$' "$weir" transcode a.png a.mov --effort exhaustive
"$weir" transcode --help >help.txt
grep -q -- "--codec NAME .* ycocg_bc3 blocks: hap_q$" help.txt || fail "transcode does not say what hap_q is"
grep -q -- "--effort NAME .*: default, fast, high$" help.txt || fail "transcode offers other efforts than those of movies"
"$weir" texture --help | grep -q -- "--effort NAME .*: default, fast, high, exhaustive$" || fail "texture lacks an effort"

expect_status 2 "0 argument\|1 argument" "$weir" info device
expect_status 2 "unknown option -x" "$weir" info -x
expect_status 2 "wants a value" "$weir" transcode in.mp4 out.mov --size
if [ -e /dev/full ]; then
    expect_status 1 "cannot write" sh -c '"$1" info >/dev/full' sh "$weir"
fi
too_long() { (ulimit -f 1 && exec "$weir" transcode --help); }
expect_status 1 "cannot write" too_long

"$weir" info >info.txt
grep -q "^Device 0: " info.txt || fail "weir info lists no device"
for word in driver Vulkan queues encode readback swapchain pyramids required recommended; do
    grep -q "^  $word " info.txt || fail "weir info says nothing of $word"
done

"$weir" info --json >info.json
expect_json info.json
