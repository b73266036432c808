/** Two certificates for web.example.com, valid from 2020 to 2046, with their keys: nobody trusts who signed them. */
export const suppliedPairs = {
  one: {
    certificate: pem('CERTIFICATE', [
      'MIIBjjCCATSgAwIBAgIQQ0GyjvcF0PVooQMOgJg0UTAKBggqhkjOPQQDAjAQMQ4w',
      'DAYDVQQDEwV0ZXN0czAeFw0yMDAxMDEwMDAwMDBaFw00NjAxMDEwMDAwMDBaMA4x',
      'DDAKBgNVBAMTA29uZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABEb0HFg+P6QX',
      '3r7YAgsDObOdFYw9wDx+JyHZcSRy4ENyUmCUPhxLYUIMTHeBtZHznrcmwAmtXihD',
      'peB8okwNYNujcjBwMAwGA1UdEwEB/wQCMAAwDgYDVR0PAQH/BAQDAgeAMBMGA1Ud',
      'JQQMMAoGCCsGAQUFBwMCMBoGA1UdEQQTMBGCD3dlYi5leGFtcGxlLmNvbTAfBgNV',
      'HSMEGDAWgBQ49uF5AuusJYCGm+IRRan+Qu+HuTAKBggqhkjOPQQDAgNIADBFAiBL',
      '8zyo0u78LgxwN8hZXPuSFS5BUYujElF57/Czr2d1lQIhAMd9AmgzeiB0orNA6QhZ',
      's7NNbz3v7bR0htRGfguCbgDF',
    ]),
    key: pem('PRIVATE KEY', [
      'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg5GD2F8ZsFm1jyahX',
      'r53V3pxgzwInTaIdTqQrkSRhahyhRANCAARG9BxYPj+kF96+2AILAzmznRWMPcA8',
      'fich2XEkcuBDclJglD4cS2FCDEx3gbWR8563JsAJrV4oQ6XgfKJMDWDb',
    ]),
  },
  two: {
    certificate: pem('CERTIFICATE', [
      'MIIBjjCCATSgAwIBAgIQbiHrPATL2uFmLb35K11lxTAKBggqhkjOPQQDAjAQMQ4w',
      'DAYDVQQDEwV0ZXN0czAeFw0yMDAxMDEwMDAwMDBaFw00NjAxMDEwMDAwMDBaMA4x',
      'DDAKBgNVBAMTA3R3bzBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABOUcfnMK71zb',
      'Co4M6DjN4fM+VMUpTUGvOIasnEUsiojl7hbIy0pSGITK77lZVIYWWVqdSFudaxCS',
      '4XGY3dCK0hCjcjBwMAwGA1UdEwEB/wQCMAAwDgYDVR0PAQH/BAQDAgeAMBMGA1Ud',
      'JQQMMAoGCCsGAQUFBwMCMBoGA1UdEQQTMBGCD3dlYi5leGFtcGxlLmNvbTAfBgNV',
      'HSMEGDAWgBQ49uF5AuusJYCGm+IRRan+Qu+HuTAKBggqhkjOPQQDAgNIADBFAiBM',
      'DiRlGr699uAAs23vl+WraudMRYRm04cU53XQV8DlSAIhAL9r6W1dX4aiJcR+hy3p',
      'kecY6PqJb591yV4zj9O5Mx+9',
    ]),
    key: pem('PRIVATE KEY', [
      'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgPSBcKZFYTrQl99GM',
      'KEQzdLjPiJiSbIDpdxCoNlSFzjWhRANCAATlHH5zCu9c2wqODOg4zeHzPlTFKU1B',
      'rziGrJxFLIqI5e4WyMtKUhiEyu+5WVSGFllanUhbnWsQkuFxmN3QitIQ',
    ]),
  },
} as const;

function pem(what: string, lines: readonly string[]): string {
  return [`-----BEGIN ${what}-----`, ...lines, `-----END ${what}-----`, ''].join('\n');
}
