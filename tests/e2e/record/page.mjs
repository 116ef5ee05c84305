// SPDX-License-Identifier: MIT
// page.mjs URL: the page of weir record --live over a fake layer, whose pictures are flat and say their number: in browsers,
// and by clients that do what no browser does. The recording waits, has a replay, and goes on when this ends.
import assert from 'node:assert/strict';
import http from 'node:http';
import net from 'node:net';
import {randomBytes} from 'node:crypto';
import {Browser, sleep} from './browser.mjs';

const url = new URL(process.argv[2]), origin = url.origin, token = url.search;

// A WebSocket whose packets are written here. Answers the socket and the status of HTTP.
function join(path = '/' + token, headers = {}) {
    return new Promise(done => {
        const all = {Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': 13, 'Sec-WebSocket-Protocol': 'weir',
                     'Sec-WebSocket-Key': randomBytes(16).toString('base64'), Origin: origin, ...headers};
        for (const name in all) if (all[name] === null) delete all[name];
        const request = http.request({host: url.hostname, port: url.port, path, headers: all, agent: false});
        request.on('upgrade', (response, socket, head) => {
            socket.binary = 0;
            const count = data => { // pictures are the only packets of 16 bits of size and this type
                for (let at = 0; at + 4 <= data.length; at += 2 + (data[at + 1] === 126 ? 2 + data.readUInt16BE(at + 2) : data[at + 1])) {
                    socket.binary += (data[at] & 15) === 2;
                }
            };
            socket.on('data', count).on('close', () => { socket.isClosed = true; }).on('error', () => {});
            count(head);
            done({status: 101, socket});
        });
        request.on('response', response => { response.resume(); done({status: response.statusCode}); });
        request.on('error', () => done({status: 0}));
        request.end();
    });
}

function send(socket, text, type = 1) {
    const data = Buffer.from(text), mask = randomBytes(4);
    const size = data.length < 126 ? Buffer.from([0x80 | data.length]) : Buffer.from([0xfe, data.length >> 8, data.length & 255]);
    socket.write(Buffer.concat([Buffer.from([0x80 | type]), size, mask, data.map((byte, i) => byte ^ mask[i % 4])]));
}

const get = (path, headers = {}) => new Promise(done => {
    http.get({host: url.hostname, port: url.port, path, headers, agent: false}, response => {
        let text = '';
        response.on('data', part => { text += part; }).on('end', () => done({status: response.statusCode, text}));
    }).on('error', () => done({status: 0}));
});

async function until(check, what) {
    for (const end = Date.now() + 240000; !check(); await sleep(20)) assert(Date.now() < end, what);
}

// What the canvas shows: its size, time, and color, if it has one only.
const picture = `(() => {
    const copy = document.createElement('canvas');
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const context = copy.getContext('2d');
    context.drawImage(canvas, 0, 0);
    const texels = context.getImageData(0, 0, copy.width, copy.height).data;
    const color = [...texels.slice(0, 4)];
    return {size: [copy.width, copy.height], time: canvas.dataset.time, color, isFlat: texels.every((value, i) => value === color[i % 4])};
})()`;

async function checkPicture(page) {
    const {size, color, isFlat} = await page.evaluate(picture);
    assert.deepEqual(size, [50, 30]);
    assert(isFlat && color[3] === 255, `the picture is ${color}`);
    // What 5 and 6 bits can be, within a code, and the first window.
    const isOf = (value, most) => Math.abs(value - Math.round(value * most / 255) * 255 / most) <= 1;
    assert(isOf(color[0], 31) && isOf(color[1], 63) && color[2] === 0, `the color ${color}`);
    assert(color[0] + color[1] > 0);
}

const press = (page, name) => page.evaluate(`document.querySelector('[value=${name}]').click()`);
const says = text => `$('said').textContent === '${text}'`;
const state = name => `$('state').textContent === '${name}'`;

