import type { Received } from '../../../controller/domain/change.ts';
import { received } from './event.ts';

/** Events about Pods that have owners, among them what a sender may write there and is not one. */
export const owned: readonly Received[] = [
  [null, 7, { uid: 'u-first' }, { uid: 'u-message', controller: true }],
  [{}, { uid: 'u-second' }],
  [{ uid: 'u-first' }, { uid: 'u-second', controller: 'yes' }],
  'u-message',
  [{ uid: 7, controller: true }],
].map((ownerReferences, index) => {
  const metadata = { name: 'p', namespace: 'shop', uid: `u-p-${index}`, ownerReferences };
  const extensions = { kind: 'Pod', namespace: 'shop', name: 'p' };
  return received({
    id: `p-${index + 1}`,
    type: 'dev.update',
    extensions,
    data: { apiVersion: 'v1', kind: 'Pod', metadata },
  });
});
