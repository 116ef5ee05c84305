#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Textures as input: weir texture puts their blocks into another kind of file, and every command says what they are.
source "$(dirname "$0")/texture_common.sh"
source "$(dirname "$0")/cli_common.sh"
hold weir ffmpeg ffprobe
command -v convert >/dev/null || skip "no convert of ImageMagick here, which writes the files that are not ours"

# rewrap INPUT OUTPUT OPTIONS...: where there is no device.
rewrap() {
    VK_ICD_FILENAMES=/dev/null VK_DRIVER_FILES=/dev/null texture "$@"
    grep -q "^$2: .*, the blocks of $1$" stdout.txt || fail "weir texture $* says $(cat stdout.txt)"
}

# Levels of these sides need one variant of a kernel on a software device.
make even.png testsrc2=s=32x16:r=1:d=1,format=gbrp,gblur=sigma=1 -frames:v 1 -pix_fmt rgb24
make picture.png testsrc2=s=30x18:r=1:d=1,format=gbrp,gblur=sigma=1 -frames:v 1 -pix_fmt rgb24
ffmpeg -nostdin -v error -y -i picture.png -vf "format=rgba,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='8*X'" alpha.png

# Each kind of file becomes each other, the same to the byte as if the picture had been encoded into it.
for options in "bc3 --srgb --mips" "bc5_snorm --mips"; do
    for kind in dds ktx ktx2; do
        # shellcheck disable=SC2086
        texture even.png direct.$kind --effort fast --codec $options
    done
    for from in dds ktx ktx2; do
        for to in dds ktx ktx2; do
            rewrap direct.$from rewrapped.$to
            cmp rewrapped.$to direct.$to || fail "$from becomes another $to ($options)"
        done
    done
done
grep -q "^rewrapped.ktx2: 32x16, bc5_snorm, 6 mip levels, .* bytes, the blocks of direct.ktx2$" stdout.txt ||
    fail "$(cat stdout.txt)"
texture picture.png etc1.ktx --codec etc1 --effort fast
texture picture.png etc1.ktx2 --codec etc1 --effort fast
rewrap etc1.ktx rewrapped.ktx2
cmp rewrapped.ktx2 etc1.ktx2 || fail "ETC1 becomes another ktx2"
texture alpha.png multiplied.dds --codec bc3 --effort fast --alpha multiply
texture alpha.png multiplied.ktx2 --codec bc3 --effort fast --alpha multiply
rewrap multiplied.dds rewrapped.ktx2
cmp rewrapped.ktx2 multiplied.ktx2 || fail "what alpha means is lost"

# Rows that start at the bottom: KTX files keep saying it, a picture is turned, and DDS files cannot say it.
texture picture.png up.ktx --effort fast
LC_ALL=C sed -i 's/S=r,T=d/S=r,T=u/' up.ktx
texture --decode up.ktx up.png
texture picture.png down.ktx2 --effort fast
texture --decode down.ktx2 down.png
cmp <(convert up.png rgb:-) <(convert down.png -flip rgb:-) || fail "a picture with its rows from the bottom is not turned"
rewrap up.ktx up.ktx2
rewrap up.ktx2 again.ktx
cmp again.ktx up.ktx || fail "where rows start is lost"
texture --decode up.ktx2 up2.png
cmp up2.png up.png || fail "KTX2 holds another picture"
expect_status 1 "up.ktx: its rows start at the bottom, which dds files cannot say; write a .ktx2" "$weir" texture up.ktx out.dds

# The options that change the head alone; DXT1 has no sRGB, so its blocks get a number for it.
texture picture.png plain.dds --effort fast
texture picture.png newer.dds --effort fast --dx10
texture picture.png marked.dds --effort fast --srgb
rewrap plain.dds rewrapped.dds --dx10
cmp rewrapped.dds newer.dds || fail "--dx10 is not done"
rewrap newer.dds rewrapped.dds
cmp rewrapped.dds plain.dds || fail "the older header is not written again"
rewrap plain.dds rewrapped.dds --srgb
cmp rewrapped.dds marked.dds || fail "--srgb is not done"
rewrap marked.dds rewrapped.dds --srgb
cmp rewrapped.dds marked.dds || fail "--srgb twice is not --srgb"
rewrap marked.dds rewrapped.ktx2 --codec bc1a
expect_status 1 "srgb: direct.dds holds bc5_snorm, which has no sRGB format" "$weir" texture direct.dds out.ktx2 --srgb

# Files of another program: DXT1 and DXT5 of ImageMagick with levels, the same picture before and after. DDS files whose
# texels are not in blocks are pictures.
for compression in dxt1 dxt5; do
    convert picture.png -define dds:compression=$compression -define dds:mipmaps=3 other.dds
    rewrap other.dds other.ktx2
    rewrap other.ktx2 back.dds
    cmp <(convert other.dds rgba:-) <(convert back.dds rgba:-) || fail "ImageMagick's $compression has changed"
    [ "$(identify back.dds | wc -l)" = "$(identify other.dds | wc -l)" ] || fail "levels of $compression were lost"
