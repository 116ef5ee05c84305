#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Bad input and wrong command lines of weir transcode, mips, palette and texture: a message that names it, the exit status, and
# nothing left behind. cli_outputs.sh has what is wrong with an output, cli_usage.sh words that are unknown.
source "$(dirname "$0")/cli_common.sh"
hold weir ffmpeg ffprobe

make good.png testsrc2=s=64x48:r=1:d=1 -frames:v 1
make good.mp4 testsrc2=s=320x240:r=25:d=2 -c:v libx264 -pix_fmt yuv420p
make good.mkv testsrc2=s=320x240:r=25:d=2 -c:v ffv1
make good.jpg testsrc2=s=320x240:r=1:d=1 -frames:v 1
make sound.wav sine=d=0.2
make light.exr testsrc2=s=16x16:r=1:d=1 -frames:v 1 -pix_fmt gbrpf32le
make odd.png testsrc2=s=66x48:r=1:d=1 -frames:v 1
mkdir folder
cp good.png folder/wanted.png

# Input, whose kind does not depend on the command.
: >empty.png
half() { head -c $(($(stat -c %s "$1") / 2)) "$1" >"$2"; }
half good.png cut.png
half good.jpg cut.jpg
half good.mp4 cut.mp4
mkdir nothing other
echo text >other/notes.txt
head -c 5000 /dev/zero >zeroes.mov
head -c 5000 /dev/zero >zeroes.pfm
turn=0
while IFS='|' read -r -u 3 input words; do
    for command in "transcode|x.mov" "mips|x" "palette|x/" "texture|x/"; do
        [ -z "$sanitized" ] || [ $((turn++ % 3)) = 0 ] || continue
        expect_status 1 "$words" "$weir" "${command%|*}" "$input" "${command#*|}"
    done
done 3<<'INPUTS'
missing.png|cannot read missing.png: No such file
empty.png|empty.png is empty
cut.png|cut.png: .*cut short
cut.jpg|cut.jpg: .*cut short
cut.mp4|cut.mp4: .*cut short
zeroes.mov|zeroes.mov: FFmpeg cannot read it as a picture or movie
zeroes.pfm|zeroes.pfm: no
other/notes.txt|notes.txt: FFmpeg cannot read it as a picture or movie
sound.wav|sound.wav: no video stream
nothing|nothing: no picture in this folder
other|other: no picture in this folder
f_%04d.png|no file has such a name
no_such/f_%04d.png|no_such/: No such file
INPUTS
expect_no x.mov x
if [ "$(id -u)" != 0 ]; then
    chmod 000 sound.wav
    expect_status 1 "Permission denied" "$weir" transcode sound.wav x.mov
fi
for command in "info" "transcode good.png x.mov" "mips good.png x" "palette good.png x.png" "texture good.png x.dds"; do
    # shellcheck disable=SC2086
    expect_status 1 "no Vulkan" env VK_ICD_FILENAMES=/dev/null VK_DRIVER_FILES=/dev/null "$weir" $command
    [ "$command" = info ] || expect_status 1 "no.*device" "$weir" $command --device 99
done
limit=$(most_texels)
make wide.png "color=red:s=$((limit + 2))x2:r=1:d=1" -frames:v 1 -pix_fmt rgb24
for command in "mips wide.png x" "palette wide.png x.png" "texture wide.png x.dds --mips"; do
    # shellcheck disable=SC2086
    expect_status 1 "wide.png is $((limit + 2))x2; .* takes at most $limit a side" "$weir" $command
done
expect_no x.mov x x.png x.dds

# What can be read of a movie that was cut short is kept, and told.
half good.mkv part.mkv
expect_status 0 "should last" "$weir" transcode part.mkv part.mov
frames=$(field part.mov nb_read_frames)
[ "$frames" -ge 10 ] && [ "$frames" -lt 50 ] || fail "part.mov has $frames frames"

