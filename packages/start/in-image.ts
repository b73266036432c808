import type { Controller } from '../controller/functions/define-controller.ts';
import { processesOf, runProcess } from './run.ts';

/** Runs the process that the one argument names, else Knative's K_SERVICE. Prints a sentence and sets the exit code if it cannot start. */
export async function runInImage(
  controller: Controller,
  [name, ...more]: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const wanted = name ?? env['K_SERVICE'] ?? '';
  const names = processesOf(controller);
  if (!names.includes(wanted) || more.length > 0) {
    fail(`There is no function "${wanted}": give one of ${names.join(', ')} as the argument, or set K_SERVICE.`);
    return;
  }
  try {
    await runProcess(wanted, controller);
  } catch (error) {
    fail(`${wanted} cannot start: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function fail(sentence: string): void {
  console.error(sentence);
  process.exitCode = 1;
}
