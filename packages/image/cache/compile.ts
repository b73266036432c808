import { setFlagsFromString } from 'node:v8';
import { untilListening } from './listening.ts';
import { run, scriptOf } from './script.ts';

/**
 * Flags of the Node.js that makes a cache: with them, and with `compilers` off, the same bundle gives the same bytes, and V8 also accepts
 * them without: strings have the same hash, nothing runs in the background, and no garbage collection ages functions, which the cache
 * would record.
 */
export const repeatable = ['--predictable', '--min-semi-space-size=64'] as const;

/** The compilers beyond bytecode. A cache holds only bytecode, but records whether one of them was at work, which depends on timing. */
const compilers = ['sparkplug', 'maglev', 'turbofan'];

/** An event as a function gets it soon after its start, and the answer that it must give. */
export interface FirstEvent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The path that it is posted to. */
  readonly path: string;
  readonly status: number;
}

/** What is run for a cache. */
export interface Compiling {
  readonly bundle: string;
  /** Where the bundle will be; if absent, where it is. */
  readonly filename?: string;
  /** The port that the function listens on: PORT in the environment says so. */
  readonly port: number;
  readonly events: readonly FirstEvent[];
  /** If absent, that of the bundle. */
  readonly require?: NodeJS.Require;
}

/**
 * Runs the bundle of a function in this process, lets it answer these events, and returns V8's code cache of all that was compiled for
 * that. Throws an Error if an answer is not the expected one. V8 accepts a cache only in the version and with the flags that made it.
 */
export async function compileCache({ bundle, filename, port, events, require }: Compiling): Promise<Buffer> {
  for (const compiler of compilers) setFlagsFromString(`--no-${compiler}`);
  const script = scriptOf(bundle, undefined, filename);
  run(script, bundle, require);
  await untilListening(port);
  for (const { path, status, ...event } of events) {
    const answer = await fetch(`http://127.0.0.1:${String(port)}${path}`, { method: 'POST', ...event });
    if (answer.status === status) continue;
    throw new Error(`it answers its first event at ${path} with ${String(answer.status)}: ${await answer.text()}`);
  }
  for (const compiler of compilers) setFlagsFromString(`--${compiler}`);
  return script.createCachedData();
}
