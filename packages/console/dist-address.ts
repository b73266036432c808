import { join } from 'node:path';

const { dirname } = import.meta;

/** The folder of the files that were built before, where there is one. */
export const distAddress: string = join(dirname, 'dist');
