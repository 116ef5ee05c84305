#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir palette: pictures and folders, judged by what libpng and FFmpeg decode of them and by what a mean shift must do;
# palettes. Pictures that want the same options go together.
source "$(dirname "$0")/cli_palette_common.sh"
hold weir ffmpeg ffprobe

# raw FILE WIDTHxHEIGHT FORMAT VALUES...: a PNG file of these bytes.
raw() {
    local file=$1 size=$2 format=$3
    shift 3
    # shellcheck disable=SC2059
    printf "$(printf '\\x%02x' "$@")" | ffmpeg -v error -y -f rawvideo -s "$size" -pix_fmt "$format" -i pipe: "$file" ||
        fail "ffmpeg did not make $file"
}

# expect_values FILE VALUES...: four a pixel.
expect_values() {
    local file=$1 got
    shift
    got=$(pixels "$file" | od -An -v -t u1 | xargs)
    [ "$got" = "$*" ] || fail "$file holds $got and should hold $*"
}

# expect_greys FILE CODES...: one a pixel. FFmpeg's own way from a palette to grey rounds.
expect_greys() {
    local file=$1 code values=()
    shift
    for code in "$@"; do values+=("$code" "$code" "$code" 255); done
    expect_values "$file" "${values[@]}"
}

# expect_kind FILE PIXEL_FORMAT
expect_kind() {
    local got
    got=$(field "$1" codec_name,pix_fmt)
    [ "$got" = "png,$2" ] || fail "$1 is $got and should be png,$2"
}

# told FILE: how many colours the line on it says that there are in and out.
told() { sed -n "s,^$1:.* \([0-9][0-9]*\) colours\? -> \([0-9]*\) at radius .*,\1 \2,p" stdout.txt; }

# expect_told FILE SOURCE: the numbers of the line are those of the pictures.
expect_told() {
    local wanted
    wanted="$(colors "$2" | wc -l) $(colors "$1" | wc -l)"
    [ "$(told "$1")" = "$wanted" ] || fail "$1: \"$(cat stdout.txt)\", and there are $wanted"
}

# expect_fewer FILE: the line says more than one colour, and fewer than before.
expect_fewer() {
    local before after
    read -r before after < <(told "$1")
    [ "$after" -lt "$before" ] && [ "$after" -gt 1 ] || fail "$1: $before colours become $after"
}

make flat.png "smptebars=s=64x48:r=1:d=1,format=gbrp" -frames:v 1 -pix_fmt rgb24
make most.png "nullsrc=s=16x16:r=1:d=1,format=gbrp,geq=r='16*X':g='16*Y':b=9" -frames:v 1 -pix_fmt rgb24
ffmpeg -nostdin -v error -y -i picture.png -pix_fmt rgba \
    -vf "format=rgba,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='if(lt(X,16),0,if(lt(X,32),128,255))'" alpha.png
filtered alpha.png seen.png crop=32:32:16:0 -pix_fmt rgb24
filtered alpha.png visible.png crop=32:32:16:0
filtered most.png more.png "pad=17:16:0:0:white" -pix_fmt rgb24
for kind in pal8 gray ya8 rgba; do filtered picture.png $kind.png null -pix_fmt $kind; done
raw low.png 1x1 gray16be $((25828 / 256)) $((25828 % 256))
raw high.png 1x1 gray16be $((25829 / 256)) $((25829 % 256))
raw greys.png 4x1 gray 100 100 104 100
raw dark.png 2x1 gray 10 12
raw hidden.png 2x1 rgba 1 2 3 0 200 100 50 0

# The line, and the number of colours before and after.
palette picture.png few.png
grep -q "^few.png: [0-9]* colours -> [0-9]* at radius 0.02, [0-9]* steps\?, [0-9]* evaluations, .*on " stdout.txt ||
    fail "$(cat stdout.txt)"
expect_told few.png picture.png
expect_fewer few.png
expect_psnr few.png picture.png 20
cp few.png default.png
palette picture.png few.png --radius=2e-2 --weight equal --light raw
cmp few.png default.png || fail "the defaults are others than the help says, or 2e-2 is not 0.02"

# Radius 0 keeps everything: up to 256 colours as an indexed file, with alpha where there is one. More than 8 bits are
# rounded: 25828 of 65535 is 100.498 of 255, and 25829 is 100.502.
kept=(picture.png alpha.png flat.png other.png most.png more.png pal8.png gray.png ya8.png rgba.png)
palette "${kept[@]}" low.png high.png kept --radius 0
for file in "${kept[@]}"; do same kept/$file $file; done
for file in picture.png alpha.png flat.png; do expect_told kept/$file $file; done
[ "$(colors other.png | wc -l)" -gt 256 ] || fail "other.png has too few colours to test with"
expect_kind kept/other.png rgb24
expect_kind kept/most.png pal8
expect_kind kept/more.png rgb24 # 256 colours, and one more
expect_greys kept/low.png 100
expect_greys kept/high.png 101
grep -q "^kept/low.png: rounded to 8 bits, 1 colour -> 1 at radius 0" stdout.txt || fail "$(cat stdout.txt)"
ffmpeg -nostdin -v error -y -i picture.png -c:v png upright.mov
note_turn upright.mov 90 turned.mov
palette turned.mov turned.png --radius 0
same turned.png turned.mov
[ "$(field turned.png width,height)" = 32,48 ] || fail "a turned picture has $(field turned.png width,height)"

