import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { adminAccess, podLayout } from '../../resources/distributed-service/envoy/data-plane.ts';
import type { MemoryCall } from '../build/memory-cluster.ts';
import { callsFor, controllerNamespace, namespace, type Scene, scene, serversToken } from './reconciled.ts';

const seed = Number(process.env['KNUDGE_SEED'] || 20_261_122);
const runs = 120;

type Result = Awaited<ReturnType<typeof callsFor>> & { readonly given: Scene };
const results: Result[] = [];

before(async () => {
  for (const given of fc.sample(scene, { numRuns: runs, seed })) results.push({ ...(await callsFor(given)), given });
});

const isWrite = ({ verb }: MemoryCall): boolean => verb === 'create' || verb === 'apply';
const made = (): readonly { readonly object: KubeObject; readonly of: Result }[] =>
  results.flatMap((of) => of.calls.filter(isWrite).flatMap(({ object }) => (object ? [{ object, of }] : [])));
const at = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Record<string | number, unknown> | undefined)?.[key], value);

/** Whether a call goes where a service of one namespace has no business. */
function isTrespass({ verb, ref }: MemoryCall): boolean {
  const { kind, name } = ref;
  if (ref.namespace === namespace) return false;
  // Who has the same port or domain by a label of before: Services of all namespaces.
  if (ref.namespace === '') return verb !== 'list' || kind !== 'Service';
  const isAuthority = kind === 'Secret' && name === 'frp-default-ca';
  const isRead = verb === 'get' || verb === 'getMetadata' || verb === 'list';
  const isShared = isAuthority || kind === 'Claim' || (kind === 'ConfigMap' && isRead);
  return ref.namespace !== controllerNamespace || !isShared;
}

/** The values of `data` as they are meant, if they were those of a Secret. */
function valuesOf(object: KubeObject): readonly string[] {
  const values = Object.values((at(object, 'data') ?? {}) as Record<string, string>);
  return values.map((value) => Buffer.from(value, 'base64').toString('latin1'));
}

const isKey = (text: string): boolean => text.includes('PRIVATE KEY');

/** Every Pod that is made, as it is written or in the template of a Deployment. */
function pods(): readonly Readonly<Record<string, unknown>>[] {
  const specs = made().map(({ object }) =>
    object.kind === 'Pod' ? at(object, 'spec') : at(object, 'spec', 'template', 'spec'),
  );
  return specs.filter((one) => one !== undefined) as Readonly<Record<string, unknown>>[];
}

