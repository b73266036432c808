import { jsonRows, objectRows } from './hostile-bodies.ts';
import { envelopeRows, mediaRows, structuredRows } from './hostile-envelopes.ts';
import type { HostileRow } from './hostile-parts.ts';

/** Every bad event: all are refused, each with its code. */
export const hostileEvents: readonly HostileRow[] = [
  ...envelopeRows,
  ...structuredRows,
  ...mediaRows,
  ...jsonRows,
  ...objectRows,
];
