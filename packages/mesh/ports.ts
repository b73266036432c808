import { KnudgeError } from '../controller/domain/errors.ts';

/** One port after the other from the first on; 0: any free port, each time. */
export function portsFrom(first: number): () => number {
  let next = first;
  return () => (first === 0 ? 0 : next++);
}

/** The error of a server that cannot listen, as a sentence. */
export function portProblem(error: unknown): unknown {
  const { code, port } = error as { code?: unknown; port?: unknown };
  if (code !== 'EADDRINUSE' && code !== 'EACCES') return error;
  const why = code === 'EACCES' ? 'needs more rights' : 'is in use';
  return new KnudgeError('misuse', `Port ${port} ${why}: --port names another first port, 0 any free ones`, {
    cause: error,
  });
}
