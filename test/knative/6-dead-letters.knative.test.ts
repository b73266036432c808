import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { message } from '../build/objects.ts';
import { kubectl } from '../kube/kubectl.ts';
import { until } from '../kube/until.ts';
import { jsonOf, runKnudge } from './command-line.ts';
import { openPlaces } from './places.ts';
import { home, site as openSite } from './site.ts';
import { told, untilProcessed } from './told.ts';

const run = promisify(execFile);
const site = openSite();
const { namespace, name } = told;

before(async () => {
  await openPlaces(site);
  await site.put(message(name, 'first', { namespace }));
  await untilProcessed(site);
});
after(() => kubectl('--namespace', namespace, 'delete', 'messages', '--all', '--timeout=60s'));

/** Runs a command that Knudge has printed, as it was printed. */
async function carryOut(command: string): Promise<void> {
  await run('bash', ['-euo', 'pipefail', '-c', command], { env: { ...process.env, KUBECONFIG: site.kubeconfig } });
}

interface Finding {
  readonly level: string;
  readonly what: string;
  readonly todo?: string;
}

async function problems(): Promise<readonly Finding[]> {
  const { out } = await runKnudge('doctor', '--json');
  const { findings } = JSON.parse(out) as { readonly findings: readonly Finding[] };
  return findings.filter(({ level }) => level === 'problem');
}

interface Letters {
  readonly deadLetters: readonly {
    readonly seq: number;
    readonly status?: number;
    readonly said?: string;
    readonly state: string;
  }[];
}

async function openLetters(): Promise<Letters['deadLetters']> {
  const [page] = (await jsonOf(['dead-letters', 'list', '--in-namespace', namespace])) as readonly Letters[];
  return page?.deadLetters ?? [];
}

async function images(): Promise<string> {
  const path = '{.items[*].spec.template.spec.containers[*].image}';
  return (await kubectl('--namespace', home, 'get', 'ksvc', `--output=jsonpath=${path}`)).stdout;
}

test('doctor and dead letters: rights that are gone are named, what doctor advises brings them back, and what was left undone is done', async () => {
  assert.deepEqual(await problems(), []);
  const before = await images();
  await kubectl('delete', 'clusterrolebinding', 'knudge-message');
  await site.put(message(name, 'second', { namespace }));
  await site.put(message('unwanted', 'third', { namespace }));
  await until('dead letters tell of it', async () => (await openLetters()).length >= 2 || openLetters(), 45);
  const letters = await openLetters();
  for (const { status, said } of letters) assert.match(`${String(status)} ${said ?? ''}`, /^500 .*not-permitted/);
  const [found, ...others] = await problems();
  assert.deepEqual(others, []);
  assert.match(found?.what ?? '', /^ServiceAccount knudge\/message may not /);
  assert.match(`${found?.what ?? ''} ${found?.todo ?? ''}`, /knudge-message\b/);
  await carryOut(found?.todo ?? '');
  assert.deepEqual(await problems(), []);
  assert.equal(await images(), before);
  await mendLetters(letters.map(({ seq }) => seq));
});

async function mendLetters(numbers: readonly number[]): Promise<void> {
  const [shown] = (await jsonOf(['dead-letters', 'show', String(numbers[0])])) as readonly { readonly state: string }[];
  assert.equal(shown?.state, 'open');
  await kubectl('--namespace', namespace, 'delete', 'message', 'unwanted');
  const retried = await runKnudge('dead-letters', 'retry', '--all', '--object', `${namespace}/${name}`);
  assert.equal(retried.code, 0, retried.said + retried.out);
  const left = (await openLetters()).map(({ seq }) => String(seq));
  if (left.length > 0) assert.equal((await runKnudge('dead-letters', 'discard', ...left, '--note', 'deleted')).code, 0);
  assert.deepEqual(await openLetters(), []);
  await untilProcessed(site);
}
