import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { BuildError } from '../build/errors.ts';

/** The variable that holds a key, as CI systems hand over secrets. */
export const keyVariable = 'IMAGE_SIGNING_KEY';
const advice = 'docs/image.md says how to make one';
const payloadType = 'application/vnd.in-toto+json';

/**
 * The private key of a file, else of IMAGE_SIGNING_KEY; undefined if there is neither. Throws BuildError unless it is a key
 * that cosign signs with, ECDSA on P-256. The error repeats nothing of the key.
 */
export function readSigningKey(file: string | undefined, env: NodeJS.ProcessEnv): KeyObject | undefined {
  const [from, pem] = file === undefined ? [keyVariable, env[keyVariable]] : [file, textOf(file)];
  if (!pem) return undefined;
  const key = privateKeyIn(pem);
  if (key === undefined) throw new BuildError(`${from} is not a private key in PEM without a password: ${advice}.`);
  if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key;
  throw new BuildError(`The key of ${from} is not one of ECDSA on P-256, which cosign signs with: ${advice}.`);
}

/** A signed statement as cosign keeps it (Sigstore bundle 0.3, with a DSSE envelope), without a transparency log. */
export function signedBundle(statement: object, key: KeyObject): object {
  const payload = Buffer.from(JSON.stringify(statement));
  const signature = signatureOf(preAuthEncoding(payload), key);
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return {
    mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
    verificationMaterial: { publicKey: { hint: createHash('sha256').update(publicKey).digest('base64') } },
    dsseEnvelope: {
      payload: payload.toString('base64'),
      payloadType,
      signatures: [{ sig: signature.toString('base64'), keyid: '' }],
    },
  };
}

/** Signs the SHA-256 of it with ECDSA, in DER, as openssl and cosign verify it. */
export function signatureOf(content: Buffer, key: KeyObject): Buffer {
  return sign('sha256', content, key);
}

/** The signed bytes: the type is part of the text, so that a signature counts only for its sort of text. */
function preAuthEncoding(payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `), payload]);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new BuildError(`The key ${file} cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'no reason'}.`);
  }
}

function privateKeyIn(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}
