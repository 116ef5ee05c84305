#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir mips and bad input: a message that names it, the exit status, and nothing left behind.
source "$(dirname "$0")/cli_common.sh"
hold weir ffmpeg

make good.png testsrc2=s=64x48:r=1:d=1 -frames:v 1
make good.jpg testsrc2=s=64x48:r=1:d=1 -frames:v 1
make odd.png testsrc2=s=66x48:r=1:d=1 -frames:v 1
make sound.wav sine=d=0.2

few=(--method per_level) # whose kernels are the smallest

# The command line.
expect_status 2 'unknown method "magic"; known: auto, single, .*per_level' "$weir" mips good.png out --method magic
expect_status 2 'unknown reduction "median"; known: mean, alpha_mean, .*luma_mean' \
    "$weir" mips good.png out --reduction median
expect_status 2 'unknown reduction "custom"' "$weir" mips good.png out --reduction custom
expect_status 2 'unknown format "rgb8"; known: .*rgba8_srgb.*rgba32_sfloat' "$weir" mips good.png out --format rgb8
expect_status 2 'unknown values "pq"; known: srgb, linear, data' "$weir" mips good.png out --values pq
expect_status 2 "from 1 to 32" "$weir" mips good.png out --levels 0
expect_status 2 "1 argument instead of 2" "$weir" mips good.png
expect_status 2 "unknown option --size" "$weir" mips good.png out --size 64x64
expect_status 1 "levels 8: good.png is 64x48 and has 7 levels" "$weir" mips good.png out --levels 8
expect_status 1 "rgba8_srgb decodes" "$weir" mips good.png out --format rgba8_srgb --values data
expect_status 1 "exact-srgb: rgba8_unorm holds no sRGB" "$weir" mips good.png out --format rgba8_unorm --exact-srgb
expect_status 1 "no.*device" "$weir" mips good.png out --device 99

# Input.
: >empty.png
head -c $(($(stat -c %s good.png) / 2)) good.png >cut.png
head -c $(($(stat -c %s good.jpg) / 2)) good.jpg >cut.jpg
head -c 5000 /dev/zero >zeroes.pfm
mkdir folder
cp good.png folder/x_1.png
echo text >notes.txt
expect_status 1 "missing.png: No such file" "$weir" mips missing.png out
expect_status 1 "empty.png is empty" "$weir" mips empty.png out
expect_status 1 "cut.png: .*cut short" "$weir" mips cut.png out
expect_status 1 "cut.jpg: .*cut short" "$weir" mips cut.jpg out
expect_status 1 "zeroes.pfm: no picture" "$weir" mips zeroes.pfm out
expect_status 1 "notes.txt: " "$weir" mips notes.txt out
expect_status 1 "sound.wav: no video stream" "$weir" mips sound.wav out
expect_status 1 "one picture is wanted.*x_1.png" "$weir" mips folder out
expect_status 1 "one picture is wanted.*x_1.png" "$weir" mips folder/x_%d.png out
expect_status 1 "path is empty" "$weir" mips "" out

# What the device or the method cannot do.
limit=$(most_texels)
make large.png "color=red:s=$((limit + 2))x2:r=1:d=1" -frames:v 1 -pix_fmt rgb24
expect_status 1 "large.png is $((limit + 2))x2; .* takes at most $limit a side" "$weir" mips large.png out
expect_status 1 "fast" "$weir" mips odd.png out --method fast
expect_status 1 "blit" "$weir" mips good.png out --method blit --reduction max
expect_status 1 "blits decode sRGB as the device" "$weir" mips good.png out --method blit --exact-srgb
expect_no out

# Output: a folder that was there keeps what it had, and nothing is added.
only_older() { [ "$(cd older && find . -mindepth 1 | sort | xargs)" = "$1" ] || fail "older holds $(find older)"; }
mkdir older
printf before >older/good_level00.png
mkdir older/good_level03.png
expect_status 1 "good_level03.png: File exists; it is not a file" "$weir" mips good.png older "${few[@]}"
only_older "./good_level00.png ./good_level03.png"
rmdir older/good_level03.png
ffmpeg -nostdin -v error -y -f lavfi -i "testsrc2=s=64x48:r=1:d=1,noise=alls=90" -frames:v 1 noise.png
mv older/good_level00.png older/noise_level00.png
expect_status 1 "noise_level00.png" limited 2 "$weir" mips noise.png older "${few[@]}"
expect_status 1 "noise_level00.png" limited 2 "$weir" mips noise.png out "${few[@]}"
only_older "./noise_level00.png"
[ "$(cat older/noise_level00.png)" = before ] || fail "a failure took the file that was there"
expect_no out
expect_status 1 "no_folder/out: No such file" "$weir" mips good.png no_folder/out "${few[@]}"
cp good.png good
expect_status 1 "good: Not a directory; name a folder" "$weir" mips good.png good "${few[@]}"
expect_status 2 "good.jpg: the levels become files of a folder, and this is the name of a file; .*: good.jpg/" \
    "$weir" mips good.png good.jpg
expect_status 2 "none/out.gif: the levels become files of a folder" "$weir" mips good.png none/out.gif
expect_no none out.gif
mkdir there.png
for folder in there.png made.png/ version_1.2 .hidden; do
    "$weir" mips good.png $folder "${few[@]}" >stdout.txt || fail "$folder is no folder"
    [ -s $folder/good_level00.png ] || fail "$folder has $(ls -A $folder | xargs)"
done
rm -r there.png made.png version_1.2 .hidden
expect_status 1 "cannot write 'no_folder/x.json'" "$weir" mips good.png older "${few[@]}" --json no_folder/x.json
if [ "$(id -u)" != 0 ]; then
    mkdir locked && chmod 555 locked
    expect_status 1 "Permission denied" "$weir" mips good.png locked
fi

# An input among its own levels stays as it is. Nothing that leads to the input is written, nor one file twice, and nothing
# at all then.
mkdir own
cp good.png own/good.png
cp good.png before.png
refused() {
    expect_status 1 "$1" "$weir" mips own/good.png own "${few[@]}" "${@:2}"
    cmp -s own/good.png before.png || fail "the input was changed"
    [ -z "$(find own -name '*level00*' -o -name '*levels*' -o -name '.*')" ] || fail "own holds $(ls -A own)"
}
for link in "ln -s" "ln"; do
    (cd own && $link good.png good_level01.png && $link good.png report.json)
    refused "own/good_level01.png is the input itself (own/good.png)"
    rm own/good_level01.png
    refused "own/report.json is the input itself" --json own/report.json
    rm own/report.json
done
refused "own/good.png is the input itself; " --json own/good.png
for name in own/good_level03.png own/../own/good_levels.png; do
    refused "is the output itself" --json $name
    [ ! -e $name ] || fail "$name was made"
done
"$weir" mips own/good.png own "${few[@]}" --json own/report.json >stdout.txt
cmp -s own/good.png before.png || fail "the input was changed"
expect_json own/report.json

expect_status 1 "no Vulkan" env VK_ICD_FILENAMES=/dev/null VK_DRIVER_FILES=/dev/null "$weir" mips good.png out
expect_no out
expect_clean
echo passed
