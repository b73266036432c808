import { createHash } from 'node:crypto';
import { readConfig } from '../../../packages/controller/server/config.ts';
import type { CertificateFacts, KeyPair } from '../../../resources/distributed-service/issuing/types.ts';

/** What the oracles take from whoever runs them: it must be what the functions of the run were given. */
export interface OraclesWith {
  /** What the port of the issuer says of a pair: undefined where the key does not fit or the authority did not sign it. */
  readonly inspect: (pair: KeyPair, authorityCertificate?: string) => CertificateFacts | undefined;
  readonly images: { readonly frpc: string; readonly envoy: string; readonly message: string };
  /** Two versions ran side by side while clocks jumped: what a pass decided cannot be told from what it had read. */
  readonly isMixed?: true;
  readonly controllerNamespace: string;
  /** Where the functions have been told that the API server is. */
  readonly apiServer: string;
  readonly hash: (text: string) => string;
  /** The deadline of a handler. */
  readonly deadlineSeconds: number;
}

/** What a function takes that is told nothing but where the API server is; the hash is that of functions/start/main.ts. */
export function partsOf(given: Partial<OraclesWith> & Pick<OraclesWith, 'inspect'>): OraclesWith {
  const { images, controllerNamespace, handlerDeadlineSeconds } = readConfig({});
  const told = { images, controllerNamespace, apiServer: '127.0.0.1', deadlineSeconds: handlerDeadlineSeconds };
  return { ...told, hash: hashOf, ...given };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
