import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { podsWith, type Running } from '../../../test/knative/processes.ts';
import { home, type Site } from '../../../test/knative/site.ts';
import { objectsIn } from '../../../test/kube/install.ts';
import { kubectl } from '../../../test/kube/kubectl.ts';
import { until } from '../../../test/kube/until.ts';
import { knudgeImage } from '../../../tools/knative/knudge.ts';
import { residentByContainer } from '../containers.ts';
import { make, namespace, remove } from './ground.ts';
import { containersOf, signalProcesses } from './processes.ts';
import type { Sink } from './sink.ts';
import type { Writer } from './writer.ts';

/** A source that is measured. */
export interface Contestant {
  readonly name: string;
  /** Its manifests, for Knudge's namespace. */
  readonly files: readonly string[];
  /** Its kind and its name. */
  readonly kind: string;
  readonly source: string;
  /** Of its Pods. */
  readonly label: Readonly<Record<string, string>>;
}

/** What is measured, the one that the other is compared with first. */
export const usual: Contestant = {
  name: 'ApiServerSource',
  files: ['eventing/sources/cluster-objects.yaml'],
  kind: 'ApiServerSource',
  source: 'cluster-objects',
  label: { 'eventing.knative.dev/sourceName': 'cluster-objects' },
};
export const ours: Contestant = {
  name: 'ours',
  files: ['account', 'volume', 'container/source'].map((name) => `deploy/components/source/${name}.yaml`),
  kind: 'ContainerSource',
  source: 'source',
  label: { 'app.kubernetes.io/name': 'source' },
};
export const contestants: readonly Contestant[] = [usual, ours];

/** What a contestant is measured with. */
export interface Tools {
  readonly site: Site;
  readonly sink: Sink;
  readonly writer: Writer;
}

/** Installs a contestant in the bench's namespace and returns when it tells of Messages; what it gives takes it away again. */
export async function install(contestant: Contestant, tools: Tools): Promise<() => Promise<void>> {
  const { site } = tools;
  const objects = contestant.files.flatMap(objectsIn).map(moved);
  const undo = async (): Promise<void> => {
    for (const one of objects.toReversed()) await remove(site, one);
    const isGone = async () => (await site.list('v1', 'Pod', namespace)).length === 0;
    await until(`the Pods of ${contestant.name} are gone`, isGone, 90);
  };
  // A run that was killed may have left something.
  await undo();
  try {
    for (const one of objects) await make(site, one);
    await untilReady(contestant);
    await untilItTells(tools);
  } catch (error) {
    await undo().catch((further: unknown) => console.error(further));
    throw error;
  }
  return undo;
}

/** Leads its events to this address instead of the Broker, and returns when they come. */
export async function leadTo(contestant: Contestant, tools: Tools, uri: string): Promise<void> {
  const patch = JSON.stringify({ spec: { sink: { ref: null, uri } } });
  const { kind, source } = contestant;
  await kubectl('--namespace', namespace, 'patch', `${kind}/${source}`, '--type=merge', '--patch', patch);
  // Until its Pods are other ones.
  await sleep(10_000);
  await untilReady(contestant);
  await untilItTells(tools);
}

async function untilReady({ kind, source }: Contestant): Promise<void> {
  const of = ['--namespace', namespace, 'wait', `${kind}/${source}`];
  await kubectl(...of, '--for=condition=Ready', '--timeout=120s');
}

/** It is Ready before it watches: Messages are made until it tells of one. */
export async function untilItTells({ sink, writer }: Tools): Promise<void> {
  const end = performance.now() + 60_000;
  for (let number = 0; ; number += 1) {
    const name = `probe-${String(number)}`;
    const isTold = sink.whenTold('add', [name], 1000).then(
      () => true,
      () => false,
    );
    await writer.make(name);
    if (await isTold) break;
    if (performance.now() > end) throw new Error('the source tells of nothing');
  }
  await writer.removeAll();
  await sink.untilQuiet(2000);
  sink.forget();
}

/** Its Pods that are not on their way out. */
export function podsOf({ site }: Tools, { label }: Contestant): Promise<readonly Running[]> {
  return podsWith(site, namespace, label);
}

/** How a Pod is ended. */
export interface Ending {
  /** Seconds that it has to leave; as its manifest says where absent. With none it is out of the cluster at once, and its kubelet asks it to leave all the same. */
  readonly grace?: number;
  /** Its processes are killed before, so that it can keep nothing. */
  readonly isHard?: boolean;
}

/** Ends one Pod of the contestant; waits for a Pod where the contestant has none. */
export async function endPod(tools: Tools, contestant: Contestant, ending: Ending = {}): Promise<void> {
  let pod: Running | undefined;
  const isThere = async () => {
    [pod] = await podsOf(tools, contestant);
    return pod !== undefined;
  };
  await until(`${contestant.name} has a Pod`, isThere, 60);
  if (pod === undefined) return;
  if (ending.isHard === true) signalProcesses(containersOf([pod]), 'SIGKILL');
  const path = `/api/v1/namespaces/${namespace}/pods/${pod.metadata.name}`;
  const body = ending.grace === undefined ? {} : { gracePeriodSeconds: ending.grace };
  const { status, body: told } = await tools.site.api('DELETE', path, { body });
  // What replaces its Pods may have been faster.
  if (status > 299 && status !== 404) throw new Error(`${path}: ${JSON.stringify(told)}`);
}

/** Megabytes that its processes have in memory. */
export async function memoryOf(tools: Tools, contestant: Contestant): Promise<number> {
  const resident = residentByContainer();
  return containersOf(await podsOf(tools, contestant)).reduce((sum, id) => sum + (resident.get(id) ?? 0), 0);
}

/** Waits until it has rested for a while, and says what it has in memory then. */
export async function memoryAtRest(tools: Tools, contestant: Contestant): Promise<number> {
  await sleep(10_000);
  return memoryOf(tools, contestant);
}

/** The same in the bench's namespace, with names of its own where they are the cluster's, and with the image of this cluster. */
function moved(object: KubeObject): KubeObject {
  const other = (key: string, value: unknown): unknown => {
    if (key === 'image') return `${knudgeImage.name}:${knudgeImage.tag}`;
    if ((key === 'namespace' || key === 'value') && value === home) return namespace;
    if (key === 'name' && typeof value === 'string') return value.replace(/^knudge-/, `${namespace}-`);
    // An ApiServerSource watches what it is told to, so that it does nothing here but what is measured.
    if (key === 'resources' && Array.isArray(value) && object.kind === 'ApiServerSource')
      return value.filter((one: { readonly kind: string }) => one.kind === 'Message');
    return value;
  };
  return JSON.parse(JSON.stringify(object), other) as KubeObject;
}
