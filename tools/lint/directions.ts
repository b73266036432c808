import type { Direction } from './direction.ts';
import { app } from './directions/app.ts';
import { controller } from './directions/controller.ts';
import { packages } from './directions/packages.ts';

/**
 * The architecture: what each folder may import. A folder of packages, resources or cli that has no row may import nothing; tests
 * may import everything. After a change: `npm run fix`, which writes imports.json for the linter.
 */
export const directions: readonly Direction[] = [...controller, ...packages, ...app];
