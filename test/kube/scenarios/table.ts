import { backends } from './backends.ts';
import { certificates } from './certificates.ts';
import { changes } from './changes.ts';
import { deletions } from './deletions.ts';
import { drift } from './drift.ts';
import { pods } from './pods.ts';
import { ports } from './ports.ts';
import { sizes } from './sizes.ts';
import type { Scenario } from './stage.ts';
import { strays } from './strays.ts';
import { webhooks } from './webhooks.ts';
import { workloads } from './workloads.ts';

/** Those that take longest come first. */
export const scenarios: readonly Scenario[] = [
  ...webhooks,
  ...pods,
  ...deletions,
  ...ports,
  ...changes,
  ...drift,
  ...strays,
  ...sizes,
  ...certificates,
  ...workloads,
  ...backends,
];
