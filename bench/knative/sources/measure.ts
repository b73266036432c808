import type { Site } from '../../../test/knative/site.ts';
import type { Row } from '../../report.ts';
import { shuffled } from '../../statistics.ts';
import { podsOfFunctions, untilNobodyIsLeft } from '../services.ts';
import { putAside } from './aside.ts';
import { type Contestant, contestants, type Tools } from './contestants.ts';
import { layGround, passing, removeNamespaces } from './ground.ts';
import { rowsOf } from './rows.ts';
import { openSink } from './sink.ts';
import { type Size, type Turn, turnOf } from './turn.ts';
import { openWriter } from './writer.ts';

/** The turn of each contestant in one round; a turn that failed is missing. */
export type Round = ReadonlyMap<Contestant, Turn>;

/** Knative's ApiServerSource beside Knudge's own source, each by itself and in turns; the Broker and the sink are the same. */
export async function measureSources(site: Site, size: Size): Promise<readonly Row[]> {
  const seed = Number(process.env['BENCH_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  process.stderr.write(`sources: the seed of what changes is ${String(seed)} (BENCH_SEED)\n`);
  const sink = await openSink();
  const writer = await openWriter(site.kubeconfig);
  const undo: (() => Promise<void>)[] = [async () => sink.close(), async () => writer.close()];
  try {
    undo.push(await putAside(site));
    await untilNobodyIsLeft(site);
    undo.push(await layGround(site, sink.uri));
    const taken: Round[] = [];
    for (let round = 0; round < size.rounds; round += 1) {
      // Parts that take minutes and do not vary are measured once.
      const own = round === 0 ? size : { ...size, kills: 0, returns: 0 };
      taken.push(await roundOf({ site, sink, writer }, { ...own, seed }));
    }
    return rowsOf(taken);
  } finally {
    for (const one of undo.toReversed()) await one().catch((error: unknown) => console.error(error));
  }
}

async function roundOf(tools: Tools, size: Size & { readonly seed: number }): Promise<Round> {
  const turns = new Map<Contestant, Turn>();
  for (const contestant of shuffled(contestants)) {
    try {
      turns.set(contestant, await turnOf(tools, contestant, size));
    } catch (error) {
      process.exitCode = 1;
      console.error(`sources: a turn of ${contestant.name} is lost`, error);
      await tools.writer.removeAll().catch(() => undefined);
    }
    await removeNamespaces(tools.site, passing);
    const awake = [...(await podsOfFunctions(tools.site)).values()];
    if (awake.length > 0) process.stderr.write(`sources: awake meanwhile: ${awake.join(', ')}\n`);
  }
  return turns;
}
