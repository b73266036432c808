import assert from 'node:assert/strict';
import { message } from '../build/objects.ts';
import type { Site } from './site.ts';

/** Milliseconds from the creation of a Message until its Pod is there, as somebody sees who asks all the time. */
export async function messageToPod({ api }: Site, namespace: string, name: string): Promise<number> {
  const body = message(name, 'how long?', { namespace });
  const began = performance.now();
  const { status } = await api('POST', `/apis/myorg.dev/v1/namespaces/${namespace}/messages`, { body });
  assert.equal(status, 201);
  while (performance.now() - began < 30_000) {
    if ((await api('GET', `/api/v1/namespaces/${namespace}/pods/msg-${name}`)).status === 200)
      return performance.now() - began;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`Message ${namespace}/${name} has no Pod after 30 s`);
}

/** So many, one after the other. */
export async function messagesToPods(
  site: Site,
  namespace: string,
  { prefix, count }: { readonly prefix: string; readonly count: number },
): Promise<readonly number[]> {
  const all: number[] = [];
  for (let number = 0; number < count; number += 1)
    all.push(await messageToPod(site, namespace, `${prefix}-${String(number)}`));
  return all;
}
