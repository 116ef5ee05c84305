#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir texture: files whose levels are compressed, textures as input, and what other programs read of them: ImageMagick,
# three.js and ktx-parse. bash cli_texture_rewrap.sh WEIR FOLDER WRITER NPM, where WRITER writes files of every format, and NPM
# is the folder that ./dev setup installs packages in.
source "$(dirname "$0")/texture_common.sh"
source "$(dirname "$0")/cli_common.sh"
hold weir ffmpeg ffprobe
writer=$3 npm=$4

# --zstd: KTX2 files whose levels are compressed once more.
part zstd
# A picture of one half that is flat and one that is not.
make picture.png "testsrc2=s=124x60:r=1:d=1,format=gbrp,geq=r='if(lt(X,62),r(X,Y),40)':g='if(lt(X,62),g(X,Y),90)':b='if(lt(X,62),b(X,Y),200)'" \
    -frames:v 1 -pix_fmt rgb24
texture picture.png small.ktx2 --codec bc1 --effort fast --mips --zstd
texture small.ktx2 plain.ktx2 # rewrapped, without
becomes small.ktx2 "rewrapped" plain.ktx2 again.ktx2 --zstd
small=$(stat -c %s small.ktx2) plain=$(stat -c %s plain.ktx2)
[ $((small * 10)) -lt $((plain * 9)) ] || fail "$small bytes with --zstd, $plain without"
printf '%s bytes, %s without --zstd\n' "$small" "$plain"
texture --decode small.ktx2 small.png --mip 1
texture --decode plain.ktx2 plain.png --mip 1
cmp small.png plain.png || fail "--decode reads another picture"

# A file of few bytes that says to hold many is refused by its size, and one that is cut by its end.
ffmpeg -nostdin -v error -y -f lavfi -i color=s=2048x2048:r=1:d=1 -frames:v 1 -pix_fmt rgb24 black.png
texture black.png black.ktx2 --codec bc1 --effort fast --zstd
[ "$(stat -c %s black.ktx2)" -lt 1000 ] || fail "a black picture takes $(stat -c %s black.ktx2) bytes"
refuse 1 "would take 2 MiB of memory, and 1 MiB are allowed" black.ktx2 out.ktx2 --max-memory 1M
head -c $((small - 1)) small.ktx2 >cut.ktx2
refuse 1 "cut.ktx2: it ends before its level 0 does" cut.ktx2 out.ktx2
expect_no out.dds out.png out.ktx2

# Textures as input: weir texture puts their blocks into another kind of file, and every command says what they are.
command -v convert >/dev/null && command -v compare >/dev/null || skip "the rest: no convert and compare of ImageMagick here"
part rewrap
# rewrap INPUT OUTPUT OPTIONS...: where there is no device.
rewrap() {
    VK_ICD_FILENAMES=/dev/null VK_DRIVER_FILES=/dev/null texture "$@"
    says "^$2: .*, the blocks of $1$"
}

