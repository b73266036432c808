import assert from 'node:assert/strict';
import { testKubeconfig } from '../../kube/api.ts';
import type { ObjectRef } from '../../../src/domain/kube-object.ts';
import { openReal, type RealCluster } from '../real/open-real.ts';
import { pathOf } from '../real/real-user.ts';
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
  ask(method: string, path: string, body?: unknown, contentType?: string): Promise<Seen>;
  /** Writes of the functions so far that were carried out, and those that were refused: `create configmaps frp-web-config`. */
  writes(): readonly string[];
  refusals(): readonly string[];
  /** One more resync writes nothing. */
  restful(): Promise<void>;
}

export interface RealWorldParts {
  readonly given?: (place: Place) => readonly Parameters<Stage['user']['create']>[0][];
  readonly parents?: Scenario['parents'];
  readonly kubeconfig?: string;
}

/** Brings what is given to rest on the real API server, and lets a test do with it what it likes. */
export async function inRealWorld(
  { given = () => [], parents = (place) => [cast.webRef(place)], kubeconfig = testKubeconfig() }: RealWorldParts,
  act: (world: RealWorld) => Promise<void>,
): Promise<void> {
  const cluster = await openReal(kubeconfig);
  const scenario: Scenario = { name: 'world', given, when: async () => undefined, parents };
  const stage = await setStage({ cluster, scenario, faults: [] });
  try {
    for (const object of given(stage.place)) await stage.user.create(object);
    await stage.settle();
    await act(worldOf(stage, cluster));
    assert.deepEqual([...stage.problems, ...cluster.watch.problems], []);
  } finally {
    await stage.close();
    await cluster.close();
  }
}

function worldOf({ place, user, settle, resync, pass, proxy }: Stage, { upstream }: RealCluster): RealWorld {
  const find = async (ref: ObjectRef): Promise<Seen | undefined> => (await user.get(ref)) as Seen | undefined;
  const changing = () => proxy.calls.filter(({ verb, resource }) => !/^(get|list)$/.test(verb) && resource !== 'events');
  const wordOf = ({ verb, resource, ref }: (typeof proxy.calls)[number]): string => `${verb} ${resource} ${ref.name}`;
  const writes = (): readonly string[] =>
    changing()
      .filter(({ done }) => done.status < 300)
      .map(wordOf);
  return {
    ...{ place, user, settle, resync, pass, find, writes },
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
    ask: async (method, path, body, contentType = 'application/json') => {
      const headers = { 'content-type': contentType };
      const { status, text } = await upstream({
        ...{ method, path, headers },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      assert.ok(status < 300, `${method} ${path}: ${String(status)} ${text.slice(0, 300)}`);
      return JSON.parse(text) as Seen;
    },
    refusals: () =>
      changing()
        .filter(({ done }) => done.status >= 400 && done.status !== 409)
        .map(wordOf),
    restful: async () => {
      const before = writes().length;
      await resync();
      assert.deepEqual(writes().slice(before), []);
    },
  };
}

export { pathOf };
