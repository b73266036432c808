import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { requestedType } from '../../packages/controller/domain/change.ts';
import { KnudgeError } from '../../packages/controller/domain/errors.ts';
import { describe, type ObjectRef } from '../../packages/controller/domain/kube-object.ts';
import { encode } from '../../packages/controller/wire/encode.ts';
import { wants } from '../../packages/mesh/broker/trigger-filter.ts';
import { readManifests } from '../../packages/mesh/manifests/read-manifests.ts';
import { readState } from '../../packages/mesh/state.ts';
import { root } from '../about.ts';
import { type BrokerOptions, source } from '../broker.ts';
import { seenByBroker } from '../replay/ask.ts';

export interface Reconciled {
  readonly id: string;
  readonly function: string;
  readonly status: number;
  /** `done; reads=2; writes=0`, or what the function says is wrong. */
  readonly outcome: string;
}

/** Has the function of a mesh that the Triggers would wake reconcile an object, and waits for its outcome. Throws `unavailable` without an answer. */
export async function reconcileNow(
  object: ObjectRef,
  { dir, timeout }: Pick<BrokerOptions, 'dir' | 'timeout'>,
): Promise<Reconciled> {
  const { apiVersion: apiversion, kind, namespace, name } = object;
  const extensions = { apiversion, kind, namespace, name };
  const event = { type: requestedType, extensions, id: randomUUID(), source, time: new Date().toISOString() };
  const found = readManifests({ root }).triggers.find(
    ({ filters, subscriber }) => subscriber.kind === 'function' && wants(filters, seenByBroker(event)),
  );
  const to = found?.subscriber;
  if (found === undefined || to?.kind !== 'function')
    throw new KnudgeError('misuse', `no Trigger wants ${describe(object)}`);
  const base = readState(resolve(dir)).functions[to.name];
  if (base === undefined) throw new KnudgeError('unavailable', `The mesh in ${dir} has no function ${to.name}`);
  const { headers, body } = encode(event);
  const signal = AbortSignal.timeout(timeout * 1000);
  const answer = await fetch(new URL(to.path ?? '/', base), { method: 'POST', headers, body, signal }).catch(
    (cause: Error) => {
      const why = cause.name === 'TimeoutError' ? `not within ${timeout} s: --timeout gives it longer` : cause.message;
      throw new KnudgeError('unavailable', `${found.name} does not answer: ${why}`, { cause });
    },
  );
  const text = (await answer.text()).trim();
  const outcome = answer.headers.get('knudge-outcome') ?? text;
  return { id: event.id, function: found.name, status: answer.status, outcome };
}
