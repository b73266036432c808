import { readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { KnudgeError } from '../domain/errors.ts';
import type { Access, Credentials } from './access.ts';

export interface InCluster {
  /** KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT. */
  readonly host: string | undefined;
  readonly port: string | undefined;
  /** Where the ServiceAccount is mounted; its usual place if absent. */
  readonly mount?: string;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

const usualMount = '/var/run/secrets/kubernetes.io/serviceaccount';
/** The kubelet renews the token long before it expires, so one that was read a minute ago is good (client-go reads it as often). */
const freshMs = 60_000;

/** Access as the ServiceAccount of the Pod; throws `misuse` outside a cluster. */
export function inCluster({ host, port, mount = usualMount, now = Date.now }: InCluster): Access {
  if (!host || !port) {
    const missing = host ? 'KUBERNETES_SERVICE_PORT' : 'KUBERNETES_SERVICE_HOST';
    throw new KnudgeError('misuse', `${missing} is not set: outside a cluster give a kubeconfig`);
  }
  let kept: { readonly credentials: Promise<Credentials>; readonly at: number } | undefined;
  return {
    server: `https://${isIPv6(host) ? `[${host}]` : host}:${port}`,
    credentials: (renewed) => {
      if (kept !== undefined && !renewed && now() - kept.at < freshMs) return kept.credentials;
      const credentials = readMount(mount);
      kept = { credentials, at: now() };
      credentials.catch(() => {
        kept = undefined;
      });
      return credentials;
    },
  };
}

async function readMount(mount: string): Promise<Credentials> {
  const [token, ca] = await Promise.all([readText(`${mount}/token`), readText(`${mount}/ca.crt`)]);
  return { authorization: `Bearer ${token}`, ca };
}

async function readText(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    const advice = 'does the Pod mount its ServiceAccount token?';
    throw new KnudgeError('unauthorized', `${path} cannot be read: ${advice}`, { cause });
  });
  if (text.trim() !== '') return text.trim();
  throw new KnudgeError('unauthorized', `${path} is empty: the kubelet has not written it yet`);
}
