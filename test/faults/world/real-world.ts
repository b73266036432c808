import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { after } from 'node:test';
import type { ObjectRef } from '../../../packages/controller/domain/kube-object.ts';
import { testKubeconfig } from '../../kube/api.ts';
import { createInProcess } from '../real/in-process.ts';
import { openReal, type RealCluster } from '../real/open-real.ts';
import { pathOf } from '../real/real-user.ts';
import { resyncOf } from '../real/resync-event.ts';
import { type Stage, setStage } from '../real/stage.ts';
import type { Place, Scenario } from '../scenario.ts';
import * as cast from '../scenarios/cast.ts';
import type { Seen } from './world.ts';

/** A namespace on a real API server, where the functions run in this process. */
export interface RealWorld extends Pick<Stage, 'place' | 'user' | 'settle' | 'resync' | 'pass'> {
  see(ref: ObjectRef): Promise<Seen>;
  find(ref: ObjectRef): Promise<Seen | undefined>;
  state(name?: string): Promise<string | undefined>;
  /** `True Running`: status and reason of a condition. */
  condition(type: string, ref?: ObjectRef): Promise<string>;
  /** Any request to the API server, as the person of the kubeconfig; fails where it is refused. */
  ask(verb: 'GET' | 'POST' | 'DELETE' | keyof typeof patches, path: string, body?: unknown): Promise<Seen>;
  /** Writes of the functions so far that were carried out, and those that were refused: `create configmaps frp-web-config`. */
  writes(): readonly string[];
  refusals(): readonly string[];
  /** Asks after each parent until it costs no write and is so three times: for where no watch reports what happens. */
  look(): Promise<void>;
  /** The API server for an instance of this number. */
  urlOf(instance: number): string;
  /** One more resync writes nothing. */
  restful(): Promise<void>;
}

export interface RealWorldParts {
  readonly given?: (place: Place) => readonly Parameters<Stage['user']['create']>[0][];
  readonly parents?: Scenario['parents'];
  readonly kubeconfig?: string;
  /** The test ends the watches: a definition that changes does. */
  readonly blind?: boolean;
}

const patches = { MERGE: 'application/merge-patch+json', APPLY: 'application/apply-patch+yaml' } as const;

const counts = { worlds: 0, calls: 0, events: 0, seconds: 0 };

after((t) => {
  const file = basename(process.argv[1] ?? '').replace('.faults.kube.test.ts', '');
  const { worlds, calls, events, seconds } = counts;
  const done = `${worlds} namespaces, ${events} events answered with ${calls} API calls, ${seconds.toFixed(0)} s`;
  if ('diagnostic' in t) t.diagnostic(`counted: faults of the world on a real API server, ${file}: ${done}`);
});

/** Brings what is given to rest on the real API server, and lets a test do with it what it likes. */
export async function inRealWorld(
  {
    given = () => [],
    parents = (place) => [cast.webRef(place)],
    kubeconfig = testKubeconfig(),
    blind = false,
  }: RealWorldParts,
  act: (world: RealWorld) => Promise<void>,
): Promise<void> {
  const began = performance.now();
  const cluster = await openReal(kubeconfig);
  const scenario: Scenario = { name: 'world', given, when: async () => undefined, parents };
  const stage = await setStage({ cluster, scenario, faults: [] });
  try {
    for (const object of given(stage.place)) await stage.user.create(object);
    await stage.settle();
    await act(worldOf(stage, cluster, parents(stage.place)));
    assert.deepEqual([...stage.problems, ...(blind ? [] : cluster.watch.problems)], []);
  } finally {
    counts.worlds += 1;
    counts.calls += stage.proxy.calls.length;
    counts.events += stage.answers.length;
    counts.seconds += (performance.now() - began) / 1000;
    await stage.close();
    await cluster.close();
  }
}

function worldOf(
  { place, user, settle, resync, pass, proxy, writes: log, tick }: Stage,
  { upstream }: RealCluster,
  parents: readonly ObjectRef[],
): RealWorld {
  const find = async (ref: ObjectRef): Promise<Seen | undefined> => (await user.get(ref)) as Seen | undefined;
  const changing = () =>
    proxy.calls.filter(({ verb, resource }) => !/^(get|list)$/.test(verb) && resource !== 'events');
  const wordOf = ({ verb, resource, ref }: (typeof proxy.calls)[number]): string => `${verb} ${resource} ${ref.name}`;
  const writes = (): readonly string[] =>
    changing()
      .filter(({ done }) => done.status < 300)
      .map(wordOf);
  const { invoke } = createInProcess({
    urlOf: proxy.urlOf,
    controllerNamespace: place.controller,
    say: () => undefined,
    ahead: () => 0,
  });
  return {
    place,
    user,
    settle,
    resync,
    pass,
    find,
    writes,
    urlOf: proxy.urlOf,
    see: async (ref) => {
      const found = await find(ref);
      assert.ok(found, `${ref.kind} ${ref.name} is not there`);
      return found;
    },
    state: async (name = 'web') => (await find(cast.webRef(place, name)))?.status?.state,
    condition: async (type, ref = cast.webRef(place)) => {
      const found = (await find(ref))?.status?.conditions?.find((one) => one.type === type);
      return found === undefined ? 'absent' : `${found.status} ${found.reason}`;
    },
    ask: async (verb, path, body) => {
      const type = verb === 'MERGE' || verb === 'APPLY' ? patches[verb] : undefined;
      const method = type === undefined ? verb : 'PATCH';
      const headers = { 'content-type': type ?? 'application/json' };
      const { status, text } = await upstream({
        method,
        path,
        headers,
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      assert.ok(status < 300, `${method} ${path}: ${String(status)} ${text.slice(0, 300)}`);
      const answer = JSON.parse(text) as Seen;
      if (method === 'PATCH' && answer.metadata.namespace === place.namespace) log.byUser(answer, 'write', tick());
      return answer;
    },
    refusals: () =>
      changing()
        .filter(({ done }) => done.status >= 400 && done.status !== 409)
        .map(wordOf),
    look: async () => {
      for (let quiet = 0, looks = 0; quiet < 3; looks += 1) {
        assert.ok(looks < 60, 'there is no end to the writes');
        const before = writes().length;
        const there = await Promise.all(parents.map(find));
        for (const due of there.flatMap((parent) => (parent === undefined ? [] : resyncOf(parent)))) {
          await invoke(due).reply;
        }
        quiet = writes().length === before ? quiet + 1 : 0;
        await new Promise((resolve) => setTimeout(resolve, 300));
      }
    },
    restful: async () => {
      const before = writes().length;
      await resync();
      assert.deepEqual(writes().slice(before), []);
    },
  };
}

export { pathOf };
