/** The reason of `ConfigurationValid` where another service has what this one wants at the FRP server. */
export const conflictReason = 'ConflictingExposure';

/** The reason where the profile keeps it for other namespaces. */
export const notAllowedReason = 'ExposureNotAllowed';
