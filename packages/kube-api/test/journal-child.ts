import { writeSync } from 'node:fs';
import { createApi } from '../api.ts';
import { openJournal } from '../store/journal.ts';

/** Writes without an end, and says each write after it was acknowledged: the name and its resourceVersion, or `-name`. */
const [dir = '', round = '0'] = process.argv.slice(2);
const { client } = createApi({ journal: openJournal(dir) });
for (let index = 0; ; index++) {
  const name = `r${round}-${index}`;
  const made = client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } });
  writeSync(1, `${name} ${made.metadata.resourceVersion}\n`);
  if (index % 3 !== 2) continue;
  const gone = `r${round}-${index - 1}`;
  client.delete({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: gone });
  writeSync(1, `-${gone}\n`);
}
