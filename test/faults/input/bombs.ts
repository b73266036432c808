import { maxContainers, maxDepth, maxKeys } from '../../../packages/controller/wire/limits.ts';

/** 2 MiB, what a body may have where nobody says otherwise. */
const bodyLimit = 2 * 1024 * 1024;

/**
 * Bodies that are cheap to send and dear to read, just under and just over what is taken. Made when they are wanted:
 * together they are larger than what a function may use.
 */
export function bombs(): readonly (() => Buffer)[] {
  const text = (make: () => string) => (): Buffer => Buffer.from(make());
  return [
    text(() => '['.repeat(maxDepth) + ']'.repeat(maxDepth)),
    text(() => '['.repeat(maxDepth + 1) + ']'.repeat(maxDepth + 1)),
    text(() => '{"a":'.repeat(100_000)),
    text(() => '['.repeat(500_000)),
    text(() => `{${Array.from({ length: maxKeys }, (_, index) => `"${index}":0`).join(',')}}`),
    text(() => `{${Array.from({ length: maxKeys + 1 }, (_, index) => `"${index}":0`).join(',')}}`),
    text(() => `[${'{},'.repeat(maxContainers - 2)}{}]`),
    text(() => `[${'{},'.repeat(maxContainers)}{}]`),
    text(() => `"${'x'.repeat(bodyLimit - 2)}"`),
    text(() => `"${'\\u2028'.repeat(100_000)}"`),
    text(() => `{"a":"${'😀'.repeat(100_000)}"}`),
    text(() => `[${'1,'.repeat(200_000)}1]`),
    text(() => `[${'"",'.repeat(200_000)}1]`),
    text(() => '9'.repeat(500_000)),
    text(() => '"'.repeat(500_001)),
    text(() => `"${'\\'.repeat(500_001)}"`),
    () => Buffer.alloc(bodyLimit + 1, 0x20),
    () => Buffer.alloc(bodyLimit, 0xff),
    () => Buffer.alloc(bodyLimit),
  ];
}
