import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { root, textOf } from '../../test/house/files.ts';
import { until } from '../../test/kube/until.ts';
import { runIn } from './knudge.ts';

const page = 'docs/message-experiments.md';
/** What is on a real API server, and what is only named, comes after that. */
const [text = ''] = textOf(page).split('## On a real API server');

interface Step {
  readonly run: string;
  /** Of a console block; a bash block shows nothing, or in a text block behind it what its last command prints. */
  readonly prints?: string;
}

const steps = [...text.matchAll(/^```(bash|console|text)\n([\s\S]*?)^```/gm)].flatMap(([, kind, body = '']): Step[] => {
  if (kind === 'bash')
    return body
      .trimEnd()
      .split('\n')
      .map((run) => ({ run }));
  if (kind === 'text') return [{ run: '', prints: body }];
  const commands = body.split(/^\$ /m).slice(1);
  return commands.map((one) => ({ run: one.slice(0, one.indexOf('\n')), prints: one.slice(one.indexOf('\n') + 1) }));
});

const dir = mkdtempSync(join(tmpdir(), 'knudge-experiments-'));
symlinkSync(join(root, 'examples'), join(dir, 'examples'));
const mesh = runIn(dir, ['dev', '--port', '0']);
const seen = { screen: '', last: '' };

before(async () => {
  mesh.child.stdout?.on('data', (chunk: Buffer) => {
    seen.screen += chunk.toString();
  });
  // Nobody is as fast as a test: the resync of the start is over when a person makes the first Message.
  await until('the mesh is up', async () => seen.screen.includes('dev.knudge.resync.due → ') || seen.screen, 90);
});
after(async () => {
  mesh.child.kill('SIGTERM');
  const { code } = await mesh.ended;
  rmSync(dir, { recursive: true, force: true });
  assert.equal(code, 0);
});

/** What one of them prints on both streams, whatever its exit code. */
function shell(command: string): Promise<{ readonly code: number; readonly out: string }> {
  const knudge = `'${process.execPath}' '${join(root, 'cli/knudge.js')}'`;
  const ours = command.replaceAll('npx knudge', knudge);
  // A watch goes on until it is ended.
  const whole = ours.endsWith('--watch') ? `timeout 3 ${ours}; test $? = 124` : ours;
  const options = { cwd: dir, env: { ...process.env, KUBECONFIG: '.knudge/kubeconfig' }, timeout: 90_000 };
  return new Promise((resolve) => {
    execFile('bash', ['-c', whole], options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), out: stdout + stderr }),
    );
  });
}

/** Ages, durations and times of day are those of one run, and so are the width of columns and the order within a second. */
function withoutTimes(printed: string): string {
  return printed
    .replace(/\d\d:\d\d:\d\d/g, 'TIME')
    .replace(/\b\d+ ?(ms|s|m)\b/g, 'AGE')
    .replace(/[ \t]+/g, ' ')
    .trim()
    .split('\n')
    .sort()
    .join('\n');
}

/** The lines of the screen about a function which wrote something; which events come together, and what was cold, differs. */
function writesIn(screen: string): readonly string[] {
  return [...screen.matchAll(/(?:Message|Pod) \S+ added → \S+?-changed|: \d+ writes?/g)].map(([found]) => found);
}

test('the page begins with what starts the mesh', () => {
  assert.deepEqual(
    steps.slice(0, 3).map(({ run }) => run),
    ['npm ci', 'npm start', 'export KUBECONFIG=.knudge/kubeconfig'],
  );
  assert.ok(steps.length > 12);
});

for (const { run, prints } of steps.slice(3)) {
  test(run === '' ? `it shows ${prints?.split('\n')[0]}` : run, async () => {
    if (run === '') return shows(prints ?? '');
    let { code, out } = await shell(run);
    if (prints !== undefined) {
      await until(`${run} prints what the page says`, async () => {
        if (withoutTimes(out) === withoutTimes(prints)) return true;
        ({ code, out } = await shell(run));
        return out;
      });
    }
    seen.last = out;
    assert.equal(code, 0, out);
  });
}

/** A text behind commands: of the screen of the mesh, which has times, or what the last command printed. */
async function shows(prints: string): Promise<void> {
  if (!/^\d\d:\d\d:\d\d/.test(prints)) return assert.equal(withoutTimes(seen.last), withoutTimes(prints));
  const wanted = writesIn(prints);
  assert.ok(wanted.length > 2);
  await until('the screen shows what was written', async () => {
    const shown = writesIn(seen.screen);
    return wanted.every((one) => shown.includes(one)) || seen.screen;
  });
}