# Sound that is longer than the pictures is no damage. Some containers do not say which of the two is.
for container in mkv mov nut; do
    make long.$container "testsrc2=s=64x48:r=10:d=1[out0];sine=d=4[out1]" -c:v mjpeg -c:a pcm_s16le
    "$weir" transcode long.$container long_$container.mov 2>messages.txt
    expect_movie long_$container.mov 64 48 10
    case $container in
    nut) grep -q "should last [34]\.[0-9]* s; its audio is longer, or it is" messages.txt ;;
    *) ! grep -q "should last" messages.txt ;;
    esac || fail "$container of long sound: $(cat messages.txt)"
done

# A decoder makes up what is damaged in a frame, and a line says so.
make concealed.mkv testsrc2=s=128x96:r=25:d=1 -c:v libx264 -g 50 -bf 0
pos=$(ffprobe -v error -show_entries packet=pos -of csv=p=0 concealed.mkv | sed -n 10p)
printf 'y\n%.0s' {1..150} | dd of=concealed.mkv bs=1 seek=$((${pos%%,*} + 60)) conv=notrunc status=none
expect_status 0 "concealed.mkv: parts of frame .* are damaged, and FFmpeg made them up" "$weir" transcode concealed.mkv concealed.mov --effort fast

# A damaged picture among good ones is left out, and the others keep their times.
make s_%d.png testsrc2=s=64x48:r=25:d=0.2
half s_1.png cut_1.png
mv cut_1.png s_1.png
: >s_3.png
expect_status 0 "warning: s_1.png" "$weir" transcode s_%d.png s.mov
expect_movie s.mov 64 48 3
grep -q ", 2 damaged parts" stderr.txt || fail "the summary is $(cat stderr.txt)"

# Sizes, names and values.
expect_table transcode <<'LINES'
1|path is empty|'' x.mov
2|each side 1 to 65535|good.png x.mov --size 0x0
2|each side 1 to 65535|good.png x.mov --size 70000x10
2|each side 1 to 65535|good.png x.mov --size wide
1|at most [0-9]* a side|good.png x.mov --size 65535x16
2|unknown decoder "cpu"; known: gpu, ffmpeg|good.png x.mov --decoder cpu
2|from 1 to 64|good.png x.mov --compression snappy --chunks 65
2|1 to 64, or auto is wanted|good.png x.mov --compression snappy --chunks 65
2|goes with --compression snappy|good.png x.mov --chunks 4
2|compression snappy|good.png x.mov --chunks auto
2|unknown pad "8"; known: 4|good.png x.mov --pad 8
2|whole number|good.png x.mov --frames -3
2|a rate such as|good.png x.mov --fps 0
2|its name ends in .mov|good.png x.mkv
2|OUTPUT: name a movie|good.png
2|this codec has no alpha|good.png x.mov --premultiplied
2|this codec does not have it; use --codec hap, hap_alpha, hap_q, hap_q_alpha or hap_alpha_only|good.png x.mov --steady --codec hap_hdr
2|this codec has it with --quality or --rate only|good.png x.mov --steady --codec hap_r
2|this codec does not have it; use --codec hap_q, hap_q_alpha, hap|good.png x.mov --quality 60 --codec hap_hdr
2|it goes with --compression snappy|good.png x.mov --quality 60 --compression none
2|quality|good.png x.mov --quality 101
2|--quality ffmpeg: FFmpeg does not encode this format|good.png x.mov --quality ffmpeg --codec hap_r
2|this codec does not have it|good.png x.mov --rate 1M --codec hap_hdr
2|it goes with --compression snappy|good.png x.mov --rate 1M --compression none
2|bytes a second are wanted|good.png x.mov --rate 60
2|leave out one of them|good.png x.mov --scale 50% --size 64x64
2|resume: it goes with a folder for the output|good.png x.mov --resume
1|good.png: it holds display codes|good.png x.mov --codec hap_hdr
1|light.exr: frames of linear light cannot be scaled|light.exr x.mov --codec hap_hdr --size 32x32
LINES
expect_table mips <<'LINES'
1|path is empty|'' x
2|unknown method "magic"; known: auto, single, .*per_level|good.png x --method magic
2|unknown reduction "median"; known: mean, alpha_mean, .*luma_mean|good.png x --reduction median
2|unknown reduction "custom"|good.png x --reduction custom
2|unknown format "rgb8"; known: .*rgba8_srgb.*rgba32_sfloat|good.png x --format rgb8
2|unknown values "pq"; known: srgb, linear, data|good.png x --values pq
2|from 1 to 32|good.png x --levels 0
2|1 argument instead of 2|good.png
1|levels 8: good.png is 64x48 and has 7 levels|good.png x --levels 8
1|rgba8_srgb decodes|good.png x --format rgba8_srgb --values data
1|exact-srgb: rgba8_unorm holds no sRGB|good.png x --format rgba8_unorm --exact-srgb
1|name one picture of it.*s_1.png|s_%d.png x
1|name one picture of it.*wanted.png|folder x
1|fast|odd.png x --method fast
1|blit|good.png x --method blit --reduction max
1|blits decode sRGB as the device|good.png x --method blit --exact-srgb
LINES
for radius in -1 -0.1 nan inf 2 1.7320509 x "" 0x1p-5 1e-2x; do
    [ -z "$sanitized" ] || [ "$radius" = nan ] || continue
    expect_status 2 "radius $radius: a number from 0 to 1.7320508 is wanted" "$weir" palette good.png x.png --radius "$radius"
