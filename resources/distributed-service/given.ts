import type { Given as GivenToAll } from '../../packages/controller/decide/resource.ts';
import type { Issuer } from '../../packages/issuing/types.ts';
import type { Lifetimes } from './certificates/lifetimes.ts';
import type { Certificates } from './certificates/question.ts';
import type { LiveEndpoints } from './envoy/data-plane.ts';
import type { AskTunnel } from './tunnel/types.ts';

/** The tools that the resource DistributedService is made with. */
export interface ServiceTools {
  readonly images: { readonly frpc: string; readonly envoy: string };
  readonly issuer: Issuer;
  /** If absent, Knudge asks no Envoy. */
  readonly askTunnel?: AskTunnel | undefined;
  /** Makes a new secret token. It is called only if one is needed. */
  readonly newToken: () => string;
  /** The lifetimes of certificates; those of `lifetimes.ts` if absent. */
  readonly lifetimes?: Lifetimes | undefined;
}

/** The facts that `consult` finds before each decision. */
export interface Facts {
  readonly certificates: Certificates;
  /** The answer of the tunnel's Envoy; absent if it was not asked. */
  readonly live?: LiveEndpoints | 'unreachable';
}

/** All that a decision about a DistributedService takes besides the observed objects, so that it is a pure function. */
export interface Given extends Omit<GivenToAll, 'facts'>, Pick<ServiceTools, 'images' | 'newToken'>, Facts {
  readonly lifetimes: Lifetimes;
}
