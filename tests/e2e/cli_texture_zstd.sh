#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir texture --zstd: KTX2 files whose levels are compressed once more: bash cli_texture_zstd.sh WEIR FOLDER NPM, where
# NPM is the folder that ./dev setup installs the judges in, ktx-parse and three.js.
source "$(dirname "$0")/cli_common.sh"
hold weir
npm=$3

# A picture of one half that is flat and one that is not.
make picture.png "testsrc2=s=124x60:r=1:d=1,format=gbrp,geq=r='if(lt(X,62),r(X,Y),40)':g='if(lt(X,62),g(X,Y),90)':b='if(lt(X,62),b(X,Y),200)'" \
    -frames:v 1 -pix_fmt rgb24
texture() {
    "$weir" texture "$@" >stdout.txt 2>stderr.txt || fail "weir texture $*: $(cat stderr.txt)"
    [ ! -s stderr.txt ] || fail "weir texture $* says $(cat stderr.txt)"
}
texture picture.png small.ktx2 --codec bc1 --effort fast --mips --zstd
texture small.ktx2 plain.ktx2 # rewrapped, without
texture plain.ktx2 again.ktx2 --zstd
cmp small.ktx2 again.ktx2 || fail "a texture that is rewrapped is another file"
small=$(stat -c %s small.ktx2) plain=$(stat -c %s plain.ktx2)
[ $((small * 10)) -lt $((plain * 9)) ] || fail "$small bytes with --zstd, $plain without"
printf '%s bytes, %s without --zstd\n' "$small" "$plain"
texture --decode small.ktx2 small.png --mip 1
texture --decode plain.ktx2 plain.png --mip 1
cmp small.png plain.png || fail "--decode reads another picture"

# A file of few bytes that says to hold many is refused by its size, and one that is cut by its end.
expect_status 2 "zstd: it is for .ktx2 files" "$weir" texture picture.png out.dds --zstd
expect_status 2 "it takes --mip and --max-memory" "$weir" texture --decode small.ktx2 out.png --zstd
ffmpeg -nostdin -v error -y -f lavfi -i color=s=2048x2048:r=1:d=1 -frames:v 1 -pix_fmt rgb24 black.png
texture black.png black.ktx2 --codec bc1 --effort fast --zstd
[ "$(stat -c %s black.ktx2)" -lt 1000 ] || fail "a black picture takes $(stat -c %s black.ktx2) bytes"
expect_status 1 "would take 2 MiB of memory, and 1 MiB are allowed" "$weir" texture black.ktx2 out.ktx2 --max-memory 1M
head -c $((small - 1)) small.ktx2 >cut.ktx2
expect_status 1 "cut.ktx2: it ends before its level 0 does" "$weir" texture cut.ktx2 out.ktx2
expect_no out.dds out.png out.ktx2

if ! command -v node >/dev/null || [ ! -e "$npm/node_modules/three" ]; then
    printf 'ktx-parse and three.js are not here; ./dev setup installs them where npm is reached\n'
    exit 0
fi
judge() { node "$npm/check_ktx2_zstd.mjs" "$@" >judged.txt 2>judge.txt; }
judge small.ktx2 plain.ktx2 || fail "$(cat judge.txt)"
grep -q "small.ktx2: 7 levels" judged.txt || fail "$(cat judged.txt)"
cp plain.ktx2 other.ktx2
printf '\125' | dd of=other.ktx2 bs=1 seek=$((plain - 8)) conv=notrunc status=none
! judge small.ktx2 other.ktx2 || fail "other blocks pass"
echo passed
