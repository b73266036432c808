import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { KnudgeError } from '../controller/domain/errors.ts';
import type { Controller } from '../controller/functions/define-controller.ts';

const require = createRequire(import.meta.url);

/**
 * The controller that a project's `functions/table.ts` exports, from the project's folder. It loads every function, so callers that need a
 * list of names alone wait for that too. Throws `misuse` if there is no such file, or it exports no controller.
 */
export function controllerIn(root: string): Controller {
  const file = join(root, 'functions/table.ts');
  if (!existsSync(file)) {
    throw new KnudgeError('misuse', `there is no controller in ${root}: go to a folder that has functions/table.ts`);
  }
  // Not import(): callers are not asynchronous, and Node requires ES modules too.
  const { controller } = require(file) as { readonly controller?: Controller };
  if (controller === undefined) {
    throw new KnudgeError(
      'misuse',
      `${file} exports no controller: add \`export const controller = defineController(…)\``,
    );
  }
  return controller;
}
