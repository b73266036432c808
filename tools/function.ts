import { type FunctionRow, functions, type Stem, services } from '../functions/table.ts';
import { runChangeFunction, runEventFunction, runLogFunctions, runQuestionFunction } from '../src/main.ts';

const names = [...Object.keys(functions), ...Object.keys(services)];
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
  if (!isStem(name)) {
    const own = services[name as keyof typeof services].map((stem) => ({ stem, ...functions[stem] }));
    await runLogFunctions(name, own, process.env);
    return;
  }
  const row: FunctionRow = functions[name];
  if (row.wakes === 'change') await runChangeFunction({ stem: name, ...row }, process.env);
  else if (row.wakes === 'question') await runQuestionFunction({ stem: name, ...row }, process.env);
  else if (row.uses.includes('log')) await runLogFunctions(name, [{ stem: name, ...row }], process.env);
  else await runEventFunction({ stem: name, ...row }, process.env);
}

function isStem(name: string): name is Stem {
  return Object.hasOwn(functions, name);
}
