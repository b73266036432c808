/** The reason of `ConfigurationValid` where an older service has what this one wants at the FRP server. */
export const conflictReason = 'ConflictingExposure';
