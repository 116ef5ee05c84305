#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir texture: kinds of files, mip levels, decoding, folders, pictures that no image of the device holds; files whose levels
# are compressed, textures as input; and what other programs read of them: ImageMagick, three.js and ktx-parse.
# Mostly at effort fast: that efforts have their kernels, cli_texture.sh says.
# bash cli_texture_files.sh WEIR FOLDER WRITER NPM, where WRITER writes files of every format, and NPM is the folder that
# ./dev setup installs packages in.
source "$(dirname "$0")/texture_common.sh"
source "$(dirname "$0")/cli_common.sh"
hold weir ffmpeg ffprobe
writer=$3 npm=$4

# floats FILE COUNT: of a PFM file, whose last bytes are the top row's.
floats() { tail -c $((4 * $2)) "$1" | od -An -v -t f4 | xargs; }

# expect_float FILE VALUE DISTANCE: its last one, which a file of one texel has alone.
expect_float() { near "$(floats "$1" 1)" "$2" "$3" || fail "$1 is $(floats "$1" 1) and should be $2"; }

make picture.png testsrc2=s=257x129:r=1:d=1,format=gbrp,gblur=sigma=1 -frames:v 1 -pix_fmt rgb24
# Where levels are made, all sides are powers of two: those are other variants of a kernel on a software device.
make even.png testsrc2=s=256x128:r=1:d=1,format=gbrp,gblur=sigma=1 -frames:v 1 -pix_fmt rgb24
make checker.png "nullsrc=s=8x8:r=1:d=1,geq=lum='255*mod(X+Y,2)':cb=128:cr=128,format=gray" -frames:v 1

# One texture in three kinds of files. That those with levels are the same, the part rewrap says.
for kind in dds ktx ktx2; do
    texture picture.png one.$kind --codec bc3 --effort fast
    texture --decode one.$kind one_$kind.png
