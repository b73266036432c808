import { mkdtempSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtOperator, installedInformer, installedKopf, sources } from './install.ts';

type Log = (line: string) => void;

/** The command of a contestant; it finds the cluster by KUBECONFIG and the spec of a Pod by POD_SPEC. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The folder that it writes to, which may be deleted. */
  readonly scratch?: string;
}

export interface Contestant {
  readonly name: ContestantName;
  readonly label: string;
  /** Whether a process, by its command line, belongs to the platform that all controllers share. */
  readonly isPlatform: (command: string) => boolean;
  /** Builds or fetches what is missing. */
  prepare(log: Log): Promise<(kubeconfig: string) => Command>;
}

export const contestantNames = ['go', 'go-tuned', 'kopf', 'client-node', 'knudge'] as const;
export type ContestantName = (typeof contestantNames)[number];

/** Seconds after which a function sleeps, so that memory at rest is that of sleeping functions; the manifests say a minute. */
export const idleSeconds = 2;

export const contestants: readonly Contestant[] = [
  {
    name: 'go',
    label: 'controller-runtime 0.25.2, as it comes',
    isPlatform: () => false,
    prepare: async (log) => {
      const program = await builtOperator(log);
      return () => ({ program, args: [], env: {} });
    },
  },
  {
    name: 'go-tuned',
    label: 'controller-runtime 0.25.2, tuned',
    isPlatform: () => false,
    prepare: async (log) => {
      const program = await builtOperator(log);
      return () => ({ program, args: [], env: { TUNED: 'true' } });
    },
  },
  {
    name: 'kopf',
    label: 'kopf 1.45.2',
    isPlatform: () => false,
    prepare: async (log) => {
      const folder = await installedKopf(log);
      const args = [
        '-m',
        'kopf',
        'run',
        '--quiet',
        '--standalone',
        '--all-namespaces',
        join(sources, 'kopf/operator.py'),
      ];
      const env = { PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' };
      return () => ({ program: 'python3', args, env });
    },
  },
  {
    name: 'client-node',
    label: 'informers of client-node 2.0.1',
    isPlatform: () => false,
    prepare: async (log) => {
      const folder = await installedInformer(log);
      return () => ({
        program: process.execPath,
        args: [join(folder, 'informer.ts')],
        env: { NODE_ENV: 'production' },
      });
    },
  },
  {
    name: 'knudge',
    label: 'Knudge, npm start',
    // The mesh, and the event log, which never sleeps. `BENCH_PEERS_NODE` is for flags such as `--cpu-prof`, in each of its processes.
    isPlatform: (command) => /\bmain\.ts start |\bfunction\.ts event-log\b/.test(command),
    prepare: async () => {
      const main = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));
      return (kubeconfig) => {
        const scratch = mkdtempSync(join(dirname(kubeconfig), 'knudge-'));
        const options = ['--port', '0', '--dir', scratch, '--quiet', '--idle', String(idleSeconds)];
        return {
          program: process.execPath,
          args: [main, 'start', '--kubeconfig', kubeconfig, ...options],
          env: { NODE_ENV: 'production', NODE_OPTIONS: process.env['BENCH_PEERS_NODE'] ?? '' },
          scratch,
        };
      };
    },
  },
];

/** Contestants that the table should show and cannot. */
export const missing: readonly { readonly label: string; readonly why: string }[] = [
  {
    label: 'Metacontroller with a hook',
    why: 'the Go module proxy would not give its module, and no package registry has it',
  },
];
