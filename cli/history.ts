import { type Command, Option } from 'commander';
import { asKnudgeError } from '../packages/controller/domain/errors.ts';
import { type History, historyOf, type Named } from '../packages/event-log/api/history.ts';
import { readManifests } from '../packages/mesh/manifests/read-manifests.ts';
import { watchedKind } from '../packages/mesh/parent-kinds.ts';
import { root } from './about.ts';
import { type Happened, kubernetesEvents } from './history/events.ts';
import { historyText } from './history/text.ts';
import { leaf, placeIn, usageError, wholeUpTo } from './leaf.ts';
import { kubeconfigOf, type LogOptions, openLog, withLog } from './open-log.ts';
import { show } from './show.ts';

interface Options extends LogOptions {
  readonly limit: number;
  readonly before?: number;
}

/** `knudge history`: the versions of an object, as `git log -p` shows those of a file. */
export function historyCommand(): Command {
  const command = leaf('history', 'show the versions of an object: what changed, who did it, and what Knudge did')
    .argument('<kind>', 'such as Message, msg, pod')
    .argument('<namespace/name>', 'the object');
  return withLog(command)
    .addOption(new Option('--limit <number>', 'at most this many versions').argParser(wholeUpTo(200)).default(20))
    .option('--before <number>', 'those before this event', wholeUpTo(Number.MAX_SAFE_INTEGER))
    .action(history);
}

async function history(word: string, at: string, options: Options): Promise<void> {
  const object = { kind: kindOf(word), ...placeOf(at) };
  const { log, title, close } = await openLog(options);
  try {
    const { limit, before } = options;
    const found = await historyOf(log, object, { limit, ...(before !== undefined && { before }) });
    const happened = await happenedTo(object, found, options);
    show({ ...found, events: happened }, (style) => historyText(found, { happened, title, style }), options);
  } finally {
    await close();
  }
}

/** Those of the time that is shown; undefined where the cluster cannot be asked: what the log says is shown without them. */
async function happenedTo(
  object: Named,
  { versions, next }: History,
  options: Options,
): Promise<readonly Happened[] | undefined> {
  try {
    const all = await kubernetesEvents(object, kubeconfigOf(options));
    const [newest, oldest] = [versions[0]?.event.time, versions.at(-1)?.event.time ?? ''];
    const isShown = ({ time }: Happened): boolean =>
      (next === undefined || time >= oldest) && (options.before === undefined || time <= (newest ?? ''));
    return all.filter(isShown);
  } catch {
    return undefined;
  }
}

function kindOf(word: string): string {
  const spec = readManifests({ root });
  try {
    return watchedKind(word, spec);
  } catch (error) {
    throw usageError(asKnudgeError(error).message);
  }
}

function placeOf(text: string): Omit<Named, 'kind'> {
  const place = placeIn(text);
  if (place !== undefined) return place;
  throw usageError(`'${text}' names no object: give its namespace and its name, such as default/hello`);
}
