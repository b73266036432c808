import type { Kube } from './kube.ts';
import { configMap, message, names, paths } from './objects.ts';
import { type RunningMesh, untilQuiet } from './running-mesh.ts';

/** Milliseconds, one value for each try. */
export interface Latency {
  /** From the apply of a Message to its Pod, as a watch sees it. */
  readonly toPod: readonly number[];
  /** From the apply of a ConfigMap to its answer. */
  readonly bare: readonly number[];
}

/** One at a time, and each only when everything that follows from the last is over. */
export async function measureLatency(
  mesh: RunningMesh,
  kube: Kube,
  { count, prefix }: { readonly count: number; readonly prefix: string },
): Promise<Latency> {
  const toPod: number[] = [];
  const bare: number[] = [];
  let seen: (name: string) => void = () => undefined;
  const stop = await kube.watch(paths.pods, (type, { metadata: { name } }) => type === 'ADDED' && seen(name));
  for (const name of names(prefix, count)) {
    const there = new Promise<number>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`Message ${name} has no Pod after 20 s`)), 20_000);
      seen = (added) => {
        if (added !== `msg-${name}`) return;
        clearTimeout(timer);
        resolve(performance.now());
      };
    });
    const began = performance.now();
    await kube.apply(`${paths.messages}/${name}`, message(name));
    toPod.push((await there) - began);
    await untilQuiet(mesh, 20);
    const again = performance.now();
    await kube.apply(`${paths.configMaps}/${name}`, configMap(name));
    bare.push(performance.now() - again);
  }
  stop();
  return { toPod, bare };
}
