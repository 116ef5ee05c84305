#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Pictures that would take more memory than is allowed, or that FFmpeg takes, are refused before they are decoded.
source "$(dirname "$0")/texture_common.sh"
source "$(dirname "$0")/cli_common.sh"
hold weir ffprobe
command -v python3 >/dev/null || skip "no python3 here, which makes the pictures"

# wide_png WIDTH HEIGHT FILE: in black, which takes next to nothing.
wide_png() {
    python3 - "$@" <<'PYTHON'
import struct, sys, zlib
width, height = map(int, sys.argv[1:3])
def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
open(sys.argv[3], "wb").write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)) +
                             chunk(b"IDAT", zlib.compress(bytes((width + 7) // 8 + 1) * height)) + chunk(b"IEND", b""))
PYTHON
}

# peak COMMAND...: its status, and the most memory that it had [MiB].
peak() {
    python3 - "$@" <<'PYTHON'
import resource, subprocess, sys
status = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
print(status, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
PYTHON
}

# 28 KB on the disk.
wide_png 13400 13400 bomb.png
[ "$(stat -c %s bomb.png)" -lt 100000 ] || fail "bomb.png has $(stat -c %s bomb.png) bytes"
declare -A needs=([transcode]="bomb.mov" [mips]="levels/" [texture]="bomb.ktx2" [palette]="few.png")
for command in transcode mips texture palette; do
    output=${needs[$command]}
    expect_status 1 "bomb.png: its 13400x13400 texels would take [0-9]* MiB of memory, and 1024 MiB are allowed; .*--max-memory" \
        "$weir" $command bomb.png "$output" --max-memory 1G
    expect_no "$output"
    read -r status most <<<"$(peak "$program" $command bomb.png "$output" --max-memory 1G)"
    [ "$status" = 1 ] && [ "$most" -lt 400 ] || fail "$command: status $status, $most MiB at most"
done

# 16 bits a value are twice as many bytes, which is known when the picture is decoded.
make deep.png color=red:s=1500x1500:r=1:d=1 -frames:v 1 -pix_fmt rgba64be
make flat.png color=red:s=1500x1500:r=1:d=1 -frames:v 1 -pix_fmt rgba
"$weir" mips flat.png flat --method per_level --max-memory 60M >stdout.txt
expect_status 1 "deep.png: its 1500x1500 texels would take 85 MiB of memory, and 60 MiB" "$weir" mips deep.png other --max-memory 60M
expect_no other

# Frames of 16 bits too, and where a size is asked for.
"$weir" transcode flat.png flat.mov --max-memory 70M --quiet 2>/dev/null
expect_status 1 "deep.png: its 1500x1500 texels would take 128 MiB of memory, and 70 MiB" \
    "$weir" transcode deep.png deep.mov --max-memory 70M
"$weir" transcode flat.png flat.mov --size 3000x1500 --max-memory 125M --quiet 2>/dev/null
expect_status 1 "size 3000x1500: frames would take 154 MiB of memory, and 125 MiB" \
    "$weir" transcode deep.png deep.mov --size 3000x1500 --max-memory 125M
expect_no deep.mov

# What takes 3.6 GB says so, in the unit of the option.
expect_status 1 "would take 3424 MiB of memory, and 2048 MiB are" "$weir" mips bomb.png levels --max-memory 2G
expect_status 1 "would take 4794 MiB of memory, and 600 MiB are" "$weir" palette bomb.png few.png --max-memory 600MiB
expect_no levels few.png

# A smaller one of the same kind is made, within the same limit. The limit is about the picture, not the program.
wide_png 1500 1500 good.png
"$weir" mips good.png fine --method per_level --max-memory 64M >stdout.txt
[ -s fine/good_level00.png ] || fail "good.png was refused"
expect_status 1 "good.png: its 1500x1500 texels" "$weir" mips good.png other --max-memory 32M
# With --size it is the new size that counts.
"$weir" transcode bomb.png small.mov --size 64x64 --max-memory 200M
expect_movie small.mov 64 64 1
expect_status 1 "size 13400x13400: frames would take 4794 MiB of memory" \
    "$weir" transcode good.png large.mov --size 13400x13400 --max-memory 1G
expect_no large.mov

# Every decoder: those of FFmpeg that know the size at once and those that learn it by decoding, and our own.
wide_png 500 500 small.png
if command -v convert >/dev/null; then
    for kind in jpg bmp tga pgm webp gif dpx tif hdr qoi; do
        convert small.png -depth 8 big.$kind 2>/dev/null && [ -s big.$kind ] || continue
        ffprobe -v error big.$kind >probe.txt 2>&1 || continue
        expect_status 1 "big.$kind: its 500x500 texels would take" "$weir" palette big.$kind x.png --max-memory 1M
        expect_no x.png
        rm big.$kind
    done
fi
make big.exr color=red:s=500x500:r=1:d=1 -frames:v 1 -pix_fmt gbrpf32le
make big.mkv color=red:s=500x500:r=25:d=0.2 -c:v ffv1
make big.mp4 color=red:s=500x500:r=25:d=0.2 -c:v libx264
make big.avi color=red:s=500x500:r=25:d=0.2 -c:v png
for name in big.exr big.mkv big.mp4 big.avi; do
    expect_status 1 "$name: its 500x500 texels would take" "$weir" transcode $name x.mov --max-memory 1M
done
expect_no x.mov

# A picture of a sequence is left out, as any that cannot be read, wherever it stands.
make s_%d.png testsrc2=s=64x48:r=25:d=0.2
cp good.png s_3.png
expect_status 0 "warning: s_3.png: its 1500x1500 texels would take" "$weir" transcode s_%d.png s.mov --max-memory 16M
expect_movie s.mov 64 48 4
mkdir folder
cp good.png folder/b.png
cp s_1.png folder/a.png
expect_status 1 "folder/b.png: its 1500x1500 texels" "$weir" texture folder textures "${soonest[@]}" --max-memory 16M
[ "$(ls textures)" = a.ktx2 ] || fail "textures holds $(ls textures)"

# A texture that is decoded.
"$weir" texture good.png good.ktx2 --effort fast --max-memory 64M >stdout.txt
expect_status 1 "good.ktx2: its 1500x1500 texels would take" "$weir" texture --decode good.ktx2 x.pfm --max-memory 16M
"$weir" texture --decode good.ktx2 decoded.png --max-memory 16M >stdout.txt
expect_no x.pfm

# Above FFmpeg's own limit, with any limit of ours.
wide_png 20000 20000 above.png
for command in transcode mips texture palette; do
    expect_status 1 "above.png: it has 20000x20000 texels, and FFmpeg's libraries read at most 268 million; cut it" \
        "$weir" $command above.png "${needs[$command]}" --max-memory 100T
    expect_no "${needs[$command]}"
done
if command -v convert >/dev/null; then
    # Nothing but a header says so.
    printf '#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 30000 +X 30000\n' >above.hdr
    expect_status 1 "above.hdr: it has 30000x30000 texels" "$weir" palette above.hdr few.png
fi

# What is no amount of memory, and what is one.
for amount in 0 1000 2048K.5 -1G 1e9G 9999999999T; do
    expect_status 2 "an amount of memory such as 2G or 512M is wanted" "$weir" mips good.png x --max-memory $amount
done
for amount in 1g 1GiB 1.5G 1048576K 0.001T; do
    expect_status 1 "no.*device" "$weir" mips s_1.png x --device 99 --max-memory $amount
done
echo passed
