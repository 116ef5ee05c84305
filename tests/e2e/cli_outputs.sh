#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# No output of a command is one of its inputs, by whatever name, nor another of its outputs; what is there is replaced whole
# or stays. bash cli_outputs.sh WEIR FOLDER BENCH [SAMPLE]
source "$(dirname "$0")/cli_common.sh"
bench=$3
sample=${4:-}
hold weir weir-bench ${sample:+sample_capture}

make p_%d.png testsrc2=s=16x16:r=25:d=0.12
make clip.mp4 testsrc2=s=64x48:r=25:d=0.2 -c:v libx264 -pix_fmt yuv420p

# keep: what is in the folder now; refused WORDS COMMAND...: status 1, and the folder is as it was, links included.
state() { find . -mindepth 1 ! -name '*.txt' -printf '%p %l %n %T@ %s\n' | sort; }
keep() { state >kept.txt; }
refused() {
    expect_status 1 "$@"
    state | diff kept.txt - || fail "${*:2}: the folder is not as it was"
}

# weir transcode: a file by a URL, and standard input.
cp clip.mp4 clip.mov
ln -s clip.mov link.mov
mkdir frames
cp p_*.png frames
ln frames/p_2.png frames/p_2.mov
keep
refused "clip.mov is the input itself" "$weir" transcode file:clip.mov clip.mov
refused "link.mov is the input itself" "$weir" transcode - link.mov <clip.mov
refused "frames/p_2.mov is the input itself" "$weir" transcode frames frames/p_2.mov
refused "frames/p_2.mov is the input itself" "$weir" palette frames/p_%d.png frames/p_2.mov

# weir texture and weir palette: files of a folder against each other, before the first is written.
mkdir textures
for n in 1 2 3; do
    "$weir" texture p_$n.png textures/t_$n.ktx2 --codec bc4 --effort fast >stdout.txt
done
ln -s t_2.ktx2 textures/t_3.dds
keep
refused "textures/t_3.dds is the input itself (textures/t_2.ktx2)" \
    "$weir" texture textures/t_%d.ktx2 textures --container dds
rm textures/t_3.dds
keep
refused "textures/t_1.ktx2 is the input itself" "$weir" texture textures/t_%d.ktx2 textures --container ktx2
mkdir few
printf older >few/p_3.png
ln -s p_3.png few/p_1.png
keep
refused "few/p_[13].png is the output itself (few/p_[13].png)" "$weir" palette frames/p_%d.png few
rm -r few
ln frames/p_3.png export.png
keep
refused "export.png is the input itself (frames/p_3.png)" "$weir" palette frames/p_%d.png few --share --export export.png
refused "is the output itself" "$weir" palette frames/p_%d.png few --share --export few/../few/p_2.png
refused "is the output itself" "$weir" palette p_1.png out.png --export ./out.png
refused "p_1.png is the input itself" "$weir" palette p_1.png out.png --export frames/../p_1.png

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
env --default-signal=XFSZ "$sample" "${film[@]}" --frames 100000 --sink null --reference film.rgb >stdout.txt 2>stderr.txt &
process=$!
for ((i = 0; i < 3000; i++)); do
    [ -z "$(find . -name '.weir-*' -size +0)" ] || break
    sleep 0.01
done
prlimit --pid $process --fsize=$((1 << 16))
status=0
wait $process || status=$?
[ $status = 1 ] && grep -q reference stderr.txt || fail "a file that may not grow: status $status: $(cat stderr.txt)"
[ "$(cat film.rgb)" = older ] || fail "a recording that failed took the reference that was there"
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