# A folder is every picture by itself, in the order of the numbers in their names.
mkdir pictures
cp picture.png pictures/a2.png
cp other.png pictures/a10.png
cp greys.png pictures
palette pictures frequency --weight frequency
[ "$(sed 's/:.*//' stdout.txt | xargs)" = "$(printf 'frequency/%s.png ' a2 a10 greys)frequency" ] ||
    fail "$(cat stdout.txt)"
grep -q "^frequency: 3 of 3 pictures$" stdout.txt || fail "$(cat stdout.txt)"
palette picture.png alone.png --weight frequency
cmp alone.png frequency/a2.png || fail "picture.png of a folder becomes another picture"
palette greys.png dark.png alpha.png seen.png equal

# Two greys that are neighbours meet in the middle of their cube roots: 102.0 of 100 and 104, and 101.0 of three and one.
expect_greys equal/greys.png 102 102 102 102
expect_greys frequency/greys.png 101 101 101 101
palette greys.png met.png --radius 0.009
expect_greys met.png 100 100 104 100
# A radius is told with the digits that it takes.
palette greys.png met.png --radius 0.112067424
grep -q " at radius 0.112067424, " stdout.txt || fail "$(cat stdout.txt)"
# In the dark the cube roots of 10 and 12 are 0.0213 apart, those of their light 0.0096, which meet in 11.0.
expect_greys equal/dark.png 10 12
palette dark.png met.png --light srgb
expect_greys met.png 11 11

# Alpha stays, what cannot be seen does not count and stays, and alpha does not weigh.
cmp <(pixels equal/alpha.png crop=32:32:16:0,format=rgb24) <(pixels equal/seen.png format=rgb24) ||
    fail "pixels with alpha become other colours"
cmp <(pixels equal/alpha.png crop=16:32:0:0) <(pixels alpha.png crop=16:32:0:0) || fail "pixels with alpha 0 change"
cmp <(pixels equal/alpha.png format=rgba,alphaextract) <(pixels alpha.png format=rgba,alphaextract) || fail "alpha changes"
palette hidden.png hidden_few.png --export hidden.hex
expect_values hidden_few.png 1 2 3 0 200 100 50 0
[ "$(told hidden_few.png)" = "0 0" ] || fail "no colour that can be seen: $(cat stdout.txt)"
[ -e hidden.hex ] && [ ! -s hidden.hex ] || fail "the palette of nothing is $(cat hidden.hex)"
palette alpha.png few.png --export few.hex
cmp few.hex <(colors few.png) || fail "few.hex has what cannot be seen"

# Indexed files of k-means.
palette alpha.png visible.png hidden.png indexed --colors 16
expect_kind indexed/alpha.png pal8 # what cannot be seen is one colour
[ "$(pixels indexed/alpha.png format=rgba | od -An -v -t x4 -w4 | sort -u | wc -l)" -le 16 ] || fail "alpha takes more than 16 entries"
expect_kind indexed/visible.png pal8
cmp <(pixels indexed/visible.png format=rgba,alphaextract) <(pixels visible.png format=rgba,alphaextract) ||
    fail "an indexed file has another alpha"
expect_values indexed/hidden.png 0 0 0 0 0 0 0 0

# All entries that are asked for are used, one of them by what is transparent, and alpha is kept.
entries() { pixels "$1" format=rgba | od -An -v -t x4 -w4 | sort -u; }
for entries in 3/none 16/none 61/none 3/ordered 61/diffusion; do
    number=${entries%/*}
    palette alpha.png entries.png --colors $number --dither ${entries#*/}
    expect_kind entries.png pal8
    [ "$(entries entries.png | wc -l)/$(entries entries.png | grep -c '^ 00')" = $number/1 ] || fail "$number entries are $(entries entries.png | wc -l)"
    cmp <(pixels entries.png format=rgba,alphaextract) <(pixels alpha.png format=rgba,alphaextract) || fail "$number entries have another alpha"
