import { version } from '../../packages/controller/version.ts';
import { runSourceProcess } from '../../packages/source/process.ts';
import type { FunctionRow } from '../rows.ts';
import { functions, looksAt, type Stem, services } from '../table.ts';
import { watches } from '../watches.ts';
import { runChangeFunctions, runEventFunction, runLogFunctions, runQuestionFunction } from './main.ts';

const names = [...Object.keys(functions), ...Object.keys(services), 'source'];
const [stem = '', ...rest] = process.argv.slice(2);

if (!names.includes(stem) || rest.length > 0) {
  console.error(
    `usage: npm run function -- <stem>\nThere is no function "${stem}". The stems are: ${names.join(', ')}`,
  );
  process.exitCode = 1;
} else {
  try {
    await run(stem);
  } catch (error) {
    console.error(`${stem} cannot start: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}

async function run(name: string): Promise<void> {
  if (name === 'source') {
    await runSourceProcess({ version, watches, looksAt }, process.env);
    return;
  }
  if (!isStem(name)) {
    await runService(name as keyof typeof services);
    return;
  }
  const row: FunctionRow = functions[name];
  if (row.wakes === 'change') await runChangeFunctions(name, [{ stem: name, ...row }], process.env);
  else if (row.wakes === 'question') await runQuestionFunction({ stem: name, ...row }, process.env);
  else if (row.uses.includes('log')) await runLogFunctions(name, [{ stem: name, ...row }], process.env);
  else await runEventFunction({ stem: name, ...row }, process.env);
}

/** Several in one process, as a Knative Service has them. */
async function runService(name: keyof typeof services): Promise<void> {
  const rowOf = <One extends Stem>(stem: One) => ({ stem, ...functions[stem] });
  switch (name) {
    case 'distributed-service':
      await runChangeFunctions(name, services[name].map(rowOf), process.env);
      return;
    case 'event-log':
      await runLogFunctions(name, services[name].map(rowOf), process.env);
  }
}

function isStem(name: string): name is Stem {
  return Object.hasOwn(functions, name);
}
