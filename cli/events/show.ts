import type { Command } from 'commander';
import { printYaml } from '../../packages/controller/cluster/yaml.ts';
import { KnudgeError } from '../../packages/controller/domain/errors.ts';
import type { LogReader, RecordedEvent } from '../../packages/controller/domain/event-log.ts';
import { lineageOf } from '../../packages/event-log/api/lineage.ts';
import { leaf } from '../leaf.ts';
import { type LogOptions, openLog, withLog } from '../open-log.ts';
import { show } from '../show.ts';
import { chainText } from './chain.ts';

/** `knudge events show`: one event with everything the log keeps of it, its cause and its effects. */
export function showCommand(): Command {
  const command = leaf('show', 'show one event whole, what it came of and what became of it').argument(
    '<event>',
    'its number in the list, or its id',
  );
  return withLog(command).action(async (key: string, options: LogOptions) => {
    const { log, title, close } = await openLog(options);
    try {
      const found = await eventOf(key, log);
      if (found === undefined)
        throw new KnudgeError('invalid-request', `There is no event ${key} in ${title}, or no longer`);
      const { event: _, ...chain } = await lineageOf(log, found);
      const text = printYaml(found).trimEnd();
      show({ ...found, chain }, (style) => `${text}\n${chainText({ event: found, ...chain }, style)}`, options);
    } finally {
      await close();
    }
  });
}

async function eventOf(key: string, log: LogReader): Promise<RecordedEvent | undefined> {
  const one = { order: 'newest-first', limit: 1 } as const;
  const seq = /^\d{1,15}$/.test(key) ? Number(key) : undefined;
  const [bySeq] = seq === undefined ? [] : await log.events({ after: seq - 1, before: seq + 1 }, one);
  const [found = bySeq] = bySeq === undefined ? await log.events({ id: key }, one) : [];
  return found;
}