describe(`${runs} services and Messages of seed ${seed}, from their creation until they are gone`, () => {
  it('make every kind of child', (context) => {
    const kinds = new Set(made().map(({ object }) => object.kind));
    assert.deepEqual([...kinds].sort(), ['Claim', 'ConfigMap', 'Deployment', 'Pod', 'Secret', 'Service']);
    assert.ok(results.some(({ given }) => given.home === controllerNamespace));
    context.diagnostic(
      `counted: ${made().length} objects as they are written, ${results.flatMap(({ calls }) => calls).length} calls`,
    );
  });

  it('S2: no Pod of theirs has an account, a token, a path or a namespace of the node, or a field of a tenant', () => {
    const allowed = [
      ...['automountServiceAccountToken', 'containers', 'enableServiceLinks', 'restartPolicy', 'securityContext'],
      ...['terminationGracePeriodSeconds', 'volumes'],
    ];
    for (const pod of pods()) {
      assert.deepEqual(
        Object.keys(pod).filter((key) => !allowed.includes(key)),
        [],
      );
      assert.equal(pod['automountServiceAccountToken'], false);
      const names = (pod['containers'] as readonly unknown[]).map((one) => at(one, 'env', 0, 'name'));
      assert.deepEqual(
        names.filter((one) => one !== undefined && one !== 'MESSAGE_TEXT' && one !== 'KNUDGE_POD_UID'),
        [],
      );
      const volumes = (pod['volumes'] ?? []) as readonly Record<string, unknown>[];
      const sources = volumes.flatMap((volume) => Object.keys(volume).filter((key) => key !== 'name'));
      assert.deepEqual(
        sources.filter((source) => source !== 'configMap' && source !== 'secret'),
        [],
      );
    }
  });

  it('S3: nothing is asked or written outside of the namespace but the profile, its authority and the Claims in the controller’s', () => {
    const outside = results.flatMap(({ calls }) => calls.filter(isTrespass));
    assert.deepEqual(
      outside.map(({ verb, ref }) => `${verb} of ${ref.kind} ${ref.namespace}/${ref.name}`),
      [],
    );
    const shared = results.flatMap(({ calls }) => calls).filter(({ ref }) => ref.namespace === controllerNamespace);
    assert.ok(shared.some(({ ref }) => ref.kind === 'Secret') && shared.some(({ ref }) => ref.kind === 'ConfigMap'));
  });

  it('S5: frpc.json has no key that runs, opens, loads or forwards anything else', () => {
    const allowed = [
      ...['auth', 'log', 'loginFailExit', 'metadatas', 'proxies', 'serverAddr', 'serverPort', 'transport'],
      'webServer',
    ];
    const { user, password } = adminAccess;
    const admin = { addr: '127.0.0.1', port: podLayout.adminPort, user, password: `{{ .Envs.${password} }}` };
    const texts = made()
      .map(({ object }) => at(object, 'data', 'frpc.json'))
      .filter((text) => typeof text === 'string');
    assert.ok(texts.length >= runs / 2);
    for (const text of texts) {
      const config = JSON.parse(text) as Readonly<Record<string, unknown>>;
      assert.deepEqual(
        Object.keys(config).filter((key) => !allowed.includes(key)),
        [],
      );
      assert.deepEqual(config['webServer'], admin, 'to its own Pod alone, and with a password that stands nowhere');
      assert.doesNotMatch(text, /"(plugin|includes|store|exec|proxyURL|dnsServer|natHoleStunServer)"|xtcp|stcp/);
      assert.equal(typeof at(config, 'transport', 'tls', 'trustedCaFile'), 'string');
    }
  });

  it('S7: what selects Pods of theirs says the uid of the owner', () => {
    for (const { object, of } of made()) {
      const uid = of.owners[0]?.metadata.uid;
      const selector =
        object.kind === 'Deployment' ? at(object, 'spec', 'selector', 'matchLabels') : at(object, 'spec', 'selector');
      if (selector === undefined || at(object, 'spec', 'clusterIP') === 'None') continue;
      assert.equal(at(selector, 'knudge.dev/owner-uid'), uid);
    }
  });

  it('S8: every child has one owner, its controller, by uid, in its own namespace; an authority and a Claim have none', () => {
    for (const { object, of } of made()) {
      const { ownerReferences: owners = [], labels = {} } = object.metadata;
      if (labels['frp.io/certificate-authority'] !== undefined) {
        assert.deepEqual(owners, [], 'it outlives the ConfigMap of its profile');
        assert.equal(object.metadata.namespace, of.given.home);
        continue;
      }
      if (object.kind === 'Claim') {
        assert.deepEqual([owners, object.metadata.namespace], [[], controllerNamespace]);
        continue;
      }
      const owner = of.owners.find(({ metadata }) => metadata.uid === owners[0]?.uid);
      assert.deepEqual([owners.length, owners[0]?.controller], [1, true], `${object.kind} ${object.metadata.name}`);
      assert.equal(object.metadata.namespace, owner?.metadata.namespace);
    }
  });

  it('S14: private keys stand in the data of Secrets and nowhere else', () => {
    const all = [...made().map(({ object }) => object), ...results.flatMap(({ known }) => known)];
    const secrets = all.filter(({ kind }) => kind === 'Secret');
    const keys = secrets.flatMap(valuesOf).filter((value) => isKey(value));
    assert.ok(keys.length > runs / 4, `${keys.length} keys`);
    for (const object of all) {
      const isSecret = object.kind === 'Secret';
      assert.ok(!isKey(JSON.stringify(isSecret ? { ...object, data: {} } : object)), object.metadata.name);
      if (!isSecret) assert.ok(!valuesOf(object).some(isKey), object.metadata.name);
    }
  });

  it('S16: every Pod of theirs is restricted, to the letter of the Pod Security standard', () => {
    for (const pod of pods()) {
      const shared = pod['securityContext'];
      assert.deepEqual([at(shared, 'runAsNonRoot'), at(shared, 'seccompProfile', 'type')], [true, 'RuntimeDefault']);
      for (const container of pod['containers'] as readonly unknown[]) {
        const own = at(container, 'securityContext');
        assert.deepEqual(at(own, 'capabilities'), { drop: ['ALL'] });
        assert.deepEqual([at(own, 'allowPrivilegeEscalation'), at(own, 'readOnlyRootFilesystem')], [false, true]);
        assert.equal(typeof at(container, 'resources', 'limits', 'memory'), 'string');
      }
    }
  });

  it('S21: the token of a server is mounted and never read', () => {
    const tokens = results.filter(({ given }) => given.login === 'token');
    assert.ok(tokens.length > runs / 4);
    assert.ok(tokens.some(({ calls }) => calls.some(({ ref }) => ref.name === 'frps-token')));
    for (const { calls, known } of tokens) {
      const asked = calls.filter(({ ref }) => ref.kind === 'Secret' && ref.name === 'frps-token');
      assert.ok(asked.every(({ verb }) => verb === 'getMetadata'));
      const others = known.filter(({ metadata }) => metadata.name !== 'frps-token');
      assert.ok(!JSON.stringify(others).includes(btoa(serversToken)) && !JSON.stringify(others).includes(serversToken));
    }
  });
});
