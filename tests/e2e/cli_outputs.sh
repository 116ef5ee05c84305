#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# No output of a command is one of its inputs, by whatever name, nor another of its outputs; what is there is replaced whole
# or stays; and what an output may be called. bash cli_outputs.sh WEIR FOLDER BENCH [SAMPLE]
source "$(dirname "$0")/cli_common.sh"
bench=$3
sample=${4:-}
hold weir weir-bench ${sample:+sample_capture}

make p_%d.png testsrc2=s=16x16:r=25:d=0.12
make clip.mp4 testsrc2=s=64x48:r=25:d=0.2 -c:v libx264 -pix_fmt yuv420p

# keep: what is in the folder now. refused WORDS COMMAND...: status 1, and the folder is as it was, links included.
state() { find . -mindepth 1 ! -name '*.txt' \( -type d -printf '%p\n' -o -printf '%p %l %n %T@ %s\n' \) | sort; }
keep() { state >kept.txt; }
as_kept() { state | diff kept.txt - || fail "$*: the folder is not as it was"; }
refused() {
    expect_status 1 "$@"
    as_kept "${@:2}"
}

# Movies, pictures and textures among each other, by URLs, standard input, links and paths.
cp clip.mp4 clip.mov
ln -s clip.mov link.mov
mkdir frames textures few
cp p_*.png frames
ln frames/p_2.png frames/p_2.mov
ln frames/p_3.png export.png
for n in 1 2 3; do
    "$weir" texture p_$n.png textures/t_$n.ktx2 --codec bc4 --effort fast >stdout.txt
done
ln -s t_2.ktx2 textures/t_3.dds
ln textures/t_1.ktx2 t.ktx
cp p_1.png p
cp textures/t_1.ktx2 t.png
printf older >few/p_3.png
ln -s p_3.png few/p_1.png
keep
refused "link.mov is the input itself" "$weir" transcode - link.mov <clip.mov
while IFS='|' read -r -u 3 words arguments; do
    # shellcheck disable=SC2086
    refused "$words" "$weir" $arguments
done 3<<'LINES'
clip.mov is the input itself|transcode clip.mov clip.mov
clip.mov is the input itself|transcode file:clip.mov clip.mov
link.mov is the input itself|transcode clip.mov link.mov
clip.mov is the input itself|transcode clip.mov frames/p_1.png .
frames/p_2.mov is the input itself|transcode frames frames/p_2.mov
frames/p_2.mov is the input itself|transcode frames/p_1.png frames/p_2.png frames/p_2.mov
frames/p_2.mov is the input itself|palette frames/p_%d.png frames/p_2.mov
p_1.png is the input itself|palette p_1.png p_1.png
export.png is the input itself|palette frames/p_3.png export.png
export.png is the input itself (frames/p_3.png)|palette frames/p_%d.png new --share --export export.png
p_1.png is the input itself|palette p_1.png out.png --export frames/../p_1.png
is the output itself|palette frames/p_%d.png new --share --export new/../new/p_2.png
is the output itself|palette p_1.png out.png --export ./out.png
few/p_[13].png is the output itself (few/p_[13].png)|palette frames/p_%d.png few
textures/t_1.ktx2 is the input itself|texture textures/t_1.ktx2 textures/t_1.ktx2
t.ktx is the input itself|texture textures/t_1.ktx2 t.ktx
t.png is the input itself|texture --decode t.png t.png
textures/t_3.dds is the input itself (textures/t_2.ktx2)|texture textures/t_%d.ktx2 textures --container dds
textures/t_1.ktx2 is the input itself|texture textures/t_%d.ktx2 textures --container ktx2
cannot write p: Not a directory; name a folder|palette frames p
LINES

# Names of a file where it takes a folder, of a kind that is not written, and in folders that are not there.
for output in x.png x.jpg x.mp4; do
    for input in frames 'frames/p_%d.png'; do
        expect_table <<LINES
