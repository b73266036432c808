import { type ChangeStem, functions, type Stem, services } from '../../functions/table.ts';
import { deadLettered } from '../../packages/controller/functions/dead-lettered.ts';
import { eventRecorded } from '../../packages/controller/functions/event-recorded.ts';
import { itselfChanged } from '../../packages/controller/functions/itself-changed.ts';
import type { FunctionRow } from '../../packages/controller/functions/rows.ts';
import type * as Main from '../../packages/start/main.ts';

/** The functions that run a row: each bundle names one, so that the code of the others is left out. */
const runners = {
  change: 'runChangeFunctions',
  event: 'runEventFunction',
  question: 'runQuestionFunction',
} as const satisfies Record<FunctionRow['wakes'], keyof typeof Main>;

const equipped = `import { equip } from './resources/managed/equip.ts';
    import { settings } from './resources/managed/settings.ts';`;

/** The entry of one process: rows of the table as text, so that the code of other functions is left out. */
function entryOf(name: string, [runner, stems, given]: Start): string {
  return `
    ${stems.map((stem, index) => `import * as own${index} from './${fileOf(stem)}.ts';`).join('\n')}
    import './resources/managed/kinds.ts';
    import { ${runner} as run } from './packages/start/main.ts';
    ${runner === runners.change ? equipped : ''}
    run(${given}, process.env).catch((error) => {
      console.error('${name} cannot start: ' + (error instanceof Error ? error.message : error));
      process.exitCode = 1;
    });`;
}

/** The function that runs it, the stems that it serves, and its arguments. */
type Start = readonly [runner: keyof typeof Main, stems: readonly Stem[], given: string];

/** The entry of one Knative Service, by the name of the function that it serves or its own. */
export function serviceEntry(name: string): string {
  return entryOf(name, startOf(name));
}

/** The entry of one process with these functions, independent of the Services in the table. */
export function changesEntry(name: string, stems: readonly ChangeStem[]): string {
  return entryOf(name, startOfAll(name, stems, runners.change));
}

function startOf(name: string): Start {
  if (Object.hasOwn(services, name)) {
    const stems: readonly Stem[] = services[name as keyof typeof services];
    const runner = stems.every((stem) => functions[stem].wakes === 'change') ? runners.change : 'runLogFunctions';
    return startOfAll(name, stems, runner);
  }
  const row: FunctionRow = functions[name as Stem];
  if (row.wakes === 'change') return startOfAll(name, [name as Stem], runners.change);
  return [runners[row.wakes], [name as Stem], rowOf(name as Stem, 0)];
}

function startOfAll(name: string, stems: readonly Stem[], runner: keyof typeof Main): Start {
  const own = `[${stems.map(rowOf).join(', ')}]`;
  return [
    runner,
    stems,
    runner === runners.change ? `{ name: '${name}', own: ${own}, settings, equip }` : `'${name}', ${own}`,
  ];
}

/** The file without its ending that has the handler of a stem: its own in functions/, or one of the engine, which every controller shares. */
export function fileOf(stem: Stem): string {
  const { handle }: Pick<FunctionRow, 'handle'> = functions[stem];
  const shared = sharedHandlers.get(handle);
  return shared === undefined ? `functions/${stem}` : `packages/controller/functions/${shared}`;
}

const sharedHandlers = new Map<FunctionRow['handle'], string>([
  [itselfChanged, 'itself-changed'],
  [eventRecorded, 'event-recorded'],
  [deadLettered, 'dead-lettered'],
]);

/** A row as text. Each function in it is imported from the file that has it. */
function rowOf(stem: Stem, index: number): string {
  const fields = Object.entries(functions[stem]).map(([field, value]) => {
    return `${field}: ${typeof value === 'function' ? `own${index}.${value.name}` : JSON.stringify(value)}`;
  });
  return `{ stem: '${stem}', ${fields.join(', ')} }`;
}
