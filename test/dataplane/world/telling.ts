import assert from 'node:assert/strict';
import type { Condition } from '../../../packages/controller/domain/conditions.ts';
import { asking, startServers } from './asking.ts';
import { manual, service } from './objects.ts';
import { type DataPlane, startWorld } from './world.ts';

/** Seconds from when frpc's connection ends, or is refused, until the status says so; and from when frps answers until it is Ready. */
const bounds = { told: 10, back: 25 };
/** frpc asks for a refused proxy again after half a minute. */
const askedAgain = 40;

/** A service `web` of one tcp port that runs, and what its status says of its FRP server. */
export interface Telling {
  readonly world: DataPlane;
  readonly conditionOf: (type: string) => Condition | undefined;
  /** Until the status says why the service is not Ready, within the bound. */
  untilTold(reason: string, message: RegExp, seconds?: number): Promise<void>;
  /** Until it is Ready, within the bound; then it answers at the first try. */
  untilBack(): Promise<void>;
  /** The same where frpc was refused its proxy. */
  untilAskedAgain(): Promise<void>;
  close(): Promise<void>;
}

export async function startTelling(): Promise<Telling> {
  const closers: (() => unknown)[] = [];
  const context = { after: (close: unknown) => void closers.push(close as () => unknown) };
  const world = await startWorld(context);
  const servers = await startServers(context, world, { type: 'tcp', names: ['a'] });
  world.put(service({ type: 'tcp', backends: manual(servers) }));
  await world.untilRunning('web');
  const conditionOf = (type: string): Condition | undefined =>
    (world.status('web')['conditions'] as readonly Condition[] | undefined)?.find((one) => one.type === type);
  const untilReady = (seconds: number): Promise<void> =>
    world.until('it is Ready again', () => conditionOf('Ready')?.status === 'True', seconds);
  return {
    world,
    conditionOf,
    untilTold: async (reason, message, seconds = bounds.told) => {
      const isTold = (): boolean =>
        conditionOf('Published')?.reason === reason && conditionOf('Ready')?.status === 'False';
      await world.until(`it is told: ${reason}`, isTold, seconds);
      assert.match(conditionOf('Published')?.message ?? '', message);
      assert.equal(conditionOf('Ready')?.reason, reason);
      assert.equal(world.status('web')['state'], 'Updating');
    },
    untilBack: async () => {
      await untilReady(bounds.back);
      assert.ok('by' in (await asking(world, 'tcp')()));
    },
    untilAskedAgain: () => untilReady(askedAgain),
    close: async () => {
      for (const close of closers.reverse()) await close();
    },
  };
}
