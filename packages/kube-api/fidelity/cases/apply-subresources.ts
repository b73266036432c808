import { apply, type Case, group } from '../case.ts';

const deployment = { apiVersion: 'apps/v1', kind: 'Deployment' };
const bodies = [
  { ...deployment, metadata: { name: 'web' } },
  { ...deployment, metadata: { name: 'web', uid: 'another' } },
  {},
];

/** Server-side apply below an object. */
export const applySubresourcesCases: readonly Case[] = [
  {
    name: 'an apply of the status or the scale of what is not there finds nothing, also with a uid, and by any text',
    steps: ['status', 'scale'].flatMap((below) =>
      bodies.map((body) => apply(`${group('apps/v1', 'deployments', 'web')}/${below}?fieldManager=m1`, body)),
    ),
  },
];
