import { type Contestant, install, leadTo, type Tools, untilItTells } from './contestants.ts';
import { passing, removeNamespaces } from './ground.ts';
import { type Losses, lossesOf } from './losses.ts';
import { secondsToReturn } from './restart.ts';
import { type Burst, burstOf, type Speed, speedOf } from './speed.ts';

export interface Size {
  readonly rounds: number;
  readonly latency: number;
  readonly bursts: readonly number[];
  /** The size of the burst into a slow sink, which is measured once. */
  readonly slow: number;
  /** Kills, and as many namespaces; 0: what is measured once is left out. */
  readonly kills: number;
  readonly returns: number;
}

/** The results of one contestant's turn; what is measured only once is not in each. */
export interface Turn {
  readonly speed: Speed;
  readonly returns: readonly number[];
  readonly losses?: Losses;
  readonly slow?: Burst;
}

/** Installs a contestant, measures it, and removes it. */
export async function turnOf(
  tools: Tools,
  contestant: Contestant,
  { seed, ...size }: Size & { readonly seed: number },
): Promise<Turn> {
  const say = (what: string, told: unknown): void =>
    void process.stderr.write(`sources: ${contestant.name}: ${what}: ${JSON.stringify(told)}\n`);
  const undo = await install(contestant, tools);
  try {
    const speed = await speedOf(tools, contestant, size);
    say('speed', speed);
    const returns: number[] = [];
    for (let time = 0; time < size.returns; time += 1) {
      returns.push(await secondsToReturn(tools, contestant));
      await untilItTells(tools);
    }
    say('seconds until it reports again', returns);
    if (size.kills === 0) return { speed, returns };
    const losses = await lossesOf(tools, contestant, { times: size.kills, seed });
    say('losses', losses);
    const slow = await slowBurst(tools, contestant, size.slow).catch((error: unknown) => console.error(error));
    say('into a slow sink', slow ?? 'lost');
    return { speed, returns, losses, ...(slow && { slow }) };
  } finally {
    await undo();
  }
}

async function slowBurst(tools: Tools, contestant: Contestant, count: number): Promise<Burst> {
  // The end of each namespace restarts an ApiServerSource.
  await removeNamespaces(tools.site, passing);
  await leadTo(contestant, tools, tools.sink.slowUri);
  return burstOf(tools, contestant, count);
}
