import type { LiveEndpoints } from '../envoy/data-plane.ts';

/**
 * Asks the Envoy at the address of a tunnel's Pod which endpoints it uses and, with `asksWhy`, why the service is not published. It never
 * fails, and takes a second at most: undefined if no answer that makes sense came in time.
 */
export type AskTunnel = (question: TunnelQuestion) => Promise<LiveEndpoints | undefined>;

export interface TunnelQuestion {
  readonly address: string;
  readonly asksWhy: boolean;
}
