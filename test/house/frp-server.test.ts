import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readManifests } from '../../packages/mesh/manifests/read-manifests.ts';
import { parsePluginRequest } from '../../resources/distributed-service/gate/plugin.ts';
import { authorityName } from '../../resources/distributed-service/names.ts';
import { question } from '../../resources/distributed-service/test/gate/question.ts';
import { versions } from '../../tools/dataplane/versions.ts';
import { root, textOf } from './files.ts';

type Json = Readonly<Record<string, unknown>>;

const configOf = (folder: string): Json => JSON.parse(textOf(`deploy/${folder}/frps.json`)) as Json;
const config = configOf('frps');
const kustomization = textOf('deploy/frps/kustomization.yaml');
const deployment = textOf('deploy/frps/frps.yaml');

describe('the FRP server of deploy/frps', () => {
  it('lets nobody in without TLS and the gate, and has no token, which would be the key of every connection', () => {
    const { transport, auth, httpPlugins } = config as { transport: { tls: Json }; auth: Json; httpPlugins: Json[] };
    assert.equal(transport.tls['force'], true);
    assert.deepEqual(auth, { method: 'token' });
    assert.deepEqual(httpPlugins[0]?.['ops'], ['Login', 'NewProxy', 'Ping']);
  });

  it('asks the gate that is deployed, as the server of its own profile', () => {
    const [plugin] = (config as { httpPlugins: { addr: string; path: string }[] }).httpPlugins;
    const gate = readManifests({ root }).functions.find(({ name }) => name === 'frp-gate');
    assert.equal(plugin?.addr, `http://${gate?.name}.${gate?.namespace}.svc.cluster.local`);
    assert.equal(parsePluginRequest(plugin?.path ?? '', question('ping').body).question.server, 'knudge/frps');
    assert.match(kustomization, /namespace: knudge\n/);
    assert.match(
      kustomization,
      /- name: frps\n.*\n.*\n.*\n.*\n {4}options:\n {6}disableNameSuffixHash: true\n {6}labels:\n {8}frp.io\/server-profile: default/,
    );
  });

  it('shows its dashboard and its metrics to nobody outside of its Pod', () => {
    assert.deepEqual(config['webServer'], { addr: '127.0.0.1', port: 7500 });
    assert.equal(config['enablePrometheus'], true);
    assert.ok(!deployment.includes('7500\n'));
  });

  it('is of the version that the data plane names, restricted, and alone', () => {
    for (const line of [
      `image: ${versions.frp.serverImage}`,
      'replicas: 1',
      'type: Recreate',
      'automountServiceAccountToken: false',
      'runAsNonRoot: true',
      'readOnlyRootFilesystem: true',
      'allowPrivilegeEscalation: false',
      'drop: [ALL]',
      'type: RuntimeDefault',
    ]) {
      assert.ok(deployment.includes(line), `has no ${line}`);
    }
  });

  it('with client certificates is the same but for their authorities', () => {
    const { transport, ...rest } = configOf('frps-mutual-tls') as { transport: { tls: Json } };
    const { transport: plain, ...same } = config as { transport: { tls: Json } };
    assert.deepEqual(rest, same);
    assert.deepEqual(transport.tls, { ...plain.tls, trustedCaFile: '/run/frps/ca.crt' });
    const patch = textOf('deploy/frps-mutual-tls/patch.yaml');
    assert.match(patch, new RegExp(`secretName: ${authorityName('default')}\\n`));
    // The keys of the authorities lie in the same Secret.
    assert.match(patch, /items:\n +- key: ca\.crt\n +path: ca\.crt\n +- name: run\n/);
  });

  it('is not part of the mesh on one machine', () => {
    const names = readManifests({ root }).objects.map(({ metadata }) => metadata.name);
    assert.ok(!names.some((name) => name.startsWith('frps')));
  });
});
