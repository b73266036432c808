import type { Deeds } from '../operation.ts';
import { onChildren } from './on-children.ts';
import { onParents } from './on-parents.ts';
import { onTheRest } from './on-the-rest.ts';

/** All that a person does in a storm. */
export const operations: Deeds = { ...onParents, ...onChildren, ...onTheRest };
