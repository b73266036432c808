import type { TestContext } from 'node:test';
import { watches } from '../../../functions/table.ts';
import { type DyingSource, openDyingSource, type Told } from './dying-source.ts';

interface Place {
  readonly kubeconfig: string;
  /** Where it sends its events to. */
  readonly sink: string;
  /** Where it keeps what it has reported. */
  readonly file: string;
}

export interface SoakSource extends DyingSource {
  /** What its processes have said of themselves, each with how often; `watching` is left out. */
  said(): string;
}

/** How many watches it has. */
const standing = watches.reduce((sum, { resources }) => sum + resources.length, 0);

/** Knudge's own source as it is delivered: its process, configured by its environment alone. */
export function openSoakSource(context: TestContext, { kubeconfig, sink, file }: Place): SoakSource {
  const said = new Map<string, number>();
  const env = {
    KUBECONFIG: kubeconfig,
    K_SINK: sink,
    SOURCE_FILE: file,
    CONTROLLER_NAMESPACE: 'knudge',
    PORT: '0',
    LISTEN_ADDRESS: '127.0.0.1',
  };
  const readerOf = () => {
    const seen = new Set<string>();
    return (line: string): Told => {
      const { msg = '', watch, why = '' } = fieldsOf(line);
      if (msg !== 'watching') count(said, why === '' ? msg : `${msg} (${why})`);
      else if (watch !== undefined) seen.add(watch);
      return seen.size === standing ? 'complete' : undefined;
    };
  };
  const source = openDyingSource(context, ['packages/start/function.ts', 'source'], { env, readerOf });
  const tell = () => [...said].map(([what, times]) => `${times} times "${what}"`).join(', ');
  return { ...source, said: tell };
}

function count(said: Map<string, number>, what: string): void {
  said.set(what, (said.get(what) ?? 0) + 1);
}

interface Fields {
  readonly msg?: string;
  readonly watch?: string;
  readonly why?: string;
}

/** The last line of one that was killed may be cut. */
function fieldsOf(line: string): Fields {
  try {
    return JSON.parse(line) as Fields;
  } catch {
    return { msg: 'a line that was cut' };
  }
}