done
make square.png color=red:s=4096x4096 -frames:v 1 -pix_fmt rgb24
mapfile -t squares < <(yes square.png | head -n 256) # 2^32 pixels
expect_status 1 "share: the 256 pictures of x.mov have 4294967296 pixels together, and one palette counts 4294967295 at most" "$weir" palette "${squares[@]}" x.mov --share
expect_status 1 "can be read only once" "$weir" palette <(cat good.mkv) x.mov --share
expect_table palette <<'LINES'
1|light.exr holds linear light|light.exr x.png
2|colors 0: a whole number from 1 to 16777216 is wanted|good.png x.png --colors 0
2|colors: it finds its own radius|good.png x.png --colors 9 --radius 0
2|colors: --method k_means finds 256 at most|good.png x.png --colors 257 --method k_means
2|radius: --method k_means finds a number|good.png x.png --method k_means --radius 0.02
2|limit: it is for --method mean_shift|good.png x.png --colors 9 --limit 4
2|light: .*add --metric oklab|good.png x.png --colors 9 --light srgb
2|metric: .*add --method k_means|good.png x.png --metric codes
2|dither: .*add --method k_means|good.png x.png --dither ordered
2|unknown dither "riemersma"; known: none, ordered, blue_noise, diffusion|good.png x.png --colors 9 --dither riemersma
2|unknown method "median_cut"; known: mean_shift, k_means|good.png x.png --method median_cut
2|unknown metric "rgb"; known: codes, oklab|good.png x.png --metric rgb
2|limit 0: a whole number|good.png x.png --limit 0
2|unknown light "linear"; known: raw, srgb|good.png x.png --light linear
2|x.txt: a palette is a file that ends in .gpl, .hex or .png|good.png x.png --export x.txt
2|ends in .gpl|good.png x.png --export .gpl
2|share: it is for several pictures|good.png x.png --share
2|export: each picture has its own palette; add --share|folder x --export x.gpl
2|weight equal: a movie would flicker|good.mkv x.mov --weight equal
2|share: .*standard input can be read only once|- x.mov --share
2|colors: each frame would need a search|good.mkv x.mov --colors 257
2|dither diffusion: it is for pictures|good.mkv x.mov --colors 9 --dither diffusion
2|export: it is for pictures|good.mkv x.mov --export x.gpl
LINES
for quality in $(numbers_of 0 101 -1 60.5 high); do
    expect_status 2 "--quality $quality: a whole number from 1 to 100" "$weir" texture good.png x.ktx2 --quality=$quality