done
palette alpha.png visible.png shared --share --colors 16
[ "$(entries shared/alpha.png | wc -l)" = 16 ] || fail "a shared palette leaves entries out"
[ "$( (entries shared/alpha.png | grep -v '^ 00'; entries shared/visible.png) | cut -c 4- | sort -u | wc -l)" -le 16 ] || fail "a shared palette is several"
filtered picture.png soft.png "format=rgba,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='4*X'" -pix_fmt rgba
expect_status 0 "soft_few.png: its colours with their alphas are .* entries and not 64, so it is RGBA" "$weir" palette soft.png soft_few.png --colors 64
expect_kind soft_few.png rgba
palette other.png most.png indexed --colors 256
expect_kind indexed/other.png pal8
same indexed/most.png most.png

# A number of colours by mean shift: at most so many, by a radius that gives the same when it is given.
for number in 1 64; do
    palette picture.png number.png --colors $number --method mean_shift
    [ "$(colors number.png | wc -l)" -le $number ] || fail "$(colors number.png | wc -l) colours, not $number"
    expect_told number.png picture.png
    radius=$(sed -n 's/.* at radius \([0-9.e-]*\).*/\1/p' stdout.txt)
    palette picture.png again.png --radius "$radius"
    cmp number.png again.png || fail "--radius $radius is not what --method mean_shift --colors $number found"
    # Where it is not met, the radius is the least of those that were tried, which are 1 % apart.
    if [ "$(colors number.png | wc -l)" -lt $number ]; then
        palette picture.png again.png --radius "$(awk -v r="$radius" 'BEGIN { print 0.9 * r }')"
        [ "$(colors again.png | wc -l)" -gt $number ] || fail "0.9 of radius $radius still leaves at most $number"
    fi
done
palette most.png number.png --colors 256 --method mean_shift
grep -q "at radius 0, " stdout.txt || fail "few colours are reduced: $(cat stdout.txt)"
same number.png most.png
palette flat.png number.png --colors 257
grep -q "at radius" stdout.txt || fail "more than 256 colours: $(cat stdout.txt)"

# A number of colours by k-means: so many; and its palette, all colours that are there, the most used first.
while read -r number palette options; do
    # shellcheck disable=SC2086
    palette picture.png number_$number.png --colors $number $options --export $palette
    colors number_$number.png >number.hex
    [ "$(wc -l <number.hex)" = $number ] || fail "$(wc -l <number.hex) colours, not $number"
    grep -q "^number_$number.png: $(colors picture.png | wc -l) colours -> $number by k-means" stdout.txt ||
        fail "$(cat stdout.txt)"
    case $palette in
    *.hex) cmp number.hex $palette || fail "$palette is not what number_$number.png has" ;;
    *.gpl)
        [ "$(head -n 4 $palette | tr '\n' '|')" = "GIMP Palette|Name: picture.png|Columns: 16|#|" ] ||
            fail "$(head -n 5 $palette)"
        cmp <(tail -n +5 $palette | awk '{ printf "%02x%02x%02x\n", $1, $2, $3 }') number.hex || fail "$palette has other colours"
        ;;
    *.png)
        [ "$(field $palette width)" = $((16 * (number < 64 ? number : 64))) ] || fail "a strip is $(field $palette width) wide"
        cmp <(pixels $palette scale=iw/16:ih/16:flags=neighbor | od -An -v -t x1 -w4 | awk '$4 == "ff" { print $1 $2 $3 }') \
            number.hex || fail "$palette has other colours"
        ;;
    esac
done <<END
5 few.hex
64 few.gpl --metric oklab
70 strip.png --weight equal
1 one.hex --metric oklab --light srgb
END
palette picture.png again.png --colors 5 --method k_means
cmp number_5.png again.png || fail "--colors 5 is not what --method k_means finds"

# A table: what a colour goes to is another, and stays near.
palette picture.png table.png --table --radius 0
paste <(pixels table.png | od -An -v -t u1 -w1) <(pixels picture.png | od -An -v -t u1 -w1) |
    awk '{ d = $1 - $2; if (d > 2 || d < -2) exit 1 }' || fail "a table of 64 steps moves codes by more than half a step"
for channel in 1 2 3; do
    [ "$(colors table.png | cut -c $((2 * channel - 1))-$((2 * channel)) | sort -u | wc -l)" -le 64 ] ||
        fail "a table of 64 steps has more"
done
palette picture.png table.png --table
expect_psnr table.png picture.png 20

