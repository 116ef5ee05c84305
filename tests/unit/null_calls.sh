#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every public call that takes a pointer or a handle is called with NULL in tests/gpu/null_test.c, or in the tests of libav and play.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)

# Prints the names of the calls in HEADER... that take a pointer, or a handle of Vulkan that is one.
calls() {
    sed -e 's,//.*,,' "$@" | tr '\n' ' ' | grep -oE 'WEIR_API [^;{]*\)' |
        sed -nE 's/^[^(]*[ *](weir_[a-z0-9_]+)\((.*)\)$/\1 \2/p' | awk '/\*|VkCommandBuffer/ { print $1 }'
}

missing=0 num=0
for call in $(calls "$root"/src/include/weir/*.h); do
    num=$((num + 1))
    grep -qE "\b$call\b" "$root"/tests/{gpu/null,capture/libav,capture/play}_test.c || { echo "no NULL is passed to $call()"; missing=1; }
done
[ $num -gt 50 ] || { echo "only $num calls were found in the headers"; exit 1; }
echo "$num calls"
exit $missing
