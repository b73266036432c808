/** A build that cannot be used: the message is for people and says what to do. */
export class BuildError extends Error {
  override readonly name = 'BuildError';
}
