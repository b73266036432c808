import type { Hop } from '../packages/mesh/hop.ts';
import { createLiveScreen } from '../packages/mesh/live-screen.ts';
import type { MeshState } from '../packages/mesh/state.ts';
import { styleOf } from './show.ts';

export interface ShowOptions {
  /** Whether programs read it: an object a line. */
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly all?: boolean;
}

/** What a person, or a program, sees of a mesh. */
export interface Show {
  readonly hop: (hop: Hop) => void;
  readonly ready: (state: MeshState) => void;
  /** For people alone. */
  readonly line: (text: string) => void;
}

/** Shows what happens on the standard output; `leaving.now` says whether the mesh is ending. */
export function shower({ json, quiet, all = false }: ShowOptions, leaving: { readonly now: boolean }): Show {
  const print = printer();
  if (json) {
    return {
      hop: (hop) => print(JSON.stringify('event' in hop ? { ...hop, event: hop.event.attributes } : hop)),
      ready: (state) => print(JSON.stringify({ kind: 'ready', ...state })),
      line: () => undefined,
    };
  }
  const showHop = createLiveScreen({
    print,
    style: styleOf(process.stdout, process.env),
    all,
    now: () => new Date(),
    columns: () => (process.stdout.isTTY ? process.stdout.columns : undefined),
    later: (ms, call) => {
      const timer = setTimeout(call, ms);
      return () => clearTimeout(timer);
    },
  });
  let isUp = false;
  return {
    hop: (hop) => {
      // What the sources drop at the end was given to the Broker before.
      const isUsual = leaving.now ? hop.kind === 'lost' : !isUp && beforeIsUp.has(hop.kind);
      if (!isUsual && !(quiet && !trouble.has(hop.kind))) showHop(hop);
    },
    ready: (state) => {
      isUp = true;
      print(addresses(state));
    },
    line: print,
  };
}

/** Milliseconds: a wait too short to be seen. */
const linesTogether = 10;

/** Writes the lines of a moment together: each write to a pipe or a screen holds up everything else. */
function printer(): (line: string) => void {
  let waiting: string[] = [];
  const flush = (): void => {
    if (waiting.length > 0) console.log(waiting.join('\n'));
    waiting = [];
  };
  process.once('exit', flush);
  return (line) => {
    if (waiting.length === 0) setTimeout(flush, linesTogether);
    waiting.push(line);
  };
}

/** The hops that every start consists of. */
const beforeIsUp: ReadonlySet<Hop['kind']> = new Set(['watching', 'woke']);

const trouble: ReadonlySet<Hop['kind']> = new Set(['lost', 'dead-lettered', 'dropped', 'crashed', 'warning', 'blind']);

function addresses({ console: pages, apiServer, kubeconfig, broker, functions }: MeshState): string {
  const rows = [
    ...(pages === null ? [] : [['Console', pages]]),
    ['Kubernetes API', `${apiServer}   export KUBECONFIG=${quoted(kubeconfig)}`],
    ['Broker', broker],
    ...Object.entries(functions),
  ];
  const width = Math.max(...rows.map(([name = '']) => name.length));
  return ['Knudge is up; Ctrl-C ends it.', ...rows.map(([name = '', at]) => `  ${name.padEnd(width)}  ${at}`)].join(
    '\n',
  );
}

/** Quoted for a shell. */
function quoted(path: string): string {
  return /^[\w./:@-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