done
expect_table texture <<'LINES'
1|light.exr holds linear light, and bc4 holds codes|light.exr x.dds --codec bc4
1|light.exr holds linear light|light.exr x.ktx2 --codec bc7 --alpha multiply
2|unknown effort "best"; known: default, fast, high, exhaustive, live|good.png x.dds --effort best
2|--effort exhaustive: bc1 takes default, fast, high, live|good.png x.dds --effort exhaustive
2|1 argument instead of 2|good.png
2|x.png: the output is a texture, its name ends in .ktx2, .dds or .ktx|good.png x.png
2|its name ends in .ktx2|good.png .dds
2|dds files have no name for eac_r11_unorm; write a .ktx2|good.png x.dds --codec eac_r11
2|dds files have no name for eac_r11_snorm|good.png x.dds --codec eac_r11_snorm
2|metric: it is for bc6h and bc6h_signed, not for bc1|good.png x.dds --metric log
2|unknown metric|good.png x.dds --codec bc6h --metric decibel
2|unknown container|good.png x.dds --container pvr
2|its ending is not that of --container|good.png x.dds --container ktx2
2|--mip: it is for --decode|good.png x.dds --mip 1
2|srgb: bc4 holds no sRGB codes|good.png x.dds --codec bc4 --srgb
2|srgb: bc5 holds no sRGB codes|good.png x.dds --codec bc5 --srgb
2|bc4_snorm holds no sRGB codes|good.png x.dds --codec bc4_snorm --srgb
2|eac_rg11_snorm holds no sRGB codes|good.png x.ktx2 --codec eac_rg11_snorm --srgb
2|decoder: it is for bc1, bc1a and bc3|good.png x.ktx2 --codec bc4 --decoder ffmpeg
2|bc1-black: it is for bc1; leave it out|good.png x.ktx2 --codec bc1a --bc1-black
2|bc1-dither: it is for bc1, bc1a and bc3|good.png x.ktx2 --codec bc7 --bc1-dither
2|--bc1-dither: --quality takes dither for an error|good.png x.ktx2 --quality 60 --bc1-dither
2|--quality: etc1 does not have it; use --codec bc1, bc3, bc4, bc5, bc7, or leave it out|good.png x.ktx2 --codec etc1 --quality 60
2|--quality: bc5_snorm does not have it|good.png x.ktx2 --codec bc5_snorm --quality 60
2|--alpha unread: it is for bc7, and does nothing for bc3; choose --alpha ignore|good.png x.ktx2 --codec bc3 --alpha unread
2|ktx files cannot say that colours are multiplied; write a .ktx2 or .dds|good.png x.ktx --codec bc7 --alpha multiply
2|unknown alpha "none"; known: straight, multiply, ignore, unread|good.png x.ktx2 --alpha none
2|zstd: it is for .ktx2 files|good.png x.dds --zstd
2|--dx10: it is for .dds files|good.png x.ktx2 --dx10
2|--dx10: it is for .dds files|folder x --dx10
2|it takes --mip, --slice and --max-memory, no other option|--decode a.dds x.png --dx10
2|it takes --mip, --slice and --max-memory, no other option|--decode a.dds x.png --codec bc1
2|x.jpg: --decode writes a picture, its name ends in .png or .pfm|--decode a.ktx2 x.jpg
2|takes one texture|--decode a.dds b.dds x.png
2|1 argument instead of 2 or more|good.png
1|is not a DDS, KTX or KTX2 file|--decode empty.png x.png
1|good.png: it is not a DDS|--decode good.png x.png
1|cannot open missing.ktx2: No such file or directory; check its name|--decode missing.ktx2 x.png
1|folder is not a file|--decode folder x.png
LINES
for codec in $(numbers_of $("$weir" texture none.png none.ktx2 --codec none 2>&1 | sed -n 's/.*; known: //p' | tr -d ,)); do
    case $codec in # what cannot be multiplied by is seen before the device
    bc1a | bc3 | bc7 | rgba* | etc2_rgba | etc2_rgb8a1) words="1|no.*device" ;;
    *) words="2|--alpha multiply: $codec has no alpha; choose another --codec" ;;
    esac
    expect_table texture <<<"$words|good.png x.ktx2 --codec $codec --alpha multiply --device 99"
done
expect_no x x.mov x.mkv x.png x.dds x.ktx x.ktx2 x.jpg x.gpl x.txt
expect_clean
echo passed
