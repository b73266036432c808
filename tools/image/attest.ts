import { createHash, type KeyObject } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type Product, partsStatementOf, type Statement } from './provenance.ts';
import { signedBundle } from './signing.ts';

export interface Attestations {
  /** The statement of how the image came to be, unsigned. */
  readonly provenance: string;
  /** That and the list of parts, signed; none without a key. */
  readonly signed: readonly string[];
}

interface AttestOptions {
  /** The beginning of the files' names. */
  readonly stem: string;
  readonly product: Product;
  readonly provenance: Statement;
  readonly parts: object;
  readonly key: KeyObject | undefined;
}

/** Writes what is known of an image beside it, and, where there is a key, the same signed. */
export function attest({ stem, product, provenance, parts, key }: AttestOptions): Attestations {
  const plain = `${stem}.provenance.json`;
  write(plain, provenance);
  const statements: readonly [string, Statement][] = [
    [`${stem}.provenance.sigstore.json`, provenance],
    [`${stem}.cdx.sigstore.json`, partsStatementOf(product, parts)],
  ];
  for (const [file, statement] of statements) {
    // One of an earlier build would speak of another image.
    if (key === undefined) rmSync(file, { force: true });
    else write(file, signedBundle(statement, key));
  }
  return { provenance: plain, signed: key === undefined ? [] : statements.map(([file]) => file) };
}

/** SHA-256 of a file, which is read whole. */
export function sha256Of(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

function write(file: string, content: object): void {
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
}
