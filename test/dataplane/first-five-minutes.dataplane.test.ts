import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readState } from '../../packages/mesh/state.ts';
import { play } from '../../tools/recording/play.ts';
import { sections } from '../../tools/recording/sections.ts';
import { root } from '../house/files.ts';

const skip = process.platform !== 'linux' && 'only Linux has all of 127.0.0.0/8';
const knudge = `'${process.execPath}' cli/knudge.js`;
/** What a clone has that the commands use; they change it. */
const used = ['cli', 'crds', 'deploy', 'eventing', 'examples', 'functions', 'packages', 'resources', 'tools'];
const files = ['package.json', 'tsconfig.json'];

test('the commands of the first five minutes print what the recording says', {
  skip,
  timeout: 300_000,
}, async (context) => {
  const dir = mkdtempSync(join(tmpdir(), 'knudge-first-'));
  context.after(() => rmSync(dir, { recursive: true, force: true }));
  for (const name of [...used, ...files]) cpSync(join(root, name), join(dir, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'));
  const translate = (command: string, first: string): string => {
    if (command.startsWith('npm start -- ')) return command.replace('npm start --', `exec ${knudge} dev --port 0`);
    const [, port = ''] = /curl http:\/\/web\.localhost:(\d+)\//.exec(first) ?? [];
    return command
      .replaceAll('npx knudge', knudge)
      .replaceAll('web.localhost:8380', `web.localhost:${port}`)
      .replaceAll('http://127.0.0.1:8301/knudge/knudge', readState(join(dir, '.knudge')).broker);
  };
  await play(
    sections.filter(({ gets }) => gets !== true),
    {
      folder: () => dir,
      env: { ...process.env, KUBECONFIG: '.knudge/kubeconfig', COLUMNS: '80', NO_COLOR: '1' },
      translate,
      timeout: 120,
    },
  );
});
