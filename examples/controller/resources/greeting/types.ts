// Generated from crds/greetings.yaml by `npx knudge generate`; do not edit.
import type { Condition, KubeObject } from '@knudge/controller';

/** A Greeting becomes a ConfigMap with its text. */
export interface Greeting extends KubeObject {
  readonly spec: { readonly text: string };
  readonly status?: { readonly conditions?: readonly Condition[] };
}
