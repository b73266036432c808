import { resolve } from 'node:path';
import { asKnudgeError } from '../../packages/controller/domain/errors.ts';
import { type Waking, wakingsOf } from '../../packages/mesh/manifests/waking.ts';
import { readStatus } from '../../packages/mesh/status-file.ts';
import { manifests } from '../manifests.ts';
import type { LogOptions } from '../open-log.ts';
import { withLook } from '../wait/with-look.ts';

/** Where the Triggers are: in a mesh, or in the namespace of the controller in a cluster. */
export type TriggersOf = Pick<LogOptions, 'dir' | 'kubeconfig' | 'namespace'>;

const trigger = { apiVersion: 'eventing.knative.dev/v1', kind: 'Trigger', plural: 'triggers' } as const;

/** Milliseconds for which what a cluster has said is taken: a plan of many events asks for each. */
const freshMs = 5000;

/**
 * Asks by which Triggers events are delivered now, also where `kubectl` has changed one. A cluster without Knative has those of the files.
 * Where those of a cluster cannot be read, `warn` is given a sentence about it, once, and the files take their place too.
 */
export function triggersNow(
  { dir, kubeconfig, namespace }: TriggersOf,
  warn: (text: string) => void = toStandardError,
): () => Promise<readonly Waking[]> {
  if (kubeconfig === undefined) return async () => readStatus(resolve(dir)).triggers ?? manifests().triggers;
  const warned = new Set<string>();
  const warnOnce = (text: string): void => {
    if (!warned.has(text)) warn(text);
    warned.add(text);
  };
  let kept: { readonly at: number; readonly triggers: Promise<readonly Waking[]> } | undefined;
  return () => {
    const now = performance.now();
    if (kept === undefined || now - kept.at > freshMs)
      kept = { at: now, triggers: ofCluster({ kubeconfig: resolve(kubeconfig), namespace }, warnOnce) };
    return kept.triggers;
  };
}

/** Those of the Brokers that the files name: no other delivers what Knudge keeps. */
async function ofCluster(
  { kubeconfig, namespace }: { readonly kubeconfig: string; readonly namespace: string },
  warn: (text: string) => void,
): Promise<readonly Waking[]> {
  const ofFiles = manifests().triggers;
  try {
    const live = await withLook(kubeconfig, async (look) =>
      (await look.serves(trigger.apiVersion)) ? look.list(trigger, { namespace }) : undefined,
    );
    if (live === undefined) return ofFiles;
    const { wakings, faults } = wakingsOf(live);
    for (const fault of faults) warn(`Left out, so a plan lacks what it wakes: ${fault}`);
    const brokers = new Set(ofFiles.map(({ broker }) => broker));
    return wakings.filter(({ broker }) => brokers.has(broker));
  } catch (error) {
    const { message } = asKnudgeError(error);
    warn(`The Triggers of the cluster cannot be read, so those of the files say what an event wakes: ${message}`);
    return ofFiles;
  }
}

function toStandardError(text: string): void {
  process.stderr.write(`${text}\n`);
}
