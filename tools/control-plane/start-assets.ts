import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Assets } from './assets.ts';
import { ClusterError } from './errors.ts';
import { kubeconfigFor } from './kubeconfig.ts';
import type { Launch } from './launch.ts';
import { freePorts, launch, stages } from './launch.ts';

const certificateTimeoutMs = 30_000;

// The users of the API server, with their groups. By tokens, because client certificates would need a library.
const users = {
  'kubernetes-admin': 'system:masters',
  'system:kube-controller-manager': '',
  'system:kube-scheduler': '',
  kwok: 'system:masters',
};

/** Starts the programs of an assets folder, one process each; returns when all run. Throws ClusterError. */
export async function startAssets(assets: Assets, options: Launch & { checkAlive: () => void }): Promise<void> {
  const { dir } = options;
  const pki = join(dir, 'pki');
  const [etcdPort = 0, peerPort = 0, freePort = 0] = await freePorts(3);
  const port = options.port || freePort;
  const tokens = writeSecrets(pki, options);
  await launch(assets.etcd, etcdArgs(dir, etcdPort, peerPort), options);
  await launch(
    assets.apiserver,
    apiserverArgs(options, { etcdPort, port, controllers: assets.controllerManager !== undefined }),
    options,
  );
  const certificate = join(pki, 'apiserver.crt');
  for (const deadline = Date.now() + certificateTimeoutMs; !existsSync(certificate); await sleep(50)) {
    options.checkAlive();
    if (Date.now() > deadline)
      throw new ClusterError(`kube-apiserver wrote no certificate within ${certificateTimeoutMs / 1000} seconds.`);
  }
  const kubeconfig = (path: string, user: string) => {
    writeFileSync(
      path,
      kubeconfigFor({
        server: `https://127.0.0.1:${port}`,
        ca: readFileSync(certificate),
        user,
        token: tokens.get(user) ?? '',
      }),
      { mode: 0o600 },
    );
    return `--kubeconfig=${path}`;
  };
  kubeconfig(join(dir, 'kubeconfig'), 'kubernetes-admin');
  const unled = ['--leader-elect=false', '--secure-port=0', '--kube-api-qps=200', '--kube-api-burst=400'];
  if (assets.controllerManager !== undefined) {
    const config = kubeconfig(join(pki, 'controller-manager.kubeconfig'), 'system:kube-controller-manager');
    await launch(
      assets.controllerManager,
      [
        config,
        ...unled,
        '--use-service-account-credentials',
        `--root-ca-file=${certificate}`,
        `--service-account-private-key-file=${join(pki, 'service-accounts.key')}`,
        `--flex-volume-plugin-dir=${join(dir, 'volume-plugins')}`,
      ],
      options,
    );
  }
  if (assets.scheduler !== undefined) {
    await launch(
      assets.scheduler,
      [kubeconfig(join(pki, 'scheduler.kubeconfig'), 'system:kube-scheduler'), ...unled],
      options,
    );
  }
  if (assets.kwok !== undefined) {
    const config = kubeconfig(join(pki, 'kwok.kubeconfig'), 'kwok');
    await launch(
      assets.kwok,
      [config, `--config=${stages}`, '--manage-all-nodes=true', '--node-lease-duration-seconds=40'],
      options,
    );
  }
}

function etcdArgs(dir: string, client: number, peer: number): string[] {
  const url = `http://127.0.0.1:${client}`;
  const urls = [
    `--listen-client-urls=${url}`,
    `--advertise-client-urls=${url}`,
    `--listen-peer-urls=http://127.0.0.1:${peer}`,
  ];
  return [`--data-dir=${join(dir, 'etcd')}`, ...urls, '--unsafe-no-fsync', '--log-level=warn'];
}

function apiserverArgs(
  options: Launch,
  { etcdPort, port, controllers }: { etcdPort: number; port: number; controllers: boolean },
): string[] {
  const pki = join(options.dir, 'pki');
  const key = join(pki, 'service-accounts.key');
  const args = [
    `--etcd-servers=http://127.0.0.1:${etcdPort}`,
    `--cert-dir=${pki}`,
    `--token-auth-file=${join(pki, 'tokens.csv')}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    '--authorization-mode=Node,RBAC',
    '--enable-admission-plugins=NodeRestriction',
    '--allow-privileged=true',
    '--service-cluster-ip-range=10.96.0.0/16',
    '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
    `--service-account-key-file=${key}`,
    `--service-account-signing-key-file=${key}`,
    '--advertise-address=127.0.0.1',
    '--endpoint-reconciler-type=none',
  ];
  // Without controllers no ServiceAccount is made, and this plugin wants each Pod to have one.
  if (!controllers) args.push('--disable-admission-plugins=ServiceAccount');
  if (options.audit !== undefined) {
    args.push(
      `--audit-policy-file=${join(pki, 'audit-policy.json')}`,
      `--audit-log-path=${join(options.dir, 'audit.log')}`,
      '--audit-log-maxsize=100000',
    );
  }
  return [...args, ...options.apiserverArgs];
}

function writeSecrets(pki: string, { audit }: Launch): Map<string, string> {
  const write = (name: string, content: string) => writeFileSync(join(pki, name), content, { mode: 0o600 });
  mkdirSync(pki, { mode: 0o700 });
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  write('service-accounts.key', privateKey.export({ type: 'pkcs1', format: 'pem' }).toString());
  const policy = {
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    omitStages: ['RequestReceived'],
    rules: [{ level: audit }],
  };
  if (audit !== undefined) write('audit-policy.json', JSON.stringify(policy));
  const tokens = new Map(Object.keys(users).map((user) => [user, randomBytes(24).toString('hex')]));
  const rows = Object.entries(users).map(
    ([user, group]) => `${tokens.get(user)},${user},${user}${group && `,"${group}"`}`,
  );
  write('tokens.csv', `${rows.join('\n')}\n`);
  return tokens;
}
