import { fileURLToPath } from 'node:url';

/** Biome, as a path that Node runs: it came with `npm ci`, and nothing here installs it. */
export const biome: string = fileURLToPath(import.meta.resolve('@biomejs/biome/bin/biome'));
