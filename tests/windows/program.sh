#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The program weir under Wine makes byte for byte what it makes here: movies, textures, levels, palettes; with names of any
# characters and length, and on a full disk. program.sh WINDOWS LINUX: the two programs.
set -euo pipefail
windows=$(realpath "$1") linux=$(realpath "$2")
work=$(mktemp -d)
trap 'umount "$work/disk" 2>/dev/null || true; rm -rf "$work"' EXIT
fail() { echo "$*"; exit 1; }
[ -x "$linux" ] || { echo "skipped: no $linux (./dev build)"; exit 77; }
command -v ffmpeg >/dev/null || { echo "skipped: no ffmpeg, which makes pictures"; exit 77; }

long=$(printf 'ö%.0s' {1..100}) # of 200 bytes; with its folders the path has more than 300 characters
mkdir -p "$work/in/$long/$long" "$work/windows" "$work/linux"
cd "$work/in"
clip=$long/$long/🎬.mkv
make() { ffmpeg -nostdin -v error -y -f lavfi -i "testsrc2=s=203x117:r=25:d=$1" "${@:2}"; }
make 1 -f lavfi -i sine=d=1 -c:v ffv1 -pix_fmt yuv420p -c:a flac clip.mkv
mv clip.mkv "$clip"
make 0.2 'bild_%02d.png'
mkdir bilder
mv bild_0?.png bilder/
cp bilder/bild_01.png 'größe 🎨.png'
make 0.04 -pix_fmt rgb48 deep.tif
make 0.04 -pix_fmt gbrpf32 light.exr

# in_both ARGUMENT...: by both programs, each in a folder of its own beside the inputs. Standard input is a pipe from $piped.
in_both() {
    (cd "$work/linux" && cat "$piped" | "$linux" "$@" >"$work/log" 2>&1) || fail "weir $*: $(cat "$work/log")"
    (cd "$work/windows" && cat "$piped" | wine "$windows" "$@" >"$work/log" 2>&1) || fail "weir.exe $*: $(cat "$work/log")"
}
piped=/dev/null
in_both transcode "../in/$clip" 'fluß 🌊.mov' --no-audio
in_both transcode "../in/$clip" sound.mov # whose parts have another order at each run
streams() { ffmpeg -nostdin -v error -i "$1" -map 0 -c copy -f streamhash -; }
[ "$(streams "$work/windows/sound.mov")" = "$(streams "$work/linux/sound.mov")" ] || fail "a movie with audio differs"
rm "$work/windows/sound.mov" "$work/linux/sound.mov"
piped=$work/in/$clip in_both transcode - piped.mov --no-audio
in_both transcode ../in/bilder/bild_%02d.png sequence.mov --codec hap
in_both transcode ../in/bilder folder.mov --codec hap_alpha --size 64x64
for picture in 'größe 🎨.png' deep.tif; do
    in_both texture "../in/$picture" "$picture.ktx2" --mips --zstd
done
in_both transcode ../in/light.exr light.mov --codec hap
in_both palette '../in/größe 🎨.png' reduced.png --colors 16 --export colors.gpl
in_both mips '../in/größe 🎨.png' levels
in_both mips ../in/light.exr 'stufen ö'
in_both mips '../in/größe 🎨.png' levels --format r8_unorm # which replaces what is there
# Two thirds of a movie that was being written, and its parts put together.
python3 - "$work/linux/sequence.mov" "$work/in/cut.mov" <<'PYTHON'
import sys
data = open(sys.argv[1], "rb").read()
open(sys.argv[2], "wb").write(data[:len(data) * 2 // 3])
PYTHON
in_both recover ../in/cut.mov recovered.mov
cp "$work/in/cut.mov" "$work/linux/place.mov"
cp "$work/in/cut.mov" "$work/windows/place.mov"
in_both recover --in-place place.mov
in_both join recovered.mov sequence.mov joined.mov --end-to-end
diff -r "$work/windows" "$work/linux"

# refused TEXT ARGUMENT...
refused() {
    ! wine "$windows" "${@:2}" >/dev/null 2>"$work/log" || fail "weir.exe ${*:2} does not fail"
    grep -q "$1" "$work/log" || fail "weir.exe ${*:2}: $(cat "$work/log")"
}
cd "$work/windows"
refused "Linux only" record
refused "is the input itself" palette '../in/größe 🎨.png' '../in/../in/größe 🎨.png'
refused "No such file" info ../in/absent.mov
refused "put it into a file" texture - piped.ktx2
mkdir -p taken/größe\ 🎨_level03.png # no level takes its name then
refused "it is not a file" mips '../in/größe 🎨.png' taken
[ "$(find taken | wc -l)" = 2 ] || fail "levels are left: $(find taken)"
# Ctrl-C, which Wine makes of the signal: what was made so far plays.
make 60 -c:v ffv1 -pix_fmt yuv420p "$work/in/long.mkv"
set -m # else a shell's child ignores the signal
wine "$windows" transcode ../in/long.mkv short.mov 2>"$work/log" &
for _ in {1..300}; do
    [ "$(stat -c %s short.mov 2>/dev/null || echo 0)" -lt 200000 ] || break
    sleep 0.1
done
kill -INT $!
! wait $! || fail "a movie is made in spite of Ctrl-C"
grep -q "ends early: it holds" "$work/log" || fail "Ctrl-C: $(cat "$work/log")"
ffprobe -v error short.mov || fail "what was made before Ctrl-C does not play"
mkdir "$work/disk"
if mount -t tmpfs -o size=64k none "$work/disk" 2>/dev/null; then
    refused "[Mm]ake room on the disk" transcode "../in/$clip" "$work/disk/full.mov"
    head -c 100000 /dev/zero >"$work/disk/rest" 2>/dev/null || true
    refused "[Mm]ake room on the disk" texture "../in/deep.tif" "$work/disk/full.ktx2"
    [ ! -e "$work/disk/full.ktx2" ] || fail "a texture is left on a full disk"
else
    echo "not tried: a full disk, which needs root"
fi
echo "$(find "$work/linux" -type f | wc -l) files are the same"
