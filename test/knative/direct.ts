import { request } from 'node:http';
import { home, type Site } from './site.ts';

/** Where Knative Services are answered inside the cluster; the name of the Service is in the header Host. */
export async function gatewayOf({ get }: Site): Promise<string> {
  const service = await get('v1', 'Service', { namespace: 'kourier-system', name: 'kourier-internal' });
  return (service as unknown as { readonly spec: { readonly clusterIP: string } }).spec.clusterIP;
}

export interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly namespace?: string;
}

/** Asks a Knative Service as Knative's own parts do: by the ingress, which wakes it. Gives the status of the answer. */
export function ask(
  gateway: string,
  service: string,
  { method = 'POST', path = '/', headers = {}, body = '', namespace = home }: Asked = {},
): Promise<number> {
  return new Promise((done, failed) => {
    const host = `${service}.${namespace}.svc.cluster.local`;
    const sent = request(
      { host: gateway, path, method, headers: { ...headers, host }, agent: false, timeout: 60_000 },
      (answer) => {
        answer.resume();
        answer.once('end', () => done(answer.statusCode ?? 0));
        answer.once('error', failed);
      },
    );
    sent.once('timeout', () => sent.destroy(new Error(`${service} does not answer for a minute`)));
    sent.once('error', failed);
    sent.end(body);
  });
}
