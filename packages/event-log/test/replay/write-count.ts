import { readFileSync } from 'node:fs';
import type { CallGate } from '../../../../test/faults/mesh/call-gate.ts';

/** What Knudge's functions have asked an API server to change since the last look, each as `verb path`. */
export type Writes = () => readonly string[];

/** As it went over the wire to the embedded API. */
export function writesThrough(gate: Pick<CallGate, 'writes'>): Writes {
  let seen = 0;
  return () => {
    const since = gate.writes.slice(seen);
    seen = gate.writes.length;
    return since;
  };
}

interface Audited {
  readonly stage: string;
  readonly verb: string;
  readonly userAgent?: string;
  readonly requestURI: string;
}

/** As the API server itself has written it down, but for what concerns namespaces that other tests have left behind. */
export function writesAudited(file: string, namespace: string): Writes {
  let seen = 0;
  return () => {
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
    const since = lines.slice(seen).map((line) => JSON.parse(line) as Audited);
    seen = lines.length;
    return since
      .filter(({ stage, userAgent = '' }) => stage === 'ResponseComplete' && userAgent.startsWith('knudge'))
      .filter(({ verb }) => !['get', 'list', 'watch'].includes(verb))
      .filter(({ requestURI }) => [undefined, 'knudge', namespace].includes(namespaceIn(requestURI)))
      .map(({ verb, requestURI }) => `${verb} ${requestURI.split('?')[0] ?? ''}`);
  };
}

function namespaceIn(path: string): string | undefined {
  return /\/namespaces\/([^/?]+)/.exec(path)?.[1];
}
