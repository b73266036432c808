import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ClusterError } from './errors.ts';

export type Command =
  | { kind: 'help' }
  | { kind: 'up'; dir: string; port: number; audit: boolean; node: boolean; knative: Knative; apiserverArgs: string[] }
  | { kind: 'down'; dir: string };

/** Whether a cluster gets Knative, and Knudge on it. */
export type Knative = 'none' | 'alone' | 'with Knudge';

export const usage = `A real Kubernetes control plane on this machine, with a fake node or a real one, for tests.

  npm run cluster -- up   [--dir D] [--port N] [--audit] [--node [--knative [--no-knudge]]] [--apiserver-arg=--FLAG=VALUE]...
  npm run cluster -- down [--dir D]

up    builds it on first use (10 to 20 minutes), starts it, and prints KUBECONFIG=<file> as its last line.
down  stops it and deletes its data.

--dir D            where it lives; default .knudge/cluster
--port N           port of the API server on 127.0.0.1; default: a free one
--audit            one JSON line for each API call in D/audit.log
--node             a real node, with kubelet and containerd, instead of the fake one; needs root on Debian
--knative          Knative on that node, and Knudge on Knative; the first time 6 to 12 minutes more
--no-knudge        Knative alone
--apiserver-arg    one more flag for kube-apiserver, such as --apiserver-arg=--v=4; may be repeated

KUBEBUILDER_ASSETS=DIR           use the etcd and kube-apiserver of this folder, build nothing
KNUDGE_CLUSTER_KUBECONFIG=FILE   use this cluster, start nothing`;

const options = {
  dir: { type: 'string', default: '.knudge/cluster' },
  port: { type: 'string', default: '0' },
  audit: { type: 'boolean', default: false },
  node: { type: 'boolean', default: false },
  knative: { type: 'boolean', default: false },
  'no-knudge': { type: 'boolean', default: false },
  'apiserver-arg': { type: 'string', multiple: true, default: [] as string[] },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** Reads the arguments after the program's name. Throws ClusterError if they are wrong. */
export function parseArguments(args: string[], cwd: string): Command {
  const { values, positionals } = parsed(args);
  if (values.help) return { kind: 'help' };
  const [name, extra] = positionals;
  if (name === undefined) throw new ClusterError('Say up or down; --help shows more.');
  if (name !== 'up' && name !== 'down') throw new ClusterError(`"${name}" is neither up nor down; --help shows more.`);
  if (extra !== undefined) throw new ClusterError(`"${extra}" is one argument too many; --help shows more.`);
  if (values.dir === '') throw new ClusterError('--dir is empty.');
  const dir = resolve(cwd, values.dir);
  if (name === 'up') {
    const { audit, node, 'apiserver-arg': apiserverArgs } = values;
    return { kind: name, dir, port: port(values.port), audit, node, knative: knative(values), apiserverArgs };
  }
  const given = args.find((arg) => /^--(port|audit|node|knative|no-knudge|apiserver-arg)\b/.test(arg));
  if (given !== undefined) throw new ClusterError(`down takes no ${given}; --help shows more.`);
  return { kind: name, dir };
}

function parsed(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // The first sentence says what is wrong, the others how to pass a positional that looks like an option.
    throw new ClusterError(`${error.message.split(/\.\s/)[0]?.replace(/\.$/, '')}; --help shows more.`);
  }
}

function knative(values: { node: boolean; knative: boolean; 'no-knudge': boolean }): Knative {
  if (values['no-knudge'] && !values.knative)
    throw new ClusterError('--no-knudge is for --knative; --help shows more.');
  if (!values.knative) return 'none';
  if (!values.node) throw new ClusterError('--knative needs a real node: say --node too.');
  return values['no-knudge'] ? 'alone' : 'with Knudge';
}

function port(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= 65535) return value;
  throw new ClusterError(`--port "${text}" is not a port number.`);
}