2|$output: several pictures become files of a folder, .* this is the name of a file; .*: $output/|palette $input $output
2|$output: several pictures become files of a folder, and this is the name of a file; .*: $output/|texture $input $output
LINES
    done
    expect_status 2 "$output: the levels become files of a folder, and this is the name of a file; .*: $output/" \
        "$weir" mips p_1.png $output
done
for input in frames p_1.png clip.mp4; do
    expect_status 2 "out.gif: no GIF files are written; .*--share --colors 256" "$weir" palette $input out.gif
done
expect_table <<'LINES'
2|x.ktx2: several pictures become files of a folder|texture frames x.ktx2
2|p_3.png: several pictures become files of a folder|texture p_*.png
2|p_3.png: the output is a QuickTime movie|transcode p_*.png
2|x.mp4: the output is a QuickTime movie, its name ends in .mov, or a folder|transcode clip.mp4 clip.mov x.mp4
2|x.jpg: the output is a picture or a movie, its name ends in .png or .mov|palette p_1.png x.jpg
1|cannot write no/x: No such file|texture frames no/x
1|no/x.dds': No such file|texture p_1.png no/x.dds --codec bc4 --effort fast
1|no/x.png|texture --decode textures/t_1.ktx2 no/x.png
1|no/x.png': No such file|palette p_1.png no/x.png
1|no/x: No such file|mips p_1.png no/x --method per_level
1|cannot write 'no/x.json'|mips p_1.png new --method per_level --json no/x.json
1|p: Not a directory; name a folder|mips p_1.png p --method per_level
1|no/|transcode p_1.png no/x.mov
1|p_1.png|transcode p_1.png p_1.png/x.mov
LINES
as_kept "wrong names"
if [ "$(id -u)" != 0 ]; then
    mkdir locked && chmod 555 locked
    for command in "transcode p_1.png locked/x.mov" "mips p_1.png locked"; do
        # shellcheck disable=SC2086
        expect_status 1 "Permission denied" "$weir" $command
    done
fi
# A palette that cannot be written does not take the picture back.
expect_status 1 "no/few.gpl': No such file" "$weir" palette p_1.png kept.png --export no/few.gpl
"$weir" palette p_1.png whole.png >stdout.txt
cmp kept.png whole.png || fail "a palette that is not written makes another picture"

# A folder is one, by whatever name.
mkdir folder.mov folder.png folder.dds
"$weir" transcode p_1.png folder.mov --quiet
"$weir" palette p_1.png folder.png >stdout.txt
"$weir" texture p_1.png folder.dds --codec bc4 --effort fast >stdout.txt
"$weir" texture frames/p_%d.png folder.ktx2/ --codec bc4 --effort fast --container ktx >stdout.txt
for folder in folder.png levels.png/ version_1.2 .hidden; do
    "$weir" mips p_1.png $folder --levels 1 --method per_level >stdout.txt || fail "$folder is no folder"
done
[ "$(find folder.* levels.png version_1.2 .hidden -type f | LC_ALL=C sort | xargs)" = ".hidden/p_1_level00.png .hidden/p_1_levels.png \
folder.dds/p_1.ktx2 folder.ktx2/p_1.ktx folder.ktx2/p_2.ktx folder.ktx2/p_3.ktx folder.mov/p_1.mov folder.png/p_1.png \
folder.png/p_1_level00.png folder.png/p_1_levels.png levels.png/p_1_level00.png levels.png/p_1_levels.png \
version_1.2/p_1_level00.png version_1.2/p_1_levels.png" ] || fail "folders have $(find folder.* levels.png version_1.2 .hidden -type f | xargs)"

# On a full disk what was there stays, and nothing is added; what was written of a movie plays.
make noise.png "testsrc2=s=128x96:r=1:d=1,noise=alls=90" -frames:v 1
make long.mp4 testsrc2=s=320x240:r=25:d=2 -c:v libx264 -pix_fmt yuv420p
for output in older.dds older.png older.mov levels/noise_level00.png; do
    mkdir -p levels
    printf before >$output
