/**
 * What is different of the product's configuration where frpc runs beside others in one network: it has no admin API, whose port is one
 * for all, and says more, for tests read its log.
 */
export const outsideOfPod = {
  webServer: undefined,
  log: { to: 'console', level: 'info', disablePrintColor: true },
} as const;
