// SPDX-License-Identifier: MIT
// Judges KTX2 files by ktx-parse: node check_ktx2.mjs FILE... What ktx-parse reads and writes again must be the same file, byte
// for byte: header, index, places and padding are as it would have them. (tests/capture/ktx2_test.c holds the descriptor to
// the specification.) With --same two files of one texture, the first with Zstandard: ktx-parse and the loader of three.js
// must find the same levels in both.
import * as ktx from 'ktx-parse';
import fs from 'node:fs';

const names = new Map(
    Object.entries(ktx).filter(([name]) => name.startsWith('VK_FORMAT_')).map(([name, value]) => [value, name]));

function expect(condition, text) {
    if (!condition) throw new Error(text);
}

function read(file, scheme) {
    const bytes = fs.readFileSync(file);
    const container = ktx.read(bytes);
    expect(container.supercompressionScheme === scheme, `supercompression ${container.supercompressionScheme}`);
    const name = names.get(container.vkFormat), [side] = container.dataFormatDescriptor[0].texelBlockDimension;
    expect(name, `VkFormat ${container.vkFormat} has no name`);
    expect(name.endsWith('_BLOCK') ? side === 3 && container.typeSize === 1 : side === 0, `${name} is of another block`);
    expect(container.pixelDepth === 0 && [1, 6].includes(container.faceCount), 'no picture or cube map');
    const again = ktx.write(container, { keepWriter: true });
    expect(Buffer.compare(Buffer.from(again), bytes) === 0, 'ktx-parse would have written another file');
    return container;
}

function check(file) {
    const container = read(file, ktx.KHR_SUPERCOMPRESSION_NONE);
    const { texelBlockDimension: [side], bytesPlane: [blockSize] } = container.dataFormatDescriptor[0];
    const images = Math.max(1, container.layerCount) * container.faceCount;
    container.levels.forEach((level, i) => {
        const columns = Math.ceil(Math.max(1, container.pixelWidth >> i) / (side + 1));
        const rows = Math.ceil(Math.max(1, container.pixelHeight >> i) / (side + 1));
        const size = columns * rows * blockSize * images;
        expect(level.levelData.length === size && level.uncompressedByteLength === size, `level ${i} has another size`);
    });
    return `${names.get(container.vkFormat)} ${container.pixelWidth}x${container.pixelHeight} ${container.levels.length}`;
}

async function load(file) {
    const { KTX2Loader } = await import('three/addons/loaders/KTX2Loader.js');
    const loader = new KTX2Loader();
    loader.workerConfig = {}; // what a device would tell of codecs that are transcoded
    const { buffer, byteOffset, byteLength } = fs.readFileSync(file);
    return new Promise((resolve, reject) =>
        loader.parse(buffer.slice(byteOffset, byteOffset + byteLength), resolve, reject));
}

async function checkSame(compressed, plain) {
    const small = read(compressed, ktx.KHR_SUPERCOMPRESSION_ZSTD), large = read(plain, ktx.KHR_SUPERCOMPRESSION_NONE);
    expect(small.vkFormat === large.vkFormat && small.levels.length === large.levels.length, 'another texture');
    small.levels.forEach((level, i) =>
        expect(level.uncompressedByteLength === large.levels[i].levelData.length, `level ${i}: its size`));
    const [a, b] = [await load(compressed), await load(plain)];
    expect(a.format === b.format && a.mipmaps.length === b.mipmaps.length, 'another texture for three.js');
    a.mipmaps.forEach(({ data, width, height }, i) => {
        expect(width === b.mipmaps[i].width && height === b.mipmaps[i].height, `level ${i}: its sides`);
        expect(Buffer.compare(Buffer.from(data), Buffer.from(b.mipmaps[i].data)) === 0, `level ${i}: its blocks`);
    });
    return `${a.mipmaps.length} levels`;
}

let file = '';
try {
    const files = process.argv.slice(2);
    if (files[0] === '--same') console.log(await checkSame(files[1], files[2]));
    else for (file of files) console.log(`${file}: ${check(file)}`);
} catch (error) {
    console.error(`${file}: ${error.message}`);
    process.exit(1);
}
