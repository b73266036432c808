import { join } from 'node:path';
import { recordIn } from '../../../packages/kube-api/fidelity/record.ts';
import type { Observation } from './observe.ts';

/** What real Knative showed, by the name of the case, in a file for each area. */
export const { recorded, record } = recordIn<Observation>(join(import.meta.dirname, 'expected'));
