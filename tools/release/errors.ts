/** Why there is no release: the message is for people and says what to do. Wrong usage ends with 2, anything else with 1. */
export class ReleaseError extends Error {
  override readonly name = 'ReleaseError';
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
