import { resolve } from 'node:path';
import type { Command } from 'commander';
import { createLook } from '../packages/controller/cluster/look.ts';
import { createTransport } from '../packages/controller/cluster/transport.ts';
import { readManifests } from '../packages/mesh/manifests/read-manifests.ts';
import type { Style } from '../packages/mesh/screen.ts';
import { readState } from '../packages/mesh/state.ts';
import { root, version } from './about.ts';
import { examine } from './doctor/examine.ts';
import type { Level } from './doctor/finding.ts';
import { reach } from './doctor/reach.ts';
import { reportOf } from './doctor/report.ts';
import { exitCodes } from './exit-codes.ts';
import { leaf } from './leaf.ts';
import { type LogOptions, openLog, withLog } from './open-log.ts';
import { show } from './show.ts';

interface Options extends LogOptions {
  readonly overlay?: string;
}

/** `knudge doctor`: what is not as it should be in a cluster, and what to do. */
export function doctorCommand(): Command {
  const command = leaf(
    'doctor',
    'look at a cluster and say what is not as it should be, why it matters and what to do',
  );
  return withLog(command).option('--overlay <name>', 'the folder of deploy/overlays that was installed').action(doctor);
}

async function doctor(options: Options): Promise<void> {
  const { dir, kubeconfig, namespace, overlay, json } = options;
  const file = kubeconfig === undefined ? readState(resolve(dir)).kubeconfig : resolve(kubeconfig);
  const { objects: base, fileOf } = readManifests({ root });
  const manifests = overlay === undefined ? base : readManifests({ root, overlay }).objects;
  const transport = await connect(file);
  try {
    const [look, now] = [createLook(transport), Math.floor(transport.now() / 1000)];
    const countDeadLetters = () => countOpen(options);
    const installed = { namespace, manifests, base, fileOf, ...(overlay !== undefined && { overlay }) };
    const examined = await examine({ look, now, reach, countDeadLetters, ...installed });
    show(examined, (style) => reportOf(examined, painter(style)), { ...(json && { json }) });
    if (examined.counts.problem > 0) process.exitCode = exitCodes.failed;
  } finally {
    transport.close();
  }
}

/** Fails where the cluster does not answer at all: every check would say the same. */
async function connect(kubeconfig: string) {
  // It loads the Kubernetes client.
  const { outsideCluster } = await import('../packages/controller/cluster/outside.ts');
  const transport = createTransport({ access: await outsideCluster({ kubeconfig }), version, timeoutMs: 10_000 });
  try {
    await transport({ method: 'GET', verb: 'get', resource: 'version', target: 'version', path: '/version' });
    return transport;
  } catch (error) {
    transport.close();
    throw error;
  }
}

async function countOpen(options: LogOptions): Promise<number> {
  const { log, close } = await openLog(options);
  try {
    return await log.count({ state: 'open' }, 'dead-letters');
  } finally {
    await close();
  }
}

function painter({ bad, odd, good, dim }: Style): (level: Level, text: string) => string {
  const paints = { ok: good, warning: odd, problem: bad, unchecked: dim };
  return (level, text) => paints[level](text);
}
