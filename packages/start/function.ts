import { parseArgs } from 'node:util';
import { controllerIn } from './controller-in.ts';
import { processesOf, runProcess } from './run.ts';

const { values, positionals } = parseArgs({
  options: { root: { type: 'string', default: process.cwd() } },
  allowPositionals: true,
});
const [name = '', ...rest] = positionals;

try {
  const controller = controllerIn(values.root);
  const names = processesOf(controller);
  if (names.includes(name) && rest.length === 0) await runProcess(name, controller);
  else fail(`usage: npm run function -- <stem>\nThere is no function "${name}". The stems are: ${names.join(', ')}`);
} catch (error) {
  fail(`${name} cannot start: ${error instanceof Error ? error.message : String(error)}`);
}

function fail(sentence: string): void {
  console.error(sentence);
  process.exitCode = 1;
}
