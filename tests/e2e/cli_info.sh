#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# cli_info.sh WEIR FOLDER LESSER: weir info says of each thing that Weir requires or recommends whether the device has
# it, as vulkaninfo says, and commands suffer from what is missing as weir info says. LESSER is a library that takes
# features away from the device.
source "$(dirname "$0")/cli_common.sh"
lesser=$3
held_with=$lesser hold weir # nothing is taken away unless WEIR_LESSER says so

"$weir" info >info.txt || fail "weir info: $(cat info.txt)"
! grep -i ": unknown" info.txt || fail "weir info does not know these"
mapfile -t names < <(sed -n 's/^  \(required\|recommended\)  *\(Vulkan \)\?\([^:]*\): \(yes\|missing\)$/\3/p' info.txt)
[ ${#names[@]} -ge 11 ] || fail "few requirements: $(cat info.txt)"
[ "$(grep -c '^ *used by ' info.txt)" = ${#names[@]} ] || fail "not every requirement says what uses it: $(cat info.txt)"
for codec in hap_q hap hap_alpha hap_q_alpha hap_alpha_only hap_r hap_hdr; do
    grep -q "^  $codec " info.txt || fail "the codec $codec is not named"
done
! grep "used by no command" info.txt || fail "the table of commands lacks a requirement"

# state NAME FILE: what a report says of it.
state() { sed -n "s/^  \(required\|recommended\)  *\(Vulkan \)\?$1: //p" "$2"; }

if command -v vulkaninfo >/dev/null && [ "$(grep -c '^Device ' info.txt)" = 1 ]; then
    vulkaninfo >vulkaninfo.txt 2>/dev/null || skip "vulkaninfo, which is the judge, fails here"
    for name in "${names[@]}"; do
        case $name in
        [0-9]*) wanted=yes ;; # without which no command works
        VK_*) grep -qE "^[[:space:]]*$name +: extension" vulkaninfo.txt && wanted=yes || wanted=missing ;;
        *) grep -qE "^[[:space:]]*$name +=  *true" vulkaninfo.txt && wanted=yes || wanted=missing ;;
        esac
        [ "$(state "$name" info.txt)" = $wanted ] || fail "$name: $(state "$name" info.txt), and vulkaninfo says $wanted"
    done
else
    echo "vulkaninfo was not asked: it is not here, or there are several devices"
fi

make in.png testsrc2=s=60x44:r=1:d=1 -frames:v 1
# on_lesser NAMES COMMAND...: on a device without what is named.
on_lesser() { env "WEIR_LESSER=$1" "${preloading[@]}" "${@:2}"; }

# expect_suffers NAME WORDS: the report says that it is missing and what uses it.
expect_suffers() {
    local name=$1 words=$2
    on_lesser "$name" "$weir" info >less.txt 2>&1 || fail "weir info without $name: $(cat less.txt)"
    ! grep -i ": unknown" less.txt || fail "without $name"
    [ "$(state "$name" less.txt)" = missing ] || fail "$name is $(state "$name" less.txt) where it is missing"
    grep -q "$name: used by $words" less.txt || fail "what suffers without $name: $(cat less.txt)"
}
fails() { expect_status 1 "$2" on_lesser "$1" "$weir" "${@:3}"; }
works() { on_lesser "$1" "$weir" "${@:2}" >out.txt 2>&1 || fail "without $1: weir ${*:2}: $(cat out.txt)"; }

expect_suffers shaderInt64 "weir palette, which fails"
fails shaderInt64 shaderInt64 palette in.png out.png
works shaderInt64 mips in.png levels
expect_suffers shaderBufferInt64Atomics "weir palette, which works"
works shaderBufferInt64Atomics palette in.png out.png
expect_suffers shaderStorageImageWriteWithoutFormat "weir palette, which fails without it; weir mips"
fails shaderStorageImageWriteWithoutFormat WriteWithoutFormat palette in.png out.png
works shaderStorageImageWriteWithoutFormat mips in.png levels
grep -q "by blit" out.txt || fail "the levels were not made by blits: $(cat out.txt)"
works shaderStorageImageWriteWithoutFormat texture in.png out.ktx2 --mips --codec bc4 --effort fast
works shaderStorageImageWriteWithoutFormat transcode in.png out.mov
for name in subgroupSizeControl VK_EXT_subgroup_size_control; do
    expect_suffers $name "weir mips, texture --mips, palette, which work"
    works $name palette in.png out.png
    works $name mips in.png levels
done

# A limit that few devices are below.
fails shared_memory "maxComputeSharedMemorySize 16384: rate-distortion optimisation needs 32768; use quality 100" \
    texture in.png out.ktx2 --codec bc4 --effort fast --quality 60 --zstd
works shared_memory texture in.png out.ktx2 --codec bc4 --effort fast

# Where the device cannot be opened all of it is said too.
for name in timelineSemaphore 1.1; do
    expect_status 1 "none of these devices can be used" on_lesser $name "$weir" info
    ! grep -i ": unknown" stdout.txt || fail "weir info does not know these of a device that cannot be used"
    [ "$(state shaderInt64 stdout.txt)" = "$(state shaderInt64 info.txt)" ] || fail "shaderInt64 of such a device"
done
[ "$(state 1.2 stdout.txt)" = missing ] || fail "Vulkan 1.2 is $(state 1.2 stdout.txt) on a device of 1.1"
fails timelineSemaphore timelineSemaphore transcode in.png out.mov

"$weir" info --json >info.json
expect_json info.json
command -v python3 >/dev/null || skip "the rest passed; no python3 here to read the JSON"
python3 - <<'PYTHON' || fail "the JSON is wrong: $(cat info.json)"
import json

for device in json.load(open("info.json"))["devices"]:
    assert len(device["requirements"]) >= 11
    for asked in device["requirements"]:
        assert asked["state"] in ("yes", "missing") and asked["purpose"] and asked["used_by"], asked
PYTHON
echo passed
