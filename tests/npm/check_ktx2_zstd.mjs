// SPDX-License-Identifier: MIT
// Judges KTX2 files with Zstandard by ktx-parse and by the loader of three.js: node check_ktx2_zstd.mjs COMPRESSED PLAIN,
// two files of the same texture. Both readers must find the same levels in both, and ktx-parse would have written each.
import * as ktx from 'ktx-parse';
import { KTX2Loader } from 'three/addons/loaders/KTX2Loader.js';
import fs from 'node:fs';

function expect(condition, text) {
    if (!condition) throw new Error(text);
}

function checkFile(file, scheme) {
    const bytes = fs.readFileSync(file);
    const container = ktx.read(bytes);
    expect(container.supercompressionScheme === scheme, `${file}: scheme ${container.supercompressionScheme}`);
    expect(Buffer.compare(Buffer.from(ktx.write(container, { keepWriter: true })), bytes) === 0,
        `${file}: ktx-parse would have written another file`);
    return container;
}

function load(file) {
    const loader = new KTX2Loader();
    loader.workerConfig = {}; // what a device would tell of codecs that are transcoded
    const { buffer, byteOffset, byteLength } = fs.readFileSync(file);
    return new Promise((resolve, reject) =>
        loader.parse(buffer.slice(byteOffset, byteOffset + byteLength), resolve, reject));
}

try {
    const [compressed, plain] = process.argv.slice(2);
    const small = checkFile(compressed, ktx.KHR_SUPERCOMPRESSION_ZSTD);
    const large = checkFile(plain, ktx.KHR_SUPERCOMPRESSION_NONE);
    expect(small.vkFormat === large.vkFormat && small.levels.length === large.levels.length, 'another texture');
    small.levels.forEach((level, i) =>
        expect(level.uncompressedByteLength === large.levels[i].levelData.length, `level ${i}: its size`));
    const [a, b] = [await load(compressed), await load(plain)];
    expect(a.format === b.format && a.mipmaps.length === b.mipmaps.length, 'another texture for three.js');
    a.mipmaps.forEach(({ data, width, height }, i) => {
        expect(width === b.mipmaps[i].width && height === b.mipmaps[i].height, `level ${i}: its sides`);
        expect(Buffer.compare(Buffer.from(data), Buffer.from(b.mipmaps[i].data)) === 0, `level ${i}: its blocks`);
    });
    console.log(`${compressed}: ${a.mipmaps.length} levels`);
} catch (error) {
    console.error(`${process.argv[2]}: ${error.message}`);
    process.exit(1);
}
