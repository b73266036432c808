import type { message } from '../build/objects.ts';
import { until } from '../kube/until.ts';
import { places } from './places.ts';
import type { Site } from './site.ts';

/** The Message whose events, dead letters and replays are looked at. */
export const told = { namespace: places.scenes, name: 'told' } as const;

/** Waits until the Message of these tests is done with. */
export async function untilProcessed(site: Site): Promise<void> {
  await until('the Message has its Pod, which runs', async () => {
    const { status, metadata } = (await site.get('myorg.dev/v1', 'Message', told)) as ReturnType<typeof message>;
    return (status?.phase === 'Processed' && status.observedGeneration === metadata.generation) || status;
  });
}
