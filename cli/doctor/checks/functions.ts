import { type Found, unchecked, warning } from '../../../packages/controller/doctor/finding.ts';
import type { Thing } from '../../../packages/controller/doctor/own-checks.ts';
import { again, kubectl } from '../mend.ts';
import { at, nameOf, type Seen, type Wanted, wantedOf } from '../seen.ts';
import { leftServicesIn } from './former.ts';
import { judgeReadiness } from './readiness.ts';

/** Checks that every function is there and ready, and that there is no function which nothing wakes. */
export function judgeFunctions(seen: Seen, wanted: Wanted): readonly Found[] {
  const { functions } = seen;
  if ('why' in functions) return [unchecked(`the functions (${functions.why})`)];
  const why = 'its events are tried again and then given up: they become dead letters';
  const found = judgeReadiness(wantedOf(wanted, 'serving.knative.dev', 'Service'), functions.value, {
    why,
    make: () => makingAgain(functions.value),
  });
  return [...found, ...leftServicesIn(seen, wanted).map(leftOver)];
}

/** With the image that the functions of this installation run, which the manifests do not know. */
function makingAgain(live: readonly Thing[]): string {
  const images = new Set(live.flatMap(({ spec }) => imagesOf(at(spec, 'template', 'spec', 'containers'))));
  return images.size === 1 ? `with image ${[...images].join('')}, ${again}` : again;
}

function imagesOf(containers: unknown): readonly string[] {
  const all: readonly unknown[] = Array.isArray(containers) ? containers : [];
  return all.map((one) => at(one, 'image')).filter((image) => typeof image === 'string');
}

/** Named in full, because for kubectl `service` means that of the core group. */
function leftOver(one: Thing): Found {
  const { namespace, name } = one.metadata;
  return warning(
    `${nameOf(one)} is left over from another way to deploy functions`,
    'no Trigger wakes it: another function does its work',
    `${kubectl(namespace)} delete services.serving.knative.dev ${name}`,
  );
}
