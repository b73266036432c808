import type { Trial } from '../domain/ports.ts';
import { patches, type Transport, tried } from './call.ts';
import { createObject } from './create.ts';
import { writeScale } from './scale.ts';
import { writeObject } from './write.ts';

/**
 * Writes that the API server checks, completes and answers as ever, and does not store. No deletion is among them: the API server
 * looks for `dryRun` in the query of a DELETE only where that has no body (apiserver, DeleteResource). `insist` runs before each request.
 */
export function trialOver(transport: Transport, insist: () => void): Trial {
  const dry: Transport = async (call) => {
    insist();
    return transport({ ...call, verb: tried, query: { ...call.query, dryRun: 'All' } });
  };
  return {
    create: async (object) => void (await createObject(dry, object)),
    patch: (ref, precondition, { merge, subresource }) =>
      writeObject(dry, {
        ref,
        verb: tried,
        ...(subresource !== undefined && { subresource }),
        contentType: patches.merge,
        body: { ...merge, metadata: { ...(merge['metadata'] as object | undefined), ...precondition } },
      }),
    scale: (ref, precondition, replicas) => writeScale(dry, { ref, precondition, replicas }),
  };
}
