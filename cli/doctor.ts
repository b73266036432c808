import type { Command } from 'commander';
import { createLook } from '../packages/controller/cluster/look.ts';
import { createTransport } from '../packages/controller/cluster/transport.ts';
import type { Level } from '../packages/controller/doctor/finding.ts';
import { readManifests } from '../packages/mesh/manifests/read-manifests.ts';
import type { Style } from '../packages/mesh/screen.ts';
import { controllerIn } from '../packages/start/controller-in.ts';
import { root, version } from './about.ts';
import { type Examined, examine } from './doctor/examine.ts';
import { reach } from './doctor/reach.ts';
import { reportOf } from './doctor/report.ts';
import type { LogSeen } from './doctor/seen.ts';
import { gapsOf } from './events/gaps.ts';
import { exitCodes } from './exit-codes.ts';
import { leaf } from './leaf.ts';
import { kubeconfigOf, type LogOptions, openLog, withLog } from './open-log.ts';
import { show } from './show.ts';

interface Options extends LogOptions {
  readonly overlay?: string;
  readonly problems?: boolean;
}

/** `knudge doctor`: reports what is wrong in a cluster and what to do about it. */
export function doctorCommand(): Command {
  const command = leaf('doctor', 'check a cluster and report what is wrong, why it matters and what to do');
  return withLog(command)
    .option('--overlay <name>', 'the folder of deploy/overlays that was installed')
    .option('--problems', 'leave out what is ok and what could not be checked')
    .action(doctor);
}

async function doctor(options: Options): Promise<void> {
  const { problems, json } = options;
  const examined = await examineNow(options);
  show(examined, (style) => reportOf(examined, painter(style), problems), { ...(json && { json }) });
  if (examined.counts.problem > 0) process.exitCode = exitCodes.failed;
}

/** What is found in a cluster or a mesh, read with the credentials of the kubeconfig. Fails with `unavailable` if it does not answer. */
export async function examineNow(options: LogOptions & Pick<Options, 'overlay'>): Promise<Examined> {
  const { namespace, overlay } = options;
  const { objects: base, fileOf } = readManifests({ root });
  const manifests = overlay === undefined ? base : readManifests({ root, overlay }).objects;
  const transport = await connect(kubeconfigOf(options));
  try {
    const [look, now] = [createLook(transport), Math.floor(transport.now() / 1000)];
    const ofLog = { countDeadLetters: () => countOpen(options), askLog: () => askLog(options) };
    const { resources, checks, name: home } = controllerIn(root);
    const installed = {
      resources,
      checks,
      home,
      namespace,
      manifests,
      base,
      fileOf,
      ...(overlay !== undefined && { overlay }),
    };
    return await examine({ look, now, reach, ...ofLog, ...installed });
  } finally {
    transport.close();
  }
}

/** Fails when the cluster does not answer at all: every check would say the same. */
async function connect(kubeconfig: string) {
  // Imported here because it loads the Kubernetes client.
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

async function askLog(options: LogOptions): Promise<LogSeen> {
  const { log, ready, close } = await openLog(options);
  try {
    const trouble = await ready();
    return { trouble, gaps: trouble === undefined ? await gapsOf(log, {}) : [] };
  } finally {
    await close();
  }
}

function painter({ bad, odd, good, dim }: Style): (level: Level, text: string) => string {
  const paints = { ok: good, warning: odd, problem: bad, unchecked: dim };
  return (level, text) => paints[level](text);
}
