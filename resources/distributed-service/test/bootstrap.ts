import { type EnvoyInput, envoyBootstrap } from '../envoy/envoy-config.ts';

/** A parsed JSON value whose fields a test reads. */
export type Json = { readonly [key: string]: Json } & readonly Json[] & (string | number | boolean);

/** Envoy's bootstrap for a service, parsed. */
export function bootstrap(
  serviceType: EnvoyInput['spec']['serviceType'] = 'http',
  loadBalancing: Partial<EnvoyInput['spec']['loadBalancing']> = {},
): Json {
  const spec = { serviceType, loadBalancing: { algorithm: 'round-robin' as const, ...loadBalancing } };
  return JSON.parse(envoyBootstrap({ namespace: 'shop', name: 'web', spec })) as Json;
}

/** The value at a path such as `a.0.b`. */
export function at(json: Json, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], json);
}
