import type { Site } from '../../../test/knative/site.ts';
import type { Row } from '../../report.ts';
import { shuffled } from '../../statistics.ts';
import { type Cut, cuts } from './cuts.ts';
import { rowsOf } from './rows.ts';
import { removeMessages, removeServices, setScene } from './scene.ts';
import { makeCuts } from './services.ts';
import { keepTriggers } from './triggers.ts';
import { type Turn, turnOf } from './turn.ts';

/** The turn of each cut in one round; a turn that failed is missing. */
export type Round = ReadonlyMap<Cut, Turn>;

interface Size {
  readonly rounds: number;
  /** How often each action is done in a turn while the functions are awake. */
  readonly warm: number;
}

/** Three cuts of the functions that change the cluster, in turns: how they wake, how they work, what they read and write. */
export async function measureCuts(site: Site, size: Size): Promise<readonly Row[]> {
  const undo: (() => Promise<void>)[] = [];
  try {
    undo.push(await keepTriggers(site));
    undo.push(await makeCuts(site));
    undo.push(await setScene(site));
    const taken: Round[] = [];
    for (let round = 0; round < size.rounds; round += 1) taken.push(await roundOf(site, round, size));
    return rowsOf(taken);
  } finally {
    const [triggers, services, scene] = undo;
    // Functions remove the objects of the scene, so their Services go last.
    for (const one of [scene, triggers, services]) await one?.().catch((error: unknown) => console.error(error));
  }
}

async function roundOf(site: Site, round: number, { rounds, warm }: Size): Promise<Round> {
  const turns = new Map<Cut, Turn>();
  for (const cut of shuffled(cuts)) {
    const at = `cuts: round ${String(round + 1)} of ${String(rounds)}, ${cut.name}`;
    const name = `bench-cuts-${String(round)}-${String(cuts.indexOf(cut))}`;
    try {
      const turn = await turnOf(site, cut, { name, warm });
      turns.set(cut, turn);
      process.stderr.write(`${at}: ${JSON.stringify(turn)}\n`);
    } catch (error) {
      process.stderr.write(`${at} is lost: ${error instanceof Error ? error.message : String(error)}\n`);
      for (const remove of [removeServices, removeMessages]) await remove(site).catch(() => undefined);
    }
  }
  return turns;
}
