import { place } from '../../tools/control-plane/node/place.ts';
import { installMissing } from '../../tools/debian/install.ts';
import { postgresFolder, startPostgres } from '../../tools/postgres/start.ts';
import { until } from '../kube/until.ts';
import { kubectl } from './installed.ts';
import { home } from './site.ts';
import { knudge } from './works.ts';

const forget = ['--namespace', home, 'delete', 'secret', 'event-log-database', '--ignore-not-found'];

/** A PostgreSQL server of this machine, which Pods reach, and the Secret by which the event log finds it. Gives what ends both. */
export async function openDatabase(): Promise<() => Promise<void>> {
  await installMissing('The overlay postgres', { postgresql: () => postgresFolder() !== undefined }, () => undefined);
  const database = await startPostgres(postgresFolder() ?? '', { address: place.host, from: '198.18.0.0/15' });
  // One that an earlier run has left.
  await kubectl(forget);
  const secret = ['--namespace', home, 'create', 'secret', 'generic', 'event-log-database'];
  await kubectl([...secret, `--from-literal=url=${database.url}`]);
  return async () => {
    await kubectl(forget);
    await database.stop();
  };
}

/** Waits until the event log has what happened to a Message of the namespace default: nobody waits for it to take an event. */
export async function logHas(name: string): Promise<void> {
  await until('the log has its events', async () => {
    const listed = await knudge('events', 'list', '--json', '--in-namespace', 'default');
    return listed.includes(`"${name}"`) || listed.slice(0, 500);
  });
}
