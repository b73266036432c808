import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { thisArchitecture } from '../../packages/image/architecture.ts';
import { entrypoint, environment, labelsOf, port, userAndGroup } from '../../packages/image/config.ts';
import { originOf } from '../../packages/image/origin.ts';
import { output, succeeds } from '../../tools/debian/commands.ts';
import { installMissing } from '../../tools/debian/install.ts';
import { about } from '../../tools/image/config.ts';
import { layRoot } from '../../tools/image/root.ts';
import { type Arena, openArena } from '../kube/arena.ts';
import { kubectl } from '../kube/kubectl.ts';
import { postEvent } from '../kube/post.ts';
import { makeProject, type NewProject } from '../new/project.ts';
import { type Built, openBuildah } from './buildah.ts';
import { haveNodeBase } from './node-base.ts';
import { npmSettings } from './npm-settings.ts';
import { recordedFor } from './recorded-for.ts';
import { type Place, post, withFunction } from './run-function.ts';

const limit = { timeout: 10 * 60_000 };
const log = (line: string): void => console.error(line);
const isHere = (program: string) => (): boolean => succeeds('which', program);

const buildah = openBuildah(log);
after(buildah.remove);

let arena: Arena;
let project: NewProject;
/** What npm needs to ask its registry while a Dockerfile is carried out. */
let mounts: Readonly<Record<string, string>>;

before(async () => {
  assert.equal(process.getuid?.(), 0, 'Dockerfiles are carried out in chroots, which only root may make');
  await installMissing(
    'The test of the Dockerfiles',
    { buildah: isHere('buildah'), mmdebstrap: isHere('mmdebstrap') },
    log,
  );
  arena = await openArena({ stems: [], withSource: false });
  mounts = npmSettings(buildah.folder);
});
after(() => arena.close());

before(() => {
  project = makeProject('demo');
  assert.ok(existsSync(join(project.folder, 'package-lock.json')));
  assert.equal(project.knudge('generate').status, 0);
});
after(() => project.remove());

const baseOf = (context: string): string | undefined =>
  /^FROM (\S+) AS build$/m.exec(readFileSync(join(context, 'Dockerfile'), 'utf8'))?.[1];

test('both Dockerfiles build in one image of Node.js, which is pulled or has a stand-in', limit, async (context) => {
  const base = baseOf('.') ?? assert.fail('the Dockerfile builds in no image');
  assert.equal(baseOf(project.folder), base);
  context.diagnostic(await haveNodeBase(buildah, base, log));
});

function assertSettings({ config }: Built): void {
  const { User, Env, ExposedPorts, Entrypoint, Cmd = null, WorkingDir } = config;
  const env = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  assert.deepEqual([User, Entrypoint, Cmd, WorkingDir], [userAndGroup, entrypoint, null, '/']);
  assert.deepEqual([Env, ExposedPorts], [env, { [`${String(port)}/tcp`]: {} }]);
}

/** What is below a folder with its mode and its owner, and the checksums of all files. */
function listing(root: string): ReadonlySet<string> {
  const each = "find . -mindepth 1 -printf '%p %y %m %U:%G %l\\n' && find . -type f -exec sha256sum {} +";
  return new Set(output('sh', '-c', `cd '${root}' && ${each}`).split('\n'));
}

let own: Built | undefined;

test('the Dockerfile of Knudge makes the image of npm run image, byte for byte', limit, async () => {
  const origin = originOf(process.cwd(), process.env);
  const { createdAt, revision = 'unknown' } = origin;
  const args = { REVISION: revision, SOURCE_DATE_EPOCH: String(createdAt) };
  own = await buildah.build({ context: process.cwd(), tag: 'knudge', args, mounts });
  assertSettings(own);
  const { 'org.opencontainers.image.created': _, ...labels } = labelsOf(about, origin);
  assert.deepEqual(own.config.Labels, labels);
  const root = join(buildah.folder, 'root');
  await layRoot(root, { arch: thisArchitecture(), origin, log });
  const [found, wanted] = [listing(own.root), listing(root)];
  assert.ok(wanted.size > 100);
  const without = (one: ReadonlySet<string>, other: typeof one) => [...one].filter((line) => !other.has(line));
  assert.deepEqual({ more: without(found, wanted), less: without(wanted, found) }, { more: [], less: [] });
});

const rootOf = (image: Built | undefined): string => image?.root ?? assert.fail('its Dockerfile was not carried out');

/** What a process of an image answers while it runs as its manifest says: first whether it is ready. */
async function answering<Result>(service: string, place: Place, use: (port: number) => Promise<Result>) {
  const { result, complaints, code } = await withFunction(service, place, async (at) => {
    const ready = await fetch(`http://127.0.0.1:${String(at)}/health/readiness`, {
      signal: AbortSignal.timeout(30_000),
    });
    assert.deepEqual([ready.status, await ready.text()], [200, 'ready']);
    return use(at);
  });
  // A code cache that V8 does not take is complained of here.
  assert.deepEqual([complaints, code], ['', 0]);
  return result;
}

test('that image is ready, and answers what was recorded of Messages', limit, async () => {
  const place = { arena, folder: buildah.folder, root: rootOf(own) };
  const statuses = await answering('message-changed', place, (at) =>
    Promise.all(recordedFor('message-changed').map(async (request) => (await post(at, request)).status)),
  );
  assert.ok(statuses.length > 0 && statuses.every((status) => status === 204), statuses.join());
});

let demo: Built | undefined;

test('the Dockerfile that knudge new controller copies makes an image with the same settings', limit, async () => {
  demo = await buildah.build({ context: project.folder, tag: 'demo', mounts });
  assertSettings(demo);
});

test('that image is ready, and makes the ConfigMap of a Greeting', limit, async (context) => {
  const file = (path: string): string => join(project.folder, path);
  context.after(() => kubectl('delete', '-k', file('crds'), '--ignore-not-found', '--timeout=60s'));
  await kubectl('apply', '-k', file('crds'));
  await kubectl('wait', 'crd', '--all', '--for=condition=Established', '--timeout=60s');
  await kubectl('apply', '-f', file('deploy/base/namespace.yaml'));
  await kubectl('apply', '-k', file('deploy/accounts'));
  await kubectl('apply', '-f', file('examples/greeting-ada.yaml'));
  const { stdout } = await kubectl('get', 'greeting', 'ada', '--output=json');
  const account = { namespace: 'demo', name: 'greeting' };
  const place = { arena, folder: buildah.folder, root: rootOf(demo), account };
  const { status, outcome } = await answering('greeting', place, (at) =>
    postEvent(`http://127.0.0.1:${String(at)}`, JSON.parse(stdout) as KubeObject, { query: 'greeting-changed' }),
  );
  assert.deepEqual([status, outcome], [204, 'done; reads=2; writes=2']);
  const text = await kubectl('get', 'configmap', 'greeting-ada', '--output=jsonpath={.data.text}');
  assert.equal(text.stdout, 'Hello, Ada');
});
