import { resolve } from 'node:path';
import type { Command } from 'commander';
import { createLook, type Look } from '../packages/controller/cluster/look.ts';
import { asKnudgeError } from '../packages/controller/domain/errors.ts';
import { resyncLease } from '../packages/controller/domain/names.ts';
import { at } from './doctor/seen.ts';
import { leaf } from './leaf.ts';
import { kubeconfigOf, type LogOptions, openLog, withLog } from './open-log.ts';
import { show } from './show.ts';
import { connectTo, functionStates } from './status/functions.ts';
import { type LogStatus, type Status, statusText } from './status/text.ts';

/** `knudge status`: one screen about what is awake, what came last and what is open. */
export function statusCommand(): Command {
  const command = leaf('status', 'show on one screen what is awake, the last event of each function, and what is open');
  return withLog(command).action(status);
}

async function status(options: LogOptions): Promise<void> {
  const { dir, kubeconfig, namespace } = options;
  const file = kubeconfigOf(options);
  const transport = await connectTo(file);
  const look = createLook(transport);
  try {
    const all: Status = {
      title: kubeconfig === undefined ? `the mesh in ${resolve(dir)}` : `namespace ${namespace} of ${file}`,
      now: new Date().toISOString(),
      functions: await functionStates(options, look),
      lastResync: await lastResync(look, namespace),
      log: await askLog(options),
    };
    show(all, (style, width) => statusText(all, style, width), options);
  } finally {
    transport.close();
  }
}

async function lastResync(look: Look, namespace: string): Promise<string | undefined> {
  const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', plural: 'leases' };
  const time = at(await look.get(lease, { namespace, name: resyncLease }), 'spec', 'renewTime');
  return typeof time === 'string' ? time : undefined;
}

async function askLog(options: LogOptions): Promise<LogStatus> {
  try {
    const { log, ready, close } = await openLog(options);
    try {
      const trouble = await ready();
      if (trouble !== undefined) return { trouble };
      const [newest] = await log.events({}, { order: 'newest-first', limit: 1 });
      const openDeadLetters = await log.count({ state: 'open' }, 'dead-letters');
      return { openDeadLetters, ...(newest && { newest: newest.time }) };
    } finally {
      await close();
    }
  } catch (error) {
    return { trouble: asKnudgeError(error).message };
  }
}
