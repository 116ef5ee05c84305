// SPDX-License-Identifier: MIT
// A headless Chromium, by its protocol of developer tools over a pipe, of which each message ends with a 0.
import {spawn} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';

export const sleep = ms => new Promise(done => setTimeout(done, ms));

export class Browser {
    constructor() {
        this.home = mkdtempSync('/tmp/weir-browser-');
        this.process = spawn('chromium', ['--headless=new', '--no-sandbox', '--disable-gpu-sandbox', '--enable-unsafe-swiftshader',
            '--remote-debugging-pipe', '--no-first-run', '--hide-scrollbars', `--user-data-dir=${this.home}`],
            {stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'], env: {...process.env, HOME: this.home}});
        this.calls = new Map();
        let text = '';
        this.process.stdio[4].setEncoding('utf8').on('data', data => {
            const parts = (text + data).split('\0');
            text = parts.pop();
            for (const message of parts.map(JSON.parse)) {
                const call = this.calls.get(message.id);
                this.calls.delete(message.id);
                if (message.error) call?.fail(new Error(JSON.stringify(message.error)));
                else call?.done(message.result);
            }
        });
    }

    call(method, params = {}, sessionId = undefined) {
        const id = this.last = (this.last ?? 0) + 1;
        this.process.stdio[3].write(JSON.stringify({id, method, params, sessionId}) + '\0');
        return new Promise((done, fail) => this.calls.set(id, {done, fail}));
    }

    async open(url, script = '') {
        const {targetId} = await this.call('Target.createTarget', {url: 'about:blank'});
        const {sessionId} = await this.call('Target.attachToTarget', {targetId, flatten: true});
        const page = new Page(this, sessionId);
        await page.call('Page.enable');
        await page.call('Page.addScriptToEvaluateOnNewDocument', {source: script});
        await page.call('Page.navigate', {url});
        return page;
    }

    async close() {
        this.process.kill('SIGKILL');
        for (let isThere = true; isThere; await sleep(100)) {
            try {
                rmSync(this.home, {recursive: true, force: true});
                isThere = false;
            } catch { // its other processes write until they notice
            }
        }
    }
}

class Page {
    constructor(browser, session) {
        Object.assign(this, {browser, session});
    }

    call(method, params) {
        return this.browser.call(method, params, this.session);
    }

    async evaluate(expression) {
        const {result, exceptionDetails} = await this.call('Runtime.evaluate', {expression, awaitPromise: true, returnByValue: true});
        if (exceptionDetails) throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`);
        return result.value;
    }

    // Wait until an expression is true.
    async until(expression, ms = 240000) {
        for (const end = Date.now() + ms; !await this.evaluate(expression).catch(() => false); await sleep(50)) {
            if (Date.now() > end) throw new Error(`never: ${expression}; the page says ${await this.evaluate('document.body.innerText')}`);
        }
    }

    async press(key, text = undefined) {
        const code = {Enter: 13, Tab: 9}[key];
        for (const type of ['keyDown', 'keyUp']) {
            await this.call('Input.dispatchKeyEvent', {type, key, code: key, windowsVirtualKeyCode: code, text: type === 'keyDown' ? text : undefined});
        }
    }

    // The size of the screen, and whether it is dark.
    async look(width, height, isDark, isPhone = false) {
        await this.call('Emulation.setDeviceMetricsOverride', {width, height, deviceScaleFactor: isPhone ? 2 : 1, mobile: isPhone});
        await this.call('Emulation.setEmulatedMedia', {features: [{name: 'prefers-color-scheme', value: isDark ? 'dark' : 'light'}]});
    }

    async screenshot(file) {
        writeFileSync(file, Buffer.from((await this.call('Page.captureScreenshot', {format: 'png'})).data, 'base64'));
    }
}
