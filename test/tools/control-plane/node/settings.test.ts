import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { containerdCommand } from '../../../../tools/control-plane/node/enter.ts';
import { place, privateFolders } from '../../../../tools/control-plane/node/place.ts';
import { kubeletSettings, proxySettings } from '../../../../tools/control-plane/node/settings.ts';
import { whyNoNode } from '../../../../tools/control-plane/node/why-not.ts';
import { readPins } from '../../../../tools/control-plane/pins.ts';

const folder = join(import.meta.dirname, '../../../../tools/control-plane');

test('the node is of the same version of Kubernetes as the control plane', () => {
  const { kubernetes } = readPins(folder);
  const module = readFileSync(join(folder, 'node/go.mod'), 'utf8');
  assert.match(module, new RegExp(`^\\tk8s\\.io/kubernetes ${kubernetes.replaceAll('.', '\\.')}$`, 'm'));
});

test('kubelet and kube-proxy name files of their own cluster', () => {
  assert.match(JSON.stringify(kubeletSettings('/c', false)), /"clientCAFile":"\/c\/pki\/ca\.crt"/);
  assert.match(JSON.stringify(proxySettings('/c')), /"kubeconfig":"\/c\/node\/kube-proxy\.kubeconfig"/);
});

test('Pods are told where names are resolved only in a cluster that resolves them', () => {
  assert.doesNotMatch(JSON.stringify(kubeletSettings('/c', false)), /cluster(DNS|Domain)/);
  const { clusterDNS } = kubeletSettings('/c', true) as { clusterDNS: readonly string[] };
  const manifest = readFileSync(join(folder, '../knative/config/dns/coredns.yaml'), 'utf8');
  for (const address of clusterDNS) assert.ok(manifest.includes(`clusterIP: ${address}\n`), address);
});

test('a burst of 300 Messages leaves room for Knative and the functions that it wakes, and each Pod has an address', () => {
  const { maxPods } = kubeletSettings('/c', true) as { maxPods: number };
  assert.ok(maxPods >= 400, String(maxPods));
  const bits = Number(place.pods.split('/')[1]);
  // The network itself, the way out of it, and broadcast.
  assert.ok(maxPods <= 2 ** (32 - bits) - 3, place.pods);
});

test('containerd sees the folders of the node in place of the machine’s own, whatever the folder is called', () => {
  const script = containerdCommand("/a b/it's").at(-1) ?? '';
  for (const path of [...privateFolders, '/run/netns']) {
    assert.ok(script.includes(`mount --bind '/a b/it'\\''s/node/root${path}' ${path}\n`), path);
  }
  assert.match(script, /\nexec containerd /);
});

for (const name of ['KUBEBUILDER_ASSETS', 'KNUDGE_CLUSTER_KUBECONFIG']) {
  test(`with ${name} there is no node, and why is told`, () => {
    const why = whyNoNode({ [name]: '/x' });
    assert.equal(why, `A real node belongs to a control plane that is built here: unset ${name}.`);
  });
}
