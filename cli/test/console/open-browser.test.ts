import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { openInBrowser } from '../../open-browser.ts';
import { newFolder } from '../log-folder.ts';

const url = 'http://127.0.0.1:8309/console/#token=t';

/** A folder with a program of this name, which notes what it is given and ends. */
function machineWith(context: TestContext, platform: string, { name, code }: { name: string; code: number }) {
  const folder = newFolder(context);
  const noted = join(folder, 'noted');
  const script = `#!/bin/sh\necho "$1" > ${noted}\nexit ${code}\n`;
  writeFileSync(join(folder, name), script, { mode: 0o755 });
  return { machine: { platform, env: { PATH: folder } }, noted: () => readFileSync(noted, 'utf8') };
}

suite('--open', () => {
  for (const [platform, name] of [
    ['linux', 'xdg-open'],
    ['darwin', 'open'],
  ] as const) {
    test(`on ${platform} gives the address to ${name}`, async (context) => {
      const { machine, noted } = machineWith(context, platform, { name, code: 0 });
      assert.equal(await openInBrowser(url, machine), undefined);
      assert.equal(noted(), `${url}\n`);
    });
  }

  test('says in a sentence that there is no browser, no program for it, or no such system', async (context) => {
    const { machine } = machineWith(context, 'linux', { name: 'xdg-open', code: 3 });
    assert.match((await openInBrowser(url, machine)) ?? '', /^xdg-open finds no browser \(exit code 3\): open the/);
    const without = { platform: 'linux', env: { PATH: newFolder(context) } };
    assert.match((await openInBrowser(url, without)) ?? '', /^There is no xdg-open here to open a browser: /);
    assert.match(
      (await openInBrowser(url, { platform: 'aix', env: {} })) ?? '',
      /^Knudge cannot open a browser on aix/,
    );
  });

  test('holds its process until the program has ended, or for a while', async (context) => {
    const module = JSON.stringify(new URL('../../open-browser.ts', import.meta.url).href);
    for (const [name, script] of [
      ['quick', 'sleep 0.2; exit 3'],
      ['slow', 'sleep 5'],
    ] as const) {
      const folder = newFolder(context);
      writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
      const env = JSON.stringify({ PATH: `${folder}:${process.env['PATH']}` });
      const code = `const { openInBrowser } = await import(${module});
        console.log(String(await openInBrowser('http://127.0.0.1/', { platform: 'linux', env: ${env} })));`;
      const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code]);
      assert.match(stdout, name === 'quick' ? /^xdg-open finds no browser \(exit code 3\)/ : /^undefined\n$/);
    }
  });
});
