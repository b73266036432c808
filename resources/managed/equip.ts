import type { Equipment, Equipping } from '../../packages/controller/functions/define-controller.ts';
import { issuer } from '../../packages/issuing/issuer.ts';
import { serviceStates } from '../distributed-service/status/service-states.ts';
import { createAskTunnel } from '../distributed-service/tunnel/ask.ts';
import { settle } from '../distributed-service/tunnel/settle.ts';
import { distributedService } from './kinds.ts';
import { managedServices, reconcileNames } from './metrics.ts';
import { resourcesWith } from './resources.ts';
import { imagesOf, type settings } from './settings.ts';

/** What the functions of one process use besides the engine: certificates, Envoys to ask, and the states of services to count. */
export function equip({ config, stems, newToken }: Equipping<typeof settings>): Equipment {
  const askTunnel = createAskTunnel({ timeoutMs: config.own.TUNNEL_TIMEOUT_MS });
  const everyService = { ...distributedService, namespace: '', labelSelector: '' };
  return {
    resources: resourcesWith({ images: imagesOf(config.own), issuer, askTunnel, newToken }),
    reconcileNames,
    settle: (ref, at) => settle(ref, { ...at, ask: askTunnel }),
    ...(stems.includes('distributed-service-changed') && {
      states: { ...managedServices, count: async (cluster) => serviceStates(await cluster.list(everyService)) },
    }),
  };
}
