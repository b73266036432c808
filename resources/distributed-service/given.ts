import type { Given as GivenToAll } from '../../packages/controller/decide/resource.ts';
import type { Issuer } from '../../packages/issuing/types.ts';
import type { Lifetimes } from './certificates/lifetimes.ts';
import type { Certificates } from './certificates/question.ts';
import type { LiveEndpoints } from './envoy/data-plane.ts';
import type { AskTunnel } from './tunnel/types.ts';

/** What a DistributedService needs of the outside. */
export interface ServiceTools {
  readonly images: { readonly frpc: string; readonly envoy: string };
  readonly issuer: Issuer;
  /** If absent, no Envoy is asked. */
  readonly askTunnel?: AskTunnel | undefined;
  /** A new secret token; asked for only when one is needed. */
  readonly newToken: () => string;
  /** How long certificates live, if not as long as they should. */
  readonly lifetimes?: Lifetimes | undefined;
}

/** What is found out before each decision. */
export interface Facts {
  readonly certificates: Certificates;
  /** What the tunnel's Envoy says; absent where it was not asked. */
  readonly live?: LiveEndpoints | 'unreachable';
}

/** What a decision about a DistributedService takes from outside besides what was observed: so that it stays a pure function. */
export interface Given extends Omit<GivenToAll, 'facts'>, Pick<ServiceTools, 'images' | 'newToken'>, Facts {
  readonly lifetimes: Lifetimes;
}