done
convert picture.png -define dds:compression=none -define dds:mipmaps=0 texels.dds
texture texels.dds encoded.dds --effort fast
cmp encoded.dds plain.dds || fail "a DDS file of texels becomes another texture"

expect_status 1 "texels.dds: its texels are not compressed in blocks: it is a picture" \
    "$weir" texture --decode texels.dds out.png

# Texels of half floats, which FFmpeg has no decoder for.
{ head -c 80 texels.dds; printf '\4\0\0\0q\0\0\0'; tail -c +89 texels.dds; } >halves.dds
for command in "texture halves.dds out.dds" "mips halves.dds levels" "transcode halves.dds out.mov"; do
    # shellcheck disable=SC2086
    expect_status 1 "error: halves.dds: .*; it is a kind of DDS file that FFmpeg has no decoder for, or damaged" \
        "$weir" $command
done
expect_no out.dds levels out.mov

# Two codes of BC5 in other files: ATI2 has green first, and with A2XY behind it red. FFmpeg, which makes a blue of its
# own, is the judge.
texture even.png bc5.dds --codec bc5 --mips --effort fast
for swizzle in '\0\0\0\0' A2XY; do
    # shellcheck disable=SC2059
    { head -c 84 bc5.dds; printf "ATI2$swizzle"; tail -c +93 bc5.dds; } >ati2.dds
    texture --decode ati2.dds ati2.png
    psnr=$(decibels <<<"ati2.png ati2.dds format=gbrp,lutrgb=b=0")
    at_least "$psnr" 45 || fail "ATI2 with $swizzle: $psnr dB of FFmpeg's"
    rewrap ati2.dds ati2.ktx2
    texture --decode ati2.ktx2 again.png
    cmp again.png ati2.png || fail "ATI2 with $swizzle becomes another texture"
done
cmp ati2.ktx2 <("$weir" texture bc5.dds red.ktx2 >/dev/null && cat red.ktx2) || fail "A2XY changes blocks of BC5"

# What asks for other blocks is refused, and names the way.
printf before >older.ktx2
for option in "codec bc1" "effort fast" "mips" "alpha straight" "strict"; do
    # shellcheck disable=SC2086
    expect_status 1 "error: --${option%% *}: direct.ktx2 is a texture already, .*weir texture --decode" \
        "$weir" texture direct.ktx2 older.ktx2 --$option
done
[ "$(cat older.ktx2)" = before ] || fail "a failure took the file that was there"
expect_status 1 "etc1.ktx2: dds files have no name for etc2_rgb" "$weir" texture etc1.ktx2 out.dds
expect_status 1 "ktx files cannot say; write a .ktx2 or .dds" "$weir" texture multiplied.dds out.ktx
expect_status 2 "out.png: the output is a texture, .*add --decode" "$weir" texture direct.ktx2 out.png
expect_status 2 "--mip: it is for --decode" "$weir" texture direct.ktx2 out.dds --mip 1
head -c 600 direct.ktx2 >cut.ktx2
expect_status 1 "cut.ktx2: it ends after 600 bytes" "$weir" texture cut.ktx2 out.dds
expect_status 1 "direct.ktx2 is the input itself" "$weir" texture direct.ktx2 direct.ktx2
expect_no out.dds out.ktx out.png

# The other commands say what such a file is.
texture picture.png bc7.dds --codec bc7 --effort live
{ head -c 12 direct.ktx2; printf '\0\0\0\0'; tail -c +17 direct.ktx2; } >basis.ktx2
for file in bc7.dds direct.ktx direct.ktx2; do
    for command in "mips $file levels" "palette $file out.png" "transcode $file out.mov"; do
        # shellcheck disable=SC2086
        expect_status 1 "error: $file: it is a texture (${file#*.}, bc[57]_[us]norm) and no picture; weir texture --decode" \
            "$weir" $command
        ! grep -q "damaged\|cut short" stderr.txt || fail "weir $command says $(cat stderr.txt)"
    done
done
expect_status 1 "basis.ktx2: it is a texture (ktx2, of a format without a decoder here)" "$weir" mips basis.ktx2 levels
expect_status 1 "basis.ktx2: no decoder for its VkFormat 0" "$weir" texture basis.ktx2 out.dds
expect_no levels out.png out.mov out.dds

# Of a sequence textures are rewrapped and pictures encoded.
cp bc7.dds frame_1.dds
cp texels.dds frame_2.dds
texture 'frame_%d.dds' frames
texture bc7.dds one.ktx2
texture picture.png two.ktx2
cmp frames/frame_1.ktx2 one.ktx2 && cmp frames/frame_2.ktx2 two.ktx2 || fail "a sequence becomes other textures"
[ -z "$(find . -name '.weir*')" ] || fail "something was left behind: $(find . -name '.weir*')"
echo passed