done
keep
refused "older.dds' after 0 bytes" limited 2 "$program" texture noise.png older.dds --codec bc4 --effort fast
refused "older.png' after 0 bytes" limited 2 "$weir" palette noise.png older.png --radius 0
refused "noise_level00.png" limited 2 "$weir" mips noise.png levels --method per_level
refused "noise_level00.png" limited 2 "$weir" mips noise.png new --method per_level
refused "error" limited 16 "$weir" transcode long.mp4 older.mov
refused "error" limited 16 "$weir" transcode long.mp4 none.mov
refused "missing.png" "$weir" texture missing.png older.dds
expect_status 1 "plays" limited 1000 "$weir" transcode long.mp4 full.mov
frames=$(field full.mov nb_read_frames)
[ "$frames" -ge 5 ] && [ "$frames" -lt 50 ] || fail "full.mov has $frames frames"
"$weir" palette p_1.png older.png >stdout.txt
cmp older.png whole.png || fail "the file that was there was not replaced"
expect_clean

# weir-bench.
ln p_1.png report.json
keep
refused "report.json is the input itself (p_1.png)" \
    "$held/weir-bench" encode --sizes 60x60 --quick --no-stream --codec bc1 --picture p_2.png,p_1.png --json report.json
refused "report.json is the input itself (p_1.png)" "$held/weir-bench" palette --quick --colors 300 --picture p_1.png --json report.json
rm report.json
small=(pyramid --sizes 8x8 --repeats 1 --submits 1 --methods per_level)
printf older >report.json
chmod 604 report.json
expect_status 1 "report.json" limited 0 "$bench" "${small[@]}" --json report.json
[ "$(cat report.json)" = older ] || fail "a full disk took the report that was there"
expect_no .weir-*
ln -s report.json link.json
"$held/weir-bench" "${small[@]}" --json link.json >stdout.txt
[ -L link.json ] || fail "a link was replaced instead of what it leads to"
expect_json report.json

[ -n "$sample" ] || { echo passed; exit; }
# The samples.
film=(--headless --size 64x48 --frames 3)
printf older >film.mov
ln -s film.mov film.png
ln film.mov film.rgb
keep
collides() {
    expect_status 2 "one file for two outputs" "$held/sample_capture" "${film[@]}" "$@"
    state | diff kept.txt - || fail "$*: the folder is not as it was"
}
collides --output film.mov --picture film.png
collides --output film.mov --reference film.rgb
collides --output new.mov --picture ./new.mov
collides --sink hash --output new.txt --reference ../"$(basename "$PWD")"/new.txt
collides --sink null --picture film.png --reference film.rgb
rm film.*
printf older >film.rgb
chmod 604 film.rgb
# A file that may not grow: an error, and no signal. It is told so once the file is there: Mesa 25 has the memory of a
# device in files, which are made before.
begin env --default-signal=XFSZ "$sample" "${film[@]}" --frames 100000 --sink null --reference film.rgb
until_true eval '[ -n "$(find . -name film.rgb -size +1k)" ]'
prlimit --pid $app --fsize=$((1 << 16))
expect_end 1 reference
expect_no film.rgb
touch film.rgb
chmod 604 film.rgb
"$held/sample_capture" "${film[@]}" --sink null --reference film.rgb >stdout.txt
[ "$(stat -c %s,%a film.rgb)" = $((64 * 48 * 3 * 3)),604 ] || fail "film.rgb is $(stat -c %s,%a film.rgb)"
expect_no .weir-*
ln -s film.rgb link.rgb
"$held/sample_capture" "${film[@]}" --sink null --reference link.rgb --frames 2 >stdout.txt
[ -L link.rgb ] && [ "$(stat -c %s film.rgb)" = $((64 * 48 * 3 * 2)) ] || fail "the link is $(ls -l link.rgb film.rgb)"
mkfifo pipe
wc -c <pipe >count.txt &
"$held/sample_capture" "${film[@]}" --sink null --reference pipe >stdout.txt
wait $!
[ "$(cat count.txt)" = $((64 * 48 * 3 * 3)) ] || fail "a pipe got $(cat count.txt) bytes"
echo passed
