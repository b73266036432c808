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
  /** The label of its Pods. */
  readonly label: Readonly<Record<string, string>>;
}

/** The sources, first the one that the other is compared with. */
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

/** The tools for measuring a contestant. */
export interface Tools {
  readonly site: Site;
  readonly sink: Sink;
  readonly writer: Writer;
}

/** Installs a contestant in the bench's namespace and returns when it reports Messages; the returned function removes it again. */
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
  // Until its Pods are replaced.
  await sleep(10_000);
  await untilReady(contestant);
  await untilItTells(tools);
}

async function untilReady({ kind, source }: Contestant): Promise<void> {
  const of = ['--namespace', namespace, 'wait', `${kind}/${source}`];
  await kubectl(...of, '--for=condition=Ready', '--timeout=120s');
}

/** Waits until it watches, which is later than Ready: makes Messages until it reports one. */
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
    if (performance.now() > end) throw new Error('the source reports nothing');
  }
  await writer.removeAll();
  await sink.untilQuiet(2000);
  sink.forget();
}

/** Its Pods that are not on their way out. */
export function podsOf({ site }: Tools, { label }: Contestant): Promise<readonly Running[]> {
  return podsWith(site, namespace, label);
}

/** The way to end a Pod. */
export interface Ending {
  /** Seconds for its end; by default those of its manifest. With 0 it leaves the cluster at once, and its kubelet still lets it finish. */
  readonly grace?: number;
  /** Whether its processes are killed before, so that it cannot write anything. */
  readonly isHard?: boolean;
}

/** Ends one Pod of the contestant; waits for a Pod if the contestant has none. */
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
  // The controller that replaces its Pods may have been faster.
  if (status > 299 && status !== 404) throw new Error(`${path}: ${JSON.stringify(told)}`);
}

/** Megabytes of resident memory of its processes. */
export async function memoryOf(tools: Tools, contestant: Contestant): Promise<number> {
  const resident = residentByContainer();
  return containersOf(await podsOf(tools, contestant)).reduce((sum, id) => sum + (resident.get(id) ?? 0), 0);
}

/** Waits until it has rested for a while, and returns its resident memory then. */
export async function memoryAtRest(tools: Tools, contestant: Contestant): Promise<number> {
  await sleep(10_000);
  return memoryOf(tools, contestant);
}

/** The object in the bench's namespace, with a name of its own if it is cluster-scoped, and with the image of this cluster. */
function moved(object: KubeObject): KubeObject {
  const other = (key: string, value: unknown): unknown => {
    if (key === 'image') return `${knudgeImage.name}:${knudgeImage.tag}`;
    if ((key === 'namespace' || key === 'value') && value === home) return namespace;
    if (key === 'name' && typeof value === 'string') return value.replace(/^knudge-/, `${namespace}-`);
    // The ApiServerSource only watches Messages, so that it does nothing here but what is measured.
    if (key === 'resources' && Array.isArray(value) && object.kind === 'ApiServerSource')
      return value.filter((one: { readonly kind: string }) => one.kind === 'Message');
    return value;
  };
  return JSON.parse(JSON.stringify(object), other) as KubeObject;
}
