import { randomUUID } from 'node:crypto';
import type { Access } from '../controller/cluster/access.ts';
import { createTransport } from '../controller/cluster/transport.ts';
import type { Config } from '../controller/server/config.ts';
import { timer } from '../controller/server/deadline.ts';
import type { createLog } from '../controller/server/log.ts';
import { type Election, electionPace, startElection } from './election.ts';
import { leaseBy } from './lease.ts';
import { seldom } from './seldom.ts';

interface Standing {
  readonly access: Access;
  readonly version: string;
  readonly config: Config;
  readonly log: ReturnType<typeof createLog>;
  /** The name of the Pod, by which people find it in the Lease. */
  readonly host: string;
}

/** Waits for the Lease, then begins. A fault ends the process, which the kubelet starts again. */
export function standBy({ access, version, config, log, host }: Standing, begin: () => void): Election {
  const transport = createTransport({ access, version, timeoutMs: electionPace.renewMs });
  const place = { namespace: config.controllerNamespace, name: config.sourceLease };
  const identity = `${host}_${randomUUID()}`;
  const say = { lease: config.sourceLease, identity };
  log.info(say, 'waiting for the Lease');
  const election = startElection({
    lease: leaseBy(transport, place, { durationSeconds: electionPace.durationMs / 1000, now: () => new Date() }),
    identity,
    elected: () => {
      log.info(say, 'holds the Lease');
      try {
        begin();
      } catch (error) {
        log.fatal({ err: error }, 'cannot begin');
        process.exit(1);
      }
    },
    lost: (why) => {
      log.error({ ...say, why }, 'lost the Lease: this process ends');
      process.exit(1);
    },
    failed: seldom((error) => log.warn({ err: error, ...say }, 'cannot read or write the Lease')),
    now: () => performance.now(),
    after: timer,
  });
  return {
    knows: election.knows,
    close: async (): Promise<void> => {
      await election.close();
      transport.close();
    },
  };
}
