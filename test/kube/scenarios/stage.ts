import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { requestedType, resyncSource } from '../../../packages/controller/domain/change.ts';
import type { KubeObject, ObjectRef } from '../../../packages/controller/domain/kube-object.ts';
import type { ChildRole } from '../../../resources/distributed-service/names.ts';
import type { Place } from '../../faults/scenario.ts';
import * as cast from '../../faults/scenarios/cast.ts';
import type { Arena } from '../arena.ts';
import { pathOf } from '../install.ts';
import { postEvent } from '../post.ts';
import { until } from '../until.ts';
import { type AuditedWrite, auditMark, writesSince } from '../writes.ts';

/** What somebody does through the API, and what is so in the end. */
export interface Scenario {
  /** A sentence. */
  readonly name: string;
  readonly play: (stage: Stage) => Promise<void>;
  /** This many writes of each object within the minute of rest, because a try may be made anew; none if absent. */
  readonly writesAtRest?: number;
  /** What is so after the minute of rest, when the trouble is over. */
  readonly afterwards?: (stage: Stage) => Promise<void>;
}

/** What the status says of a service: its state, and the reasons of conditions by their type. */
interface Told {
  readonly state: string;
  readonly [condition: string]: string;
}

export type Fields = Readonly<Record<string, unknown>>;
/** An object with whatever it has beside its metadata. */
export interface Live extends KubeObject {
  readonly spec: Fields;
  readonly data: Readonly<Record<string, string>>;
}

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** Many scenarios are on the stage at the same time, on a machine that does other work too: seconds that each step may take. */
const patience = 90;

/** A namespace of its own for a scenario, and what a person does and sees in it. */
export async function openStage(arena: Arena) {
  const namespace = await arena.namespace('scenario');
  const place: Place = { namespace, controller: arena.home };
  const seen = async ({ apiVersion, kind, name }: ObjectRef): Promise<Live | undefined> =>
    (await arena.get(apiVersion, kind, { namespace, name })) as Live | undefined;
  const get = async (ref: ObjectRef): Promise<Live> => {
    const found = await seen(ref);
    assert.ok(found, `there is no ${ref.kind} ${ref.name}`);
    return found;
  };
  const since = auditMark();
  let endTrouble: (() => Promise<void>) | undefined;
  const wait = (what: string, isSo: () => Promise<unknown>): Promise<void> => until(what, isSo, patience);
  const patch = async (ref: ObjectRef, body: Fields, subresource = ''): Promise<KubeObject> => {
    const path = `${pathOf(ref.apiVersion, ref.kind, { namespace, name: ref.name })}${subresource}`;
    const answer = await arena.api('PATCH', path, { body, contentType: 'application/merge-patch+json' });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body as KubeObject;
  };
  const tells = (wanted: Told, name = 'web'): Promise<void> =>
    wait(`${name} tells ${JSON.stringify(wanted)}`, async () => {
      const { metadata, status = {} } = (await arena.service(namespace, name)) ?? assert.fail('it is gone');
      const reasons = (status.conditions ?? []).map(({ type, reason }) => [type, reason] as const);
      const all = new Map<string, unknown>([['state', status.state], ...reasons]);
      const told = Object.fromEntries(Object.keys(wanted).map((key) => [key, all.get(key)]));
      const isNewest = status.observedGeneration === metadata.generation;
      return (isNewest && isDeepStrictEqual(told, wanted)) || { isNewest, conditions: status.conditions };
    });
  const post = async (ref: ObjectRef, how: Parameters<typeof postEvent>[2]): Promise<void> => {
    const stem = ref.kind === 'Message' ? 'message-changed' : 'distributed-service-changed';
    const about = { ...ref, metadata: { name: ref.name, namespace } };
    // Where others write at the same moment it is given back, and the Broker sends it again.
    await wait(`the event of ${ref.kind} ${ref.name} is taken`, async () => {
      const { status, body } = await postEvent(arena.functions.of(stem).url, about, how);
      return status === 204 || `${String(status)} ${body}`;
    });
  };
  return {
    arena,
    namespace,
    place,
    get,
    seen,
    wait,
    patch,
    tells,
    put: async (...objects: readonly KubeObject[]): Promise<void> => {
      for (const object of objects) await arena.put(object);
    },
    /** A child of `web`. */
    child: (role: ChildRole) => get(cast.childRef(place, role)),
    setSpec: (spec: Fields, name = 'web') => patch(cast.webRef(place, name), { spec }),
    remove: (ref: ObjectRef, policy?: string) =>
      arena.remove({ ...ref, metadata: { name: ref.name, namespace } }, policy),
    /** It runs, and its status is of its newest generation. */
    runs: (name = 'web') => tells({ state: 'Running', Ready: 'Running' }, name),
    gone: (ref: ObjectRef) => wait(`${ref.kind} ${ref.name} is gone`, async () => (await seen(ref)) === undefined),
    /** The message of a condition. */
    words: async (type: string, name = 'web'): Promise<string> => {
      const service = await arena.service(namespace, name);
      return service?.status?.conditions?.find((one) => one.type === type)?.message ?? '';
    },
    /** Something of somebody else's begins, that this ends. */
    begin: (end: () => Promise<void>): void => {
      endTrouble = end;
    },
    /** What has begun is over. */
    end: async (): Promise<void> => {
      await endTrouble?.();
      endTrouble = undefined;
    },
    /** What Knudge has written here so far. */
    writes: (): readonly AuditedWrite[] => writesSince(since).filter((write) => write.namespace === namespace),
    /** The event by which the resync asks after a parent. */
    resync: (ref: ObjectRef) => post(ref, { type: requestedType, source: resyncSource }),
    /** An event about a parent each second, for longer than the first wait of what comes to nothing. */
    knock: async (ref: ObjectRef): Promise<void> => {
      for (let second = 0; second < 30; second += 1) {
        await post(ref, { type: 'ref.update' });
        await sleep(1000);
      }
    },
  };
}

