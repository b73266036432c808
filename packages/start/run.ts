import type { Controller } from '../controller/functions/define-controller.ts';
import type { ChangeFunction } from '../controller/react/change.ts';
import type { EventFunction } from '../controller/react/event.ts';
import { runSourceProcess } from '../source/process.ts';
import { runChangeFunctions, runEventFunction, runLogFunctions, runQuestionFunction } from './main.ts';
import { version } from './version.ts';

/** The names of the processes that a controller can run: its functions, its Services, and the source. */
export function processesOf({ functions, services }: Controller): readonly string[] {
  return [...Object.keys(functions), ...Object.keys(services), 'source'];
}

/** Runs one of these processes with the settings in the environment. Rejects if it cannot start. */
export async function runProcess(
  name: string,
  { name: home, functions, services, watches, looksAt, settings, equip }: Controller,
): Promise<void> {
  const env = { CONTROLLER_NAMESPACE: home, ...process.env };
  if (name === 'source') {
    await runSourceProcess({ version, watches, looksAt }, env);
    return;
  }
  const own = (services[name] ?? [name]).flatMap((stem) => {
    const row = functions[stem];
    return row === undefined ? [] : [{ stem, ...row }];
  });
  const changes = own.filter((one): one is ChangeFunction & typeof one => one.wakes === 'change');
  const [first] = own;
  if (changes.length > 0) await runChangeFunctions({ name, own: changes, settings, equip }, env);
  else if (first?.wakes === 'question') await runQuestionFunction(first, env);
  else
    await runEvents({ name, own: own.filter((one): one is EventFunction & typeof one => one.wakes === 'event') }, env);
}

type Environment = Parameters<typeof runEventFunction>[1];

interface Named {
  readonly name: string;
  readonly own: readonly EventFunction[];
}

/** Functions that use the event log share its process; another that takes whole events is alone. */
async function runEvents({ name, own }: Named, env: Environment): Promise<void> {
  const [first] = own;
  if (first === undefined) throw new Error('it serves no function: see services in functions/table.ts');
  if (first.uses.includes('log')) await runLogFunctions(name, own, env);
  else await runEventFunction(first, env);
}
