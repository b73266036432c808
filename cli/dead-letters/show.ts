import type { Command } from 'commander';
import { printYaml } from '../../packages/controller/cluster/yaml.ts';
import { KnudgeError } from '../../packages/controller/domain/errors.ts';
import { leaf, wholeUpTo } from '../leaf.ts';
import { type LogOptions, openLog, withLog } from '../open-log.ts';
import { show } from '../show.ts';

/** `knudge dead-letters show`: one dead letter with everything the log keeps of it. */
export function showCommand(): Command {
  const number = wholeUpTo(Number.MAX_SAFE_INTEGER);
  const command = leaf('show', 'show one dead letter whole').argument('<number>', 'its number in the list', number);
  return withLog(command).action(async (seq: number, options: LogOptions) => {
    const { log, title, close } = await openLog(options);
    try {
      const [found] = await log.deadLetters({ after: seq - 1, before: seq + 1 }, { order: 'newest-first', limit: 1 });
      if (found === undefined)
        throw new KnudgeError('invalid-request', `There is no dead letter ${seq} in ${title}, or no longer`);
      show(found, () => printYaml(found).trimEnd(), options);
    } finally {
      await close();
    }
  });
}
