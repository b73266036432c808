// A mesh of one stub: prints the process number of its function and stays until SIGTERM.
import { fileURLToPath } from 'node:url';
import { createFunctions } from '../../functions/functions.ts';
import { functionSpec } from './build.ts';

process.once('SIGTERM', () => process.exit(0));
const functions = await createFunctions([functionSpec()], {
  command: () => [process.execPath, fileURLToPath(new URL('./stub.ts', import.meta.url))],
  env: {},
  report: () => undefined,
});
const answer = await fetch(functions.urls.get('stub') ?? '');
console.log(((await answer.json()) as { readonly pid: number }).pid);
