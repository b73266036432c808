// Runs the table on the mesh and on real Knative: node test/knative/cases/command.ts --help
import { parseArgs } from 'node:util';
import { withKnative } from '../../../tools/test/cluster.ts';
import { testKubeconfig } from '../../kube/api.ts';
import { areas } from './areas.ts';
import { complaintsOf, type Ran } from './compare.ts';
import { record, recorded } from './expected.ts';
import { startEmbedded } from './mesh.ts';
import type { Target } from './observe.ts';
import { startReal } from './real.ts';
import { forMesh, type Outcome, runTable } from './run-table.ts';
import { type Row, rowsOf } from './table.ts';

const usage = `usage: node test/knative/cases/command.ts [--only TEXT]... [--record | --embedded | --real]
  runs every case on the mesh of npm start and on real Knative and compares what they show with each other and with
  the record (test/knative/cases/expected); ends with 1 when one is different
  --only TEXT   only cases whose area or name has this in it
  --record      writes what real Knative shows to the record
  --embedded    the mesh against the record only: no cluster is needed
  --real        real Knative against the record only`;

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    record: { type: 'boolean', default: false },
    embedded: { type: 'boolean', default: false },
    real: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const began = performance.now();

if (values.help) console.log(usage);
else process.exitCode = await run(chosen());

function chosen(): readonly Row[] {
  const texts = values.only;
  const all = rowsOf(areas);
  if (texts.length === 0) return all;
  return all.filter(({ area, one }) => texts.some((text) => area.includes(text) || one.name.includes(text)));
}

async function run(rows: readonly Row[]): Promise<number> {
  const ran: Ran[] = [];
  if (!values.embedded) {
    const result = await withKnative(process.cwd(), log, () => ranOn(startReal(rows, testKubeconfig()), rows));
    if ('why' in result) {
      log(`There is no real Knative here. ${result.why}`);
      return 1;
    }
    ran.push(result);
  }
  if (!values.record && !values.real) {
    const own = forMesh(rows);
    ran.push(await ranOn(startEmbedded(own), own));
  }
  const bad = rows.filter((row) => {
    const complaints = values.record ? failures(row, ran) : complaintsOf(row, ran, recorded(row.area)[row.one.name]);
    if (complaints.length > 0)
      console.log(`\n✗ ${row.area}: ${row.one.name}\n${complaints.map((line) => `    ${line}`).join('\n')}`);
    return complaints.length > 0;
  });
  if (values.record) for (const { outcomes } of ran) writeRecord(outcomes);
  console.log(`${rows.length} cases, ${rows.length - bad.length} ${values.record ? 'recorded' : 'equal'}`);
  return bad.length === 0 ? 0 : 1;
}

async function ranOn(starting: Promise<Target>, rows: readonly Row[]): Promise<Ran> {
  const target = await starting;
  try {
    log(`${target.name} is up`);
    return await runTable(rows, target);
  } finally {
    await target.close();
    log(`${target.name} is done with`);
  }
}

function failures(row: Row, ran: readonly Ran[]): readonly string[] {
  return ran.flatMap(({ outcomes }) => {
    const outcome = outcomes.get(row);
    return outcome !== undefined && typeof outcome['failed'] === 'string' ? [outcome['failed']] : [];
  });
}

/** Areas keep what was not run now, and forget the cases that are no longer there. */
function writeRecord(outcomes: ReadonlyMap<Row, Outcome>): void {
  const news = new Map(
    [...outcomes].filter(([, outcome]) => outcome['failed'] === undefined).map(([row, got]) => [row.id, got]),
  );
  for (const [area, cases] of Object.entries(areas)) {
    const before = recorded(area);
    const all = rowsOf({ [area]: cases }).flatMap(({ id, one }) => {
      const got = news.get(id) ?? before[one.name];
      return got === undefined ? [] : [[one.name, got] as const];
    });
    record(area, Object.fromEntries(all));
  }
}

function log(line: string): void {
  process.stderr.write(`[${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s] ${line}\n`);
}