# expect_rewrapped WANTED WHY INPUT OUTPUT OPTIONS...: the same, which gives the file WANTED.
expect_rewrapped() {
    rewrap "${@:3}"
    cmp "$4" "$1" || fail "$2: $3 becomes another $4"
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
            expect_rewrapped direct.$to "$options" direct.$from rewrapped.$to
        done
    done
done
says "^rewrapped.ktx2: 32x16, bc5_snorm, 6 mip levels, .* bytes, the blocks of direct.ktx2$"
texture picture.png etc1.ktx --codec etc1 --effort fast
texture picture.png etc1.ktx2 --codec etc1 --effort fast
expect_rewrapped etc1.ktx2 "ETC1" etc1.ktx rewrapped.ktx2
texture alpha.png multiplied.dds --codec bc3 --effort fast --alpha multiply
texture alpha.png multiplied.ktx2 --codec bc3 --effort fast --alpha multiply
expect_rewrapped multiplied.ktx2 "what alpha means" multiplied.dds rewrapped.ktx2

# Rows that start at the bottom: KTX files keep saying it, a picture is turned, and DDS files cannot say it.
texture picture.png up.ktx --effort fast
LC_ALL=C sed -i 's/S=r,T=d/S=r,T=u/' up.ktx
texture --decode up.ktx up.png
through down picture.png --effort fast
cmp <(convert up.png rgb:-) <(convert down.png -flip rgb:-) || fail "a picture with its rows from the bottom is not turned"
rewrap up.ktx up.ktx2
expect_rewrapped up.ktx "where rows start" up.ktx2 again.ktx
texture --decode up.ktx2 up2.png
cmp up2.png up.png || fail "KTX2 holds another picture"
refuse 1 "up.ktx: its rows start at the bottom, which dds files cannot say; write a .ktx2" up.ktx out.dds

# The options that change the head alone; DXT1 has no sRGB, so its blocks get a number for it.
texture picture.png plain.dds --effort fast
texture picture.png newer.dds --effort fast --dx10
texture picture.png marked.dds --effort fast --srgb
expect_rewrapped newer.dds --dx10 plain.dds rewrapped.dds --dx10
expect_rewrapped plain.dds "the older header" newer.dds rewrapped.dds
expect_rewrapped marked.dds --srgb plain.dds rewrapped.dds --srgb
expect_rewrapped marked.dds "--srgb twice" marked.dds rewrapped.dds --srgb
rewrap marked.dds rewrapped.ktx2 --codec bc1a
refuse 1 "srgb: direct.dds holds bc5_snorm, which has no sRGB format" direct.dds out.ktx2 --srgb

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
becomes plain.dds "a DDS file of texels" texels.dds encoded.dds --effort fast
texture --decode texels.dds texels.png
cmp <(convert texels.png rgb:-) <(convert picture.png rgb:-) || fail "--decode reads other texels of a DDS file"

# Texels of half floats, which their FourCC says, of the bytes of three bytes a texel.
{ head -c 80 texels.dds; printf '\4\0\0\0q\0\0\0'; tail -c +89 texels.dds; } >halves.dds
for command in "texture halves.dds out.dds" "mips halves.dds levels" "transcode halves.dds out.mov"; do
    # shellcheck disable=SC2086
    expect_status 1 "halves.dds: it ends after .* bytes, before its level 0 does; it is cut short" \
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
    refuse 1 "error: --${option%% *}: direct.ktx2 is a texture already, .*weir texture --decode" direct.ktx2 older.ktx2 --$option
done
[ "$(cat older.ktx2)" = before ] || fail "a failure took the file that was there"
refuse 1 "etc1.ktx2: dds files have no name for etc2_rgb" etc1.ktx2 out.dds
refuse 1 "ktx files cannot say; write a .ktx2 or .dds" multiplied.dds out.ktx
refuse 2 "out.png: the output is a texture, .*add --decode" direct.ktx2 out.png
refuse 2 "--mip: it is for --decode" direct.ktx2 out.dds --mip 1
head -c 600 direct.ktx2 >cut.ktx2
refuse 1 "cut.ktx2: it ends after 600 bytes" cut.ktx2 out.dds
expect_no out.dds out.ktx out.png

# The other commands read such a file as the picture that --decode makes of it, or name what it is.
texture picture.png bc7.dds --codec bc7 --effort live
{ head -c 12 direct.ktx2; printf '\0\0\0\0'; tail -c +17 direct.ktx2; } >basis.ktx2
for file in bc7.dds direct.ktx direct.ktx2; do
    texture --decode $file picture_of.png
    [ $file = bc7.dds ] && values=srgb || values=data
    "$weir" mips $file levels --values $values --levels 1 >/dev/null || fail "weir mips does not read $file"
    cmp <(convert "levels/${file%.*}_level00.png" rgb:-) <(convert picture_of.png rgb:-) || fail "weir mips reads another $file"
    rm -r levels
done
"$weir" transcode bc7.dds read.mov >/dev/null || fail "weir transcode does not read bc7.dds"
for command in "mips basis.ktx2 levels" "palette basis.ktx2 out.png" "transcode basis.ktx2 out.mov" "texture basis.ktx2 out.dds"; do
    # shellcheck disable=SC2086
    expect_status 1 "basis.ktx2: no decoder for its VkFormat 0," "$weir" $command
    ! grep -q "damaged\|cut short" stderr.txt || fail "weir $command says $(cat stderr.txt)"
done
expect_no levels out.png out.mov out.dds

# weir info says what files hold.
expect_status 1 "basis.ktx2: no decoder" "$weir" info direct.ktx2 bc7.dds up.ktx multiplied.ktx2 basis.ktx2
[ "$(sed 's/[0-9]* bytes/N bytes/' stdout.txt)" = "direct.ktx2: ktx2, 32x16, bc5_snorm, 6 mip levels, N bytes
bc7.dds: dds, 30x18, bc7_unorm, 1 mip level, N bytes
up.ktx: ktx, 30x18, bc1_rgb_unorm, 1 mip level, N bytes, rows from the bottom
multiplied.ktx2: ktx2, 30x18, bc3_unorm, 1 mip level, N bytes, colours multiplied by alpha" ] || fail "weir info says $(cat stdout.txt)"
"$weir" info --json up.ktx "$folder/zstd/small.ktx2" >info.json
expect_json info.json
grep -q '"bottom_up": true' info.json && grep -q '"zstd": true' info.json || fail "weir info --json says $(cat info.json)"

# Of a sequence textures are rewrapped and pictures encoded.
cp bc7.dds frame_1.dds
cp texels.dds frame_2.dds
texture 'frame_%d.dds' frames
texture bc7.dds one.ktx2
texture picture.png two.ktx2
cmp frames/frame_1.ktx2 one.ktx2 && cmp frames/frame_2.ktx2 two.ktx2 || fail "a sequence becomes other textures"
expect_clean

# What other programs read: KTX2 files whose levels are compressed, in ktx-parse and three.js.
command -v node >/dev/null && [ -e "$npm/node_modules/three" ] && [ -e "$npm/node_modules/ktx-parse" ] ||
    skip "the rest: no node, three or ktx-parse here; ./dev setup installs them where npm's registry is reached"
cd "$folder/zstd"
judge_ktx2() { node "$npm/check_ktx2.mjs" "$@" >judged.txt 2>stderr.txt; }
judge_ktx2 --same small.ktx2 plain.ktx2 || fail "$(cat stderr.txt)"
[ "$(cat judged.txt)" = "7 levels" ] || fail "$(cat judged.txt)"
cp plain.ktx2 other.ktx2
printf '\125' | dd of=other.ktx2 bs=1 seek=$((plain - 8)) conv=notrunc status=none
! judge_ktx2 --same small.ktx2 other.ktx2 || fail "other blocks pass"

# DDS files in programs that know the older header alone. FFmpeg judges them in cli_texture.sh.
part dds
# magick FILE OTHER: as ImageMagick reads and compares them, and where it does not read one, why.
magick() { compare -metric PSNR "$1" "$2" null: 2>&1 || true; }

# magick_near DECIBELS BOUND: version 7 has a second number behind the first.
magick_near() { awk -v v="${1%% *}" -v b="$2" 'BEGIN { exit !(v == "inf" || (v ~ /^[0-9.]+$/ && v + 0 >= b)) }'; }

three() { node "$npm/check_dds.mjs" "$@" >judged.txt 2>stderr.txt; }

make picture.png testsrc2=s=64x32:r=1:d=1,format=gbrp,gblur=sigma=1 -frames:v 1 -pix_fmt rgb24
make odd.png testsrc2=s=61x33:r=1:d=1,format=gbrp,gblur=sigma=1 -frames:v 1 -pix_fmt rgb24
ffmpeg -nostdin -v error -y -i picture.png -vf "format=rgba,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='4*X'" alpha.png

# ImageMagick reads BC1 and BC3, with levels and without, at sizes of whole blocks and not; it rounds texels between the
# ends of a block to 8 bits.
while read -r picture options; do
    # shellcheck disable=SC2086
    texture $picture.png old.dds --effort fast --codec $options
    decode old.dds decoded.png
    found=$(magick old.dds decoded.png)
    magick_near "$found" 45 || fail "old.dds of $picture, $options: $found"
done <<'CASES'
picture bc1 --mips
picture bc3 --mips
odd bc1
odd bc1a
odd bc3
alpha bc3
CASES
texture odd.png other.dds --effort fast
! magick_near "$(magick other.dds decoded.png)" 45 || fail "ImageMagick takes any picture for any other"

# three.js reads the same blocks, level by level.
fast=(--effort fast)
texture picture.png bc1.dds --mips "${fast[@]}"
texture picture.png bc1a.dds --codec bc1a "${fast[@]}"
texture picture.png bc3.dds --codec bc3 --mips "${fast[@]}"
texture picture.png bc6h.dds --codec bc6h --mips "${fast[@]}"
three bc1.dds bc1a.dds bc3.dds bc6h.dds || fail "$(cat stderr.txt)"
[ "$(cat judged.txt)" = "bc1.dds: RGB_S3TC_DXT1_Format 64x32 7
bc1a.dds: RGB_S3TC_DXT1_Format 64x32 1
bc3.dds: RGBA_S3TC_DXT5_Format 64x32 7
bc6h.dds: RGB_BPTC_UNSIGNED_Format 64x32 7" ] || fail "three.js reads $(cat judged.txt)"
{ head -c 28 bc1.dds; printf '\003'; tail -c +30 bc1.dds; } >fewer.dds
! three fewer.dds || fail "the judge does not see that levels are missing"

# What the older header cannot say has the newer one, and so has what --dx10 asks for, with the same blocks. three.js
# refuses it.
texture picture.png marked.dds --srgb "${fast[@]}"
texture picture.png multiplied.dds --codec bc3 --alpha multiply "${fast[@]}"
texture picture.png bc7.dds --codec bc7 "${fast[@]}"
texture picture.png asked.dds --mips --dx10 "${fast[@]}"
for file in marked multiplied bc7 asked; do
    [ "$(four_cc $file.dds)" = DX10 ] || fail "$file.dds has the FourCC $(four_cc $file.dds)"
    ! three $file.dds || fail "three.js reads $file.dds: the reason for the older header is gone"
done
cmp <(blocks asked.dds) <(blocks bc1.dds) || fail "--dx10 changes blocks"
mkdir pictures
cp picture.png pictures
texture pictures textures --mips --dx10 --container dds "${fast[@]}"
cmp textures/picture.dds asked.dds || fail "--dx10 is not done in a folder"

# KTX2 files in ktx-parse.
part ktx2
# Every format, at sizes and numbers of levels of all kinds.
mkdir formats
"$writer" formats >writer.txt || fail "the files were not written: $(cat writer.txt)"
judge_ktx2 formats/*.ktx2 || fail "$(cat stderr.txt)"
[ "$(wc -l <judged.txt)" = $((65 * 6)) ] || fail "$(wc -l <judged.txt) files were judged"
[ "$(grep -c "BC7_SRGB_BLOCK 257x3 9" judged.txt)" = 1 ] || fail "no BC7 among $(cat judged.txt)"

# Those of weir texture.
make picture.png testsrc2=s=60x35:r=1:d=1,format=rgb24 -frames:v 1
texture picture.png levels.ktx2 --codec eac_rg11 --mips --effort fast --validation
texture picture.png srgb.ktx2 --srgb --mips --effort fast
judge_ktx2 levels.ktx2 srgb.ktx2 || fail "$(cat stderr.txt)"
[ "$(cat judged.txt)" = "levels.ktx2: VK_FORMAT_EAC_R11G11_UNORM_BLOCK 60x35 6
srgb.ktx2: VK_FORMAT_BC1_RGB_SRGB_BLOCK 60x35 6" ] || fail "$(cat judged.txt)"

# The judge sees a wrong byte in each part: the format, the type, a level's place, its size, the padding.
for change in "12 1" "16 2" "80 1" "88 10" "96 10"; do
    cp srgb.ktx2 broken.ktx2
    # shellcheck disable=SC2059
    printf "\\${change#* }" | dd of=broken.ktx2 bs=1 seek="${change% *}" conv=notrunc status=none
    ! judge_ktx2 broken.ktx2 || fail "a wrong byte passes: $change"
done
