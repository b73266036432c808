// Appends without an end, a number of events at a time, and says the id of each that was acknowledged: until somebody kills it.
import { openEventLog } from '../../store/open.ts';
import { checkOf } from './kills.ts';

const [databaseUrl = '', file = '', round = ''] = process.argv.slice(2);
const log = await openEventLog({ databaseUrl, file });
let count = 0;

await Promise.all(Array.from({ length: 24 }, append));

async function append(): Promise<never> {
  for (;;) {
    count += 1;
    const id = `${round}-${count}`;
    const data = { check: checkOf(id), text: id.repeat(1 + (count % 200)) };
    try {
      await log.append({ id, source: '/killed', type: 't', extensions: new Map(), data });
      process.stdout.write(`${id}\n`);
    } catch {
      // Not acknowledged: its server was killed before it was.
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
