import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { Backend } from '../envoy/data-plane.ts';
import { serviceNameLabel } from '../names.ts';

interface Slice extends KubeObject {
  readonly endpoints?:
    | readonly {
        readonly addresses?: readonly string[];
        readonly conditions?: { readonly ready?: boolean | null; readonly terminating?: boolean | null };
      }[]
    | null;
  readonly ports?: readonly { readonly port?: number | null }[] | null;
}

/**
 * The backends of an EndpointSlice of our selector Service, which has one port. An endpoint without a `ready`
 * condition counts as ready, as the API's own documentation asks; one that is terminating is leaving.
 */
export function backendsOfSlice(slice: Slice): readonly Backend[] {
  const port = slice.ports?.[0]?.port;
  if (typeof port !== 'number') return [];
  return (slice.endpoints ?? []).flatMap(({ addresses = [], conditions }) => {
    const [address] = addresses;
    if (address === undefined || conditions?.terminating === true) return [];
    return [{ address, port, weight: 1, ready: conditions?.ready !== false }];
  });
}

/** Whether an endpoint of this Service is ready, and so answers at the Service's address. */
export function hasReadyEndpoint(service: string, slices: readonly Slice[]): boolean {
  const own = slices.filter(({ metadata }) => metadata.labels?.[serviceNameLabel] === service);
  return own.some(({ endpoints }) => endpoints?.some(({ conditions }) => conditions?.ready !== false));
}
