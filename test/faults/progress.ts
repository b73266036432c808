/** Says now and then how far something long has come: a line on standard error every ten seconds. */
export function createProgress(what: string, total?: number): (done: number) => void {
  const began = Date.now();
  let last = began;
  return (done) => {
    const now = Date.now();
    if (now - last < everyMs) return;
    last = now;
    const of = total === undefined ? '' : ` of ${total}`;
    process.stderr.write(`[${Math.round((now - began) / 1000)} s] ${what}: ${done}${of}\n`);
  };
}

const everyMs = 10_000;
