import { type Found, unchecked, warning } from '../finding.ts';
import { again, kubectl } from '../mend.ts';
import { nameOf, type Seen, type Thing, type Wanted, wantedOf } from '../seen.ts';
import { leftServicesIn } from './former.ts';
import { judgeReadiness } from './readiness.ts';

/** Is every function there and ready, and is none there that nothing wakes? */
export function judgeFunctions(seen: Seen, wanted: Wanted): readonly Found[] {
  const { functions } = seen;
  if ('why' in functions) return [unchecked(`the functions (${functions.why})`)];
  const why = 'its events are tried again and then given up: they become dead letters';
  const found = judgeReadiness(wantedOf(wanted, 'serving.knative.dev', 'Service'), functions.value, {
    why,
    make: () => again,
  });
  return [...found, ...leftServicesIn(seen, wanted).map(leftOver)];
}

/** By its full name: kubectl takes `service` for that of the core group. */
function leftOver(one: Thing): Found {
  const { namespace, name } = one.metadata;
  return warning(
    `${nameOf(one)} is left over from another way to deploy functions`,
    'no Trigger wakes it: what it did is done by another',
    `${kubectl(namespace)} delete services.serving.knative.dev ${name}`,
  );
}
