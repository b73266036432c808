import { createHash } from 'node:crypto';
import { readConfig } from '../../../packages/controller/server/config.ts';
import type { CertificateFacts, KeyPair } from '../../../packages/issuing/types.ts';
import { imagesOf, settings } from '../../../resources/managed/settings.ts';

/** What the oracles take from the run that calls them: it must be what the functions of the run were given. */
export interface OraclesWith {
  /** What the port of the issuer says of a pair: undefined where the key does not fit or the authority did not sign it. */
  readonly inspect: (pair: KeyPair, authorityCertificate?: string) => CertificateFacts | undefined;
  readonly images: { readonly frpc: string; readonly envoy: string; readonly message: string };
  /** Two versions ran side by side while clocks jumped: what a pass decided cannot be told from what it had read. */
  readonly isMixed?: true;
  readonly controllerNamespace: string;
  /** The address of the API server that the functions got. */
  readonly apiServer: string;
  readonly hash: (text: string) => string;
  /** The deadline of a handler. */
  readonly deadlineSeconds: number;
}

/** What a function takes that gets nothing but the address of the API server; the hash is that of packages/start/main.ts. */
export function partsOf(given: Partial<OraclesWith> & Pick<OraclesWith, 'inspect'>): OraclesWith {
  const { own, controllerNamespace, handlerDeadlineSeconds } = readConfig({}, settings);
  const told = {
    images: imagesOf(own),
    controllerNamespace,
    apiServer: '127.0.0.1',
    deadlineSeconds: handlerDeadlineSeconds,
  };
  return { ...told, hash: hashOf, ...given };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