done
cmp one_dds.png one_ktx2.png || fail "DDS and KTX2 hold other textures"
cmp one_ktx.png one_ktx2.png || fail "KTX and KTX2 hold other textures"
texture even.png chain.ktx2 --codec bc3 --effort fast --mips --srgb --validation
says "^chain.ktx2: 256x128, bc3 at effort fast, bc3_srgb, 9 mip levels, "
texture --decode chain.ktx2 chain_ktx2.png
texture chain.ktx2 chain.dds
expect_pictures <<<"one_ktx2.png 257x129 rgba
chain_ktx2.png 256x128 rgba"
for found in $(decibels <<<"one.dds one_dds.png
chain.dds chain_ktx2.png"); do
    at_least "$found" 42 || fail "FFmpeg decodes $found dB of a DDS file"
done

# Levels: all of them, the first as it is alone, each what the picture becomes that weir mips makes of it.
texture even.png alone.dds --codec bc3 --srgb --effort fast
cmp <(blocks alone.dds) <(blocks chain.dds | head -c $((64 * 32 * 16))) || fail "--mips changes level 0"
"$weir" mips even.png levels >/dev/null
for level in 0 1 2 3 4 5 6 7 8; do
    width=$((256 >> level)) height=$((128 >> level))
    size=$((width > 0 ? width : 1))x$((height > 0 ? height : 1))
    texture --decode chain.ktx2 level$level.png --mip $level
    says "^level$level.png: $size, mip level $level of 0 .. 8, bc3_srgb"
    echo "level$level.png $size rgba"
done >sizes.txt
expect_pictures <sizes.txt
mkdir level_pictures
cp levels/even_level0?.png level_pictures
texture level_pictures level_textures --codec bc3 --srgb --effort fast --container dds
cmp <(blocks chain.dds) <(for file in level_textures/*; do blocks "$file"; done) || fail "levels are not what their pictures become"
refuse 1 "mip 9: the levels of chain.ktx2 are 0 .. 8" --decode chain.ktx2 out.png --mip 9

# Colours are averaged as light, numbers as numbers: half of white is 188, half of 255 is 128.
texture checker.png light.ktx2 --srgb --mips --effort fast
texture --decode light.ktx2 half_light.png --mip 3
texture checker.png number.ktx2 --mips "${soonest[@]}"
texture --decode number.ktx2 half_number.png --mip 3
texel_of half_light.png 188 188 188 255 4
texel_of half_number.png 128 128 128 255 1
expect_texels

# Signed values: 0 .. 1 of a picture stand for -1 .. 1, levels are means of these, and decoding turns them back.
ffmpeg -nostdin -v error -y -f lavfi -i nullsrc=s=16x4:r=1:d=1 -frames:v 1 -pix_fmt rgb24 \
    -vf "format=rgb24,geq=r='51*floor(X/4)+51':g='255*mod(X,2)':b=9" signed.png
while read -r codec kind steps channels; do
    texture signed.png $codec.$kind --codec $codec --mips --effort fast
    says "16x4, $codec at effort fast, $codec, 5 mip levels"
    texture --decode $codec.$kind $codec.pfm
    texture --decode $codec.$kind $codec.png
    texture --decode $codec.$kind last$codec.png --mip 4
    read -r -a values <<<"$(floats $codec.pfm $((16 * channels)))"
    for column in 0 4 8 12; do
        wanted=$(awk -v x=$((51 * column / 4 + 51)) 'BEGIN { print 2 * x / 255 - 1 }')
        near "${values[column * channels]}" "$wanted" "$(awk -v n="$steps" 'BEGIN { print 0.51 / n }')" ||
            fail "$codec: ${values[column * channels]} at column $column and should be $wanted"
    done
    if [ "$channels" = 3 ]; then
        near "${values[1]}" -1 0.001 && near "${values[4]}" 1 0.001 || fail "$codec: the green is ${values[1]} and ${values[4]}, not -1 and 1"
        texture --decode $codec.$kind small.pfm --mip 1
        read -r _ low _ <<<"$(floats small.pfm 3)"
        near "$low" 0 0.004 || fail "$codec: the mean of -1 and 1 is $low"
    fi
    raw last$codec.png $codec.png
    for pair in "last$codec 127.5 1.1" "$codec 51 1"; do
        read -r name wanted distance <<<"$pair"
        value=$(od -An -v -t u1 -N 1 $name.png.rgba | xargs)
        near "$value" "$wanted" "$distance" || fail "$name.png is $value and should be $wanted"
    done
    refuse 2 "$codec holds no sRGB codes" signed.png out.ktx2 --codec $codec --srgb
done <<'CODECS'
bc4_snorm dds 127 1
bc5_snorm dds 127 3
eac_r11_snorm ktx2 1023 1
eac_rg11_snorm ktx2 1023 3
CODECS
refuse 2 "dds files have no name for eac_r11_snorm" signed.png out.dds --codec eac_r11_snorm
[ "$(four_cc bc4_snorm.dds) $(four_cc bc5_snorm.dds)" = "BC4S BC5S" ] || fail "signed DDS files have other formats"

# Decoded pictures: the kinds of PNG, and PFM as a sampler answers.
through grey picture.png --codec bc4 --effort fast
texture picture.png pair.ktx2 --codec bc5 --effort fast
texture --decode pair.ktx2 pair.PNG
expect_pictures <<<"grey.png 257x129 gray16be
pair.PNG 257x129 rgb48be"
texture --decode grey.ktx2 grey.pfm
[ "$(head -c 15 grey.pfm | tr '\n' ' ')" = "Pf 257 129 -1.0" ] || fail "grey.pfm begins with $(head -c 15 grey.pfm)"
[ "$(stat -c %s grey.pfm)" = $((16 + 257 * 129 * 4)) ] || fail "grey.pfm has $(stat -c %s grey.pfm) bytes"
for name in light number; do
    texture --decode $name.ktx2 half_$name.pfm --mip 3
    expect_float half_$name.pfm 0.5 0.02
done
ffmpeg -nostdin -v error -y -i checker.png -vf "format=rgba,colorchannelmixer=aa=0.5" alpha.png
texture alpha.png alpha.ktx2 --codec bc3 --effort fast
refuse 0 "warning: alpha.pfm: a PFM file has no alpha" --decode alpha.ktx2 alpha.pfm

# What is no texture, or not one any more.
head -c 5000 chain.ktx2 >cut.ktx2
{ head -c 20 chain.ktx2; printf '\377\377\377\377'; tail -c +25 chain.ktx2; } >lies.ktx2
: >empty.ktx2
refuse 1 "cut.ktx2: it ends after 5000 bytes, before its level 0 does" --decode cut.ktx2 out.png
refuse 1 "lies.ktx2: its header says 4294967295x128 texels" --decode lies.ktx2 out.png
refuse 1 "empty.ktx2: it begins as no DDS, KTX or KTX2 file does" --decode empty.ktx2 out.png
refuse 1 "picture.png: it begins as no DDS" --decode picture.png out.png
refuse 1 "cannot read missing.ktx2: No such file" --decode missing.ktx2 out.png
refuse 1 "cannot read levels: " --decode levels out.png
refuse 1 "no_folder/out.png" --decode chain.ktx2 no_folder/out.png
cp chain.ktx2 texture.png
refuse 1 "texture.png is the input itself" --decode texture.png texture.png
cmp chain.ktx2 texture.png || fail "the input was changed"
refuse 2 "out.jpg: --decode writes a picture, its name ends in .png or .pfm" --decode chain.ktx2 out.jpg
refuse 2 "it takes --mip and --max-memory, no other option" --decode chain.ktx2 out.png --codec bc1
expect_no out.png out.jpg no_folder

# A folder: every picture by itself, the same as alone.
mkdir pictures
make pictures/b3.png color=red:s=1x1:r=1:d=1,format=rgb24 -frames:v 1
cp even.png pictures/a.png
cp checker.png pictures/b2.png
cp alpha.png pictures/b10.png
echo text >pictures/notes.txt
texture pictures textures --codec bc3 --mips --srgb --effort fast
[ "$(ls textures | xargs)" = "a.ktx2 b10.ktx2 b2.ktx2 b3.ktx2" ] || fail "textures has $(ls textures | xargs)"
[ "$(sed 's/:.*//' stdout.txt | xargs)" = "textures/a.ktx2 textures/b2.ktx2 textures/b3.ktx2 textures/b10.ktx2 textures" ] ||
    fail "lines on $(sed 's/:.*//' stdout.txt | xargs)"
says "^textures: 4 of 4 pictures$"
for name in b3 b10; do # of another size, and with alpha
    becomes textures/$name.ktx2 "a picture of a folder" pictures/$name.png $name.ktx2 --codec bc3 --mips --srgb --effort fast
done
texture pictures/ textures/ "${soonest[@]}" --alpha ignore --container dds
[ "$(ls textures | wc -l)" = 8 ] || fail "textures has $(ls textures | xargs)"
expect_decodes textures/b10.dds
cp checker.png frame_7.png
cp picture.png frame_8.png
texture 'frame_%d.png' textures "${soonest[@]}" --container ktx
[ -s textures/frame_7.ktx ] && [ -s textures/frame_8.ktx ] || fail "no texture of a sequence"

# Of a folder, what fails is named, and the rest is done.
head -c 300 picture.png >pictures/broken.png
cp picture.png pictures/a.bmp
refuse 1 "broken.png" pictures some "${soonest[@]}" --strict
grep -q "error: pictures/broken.png was left out" stderr.txt || fail "$(cat stderr.txt)"
grep -q "error: pictures/b10.png has alpha, and bc4 has none" stderr.txt || fail "$(cat stderr.txt)"
grep -q "error: pictures/a.png: some/a.ktx2 is that of pictures/a.bmp; rename one of the two" stderr.txt || fail "$(cat stderr.txt)"
says "^some: 3 of 6 pictures$"
[ "$(ls -A some | xargs)" = "a.ktx2 b2.ktx2 b3.ktx2" ] || fail "some has $(ls -A some | xargs)"
mkdir bad
cp pictures/broken.png bad
refuse 1 "bad/broken.png" bad none "${soonest[@]}"
refuse 1 "bad/broken.png" bad some "${soonest[@]}"
expect_status 1 "some/a.dds' after" limited 8 "$program" texture pictures some "${soonest[@]}" --container dds
grep -q "^some: 0 of 6 pictures$" stdout.txt || fail "a full disk does not end it: $(cat stdout.txt)"
[ "$(ls -A some | xargs)" = "a.ktx2 b2.ktx2 b3.ktx2" ] || fail "some has $(ls -A some | xargs)"
mkdir void
refuse 1 "void: no picture in this folder" void none
cp picture.png picture
refuse 1 "cannot write picture: Not a directory" pictures picture "${soonest[@]}"
for output in picture.png x.ktx2 x.gif x.dds; do
    refuse 2 "$output: several pictures become files of a folder, and this is the name of a file; .*: $output/" pictures $output
done
refuse 2 "x.ktx2: several pictures" 'frame_%d.png' x.ktx2
expect_no x.ktx2 x.gif x.dds
mkdir x.dds
for output in x.dds x.ktx2/; do
    texture 'frame_%d.png' $output "${soonest[@]}" --container ktx
    [ "$(ls $output | xargs)" = "frame_7.ktx frame_8.ktx" ] || fail "$output has $(ls $output | xargs)"
done
rm -r x.dds x.ktx2
refuse 1 "cannot write no_folder/x: No such file" pictures no_folder/x "${soonest[@]}"
expect_no none no_folder

# Larger than an image may be: in parts, which are whole blocks; but not with all levels.
limit=$(most_texels)
make wide.png "nullsrc=s=$((limit + 2))x4:r=1:d=1,geq=r='X/7':g='Y*60+X':b='X*X/3',format=rgb24" -frames:v 1
make high.png "nullsrc=s=3x$((limit + 6)):r=1:d=1,geq=r='Y/7':g='X*60+Y':b='Y*Y/3',format=rgb24" -frames:v 1
ffmpeg -nostdin -v error -y -i wide.png -i high.png -lavfi "[0]split[a][b];[1]split[c][d];[a]crop=$limit:4:0:0[a];\
[b]crop=2:4:$limit:0[b];[c]crop=3:$limit:0:0[c];[d]crop=3:6:0:$limit[d]" \
    -map '[a]' wide_0.png -map '[b]' wide_1.png -map '[c]' high_0.png -map '[d]' high_1.png
mkdir parts
mv wide_?.png high_?.png parts
texture parts part_textures "${soonest[@]}" --container dds
for name in wide high; do
    texture $name.png $name.dds "${soonest[@]}" --validation
    cmp <(blocks $name.dds) <(blocks part_textures/${name}_0.dds && blocks part_textures/${name}_1.dds) || fail "$name.dds is not what its parts are"
    refuse 1 "$name.png is .*; .* takes at most $limit a side" $name.png out.dds "${soonest[@]}" --mips
done
expect_no out.dds

# Light of any strength, where there is a codec for it.
ffmpeg -nostdin -v error -y -f lavfi -i color=white:s=8x8:r=1:d=1,format=gbrpf32le \
    -vf colorchannelmixer=rr=2:gg=2:bb=2 -frames:v 1 strong.exr
strength=$(ffmpeg -nostdin -v error -i strong.exr -f rawvideo -pix_fmt gbrpf32le - | od -An -t f4 -N 4 | xargs)
mkdir lights
cp strong.exr checker.png lights
texture lights light_textures --codec bc6h --mips --effort fast --validation
texture --decode light_textures/strong.ktx2 strong.pfm --mip 1
expect_float strong.pfm "$strength" 0.02
texture strong.exr signed.ktx2 --codec bc6h_signed --effort fast
texture --decode signed.ktx2 signed.pfm
expect_float signed.pfm "$strength" 0.02
texture --decode light_textures/checker.ktx2 dim.pfm --mip 3
expect_float dim.pfm 0.5 0.01
expect_clean

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
refuse 2 "zstd: it is for .ktx2 files" picture.png out.dds --zstd
refuse 2 "it takes --mip and --max-memory" --decode small.ktx2 out.png --zstd
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
refuse 1 "texels.dds: its texels are not compressed in blocks: it is a picture" --decode texels.dds out.png

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
    refuse 1 "error: --${option%% *}: direct.ktx2 is a texture already, .*weir texture --decode" direct.ktx2 older.ktx2 --$option
done
[ "$(cat older.ktx2)" = before ] || fail "a failure took the file that was there"
refuse 1 "etc1.ktx2: dds files have no name for etc2_rgb" etc1.ktx2 out.dds
refuse 1 "ktx files cannot say; write a .ktx2 or .dds" multiplied.dds out.ktx
refuse 2 "out.png: the output is a texture, .*add --decode" direct.ktx2 out.png
refuse 2 "--mip: it is for --decode" direct.ktx2 out.dds --mip 1
head -c 600 direct.ktx2 >cut.ktx2
refuse 1 "cut.ktx2: it ends after 600 bytes" cut.ktx2 out.dds
refuse 1 "direct.ktx2 is the input itself" direct.ktx2 direct.ktx2
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
refuse 1 "basis.ktx2: no decoder for its VkFormat 0" basis.ktx2 out.dds
expect_no levels out.png out.mov out.dds

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
judge_zstd() { node "$npm/check_ktx2_zstd.mjs" "$@" >judged.txt 2>judge.txt; }
judge_zstd small.ktx2 plain.ktx2 || fail "$(cat judge.txt)"
grep -q "small.ktx2: 7 levels" judged.txt || fail "$(cat judged.txt)"
cp plain.ktx2 other.ktx2
printf '\125' | dd of=other.ktx2 bs=1 seek=$((plain - 8)) conv=notrunc status=none
! judge_zstd small.ktx2 other.ktx2 || fail "other blocks pass"

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
refuse 2 "--dx10: it is for .dds files" picture.png out.ktx2 --dx10
refuse 2 "--dx10: it is for .dds files" pictures none --dx10
refuse 2 "it takes --mip and --max-memory, no other option" --decode bc1.dds out.png --dx10
expect_no out.ktx2 out.png none

# KTX2 files in ktx-parse.
part ktx2
judge_ktx2() { node "$npm/check_ktx2.mjs" "$@" >judged.txt 2>stderr.txt; }

# Every format, at sizes and numbers of levels of all kinds.
mkdir formats
"$writer" formats >writer.txt || fail "the files were not written: $(cat writer.txt)"
judge_ktx2 formats/*.ktx2 || fail "$(cat stderr.txt)"
[ "$(wc -l <judged.txt)" = $((26 * 6)) ] || fail "$(wc -l <judged.txt) files were judged"
[ "$(grep -c "BC7_SRGB_BLOCK 257x3 9" judged.txt)" = 1 ] || fail "no BC7 among $(cat judged.txt)"

# Those of weir texture: of a third of the codecs, from where the seed says, as every format was judged above; and of blocks
# of 16 and 8 bytes with levels.
make picture.png testsrc2=s=60x35:r=1:d=1,format=rgb24 -frames:v 1
seed=${WEIR_SEED:-$RANDOM}
echo "WEIR_SEED=$seed"
codecs=$(known codec | tr ' ' '\n' | awk -v turn="$seed" 'NR % 3 == turn % 3')
for codec in $codecs; do
    texture picture.png "$codec.ktx2" --codec "$codec" --effort fast
done
texture picture.png levels.ktx2 --codec eac_rg11 --mips --effort fast --validation
judge_ktx2 ./*.ktx2 || fail "$(cat stderr.txt)"
[ "$(grep -c " 60x35 1$" judged.txt)" = "$(wc -w <<<"$codecs")" ] || fail "not all have one level: $(cat judged.txt)"
grep -q "^./levels.ktx2: .* 60x35 6$" judged.txt || fail "levels.ktx2 has not 6 levels: $(cat judged.txt)"
texture picture.png srgb.ktx2 --srgb --mips --effort fast
judge_ktx2 srgb.ktx2 || fail "$(cat stderr.txt)"
grep -q "VK_FORMAT_BC1_RGB_SRGB_BLOCK 60x35 6" judged.txt || fail "srgb.ktx2 is $(cat judged.txt)"

# The judge sees a wrong byte in each part: the format, a level's place, its size, the descriptor, the padding.
broken() {
    cp srgb.ktx2 broken.ktx2
    # shellcheck disable=SC2059
    printf "$2" | dd of=broken.ktx2 bs=1 seek="$1" conv=notrunc status=none
    ! judge_ktx2 broken.ktx2 || fail "a wrong byte at $1 passes"
}
descriptor=$(number srgb.ktx2 48)
broken 12 '\001'
broken 16 '\002'
broken 80 '\001'
broken 88 '\010'
broken 96 '\010'
broken $((descriptor + 14)) '\001'
broken $((descriptor + 16)) '\001'
broken $((descriptor + 30)) '\076'
