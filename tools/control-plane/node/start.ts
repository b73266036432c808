import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { output } from '../../debian/commands.ts';
import type { ApiClient } from '../api-client.ts';
import { ClusterError } from '../errors.ts';
import { kubeconfigFor } from '../kubeconfig.ts';
import { type Launch, launch } from '../launch.ts';
import { acceptsPods } from '../ready.ts';
import { makeAccounts } from './accounts.ts';
import { makeCgroups } from './cgroups.ts';
import { claimNode } from './claim.ts';
import { containerdCommand, inNetwork, inNode } from './enter.ts';
import { loadImages } from './load-image.ts';
import { makeNetwork } from './network.ts';
import { behind, fileOf, place } from './place.ts';
import { containerdSettings, kubeletSettings, networkSettings, pauseImage, proxySettings } from './settings.ts';

export type NodeLaunch = Launch & {
  /** Whether a DNS server for Services runs in the cluster, whose address the Pods get. */
  dns: boolean;
  /** The program with kubelet and kube-proxy. */
  kubenode: string;
  /** Calls the API server as an administrator. */
  call: ApiClient;
  checkAlive: () => void;
  log: (line: string) => void;
};

const readyTimeoutMs = 120_000;

/**
 * Starts the machine's one real node for a control plane that runs, and waits until Pods can run there. Throws
 * ClusterError; `removeNode` then removes what was started.
 */
export async function startNode(node: NodeLaunch): Promise<void> {
  const { dir, call, kubenode, log } = node;
  const start = ([program, ...args]: readonly [string, ...string[]]) => launch(program, args, node);
  const at = (name: string) => fileOf(dir, name);
  log('Starting the node.');
  claimNode(dir);
  makeNetwork();
  makeCgroups();
  await start([kubenode, 'forward', place.netns, `:${place.apiPort}`, join(dir, 'kubeconfig')]);
  writeSettings(node, await makeAccounts(call));
  await start(containerdCommand(dir));
  const socket = behind(dir, '/run/containerd/containerd.sock');
  await until(node, 'container runtime that answers', async () => existsSync(socket));
  const busybox = output('which', 'busybox').trim();
  const pause = ['/bin/busybox', 'sleep', '2147483647'];
  loadImages(dir, [{ name: pauseImage, files: { '/bin/busybox': busybox }, command: pause }]);
  const kubeconfigs = ['kubelet', 'bootstrap'].map((name) => at(`${name}.kubeconfig`));
  const kubelet = [
    `--config=${at('kubelet.json')}`,
    `--kubeconfig=${kubeconfigs[0]}`,
    `--bootstrap-kubeconfig=${kubeconfigs[1]}`,
    `--hostname-override=${place.nodeName}`,
    `--node-ip=${place.address}`,
  ];
  await start(inNode(dir, [kubenode, 'kubelet', ...kubelet]));
  await start(inNetwork([kubenode, 'kube-proxy', `--config=${at('kube-proxy.json')}`]));
  await until(node, 'node that is Ready', async () =>
    acceptsPods((await call('GET', `/api/v1/nodes/${place.nodeName}`)).body, true),
  );
}

function writeSettings({ dir, dns }: NodeLaunch, { proxy, bootstrap }: { proxy: string; bootstrap: string }): void {
  const write = (name: string, content: string) => writeFileSync(fileOf(dir, name), content, { mode: 0o600 });
  const json = (name: string, content: object) => write(name, JSON.stringify(content, undefined, 2));
  const ca = readFileSync(join(dir, 'pki/ca.crt'));
  const server = `https://127.0.0.1:${place.apiPort}`;
  mkdirSync(fileOf(dir, 'cni'));
  write('containerd.toml', containerdSettings(dir));
  json('cni/10-knudge.conflist', networkSettings);
  json('kubelet.json', kubeletSettings(dir, dns));
  json('kube-proxy.json', proxySettings(dir));
  write('kube-proxy.kubeconfig', kubeconfigFor({ server, ca, user: 'kube-proxy', token: proxy }));
  write('bootstrap.kubeconfig', kubeconfigFor({ server, ca, user: 'node-bootstrap', token: bootstrap }));
}

async function until({ checkAlive }: NodeLaunch, what: string, test: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + readyTimeoutMs;
  while (!(await test().catch(() => false))) {
    checkAlive();
    if (Date.now() > deadline) throw new ClusterError(`There is no ${what} after ${readyTimeoutMs / 1000} seconds.`);
    await sleep(100);
  }
}
