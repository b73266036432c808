// The Message operator on the informers of @kubernetes/client-node: what comes is put into a line, ten of it are worked off at a time.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  type KubernetesListObject,
  type KubernetesObject,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
  type V1Pod,
  type V1PodSpec,
} from '@kubernetes/client-node';

interface Message extends KubernetesObject {
  readonly spec: { readonly text: string };
  readonly status?: { readonly phase?: string };
}

const label = 'bench.knudge.dev/message';
const plural = { group: 'myorg.dev', version: 'v1', plural: 'messages' };
const atOnce = 10;

const config = new KubeConfig();
config.loadFromDefault();
const core = config.makeApiClient(CoreV1Api);
const custom = config.makeApiClient(CustomObjectsApi);
const specText = readFileSync(process.env['POD_SPEC'] ?? '', 'utf8');
const told = new Set<string>();
const line: (() => Promise<unknown>)[] = [];
let busy = 0;

const messages = makeInformer<Message>(config, '/apis/myorg.dev/v1/messages', async () => {
  const list: unknown = await custom.listCustomObjectForAllNamespaces({ ...plural, resourcePlural: plural.plural });
  return list as KubernetesListObject<Message>;
});
const pods = makeInformer<V1Pod>(
  config,
  '/api/v1/pods',
  () => core.listPodForAllNamespaces({ labelSelector: label }),
  label,
);
messages.on('add', (message) => {
  if (message.status?.phase !== 'Processed') inLine(() => makePod(message));
});
pods.on('add', tell);
pods.on('update', tell);
messages.on('error', () => void startAgain(messages));
pods.on('error', () => void startAgain(pods));
await Promise.all([messages.start(), pods.start()]);

function inLine(work: () => Promise<unknown>): void {
  line.push(work);
  void workOff();
}

async function workOff(): Promise<void> {
  if (busy >= atOnce) return;
  busy += 1;
  for (let work = line.shift(); work !== undefined; work = line.shift()) await untilDone(work);
  busy -= 1;
}

/** What is there already, and what is gone, is done. */
async function untilDone(work: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      const code = (error as { readonly code?: number }).code;
      if (code === 409 || code === 404) return;
      await sleep(1000);
    }
  }
}

function makePod({ metadata, spec }: Message): Promise<unknown> {
  const { name = '', namespace = '', uid = '' } = metadata ?? {};
  const podSpec = JSON.parse(specText) as V1PodSpec;
  for (const variable of podSpec.containers[0]?.env ?? []) variable.value = spec.text;
  const owner = { apiVersion: 'myorg.dev/v1', kind: 'Message', name, uid, controller: true, blockOwnerDeletion: true };
  const body = {
    metadata: { name: `msg-${name}`, labels: { [label]: name }, ownerReferences: [owner] },
    spec: podSpec,
  };
  return core.createNamespacedPod({ namespace, body });
}

function tell({ metadata, status }: V1Pod): void {
  const { name: podName = '', namespace = '', uid = '', labels = {} } = metadata ?? {};
  const isReady = status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True');
  if (!isReady || told.has(uid)) return;
  told.add(uid);
  const body = { status: { phase: 'Processed', podName } };
  const asMerge = setHeaderOptions('Content-Type', PatchStrategy.MergePatch);
  const name = labels[label] ?? '';
  inLine(() => custom.patchNamespacedCustomObjectStatus({ ...plural, namespace, name, body }, asMerge));
}

async function startAgain(informer: { start(): Promise<void> }): Promise<void> {
  await sleep(1000);
  await informer.start().catch(() => startAgain(informer));
}
