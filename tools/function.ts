import { type FunctionRow, functions, type Stem } from '../functions/table.ts';
import { runChangeFunction, runEventFunction, runQuestionFunction } from '../src/main.ts';

const stems = Object.keys(functions);
const [stem = '', ...rest] = process.argv.slice(2);

if (!isStem(stem) || rest.length > 0) {
  console.error(
    `usage: npm run function -- <stem>\nThere is no function "${stem}". The stems are: ${stems.join(', ')}`,
  );
  process.exitCode = 1;
} else {
  try {
    const row: FunctionRow = functions[stem];
    if (row.wakes === 'change') await runChangeFunction({ stem, ...row }, process.env);
    else if (row.wakes === 'event') await runEventFunction({ stem, ...row }, process.env);
    else await runQuestionFunction({ stem, ...row }, process.env);
  } catch (error) {
    console.error(`${stem} cannot start: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}

function isStem(name: string): name is Stem {
  return Object.hasOwn(functions, name);
}
