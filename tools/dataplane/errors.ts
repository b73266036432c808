/** A failure that its one sentence explains to whoever ran the command; any other error is a fault of this tool. */
export class DataPlaneError extends Error {}