# With --share two halves become what the whole becomes. Any name of a folder will do that is there, or ends in /.
mkdir halves there.gif there.mov
filtered other.png halves/h_1.png crop=80:20:0:0
filtered other.png halves/h_2.png crop=80:40:0:20
while read -r weight shared; do
    palette other.png whole.png --weight $weight --export whole.hex
    palette halves $shared/ --share --weight $weight --export shared.hex
    [ "$(ls $shared | xargs)" = "h_1.png h_2.png" ] || fail "$shared has $(ls $shared | xargs)"
    same $shared/h_1.png whole.png crop=80:20:0:0
    same $shared/h_2.png whole.png crop=80:40:0:20
    cmp whole.hex <(colors whole.png) || fail "whole.hex is not what whole.png has"
    cmp shared.hex whole.hex || fail "the palette of two halves is not that of the whole"
    [ "$(told $shared/)" = "$(colors other.png | wc -l) $(wc -l <whole.hex)" ] || fail "$(cat stdout.txt)"
    grep -q "^$shared/h_1.png: $(colors $shared/h_1.png | wc -l) colour" stdout.txt || fail "$(cat stdout.txt)"
done <<END
equal there.gif
frequency made.png
END
cmp whole.png frequency/a10.png || fail "other.png of a folder becomes another picture"
palette 'halves/h_%d.png' there.mov --share --colors 16 --export sequence.hex
[ "$(ls there.mov | xargs)" = "h_1.png h_2.png" ] || fail "there.mov has $(ls there.mov | xargs)"
cmp sequence.hex <(colors there.mov/*.png) || fail "sequence.hex is not what the pictures have"
[ "$(wc -l <sequence.hex)" -le 16 ] || fail "$(wc -l <sequence.hex) colours and not 16"

# A shared palette keeps a rare saturated colour: two red pixels of one picture of greens and blues.
mkdir frames_rare
soft="nullsrc=s=96x96:r=1:d=1,format=gbrp,geq=r='20+mod(X*7+Y*3,10)':g='2*X+mod(Y*5,9)':b='2*Y+mod(X*3,11)'"
make frames_rare/r_1.png "$soft" -frames:v 1 -pix_fmt rgb24
make frames_rare/r_2.png "$soft,format=rgb24,drawbox=40:40:2:1:0xfa0a14:fill" -frames:v 1 -pix_fmt rgb24
palette frames_rare/r_2.png rare.png --colors 16
! grep -q "fa0a14" <(colors rare.png) || fail "red is not rare enough to test with"
palette frames_rare rare --share --colors 16
grep -q "fa0a14" <(colors rare/r_2.png) || fail "a rare red is lost: $(colors rare/r_2.png | xargs)"

# Dither: of the same palette, and each form another picture; what is there already stays.
make eight.png "nullsrc=s=16x16:r=1:d=1,format=gbrp,geq=r='32*floor(X/2)':g=90:b='9*floor(X/2)'" -frames:v 1 -pix_fmt rgb24
for dither in none ordered blue_noise diffusion; do
    palette frames_rare/r_1.png eight.png $dither --colors 8 --dither $dither
    same $dither/eight.png eight.png
    [ $dither != none ] || continue
    [ $dither = diffusion ] || cmp <(colors $dither/r_1.png | sort) <(colors none/r_1.png | sort) || fail "$dither dither has other colours"
    ! cmp -s <(pixels $dither/r_1.png) <(pixels none/r_1.png) || fail "$dither dither does nothing"
done
! cmp -s ordered/r_1.png blue_noise/r_1.png || fail "ordered dither is blue noise"
# Diffusion fits its colours to the picture, unless other pictures have them too; without strength it is the nearest of them.
palette frames_rare shared --share --colors 8 --dither diffusion --export shared.hex
palette frames_rare plain --share --colors 8 --export plain.hex
cmp <(sort shared.hex) <(sort plain.hex) || fail "diffusion changes colours that pictures share"
palette frames_rare/r_1.png still.png --colors 8 --dither diffusion --strength 0
! cmp -s <(pixels still.png) <(pixels diffusion/r_1.png) || fail "--strength does nothing"

# What fails of a folder is named, and the rest is done.
mkdir partly bad
cp picture.png other.png partly
head -c 300 other.png >partly/broken.png
cp partly/broken.png bad
for share in "" --share; do
    # shellcheck disable=SC2086
    expect_status 1 "error: partly/broken.png was left out" "$weir" palette partly some$share $share ${share:+--export some.hex}
    grep -q "^some$share: 2 of 3 pictures" stdout.txt || fail "$(cat stdout.txt)"
    expect_status 1 "bad/broken.png" "$weir" palette bad nothing $share
done
cmp some.hex <(colors some--share/*.png) || fail "some.hex is not what the pictures have"
expect_no nothing

# Ctrl-C: what is there is whole, and the status is 1.
mkdir many
for ((i = 0; i < 400; i++)); do ln other.png many/$i.png; done
palette other.png alone.png
begin "$program" palette many ended
until_true test -s ended/0.png
kill -s INT $app
expect_end 1 interrupted
for file in ended/*; do
    cmp "$file" alone.png || fail "$file is not whole"
done
[ "$(find ended -type f | wc -l)" -lt 400 ] || fail "Ctrl-C ended nothing"
expect_clean
echo passed