/** The Message `hello` is reported as Failed, for this reason and in these words. */
export async function helloFails({ arena, namespace, wait }: Stage, reason: string, words: RegExp): Promise<void> {
  await wait(`its status says Failed, ${reason} and ${String(words)}`, async () => {
    const status = (await arena.message(namespace, 'hello'))?.status;
    const ready = status?.conditions?.find(({ type }) => type === 'Ready');
    const isSo = status?.phase === 'Failed' && ready?.reason === reason && words.test(ready.message ?? '');
    return isSo || status;
  });
}

/** The address of a Pod, once it has one. */
export async function addressOf({ place, wait, seen }: Stage, name: string): Promise<string> {
  let address: string | undefined;
  await wait(`Pod ${name} has an address`, async () => {
    const pod = (await seen(cast.refIn(place, 'Pod', name))) as { status?: { podIP?: string } } | undefined;
    address = pod?.status?.podIP;
    return address !== undefined;
  });
  return address ?? assert.fail();
}

/** The file that Envoy has of its backends. */
export async function endpointsOf({ child }: Stage): Promise<string> {
  return (await child('endpoints')).data['eds.json'] ?? '';
}

/** Seconds after the first try after which the back-off lets each further one be made, beside the two at once. */
const waits = [25, 75, 175, 375] as const;

interface Tried {
  readonly resource: string;
  readonly verbs: readonly string[];
  readonly more?: number;
}

/**
 * What comes to nothing was tried again when somebody had knocked, and no more often than its back-off lets it in all the time
 * since; `more` are requests that go before a try.
 */
export function assertFewTries({ writes }: Stage, { resource, verbs, more = 0 }: Tried): void {
  const all = writes().filter((one) => one.resource === resource && one.subresource === undefined);
  const tries = all.filter(({ verb, code }) => verbs.includes(verb) && code < 300);
  const [first] = tries;
  assert.ok(first, `nobody has written ${resource}`);
  const seconds = (Date.now() - Date.parse(first.at)) / 1000;
  const most = 2 + more + waits.filter((wait) => wait <= seconds).length;
  const told = tries.map(({ verb, at }) => `${verb} ${at}`).join(', ');
  const isRight = tries.length >= 3 && tries.length <= most;
  assert.ok(isRight, `${String(tries.length)} in ${seconds.toFixed()} s, at most ${String(most)}: ${told}`);
}
