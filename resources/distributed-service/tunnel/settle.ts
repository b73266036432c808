import type { ObjectRef } from '../../../packages/controller/domain/kube-object.ts';
import type { Reader } from '../../../packages/controller/domain/ports.ts';
import { addressToAsk, endpointsWanted } from '../children/tunnel-pod.ts';
import type { AskTunnel } from './types.ts';

/** Milliseconds. A kubelet writes new endpoints about a second after the change of their Pod (measured on a kubelet 1.35). */
const longestWait = 3000;
const betweenQuestions = 250;

export interface SettleWith {
  readonly reader: Pick<Reader, 'get'>;
  readonly ask: AskTunnel | undefined;
  /** Milliseconds of a clock that never goes back. */
  readonly elapsed: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/**
 * Waits, for at most three seconds, until the Envoy in the Pod of a tunnel has the endpoints that the Pod's annotation names. The
 * annotation makes the kubelet write them, so the event about it comes about a second before they are live, and no event reports
 * when they are. The Pod is read, because the sender of an event must not choose the address that is asked.
 */
export async function settle(ref: ObjectRef, { reader, ask, elapsed, sleep }: SettleWith): Promise<void> {
  const pod = ask && (await reader.get(ref));
  const wanted = pod && endpointsWanted(pod);
  const address = pod && addressToAsk([pod]);
  if (ask === undefined || wanted === undefined || address === undefined) return;
  const started = elapsed();
  while (elapsed() - started < longestWait) {
    const live = await ask({ address, asksWhy: false });
    if (live === undefined || live.version === wanted) return;
    await sleep(betweenQuestions);
  }
}
