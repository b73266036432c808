// Looks for a sign that the product of this folder is faulty: node test/faults/mutants/seek.ts QUESTION, which is JSON (sought.ts)
// Prints what it found as JSON.

import type { Finding } from '../../../packages/controller/testing/trace.ts';
import { scenarios } from '../scenarios/scenarios.ts';
import { type Attempt, attemptsOf } from './attempts.ts';
import type { Layer } from './mutant.ts';
import { readyFor, runAttempt } from './run-attempt.ts';
import type { Question, Sought } from './sought.ts';

const layers: readonly Layer[] = ['calm', 'losses', 'turns', 'faults', 'schedules', 'storms', 'noise'];

/** One scenario of each sort, for what shows elsewhere than where it was looked for first. */
const general = [
  'message-create',
  'create-tcp',
  'change-text',
  'create-generated-mtls',
  'change-expose-remote-port',
  'drift-endpoints-changed',
  'delete-running',
  'recreate-at-once',
  'scale-up',
];

/** By the clock on the wall: an attempt that needs longer hangs, and is ended. */
const mostMs = 200_000;

type Place = readonly [scenario: string, layer: Layer];

/** The first that is near where it shows; what is near in all layers, the general ones in all layers; the rest of the table without faults. */
function order({ near, layer }: Question): readonly Place[] {
  const likely = [...new Set<Layer>(['calm', layer, ...layers])];
  const first = each(near.slice(0, 1), [layer]);
  const common = general.filter((name) => !near.includes(name));
  const rest = scenarios.map(({ name }) => name).filter((name) => !near.includes(name) && !common.includes(name));
  return distinct([...first, ...each(near, likely), ...each(common, layers), ...each(rest, ['calm'])]);
}

function each(names: readonly string[], among: readonly Layer[]): readonly Place[] {
  return among.flatMap((layer) => names.map((name): Place => [name, layer]));
}

function distinct(places: readonly Place[]): readonly Place[] {
  return [...new Map(places.map((place) => [place.join(' '), place])).values()];
}

async function seek(question: Question): Promise<Sought> {
  const stuck: string[] = [];
  let runs = 0;
  const end = () => ({ runs, ms: busyMs() });
  for await (const { attempt, run } of tries(question, stuck)) {
    runs += 1;
    if (runs <= question.skip) continue;
    const [finding] = await run();
    if (finding !== undefined) return { ...end(), attempt, finding };
    if (end().ms > question.budgetMs || performance.now() > mostMs) break;
  }
  return { ...end(), stuck };
}

/** Of this process: how busy the machine is otherwise does not matter. */
function busyMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

interface Try {
  readonly attempt: Attempt;
  readonly run: () => Promise<readonly Finding[]>;
}

async function* tries(question: Question, stuck: string[]): AsyncGenerator<Try> {
  for (const [name, layer] of order(question)) {
    const ready = await readyFor(name);
    if ('problem' in ready) stuck.push(`${name}: ${ready.problem}`);
    else if ('finding' in ready) yield { attempt: { scenario: name, layer: 'calm' }, run: async () => [ready.finding] };
    else {
      const run = (attempt: Attempt) => () => runAttempt(attempt);
      for (const attempt of attemptsOf(layer, ready.prepared, question.shownBy)) yield { attempt, run: run(attempt) };
    }
  }
}

const question = JSON.parse(process.argv[2] ?? '{}') as Question;
console.log(JSON.stringify(await seek(question)));
