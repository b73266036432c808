import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { resyncLease } from '../../packages/controller/domain/names.ts';
import { knudgeImage } from '../../tools/knative/knudge.ts';
import { kubectl } from '../kube/kubectl.ts';
import { until } from '../kube/until.ts';
import { runKnudge } from './command-line.ts';
import { fencesOf } from './fences.ts';
import { uninstall } from './install-again.ts';
import { messageStream } from './message-stream.ts';
import { makePlaces, places } from './places.ts';
import { home, site as openSite } from './site.ts';

const run = promisify(execFile);
const site = openSite();
const folder = mkdtempSync(join(tmpdir(), 'knudge-install-'));
const document = 'docs/install.md';
/** After the last source is Ready: a resync begins then, and wakes two functions one after the other. */
const longestSeconds = 15;

before(async () => {
  await uninstall(site);
  await makePlaces(site);
  symlinkSync(resolve('.'), join(folder, 'knudge'));
  const [kustomization = ''] = fencesOf(document, 'yaml', 'Install it');
  const theirs = 'newName: registry.example/knudge, digest: "sha256:…"';
  assert.ok(kustomization.includes(theirs), `${document} says elsewhere which image is meant`);
  const ours = `newName: ${knudgeImage.name}, newTag: "${knudgeImage.tag}"`;
  writeFileSync(join(folder, 'kustomization.yaml'), kustomization.replace(theirs, ours));
});
after(() => rmSync(folder, { recursive: true }));

/** Runs a command of the document as it stands there, in the folder of the kustomization. */
function inFolder(command: string): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const env = { ...process.env, KUBECONFIG: site.kubeconfig };
  return run('bash', ['-euo', 'pipefail', '-c', command], { cwd: folder, env, maxBuffer: 16 * 1024 * 1024 });
}

const [apply = '', look = '', examine = ''] = (fencesOf(document, 'bash', 'Install it')[0] ?? '').split('\n');

interface Told extends KubeObject {
  readonly status?: {
    readonly observedGeneration?: number;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly lastTransitionTime: string;
    }[];
  };
}

/** What the document looks at, and when the last source that watches objects became Ready; a sentence while something is not. */
async function whenReady(): Promise<number | string> {
  const { stdout } = await inFolder(`${look} --output json`);
  const { items } = JSON.parse(stdout) as { readonly items: readonly Told[] };
  if (items.length < 20) return `${String(items.length)} objects`;
  const ready = items.map(({ status }) => status?.conditions?.find(({ type }) => type === 'Ready'));
  const left = items.filter((_, at) => ready[at]?.status !== 'True');
  if (left.length > 0) return left.map(({ kind, metadata }) => `${kind} ${metadata.name}`).join(', ');
  const ofSources = ready.filter((_, at) => items[at]?.kind === 'ApiServerSource');
  return Math.max(...ofSources.map((condition) => Date.parse(condition?.lastTransitionTime ?? '')));
}

test('what the document says installs it: no warning, all is Ready, and no Message of any second is without its Pod', async (context) => {
  const [patch = ''] = fencesOf(document, 'bash', 'What must be there');
  await inFolder(patch);
  const stream = messageStream(site, places.scenes);
  const began = Date.now();
  const { stderr } = await inFolder(apply);
  assert.doesNotMatch(stderr, /warning/i);
  let lastSource = 0;
  await until(
    'all is Ready',
    async () => {
      const when = await whenReady();
      if (typeof when === 'string') return when;
      lastSource = when;
      return true;
    },
    150,
  );
  context.diagnostic(`counted: installed, all Ready after ${((Date.now() - began) / 1000).toFixed(0)} s`);
  await until('Messages were applied after that', async () => Date.now() > lastSource + 5000, 10);
  const made = await stream.stop();
  assert.ok(made.some(({ at }) => at < lastSource) && made.some(({ at }) => at > lastSource));
  const late = (await stream.pods(lastSource, longestSeconds)).filter(({ seconds }) => seconds > longestSeconds);
  assert.deepEqual(late, []);
  await firstResync(lastSource);
  await noRestart();
});

/** It comes after the last source watches: what was made before that nothing else reports. */
async function firstResync(lastSource: number): Promise<void> {
  const path = `/apis/coordination.k8s.io/v1/namespaces/${home}/leases/${resyncLease}`;
  await until('the first resync comes', async () => {
    const { status, body } = await site.api('GET', path);
    const { spec } = body as { readonly spec?: { readonly renewTime: string } };
    return (status === 200 && Date.parse(spec?.renewTime ?? '') >= lastSource) || body;
  });
  const { out } = await runKnudge('events', 'list', '--type', 'resync.due', '--json');
  assert.match(out, /\/knudge\/first-resync/);
}

interface Pods {
  readonly items: readonly {
    readonly metadata: { readonly name: string };
    readonly status: { readonly containerStatuses?: readonly { readonly restartCount: number }[] };
  }[];
}

async function noRestart(): Promise<void> {
  const { stdout } = await kubectl('--namespace', home, 'get', 'pods', '--output=json');
  const restarted = (JSON.parse(stdout) as Pods).items
    .filter(({ status }) => status.containerStatuses?.some(({ restartCount }) => restartCount > 0))
    .map(({ metadata }) => metadata.name);
  assert.deepEqual(restarted, []);
}

test('it is sound, as the document has people see', async () => {
  const doctor = 'npx knudge doctor --kubeconfig ~/.kube/config';
  assert.equal(examine.trim(), doctor);
  const { code, out } = await runKnudge('doctor');
  assert.equal(code, 0, out);
  const [first = ''] = (fencesOf(document, 'bash', 'Install it')[1] ?? '').split('\n');
  await inFolder(first.replace('examples/', 'knudge/examples/'));
  await until('the Message has its Pod', async () => {
    const pod = await site.get('v1', 'Pod', { namespace: 'default', name: 'msg-hello' });
    return pod !== undefined;
  });
});

test('applied again it changes nothing', async () => {
  const { stdout } = await inFolder(apply.replace(' apply ', ' diff '));
  assert.equal(stdout, '');
});
