import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { KnudgeError } from '../controller/domain/errors.ts';
import type { Config } from '../controller/server/config.ts';
import { timer } from '../controller/server/deadline.ts';
import { type Reporter, reportByEvent, reportInHeader } from '../controller/server/deliveries.ts';
import type { createLog } from '../controller/server/log.ts';
import type { SenderOf } from './sender-of.ts';

export interface ReportingParts {
  readonly config: Pick<Config, 'reportDeliveries'>;
  readonly log: ReturnType<typeof createLog>;
  /** It is asked only where deliveries are reported by events. */
  readonly sender: SenderOf;
}

/** How this process reports what became of its events, and its work at the end; nothing where it is not asked to. */
export function reportingOf({ config, log, sender: askSender }: ReportingParts): {
  readonly report?: Reporter;
  readonly atEnd?: () => Promise<void>;
} {
  const epoch = Date.now;
  switch (config.reportDeliveries) {
    case 'none':
      return {};
    case 'header':
      return { report: reportInHeader({ instance: String(process.pid), epoch }) };
    case 'event': {
      const sender = askSender();
      if (sender === undefined) {
        const advice = "give the address of a Broker's ingress, or leave REPORT_DELIVERIES out";
        throw new KnudgeError('misuse', `K_SINK is not set, and REPORT_DELIVERIES=event sends events: ${advice}`);
      }
      const onLost = (err: unknown, deliveries: number): void => log.warn({ err, deliveries }, 'deliveries lost');
      const times = { epoch, now: () => performance.now(), after: timer };
      const { report, flush } = reportByEvent({
        sender,
        onLost,
        instance: hostname(),
        newId: randomUUID,
        ...times,
      });
      return { report, atEnd: flush };
    }
  }
}
