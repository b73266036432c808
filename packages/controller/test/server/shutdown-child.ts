import { createApp } from '../../server/app.ts';
import { readConfig } from '../../server/config.ts';
import { timer } from '../../server/deadline.ts';
import { createDryRuns } from '../../server/dry-runs.ts';
import { createLog } from '../../server/log.ts';
import { createMetrics } from '../../server/metrics.ts';
import { drainOnSignals } from '../../server/shutdown.ts';
import { listen } from './raw.ts';

/** A whole function as a process: its handler takes as many milliseconds as HANDLER_MS says; its first line is its port. */
const config = readConfig(process.env);
const log = createLog(config);
const drain = { begun: false };
const now = () => performance.now();
const server = createApp({
  stem: 'any',
  reaction: {
    to: 'change',
    takes: () => true,
    handle: async () => {
      log.info('handling');
      await new Promise((resolve) => setTimeout(resolve, Number(process.env['HANDLER_MS'])));
      return [{ result: 'done', reads: 1, writes: 0 }];
    },
  },
  dryRuns: createDryRuns({ ...config, asksForTokens: false }),
  metrics: createMetrics({ now }),
  config,
  log,
  drain,
  now,
  after: timer,
});
drainOnSignals({ server, drain, log, graceSeconds: config.shutdownGraceSeconds, signals: process, exit: process.exit });
log.info({ port: await listen(server) }, 'listening');
