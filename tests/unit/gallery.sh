#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# docs/gallery.md has the times that docs/data/gallery.sh reads, and all its pictures.
set -euo pipefail
cd "$(dirname "$0")/../.."
bash docs/data/gallery.sh page | diff - docs/gallery.md || {
    echo "docs/gallery.md has other times: ./dev gallery makes it anew, or bash docs/data/gallery.sh page"
    exit 1
}
for picture in $(grep -o 'images/sample_[a-z]*\.png' docs/gallery.md); do
    [ "$(stat -c %s "docs/$picture")" -lt 400000 ] || { echo "docs/$picture is too large"; exit 1; }
done
echo passed
