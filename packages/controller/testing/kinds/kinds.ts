import { busy } from './busy.ts';
import type { FaultKind } from './kind.ts';
import { lost } from './lost.ts';
import { overtaken } from './overtaken.ts';
import { refusing } from './refusing.ts';
import { spoilt } from './spoilt.ts';

/** Every way in which a single API call can go wrong. */
export const kinds: readonly FaultKind[] = [...lost, ...overtaken, ...refusing, ...busy, ...spoilt];
