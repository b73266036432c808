import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { requestedType, resyncTypes } from '../../../packages/controller/domain/change.ts';
import { type ObjectRef, refOf } from '../../../packages/controller/domain/kube-object.ts';
import { withoutSources, withServer } from '../../../packages/event-log/test/replay/edits.ts';
import { message } from '../../build/objects.ts';
import { until } from '../../kube/until.ts';
import { seeded } from '../input/random.ts';
import type { Wanted } from '../mesh/at-rest.ts';
import { createTenant, type Tenant } from '../mesh/changes.ts';
import { askForResync, createUnhurried } from '../mesh/later.ts';
import { openStage, type Stage } from '../mesh/stage.ts';
import type { PlainApi } from './plain-api.ts';
import { prepareRealMesh } from './real-mesh.ts';
import { type Repair, repairsIn, type Split, splitOf } from './soak-at-rest.ts';
import { openSoakProxy, type SoakProxy } from './soak-proxy.ts';
import { openSoakSource, type SoakSource } from './soak-source.ts';

/** A mesh on a real API server whose only source of changes is Knudge's own, behind a proxy. */
export interface Scene {
  readonly stage: Stage;
  readonly source: SoakSource;
  readonly proxy: SoakProxy;
  /** What the source alone goes through to the API server. */
  readonly api: PlainApi;
  readonly tenant: Tenant;
  /** A Message that nobody touches but for the loss that is seeded. */
  readonly spared: ObjectRef;
  wanted(): Wanted;
  /** Another text for the Message that is spared. */
  rewrite(text: string): Promise<void>;
  /** Makes what could only be made later; gives how many there were. */
  catchUp(): Promise<number>;
  /** Waits until all is right, but for what waits for a time, and nothing is under way. */
  atRest(): Promise<Split>;
  /** Waits until the source has sent nothing for some seconds. */
  quiet(): Promise<void>;
  /** One resync, until it has asked after every parent. */
  resync(): Promise<void>;
  repairs(): Promise<readonly Repair[]>;
  /** Events that the Broker could deliver to no function: nobody promises anything about them. */
  givenUp(): number;
}

const patienceSeconds = 120;
const quietMs = 3000;

export async function openSoakScene(context: TestContext, seed: number): Promise<Scene> {
  const real = await prepareRealMesh(context);
  const namespace = `soak-${randomUUID().slice(0, 8)}`;
  const stage = await openStage({ args: real.args, edit: (object) => real.edit(withoutSources(object)) });
  context.after(stage.close);
  stage.start();
  await stage.up();
  const { broker } = await stage.mesh().ready;
  await firstResync(stage);
  const proxy = await openSoakProxy(context, broker);
  const dir = mkdtempSync(join(tmpdir(), 'knudge-soak-'));
  context.after(() => rmSync(dir, { recursive: true, force: true }));
  const kubeconfig = join(dir, 'kubeconfig');
  const api = await real.apart(kubeconfig);
  const source = openSoakSource(context, { kubeconfig, sink: proxy.address, file: join(dir, 'source.db') });
  await source.start();
  const crowd = Array.from({ length: 30 }, (_, n) => message(`crowd-${n}`, `text ${n}`, { namespace }));
  const isThere = async (ref: ObjectRef): Promise<boolean> => (await stage.reader().get(ref)) !== undefined;
  const { person, catchUp } = createUnhurried(stage.person, isThere);
  const tenant = createTenant(namespace, { random: seeded(seed), person, crowd });
  let lone = message('spared', 'first', { namespace });
  for (const object of [...tenant.given, lone]) await stage.person.create(withServer(object, namespace));
  const wanted = (): Wanted => ({ namespace, parents: [...tenant.wanted().parents, lone] });
  return {
    stage,
    source,
    proxy,
    api,
    tenant,
    catchUp,
    wanted,
    spared: refOf(lone),
    rewrite: async (text) => {
      lone = message('spared', text, { namespace });
      await stage.person.patch(refOf(lone), { spec: { text } });
    },
    atRest: () => atRest(stage, proxy, wanted),
    quiet: () => isQuiet(proxy),
    resync: () => resync(stage, broker, wanted()),
    repairs: () => repairsIn(real.api, namespace),
    givenUp: () => stage.mesh().hops.filter(({ kind }) => ['lost', 'dropped', 'dead-lettered'].includes(kind)).length,
  };
}

/** Waits until the resync is over that a mesh asks for when it starts: it is to find none of the objects that are made from now on. */
async function firstResync({ mesh }: Stage): Promise<void> {
  const typeOf = (event: unknown) => (event as { readonly type?: string } | undefined)?.type;
  const isOver = () => mesh().hops.some(({ kind, event }) => kind === 'sent' && typeOf(event) === resyncTypes.due);
  await until('the first resync of the mesh is over', async () => isOver(), patienceSeconds);
}

async function isQuiet(proxy: SoakProxy): Promise<void> {
  await until('the source has nothing to tell', async () => proxy.quietMs() >= quietMs, patienceSeconds);
}

async function atRest(stage: Stage, proxy: SoakProxy, wanted: () => Wanted): Promise<Split> {
  let split: Split | undefined;
  await until(
    'all is right without a resync',
    async () => {
      // To look all the time would take the time from those who put it right.
      await sleep(500);
      split = await splitOf(stage.reader(), wanted());
      return (split.wrongs.length === 0 && proxy.quietMs() >= quietMs) || split.wrongs;
    },
    patienceSeconds,
  );
  assert.ok(split);
  return split;
}

/** By the hops of its events: one for each parent. */
async function resync(stage: Stage, broker: string, { parents }: Wanted): Promise<void> {
  const { hops } = stage.mesh();
  const from = hops.length;
  await askForResync(broker);
  await until(
    'the resync has asked after every parent',
    async () => {
      const asked = hops.slice(from).flatMap((hop) => {
        const { id = '', type = '' } = (hop['event'] ?? {}) as { readonly id?: string; readonly type?: string };
        return hop.kind === 'delivered' && type === requestedType && hop['status'] === 204 ? [id] : [];
      });
      const count = new Set(asked).size;
      return count >= parents.length || `${count} of ${parents.length}`;
    },
    patienceSeconds,
  );
}
