import type { Verb } from '../src/domain/change.ts';
import type { Handler } from '../src/domain/ports.ts';
import { configMapChanged } from './config-map-changed.ts';
import { deploymentChanged } from './deployment-changed.ts';
import { distributedServiceChanged } from './distributed-service-changed.ts';
import { endpointSliceChanged } from './endpoint-slice-changed.ts';
import { messageChanged } from './message-changed.ts';
import { podChanged } from './pod-changed.ts';
import { secretChanged } from './secret-changed.ts';
import { serviceChanged } from './service-changed.ts';

export interface FunctionRow {
  readonly handle: Handler;
  /** The one kind whose events it takes, as `group/Kind`; the core group is empty. */
  readonly kind: string;
}

/** Every function by its stem: the only list. */
export const functions = {
  'distributed-service-changed': { handle: distributedServiceChanged, kind: 'frp.io/DistributedService' },
  'message-changed': { handle: messageChanged, kind: 'myorg.dev/Message' },
  'pod-changed': { handle: podChanged, kind: '/Pod' },
  'service-changed': { handle: serviceChanged, kind: '/Service' },
  'config-map-changed': { handle: configMapChanged, kind: '/ConfigMap' },
  'secret-changed': { handle: secretChanged, kind: '/Secret' },
  'deployment-changed': { handle: deploymentChanged, kind: 'apps/Deployment' },
  'endpoint-slice-changed': { handle: endpointSliceChanged, kind: 'discovery.k8s.io/EndpointSlice' },
} as const satisfies Record<string, FunctionRow>;

export type Stem = keyof typeof functions;

/** The handlers of the original design by name: each is a stem and a verb. */
export const originalNames: Readonly<Record<string, { readonly stem: Stem; readonly verb: Verb }>> = {
  'Pod.Added': { stem: 'pod-changed', verb: 'added' },
  'Pod.Deleted': { stem: 'pod-changed', verb: 'deleted' },
  'Service.Modified': { stem: 'service-changed', verb: 'updated' },
  'ConfigMap.Updated': { stem: 'config-map-changed', verb: 'updated' },
};
