import { issuer } from '../../packages/issuing/issuer.ts';
import type { Tools } from '../../resources/managed/resources.ts';

/** What the resources need of the outside, with nothing that changes from run to run; no Envoy is asked. */
export function tools(over: Partial<Tools> = {}): Tools {
  return {
    images: { frpc: 'frpc:1', envoy: 'envoy:1', message: 'busybox:1' },
    issuer,
    newToken: () => 'token-1',
    ...over,
  };
}
