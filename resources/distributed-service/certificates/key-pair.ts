import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { KeyPair } from '../../../packages/issuing/types.ts';

interface SecretLike extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** The certificate and key of a Secret of type kubernetes.io/tls; undefined if either is missing. */
export function keyPairOf(secret: SecretLike | undefined): KeyPair | undefined {
  const certificate = textOf(secret, 'tls.crt');
  const key = textOf(secret, 'tls.key');
  return certificate === undefined || key === undefined ? undefined : { certificate, key };
}

/** The text below a key of a Secret. */
export function textOf(secret: SecretLike | undefined, key: string): string | undefined {
  const encoded = secret?.data?.[key];
  return encoded === undefined || encoded === '' ? undefined : decodeBase64(encoded);
}

/** Encodes a text as the data of a Secret have it. */
export function encodeBase64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));
}

function decodeBase64(encoded: string): string | undefined {
  try {
    const binary = atob(encoded);
    const bytes = new Uint8Array(binary.length);
    for (let index = 0; index < bytes.length; index += 1) bytes[index] = binary.charCodeAt(index);
    return new TextDecoder().decode(bytes);
  } catch {
    return undefined;
  }
}
