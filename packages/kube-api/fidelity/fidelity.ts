// Runs the table on the embedded API and on a real kube-apiserver: node packages/kube-api/fidelity/fidelity.ts --help
import { parseArgs } from 'node:util';
import { areas } from './cases.ts';
import { type Choice, chosen } from './choose.ts';
import { differences } from './differences.ts';
import { startReal } from './real.ts';
import { record, recorded } from './record.ts';
import type { Answer } from './run-case.ts';
import { createSuite, type Suite } from './suite.ts';

const usage = `usage: node packages/kube-api/fidelity/fidelity.ts [--only TEXT]... [--record | --embedded | --real]
  runs every case on the embedded API and on a real kube-apiserver and compares the answers with each other and with
  the record (packages/kube-api/fidelity/expected); ends with 1 when one is different
  --only TEXT   only cases whose area or name has this in it
  --record      writes what the real API server answers to the record
  --embedded    the embedded API against the record only: no cluster is needed
  --real        the real one against the record only`;

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    record: { type: 'boolean', default: false },
    embedded: { type: 'boolean', default: false },
    real: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

interface Ran {
  readonly server: 'embedded' | 'real';
  readonly suite: Suite;
  readonly close: () => Promise<void>;
}

type Outcome = readonly Answer[] | { readonly failed: string };

const atATime = 6;

/** Of a case that has a chance to go another way on the real one. */
const mostTries = 3;

if (values.help) console.log(usage);
else process.exitCode = (await run(chosen(areas, values.only))) ? 0 : 1;

async function run(choices: readonly Choice[]): Promise<boolean> {
  const servers: Ran[] = [];
  try {
    if (!values.embedded) servers.push({ server: 'real', ...(await onSuite(startReal())) });
    if (!values.record && !values.real) servers.push({ server: 'embedded', ...(await onSuite(embedded())) });
    const answers = new Map<Choice, Outcome>();
    let equal = 0;
    let done = 0;
    await inParallel(choices, async (choice) => {
      const outcomes = await Promise.all(servers.map((ran) => outcomeOf(ran, choice)));
      if (outcomes[0] !== undefined) answers.set(choice, outcomes[0]);
      const complaints = values.record ? failures(outcomes) : complaintsOf(choice, servers, outcomes);
      done += 1;
      if (complaints.length === 0) equal += 1;
      else console.log(`\n✗ ${choice.area}: ${choice.one.name}\n${complaints.map((line) => `    ${line}`).join('\n')}`);
      if (process.stderr.isTTY || done % 20 === 0) process.stderr.write(`[${done} of ${choices.length}]\n`);
    });
    if (values.record) writeRecord(answers);
    if (process.env['KNUDGE_CLUSTER_KUBECONFIG']) for (const { suite } of servers) await suite.clean();
    console.log(`${choices.length} cases, ${equal} ${values.record ? 'recorded' : 'equal'}`);
    return equal === choices.length;
  } finally {
    for (const { close } of servers) await close();
  }
}

/** Loaded where it runs, so that a record can be made of the real one whatever state the embedded one is in. */
async function embedded(): ReturnType<typeof startReal> {
  const { startEmbedded } = await import('./embedded.ts');
  return startEmbedded();
}

async function onSuite(starting: ReturnType<typeof startReal>): Promise<Omit<Ran, 'server'>> {
  const { server, close } = await starting;
  return { suite: createSuite(server), close };
}

async function outcomeOf({ server, suite }: Ran, { area, one }: Choice): Promise<Outcome> {
  const { chance } = one;
  try {
    for (let tries = 1; ; tries += 1) {
      const answers = await suite.run(one);
      const isOver = answers.every(({ problem }) => problem === undefined) || tries === mostTries;
      if (server !== 'real' || chance === undefined || isOver) return answers;
      console.log(`\n${area}: ${one.name}: tried anew on the real one, since ${chance}`);
    }
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) };
  }
}

/** The real one against the record, and the embedded one against the real one or, alone, against the record. */
function complaintsOf({ area, one }: Choice, servers: readonly Ran[], outcomes: readonly Outcome[]): readonly string[] {
  const kept = recorded(area)[one.name];
  if (kept === undefined) return ['it is not in the record; record it with --record'];
  let expected: Outcome = kept;
  let source = 'the record';
  return servers.flatMap(({ server }, index) => {
    const outcome = outcomes[index] ?? [];
    const lines =
      'failed' in outcome ? [outcome.failed] : differences(expected, outcome).map((line) => named(kept, line));
    const said = lines.length === 0 ? [] : [`${server} (+) is not ${source} (-):`, ...lines.map((line) => `  ${line}`)];
    if (!('failed' in outcome)) [expected, source] = [outcome, server === 'real' ? 'the real one' : server];
    return said;
  });
}

/** `[2].body.kind` with the step instead of its number. */
function named(kept: readonly Answer[], line: string): string {
  return line.replace(/^\[(\d+)\]/, (_, index: string) => `${index}. ${String(kept[Number(index)]?.['step'])}:`);
}

function failures(outcomes: readonly Outcome[]): readonly string[] {
  return outcomes.flatMap((outcome) => {
    if ('failed' in outcome) return [outcome.failed];
    return outcome.filter(({ problem }) => problem !== undefined).map((answer) => JSON.stringify(answer));
  });
}

/** Areas keep the answers of cases that were not run now, and forget those of cases that are no longer there. */
function writeRecord(answers: ReadonlyMap<Choice, Outcome>): void {
  for (const [area, cases] of Object.entries(areas)) {
    const news = new Map(
      [...answers].filter(([choice]) => choice.area === area).map(([{ one }, got]) => [one.name, got]),
    );
    if (news.size === 0) continue;
    const before = recorded(area);
    const rows = cases.map(({ name }): [string, Outcome | undefined] => [name, news.get(name) ?? before[name]]);
    const good = rows.filter(
      (row): row is [string, readonly Answer[]] => row[1] !== undefined && !('failed' in row[1]),
    );
    record(area, Object.fromEntries(good));
  }
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: atATime }, worker));
}
