#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# With musl, the C library of Alpine: the libraries, the layer and what weir record shares with it compile without a warning,
# and tests of them run that need no device and no other library.
# bash musl.sh SOURCE BUILD FOLDER
set -euo pipefail
source=$1 build=$2 folder=$3
command -v musl-gcc >/dev/null || { echo "skipped: no musl-gcc (Debian: musl-tools)"; exit 77; }
rm -rf "$folder"
mkdir -p "$folder/include"
# Headers that are the same with every C library.
asm=$(cc -print-multiarch)
ln -s /usr/include/{vulkan,vk_video,linux,asm-generic,libpng16/png.h,libpng16/pngconf.h,libpng16/pnglibconf.h} "/usr/include/$asm/asm" "$folder/include"
cd "$source"
flags=(-std=c11 -O1 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Werror -I. -Isrc -Isrc/include -I"$build/shaders" -I"$build"
    -I"$build/capture/layer" -Itests/capture -isystem "$folder/include")
tests=(tests/unit/{codec,result_log,pyramid_plan_test} tests/capture/{restore,file,link,link_socket}_test)
find src/* capture/{base,movie,stream,link,layer} tests/{expect,capture/{testing,process,written_file,link_fields}}.c "${tests[@]/%/.c}" \
    -path '*/windows/*' -prune -o -name '*.c' -print >"$folder/sources"
(cd "$folder" && sed 's,/[^/]*$,,' sources | sort -u | xargs mkdir -p)
xargs -P "$(nproc)" -I{} musl-gcc "${flags[@]}" -c {} -o "$folder/{}.o" <"$folder/sources"
cd "$folder"
ar rc libweir.a $(find src capture tests/expect.c.o tests/capture/{testing,process,written_file,link_fields}.c.o -name '*.o')
for test in "${tests[@]}"; do
    musl-gcc -static "$test.c.o" libweir.a -o "${test##*/}"
    echo "-- $test"
    ./"${test##*/}"
done
