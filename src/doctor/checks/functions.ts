import { type Found, unchecked } from '../finding.ts';
import { again } from '../mend.ts';
import { type Seen, type Wanted, wantedOf } from '../seen.ts';
import { judgeReadiness } from './readiness.ts';

/** Is every function there and ready? */
export function judgeFunctions({ functions }: Seen, wanted: Wanted): readonly Found[] {
  if ('why' in functions) return [unchecked(`the functions (${functions.why})`)];
  const why = 'its events are tried again and then given up: they become dead letters';
  return judgeReadiness(wantedOf(wanted, 'serving.knative.dev', 'Service'), functions.value, {
    why,
    make: () => again,
  });
}
