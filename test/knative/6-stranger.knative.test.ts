import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { loadArchive, tagImage } from '../../tools/control-plane/node/load-image.ts';
import { message } from '../build/objects.ts';
import { kubectl } from '../kube/kubectl.ts';
import { until } from '../kube/until.ts';
import { makeProject } from '../new/project.ts';
import { fencesOf } from './fences.ts';
import { allReady } from './installed.ts';
import { openPlaces, places } from './places.ts';
import { home, site as openSite } from './site.ts';

const site = openSite();
const project = makeProject('demo');
/** A kustomization of the project that takes its image from the node. */
const cluster = join(project.folder, '../cluster');
const tag = '0.1.0';
/** Of Knudge, before the other controller came. */
let own: readonly string[];

before(async () => {
  await openPlaces(site);
  const [patch = ''] = fencesOf('docs/install.md', 'bash', 'What must be there');
  const env = { ...process.env, KUBECONFIG: site.kubeconfig };
  await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', patch], { env });
  own = await written();
  mkdirSync(cluster);
  const lines = ['resources: [../demo/deploy]', `images: [{ name: demo, newName: dev.local/demo, newTag: ${tag} }]`];
  writeFileSync(join(cluster, 'kustomization.yaml'), `${lines.join('\n')}\n`);
});
after(async () => {
  await kubectl('delete', '--namespace=demo', 'broker', '--all', '--timeout=90s');
  await kubectl('delete', '-k', cluster, '--ignore-not-found', '--timeout=90s');
  project.remove();
});

function done(...args: readonly string[]): string {
  const { status, stdout, stderr } = project.knudge(...args);
  assert.equal(status, 0, `knudge ${args.join(' ')}: ${stderr}${stdout}`);
  return stdout;
}

/** What of Knudge's own objects changes when somebody writes them: their status is another matter. */
async function written(): Promise<readonly string[]> {
  const namespaced = 'services.serving.knative.dev,brokers,triggers,apiserversources,pingsources';
  const columns =
    'jsonpath={range .items[*]}{.kind}/{.metadata.name} {.metadata.uid} {.metadata.generation}{"\\n"}{end}';
  const { stdout: objects } = await kubectl('get', `--namespace=${home}`, namespaced, `--output=${columns}`);
  const roles = columns.replace('generation', 'resourceVersion');
  const { stdout: all } = await kubectl('get', 'clusterroles,clusterrolebindings', `--output=${roles}`);
  return [...objects.split('\n'), ...all.split('\n').filter((line) => line.includes(`/${home}-`))].sort();
}

async function textOfChild(): Promise<string> {
  const args = ['get', 'configmap', 'greeting-ada', '--ignore-not-found', '--output=jsonpath={.data.text}'];
  return (await kubectl(...args)).stdout;
}

test('the image of a project of somebody else is called as its manifests name it', async () => {
  done('generate');
  const { archive, name } = JSON.parse(done('image', '--json')) as { readonly archive: string; readonly name: string };
  assert.equal(name, `demo:${tag}`);
  await loadArchive(site.node, archive);
  tagImage(site.node, `docker.io/library/${name}`, `dev.local/${name}`);
});

test('it runs on Knative, in a namespace of its own', async () => {
  await kubectl('apply', '-k', cluster);
  await allReady('demo');
});

test('Knudge goes on in the same cluster, and none of its objects is written', async () => {
  const now = await written();
  assert.ok(now.some((line) => line.startsWith('Broker/')) && now.some((line) => line.startsWith('ClusterRole/')));
  assert.deepEqual(now, own);
  await allReady();
  const where = ['--namespace', places.scenes];
  await site.put(message('beside', 'both', { namespace: places.scenes }));
  await kubectl(...where, 'wait', 'message/beside', '--for=condition=Ready', '--timeout=90s');
  await kubectl(...where, 'delete', 'message', 'beside', '--timeout=60s');
});

test('a Greeting becomes a ConfigMap there, which comes back where somebody deletes it, and goes with the Greeting', async () => {
  const example = join(project.folder, 'examples/greeting-ada.yaml');
  await kubectl('apply', '-f', example);
  const isWritten = async () => (await textOfChild()) === 'Hello, Ada' || (await textOfChild());
  await until('the Greeting has its ConfigMap', isWritten, 60);
  await kubectl('wait', 'greeting/ada', '--for=condition=Ready', '--timeout=60s');
  await kubectl('delete', 'configmap', 'greeting-ada');
  await until('the ConfigMap is back', isWritten, 60);
  await kubectl('delete', '-f', example, '--timeout=60s');
  await until('the ConfigMap is gone', async () => (await textOfChild()) === '' || 'it is there', 60);
});

test('people read its event log with the command line, as that of Knudge', async () => {
  const object = ['--kind', 'greeting', '--object', 'default/ada'];
  const where = ['--namespace', 'demo', '--kubeconfig', site.kubeconfig];
  const listed = JSON.parse(done('events', 'list', ...object, ...where, '--json')) as { readonly total: number };
  assert.ok(listed.total > 0);
});
