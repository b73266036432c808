/** A failure that its one sentence explains to the user of the command; any other error is a fault of this tool. */
export class DataPlaneError extends Error {}
