import type { DestinationStream, Logger } from 'pino';
import { pino } from 'pino';
import type { Config } from './config.ts';
import { redact, redactText } from './redact.ts';

/**
 * The log: one JSON object a line, to the standard output unless a destination is given. Written at once, so that the
 * last line before an exit is there. Secrets are taken out of whatever is handed in.
 */
export function createLog(
  { logLevel, service, revision }: Pick<Config, 'logLevel' | 'service' | 'revision'>,
  destination: DestinationStream = pino.destination({ dest: 1, sync: true }),
): Logger {
  return pino(
    {
      level: logLevel,
      base: revision === '' ? { service } : { service, revision },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (level) => ({ level }),
        log: (fields) => redact(fields) as Record<string, unknown>,
      },
      serializers: { err: describeError },
    },
    destination,
  );
}

interface ErrorFields {
  readonly type: string;
  readonly code?: string;
  readonly message: string;
  readonly stack?: string;
  readonly cause?: unknown;
}

/** Only these fields of an error, since a client's error may carry the request with its headers. */
function describeError(error: unknown, depth = 0): ErrorFields | unknown {
  if (!(error instanceof Error)) return redact(error);
  const code: unknown = 'code' in error ? error.code : undefined;
  return {
    type: error.name,
    ...(typeof code === 'string' && { code }),
    message: redactText(error.message),
    ...(error.stack !== undefined && { stack: redactText(error.stack) }),
    ...(error.cause !== undefined && depth < deepestCause && { cause: describeError(error.cause, depth + 1) }),
  };
}

const deepestCause = 4;
