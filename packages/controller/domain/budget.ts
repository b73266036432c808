/** What some work may ask of the API server before it is given back. */
export interface Budget {
  /** Objects and lists. */
  readonly reads: number;
  readonly writes: number;
  /** Of all that is answered to reads. */
  readonly bytes: number;
}

/** Of one pass over an owner, and of learning whom an event concerns: a page of 250 objects is seldom more than 3 MB. */
export const mostBytes = 64 * 1024 * 1024;