async function useBrowsers(browser) {
    const page = await browser.open(url.href);
    await page.look(900, 700, false);
    await page.until(state('waiting'));
    assert.equal(await page.evaluate("[...document.querySelectorAll('button:disabled')].map(b => b.value).join()"), 'pause,replay,mark');
    await press(page, 'start');
    await page.until(says('recording'));
    await page.until("canvas.dataset.time && +$('frames').textContent > 40");
    await checkPicture(page);
    assert(await page.evaluate("canvas.getContext('webgl') !== null"), 'the GPU draws');
    assert.match(await page.evaluate("$('windows').textContent"), /^64×48$/);

    // Another one decodes blocks itself.
    const plain = await browser.open(url.href, `const get = HTMLCanvasElement.prototype.getContext;
        HTMLCanvasElement.prototype.getContext = function (type, ...rest) { return type === 'webgl' ? null : get.call(this, type, ...rest); };`);
    await plain.until("canvas.dataset.time && +$('frames').textContent > 40");
    await checkPicture(plain);

    // By keyboard: Tab reaches the title, and Enter marks; both pages stay alive.
    await page.call('Page.bringToFront');
    for (let i = 0; i < 9 && await page.evaluate("document.activeElement.id !== 'title'"); i++) await page.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.id'), 'title');
    await page.call('Input.insertText', {text: 'a title — ü'});
    await page.press('Enter', '\r');
    await page.until(says('marked: 1 movie'));
    await press(page, 'replay');
    await page.until(says('replay begun: 1 movie'));
    await press(plain, 'pause');
    await plain.until(says('paused'));
    await page.until(state('paused'));
    // One may be on its way yet.
    let before, now = (await page.evaluate(picture)).time;
    for (let tries = 0; now !== before; tries++) {
        assert(tries < 20, 'pictures in a pause');
        before = now;
        await sleep(300);
        now = (await page.evaluate(picture)).time;
    }
    await press(page, 'start');
    await page.until(`BigInt(canvas.dataset.time) > ${before}n`);
    await press(page, 'stop');
    await page.until(says('stopped, and the movies are closed'));
    await page.until(state('stopped'));
    await press(page, 'start');
    await page.until(state('recording'));
    await page.call('Page.reload');
    await page.until("canvas.dataset.time && $('state').textContent === 'recording'");

    // Nothing is cut off at any width, in either color.
    for (const [name, ...look] of [['light', 900, 900, false], ['dark', 900, 900, true], ['phone', 360, 740, true, true], ['narrow', 240, 400, false]]) {
        await page.look(...look);
        await sleep(200);
        assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, `${name} scrolls`);
        await page.screenshot(`${name}.png`);
    }
    return page;
}

async function useNoBrowser() {
    assert.equal((await get('/' + token)).status, 200);
    for (const path of ['/', '/?token=', token.slice(0, -1), token.slice(0, -1) + (token.endsWith('0') ? '1' : '0'), token + '0']) {
        const {status} = await get(path.startsWith('/') ? path : '/' + path);
        assert.equal(status, 403, `the token of ${path}`);
        assert.notEqual((await join(path.startsWith('/') ? path : '/' + path)).status, 101, `a WebSocket with ${path}`);
    }
    assert.equal((await get('/other' + token)).status, 404);
    const host = `evil.example:${url.port}`;
    assert.equal((await get('/' + token, {Host: host})).status, 403);
    for (const headers of [{Origin: null}, {Origin: 'http://evil.example'}, {Origin: 'null'}, {Host: host, Origin: `http://${host}`}, {Origin: origin + '0'}]) {
        assert.notEqual((await join('/' + token, headers)).status, 101, JSON.stringify(headers));
    }

    // One that does not say what it has shown gets three pictures and no more; one that does, goes on.
    const {socket} = await join();
    await until(() => socket.binary === 3, 'three pictures');
    await sleep(300);
    assert.equal(socket.binary, 3);
    send(socket, 'shown');
    await until(() => socket.binary === 4, 'a fourth picture');

    // One that says what no page says is closed.
    for (const [text, type] of [['halt'], ['status json'], ['stop now'], ['mark a\0b'], ['replay /tmp/x.mov'], [''], ['x'.repeat(600)], ['shown', 2].slice(0, 1).concat([9 + 4])]) {
        const {socket: hostile} = await join();
        send(hostile, text, type);
        await until(() => hostile.isClosed, `${JSON.stringify(text.slice(0, 20))} is answered`);
    }
    // One that reads nothing, and 16 in all.
    const stalled = (await join()).socket;
    stalled.pause();
    const sockets = [socket, stalled];
    for (let answer; sockets.length < 40 && (answer = await join()).status === 101;) sockets.push(answer.socket);
    await until(() => sockets.filter(each => !each.isClosed).length <= 16, 'more than 16 viewers');
    sockets.forEach(each => each.destroy());

    // Connections that never ask, and garbage, leave room for others after a while.
    const mute = Array.from({length: 60}, () => net.connect(url.port, url.hostname).on('error', () => {}));
    mute.slice(30).forEach(each => each.write(randomBytes(3000)));
    for (const end = Date.now() + 240000; (await get('/' + token)).status !== 200; await sleep(200)) assert(Date.now() < end, 'mute ones hold it');
    mute.forEach(each => each.destroy());
}

const browser = new Browser();
try {
    const page = await useBrowsers(browser);
    await useNoBrowser();
    await page.until(state('recording'));
    const {time} = await page.evaluate(picture);
    await page.until(`BigInt(canvas.dataset.time) > ${time}n`);
} finally {
    await browser.close();
}
process.exit(0);
