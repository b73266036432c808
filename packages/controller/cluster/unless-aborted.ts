/** Waits for the work, but not after the signal. */
export async function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = () => resolve();
  signal.addEventListener('abort', stop, { once: true });
  await Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', stop));
}
