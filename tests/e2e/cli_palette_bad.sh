#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir palette with bad input: a message, the exit status, nothing left behind.
source "$(dirname "$0")/cli_palette_common.sh"
hold weir ffmpeg

mkdir pictures halves
cp picture.png other.png pictures
head -c 300 other.png >pictures/broken.png
filtered other.png halves/h_1.png crop=80:20:0:0
filtered other.png halves/h_2.png crop=80:40:0:20
make clip.mkv testsrc2=s=80x48:r=25:d=1 -frames:v 5 -c:v libx264 -preset ultrafast -pix_fmt yuv420p
palette picture.png default.png

# What fails of a folder is named, and the rest is done.
for share in "" --share; do
    # shellcheck disable=SC2086
    expect_status 1 "pictures/broken.png" "$weir" palette pictures some$share $share ${share:+--export some.hex}
    grep -q "error: pictures/broken.png was left out" stderr.txt || fail "$(cat stderr.txt)"
    grep -q "^some$share: 2 of 3 pictures" stdout.txt || fail "$(cat stdout.txt)"
    [ "$(ls -A some$share | xargs)" = "other.png picture.png" ] || fail "some$share has $(ls -A some$share | xargs)"
done
cmp some.hex <(colors some--share/*.png) || fail "some.hex is not what the pictures have"
mkdir bad void
cp pictures/broken.png bad
expect_status 1 "bad/broken.png" "$weir" palette bad none
expect_status 1 "bad/broken.png" "$weir" palette bad none --share --export none.hex
expect_status 1 "void: no picture in this folder" "$weir" palette void none
expect_status 1 "cannot write picture: Not a directory; name a folder for the pictures" \
    bash -c 'echo >picture; exec "$0" palette halves picture' "$weir"
expect_no none none.hex

# The command line.
for radius in -1 -0.1 nan inf 2 1.7320509 x "" 0x1p-5 1e-2x; do
    expect_status 2 "radius $radius: a number from 0 to 1.7320508 is wanted" \
        "$weir" palette picture.png out.png --radius "$radius"
done
expect_status 2 "radius wants a value" "$weir" palette picture.png out.png --radius
expect_status 2 "colors 0: a whole number from 1 to 16777216 is wanted" "$weir" palette picture.png out.png --colors 0
expect_status 2 "colors: it finds its own radius" "$weir" palette picture.png out.png --colors 9 --radius 0
expect_status 2 "colors: --method k_means finds 256 at most" \
    "$weir" palette picture.png out.png --colors 257 --method k_means
expect_status 2 "radius: --method k_means finds a number" \
    "$weir" palette picture.png out.png --method k_means --radius 0.02
expect_status 2 "limit: it is for --method mean_shift" "$weir" palette picture.png out.png --colors 9 --limit 4
expect_status 2 "light: .*add --metric oklab" "$weir" palette picture.png out.png --colors 9 --light srgb
expect_status 2 "metric: .*add --method k_means" "$weir" palette picture.png out.png --metric codes
expect_status 2 "dither: .*add --method k_means" "$weir" palette picture.png out.png --dither ordered
expect_status 2 'unknown dither "riemersma"; known: none, ordered, blue_noise, diffusion' \
    "$weir" palette picture.png out.png --colors 9 --dither riemersma
expect_status 2 'unknown method "median_cut"; known: mean_shift, k_means' \
    "$weir" palette picture.png out.png --method median_cut
expect_status 2 'unknown metric "rgb"; known: codes, oklab' "$weir" palette picture.png out.png --metric rgb
expect_status 2 "limit 0: a whole number" "$weir" palette picture.png out.png --limit 0
expect_status 2 'unknown weight "pixels"; known: equal, frequency' "$weir" palette picture.png out.png --weight pixels
expect_status 2 'unknown light "linear"; known: raw, srgb' "$weir" palette picture.png out.png --light linear
expect_status 2 "out.txt: a palette is a file that ends in .gpl, .hex or .png" \
    "$weir" palette picture.png out.png --export out.txt
expect_status 2 "ends in .gpl" "$weir" palette picture.png out.png --export .gpl
expect_status 2 "share: it is for several pictures" "$weir" palette picture.png out.png --share
expect_status 2 "export: each picture has its own palette; add --share" "$weir" palette halves out --export out.gpl
expect_status 2 "out.jpg: the output is a picture or a movie, its name ends in .png or .mov" \
    "$weir" palette picture.png out.jpg
for output in out.png out.jpg out.mp4; do
    for input in halves 'halves/h_%d.png'; do
        expect_status 2 "$output: several pictures become files of a folder, .* this is the name of a file; .*: $output/" \
            "$weir" palette "$input" $output
    done
done
for input in halves picture.png clip.mkv; do
    expect_status 2 "out.gif: no GIF files are written; .*--share --colors 256" "$weir" palette $input out.gif
done
expect_no out.png out.jpg out.mp4 out.gif
expect_status 2 "weight equal: a movie would flicker" "$weir" palette clip.mkv out.mov --weight equal
expect_status 2 "share: .*standard input is read once" "$weir" palette - out.mov --share
expect_status 1 "can be read only once" "$weir" palette <(cat clip.mkv) out.mov --share
make s.png color=red:s=4096x4096 -frames:v 1 -pix_fmt rgb24
mapfile -t squares < <(yes s.png | head -n 256) # 2^32 pixels
expect_status 1 "share: .* counts 255 frames of 4096x4096 at most" "$weir" palette "${squares[@]}" out.mov --share
expect_status 2 "colors: a radius would be looked for" "$weir" palette clip.mkv out.mov --colors 257
expect_status 2 "dither diffusion: it is for pictures" "$weir" palette clip.mkv out.mov --colors 9 --dither diffusion
expect_status 2 "export: it is for pictures" "$weir" palette clip.mkv out.mov --export out.gpl
expect_status 1 "no.*device" "$weir" palette picture.png out.png --device 99
expect_status 1 "no Vulkan" env VK_ICD_FILENAMES=/dev/null VK_DRIVER_FILES=/dev/null "$weir" palette picture.png out.png

# Input.
: >empty.png
make light.exr testsrc2=s=16x16:r=1:d=1 -frames:v 1 -pix_fmt gbrpf32le
limit=$(most_texels)
make wide.png "nullsrc=s=$((limit + 2))x2:r=1:d=1,geq=r=9:g=9:b=9,format=rgb24" -frames:v 1
expect_status 1 "missing.png: No such file" "$weir" palette missing.png out.png
expect_status 1 "empty.png is empty" "$weir" palette empty.png out.png
expect_status 1 "pictures/broken.png" "$weir" palette pictures/broken.png out.png
expect_status 1 "light.exr holds linear light" "$weir" palette light.exr out.png
expect_status 1 "wide.png is $((limit + 2))x2; .* takes at most $limit a side" "$weir" palette wide.png out.png
expect_status 1 "missing.mkv" "$weir" palette missing.mkv out.mov

# Output: what was there is replaced by a whole file, or stays.
expect_status 1 "no_folder/out.png': No such file" "$weir" palette picture.png no_folder/out.png
mkdir folder.png # is a folder all the same
palette picture.png folder.png
[ "$(ls folder.png)" = picture.png ] || fail "a picture for a folder is $(ls folder.png)"
printf before >older.png
expect_status 1 "older.png' after 0 bytes" limited 2 "$weir" palette other.png older.png --radius 0
[ "$(cat older.png)" = before ] || fail "a failure took the file that was there"
cp picture.png input.png
ln input.png link.png
expect_status 1 "input.png is the input itself" "$weir" palette input.png input.png
expect_status 1 "link.png is the input itself" "$weir" palette input.png link.png
expect_status 1 "input.png is the input itself" "$weir" palette input.png out.png --export input.png
expect_status 1 "out.png is the output itself" "$weir" palette input.png out.png --export out.png
expect_status 1 "halves/h_1.png is the input itself" "$weir" palette halves out --share --export halves/h_1.png
cmp input.png picture.png || fail "the input was changed"
expect_status 1 "no_folder/few.gpl': No such file" "$weir" palette picture.png kept.png --export no_folder/few.gpl
same kept.png default.png
expect_no out.png out.mov out no_folder
palette picture.png older.png
cmp older.png default.png || fail "the file that was there was not replaced"

# Ctrl-C: what is there is whole, and the status is 1.
mkdir many
for ((i = 0; i < 400; i++)); do ln other.png many/$i.png; done
env --default-signal=INT "$program" palette many ended >stdout.txt 2>stderr.txt &
process=$!
for ((i = 0; i < 1000; i++)); do
    [ ! -s ended/0.png ] || break
    sleep 0.01
done
kill -s INT $process
status=0
wait $process || status=$?
[ $status = 1 ] || fail "status $status after Ctrl-C: $(cat stderr.txt)"
grep -q interrupted stderr.txt || fail "no word of it: $(cat stderr.txt)"
palette other.png alone.png
for file in ended/*; do
    cmp "$file" alone.png || fail "$file is not whole"
done
[ "$(find ended -type f | wc -l)" -lt 400 ] || fail "Ctrl-C ended nothing"
expect_clean
echo passed
