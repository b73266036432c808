import type { Server } from 'node:http';
import { type AppParts, createApp } from './app.ts';
import type { Config } from './config.ts';
import { drainOnSignals } from './shutdown.ts';

export interface ServeParts extends Omit<AppParts, 'drain' | 'config'> {
  readonly config: Config;
  /** What is to be done after the last answer; waited for as long as the grace allows. */
  readonly atEnd?: () => Promise<void>;
}

/** Starts the server of a function; from then on it lives by signals. */
export function serve({ atEnd, ...parts }: ServeParts): Server {
  const { stem, config, log } = parts;
  const drain = { begun: false };
  const server = createApp({ ...parts, drain });
  drainOnSignals({
    server,
    drain,
    log,
    graceSeconds: config.shutdownGraceSeconds,
    signals: process,
    exit: (code) => void Promise.race([atEnd?.(), patience()]).finally(() => process.exit(code)),
  });
  server.on('error', (error) => {
    log.fatal({ err: error, port: config.port, address: config.listenAddress }, 'cannot listen');
    process.exitCode = 1;
  });
  const { port, listenAddress: host } = config;
  return server.listen({ port, ...(host !== '' && { host }) }, () =>
    log.info({ stem, address: server.address() }, 'listening'),
  );
}

/** Seconds are few between the last answer and the kill. */
function patience(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 2000));
}
