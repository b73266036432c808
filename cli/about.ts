import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder of package.json, crds/, eventing/, deploy/ and functions/. */
export const root = fileURLToPath(new URL('../', import.meta.url));

const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');

/** Of Knudge. */
export const { version } = JSON.parse(manifest) as { readonly version: string };
