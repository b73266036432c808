import type { Command } from 'commander';
import { type Verdict, verify } from '../../packages/event-log/store/verify.ts';
import type { Style } from '../../packages/mesh/screen.ts';
import { exitCodes } from '../exit-codes.ts';
import { leaf } from '../leaf.ts';
import { type LogOptions, type OpenLog, openLog, withLog } from '../open-log.ts';
import { show } from '../show.ts';
import { countOf } from '../words.ts';
import { showProgress } from './progress.ts';

/** `knudge events verify`: checks that the events are those that were written. */
export function verifyCommand(): Command {
  const command = leaf('verify', 'check the chain over the events: none was changed, taken out or put in');
  return withLog(command).action(verifyAll);
}

async function verifyAll(options: LogOptions): Promise<void> {
  const opened = await openLog(options);
  try {
    await verifyIn(opened, options);
  } finally {
    await opened.close();
  }
}

async function verifyIn({ log, title }: OpenLog, options: LogOptions): Promise<void> {
  const progress = showProgress(process.stderr, await log.count({}, 'events'));
  try {
    const verdict = await verify(log, (events) => {
      for (let n = 0; n < events; n += 1) progress.step();
    });
    progress.end();
    show(verdict, (style) => textOf(verdict, title, style), options);
    if (!verdict.whole) process.exitCode = exitCodes.failed;
  } finally {
    progress.end();
  }
}

function textOf({ whole, events, letGo, older, head, breaks }: Verdict, title: string, { odd, dim }: Style): string {
  const told = breaks.map(({ seq, what }) => odd(`event ${seq}: ${what}`));
  const result = whole ? 'the chain is whole' : 'the chain is broken';
  const more = older === 0 ? [] : [dim(`${countOf(older, 'event')} are older than the chain: they cannot be verified`)];
  const counts = `${countOf(events, 'event')} in ${title}, ${letGo} removed by retention`;
  return [...told, `${result}: ${counts}`, ...more, dim(`its end is ${head === '' ? 'its beginning' : head}`)].join(
    '\n',
  );
}
