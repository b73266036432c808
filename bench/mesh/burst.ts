import { byWriters, type Kube, untilAdded } from './kube.ts';
import { message, names, paths, pod } from './objects.ts';
import { type RunningMesh, untilQuiet } from './running-mesh.ts';

/** Milliseconds. */
export interface Burst {
  /** Until every Message has its Pod. */
  readonly messages: number;
  /** Until as many Pods are there that were created directly. */
  readonly direct: number;
}

const writers = 16;

export async function measureBurst(mesh: RunningMesh, kube: Kube, count: number): Promise<Burst> {
  const write = async (prefix: string, path: string, object: (name: string) => object): Promise<number> => {
    const isWanted = (name: string): boolean => name.startsWith(path === paths.pods ? `${prefix}-` : `msg-${prefix}-`);
    const { done } = await untilAdded(kube, paths.pods, { count, isWanted });
    const began = performance.now();
    await byWriters(names(prefix, count), writers, (name) => kube.call({ method: 'POST', path, body: object(name) }));
    return (await done) - began;
  };
  const direct = await write('direct', paths.pods, pod);
  await untilQuiet(mesh, 200);
  const messages = await write('burst', paths.messages, message);
  return { messages, direct };
}
