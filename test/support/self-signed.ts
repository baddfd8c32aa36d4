// A certificate that nobody vouches for, for shop.test. Worthless on purpose.
export const selfSignedKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgL3ZDlAAVUywwYzux
JujN6D9eTHD6UJGXSp6tL1bR6UShRANCAATtdSr/fughXudDFgKG8LMSqCzv6zFD
4/LEKaRn4jQDWVchER2fxFiMMGE+MXCqPJCYYTDmbZDWtixEVBMSC3qE
-----END PRIVATE KEY-----`;

export const selfSignedCertificate = `-----BEGIN CERTIFICATE-----
MIIBljCCATugAwIBAgIUY29I/JMfOs0e8d/dGgK3w7/yQA0wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJc2hvcC50ZXN0MCAXDTI2MTEyMTEwMTg0MVoYDzIxMjYxMDI4
MTAxODQxWjAUMRIwEAYDVQQDDAlzaG9wLnRlc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATtdSr/fughXudDFgKG8LMSqCzv6zFD4/LEKaRn4jQDWVchER2fxFiM
MGE+MXCqPJCYYTDmbZDWtixEVBMSC3qEo2kwZzAdBgNVHQ4EFgQUT/2pasydfG11
qajADb4IcH3FUOwwHwYDVR0jBBgwFoAUT/2pasydfG11qajADb4IcH3FUOwwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglzaG9wLnRlc3QwCgYIKoZIzj0EAwID
SQAwRgIhAOnr7Ktg2Kjm7+KQmqRgbg5k14QYMgcJbWRnbVZFzqbtAiEAmQRNfdt9
f1VX7w54fqKNugnxNfGwFE0wkmSaAIoHG4w=
-----END CERTIFICATE-----`;

// Another one for addresses of this machine, so that a shop with https can stand on loopback: a
// program trusts it when NODE_EXTRA_CA_CERTS names a file that holds it.
export const loopbackShopAddresses: readonly string[] = [
  ...Array.from({ length: 16 }, (_, index) => `127.81.84.${index + 1}`),
  '127.0.0.1',
];

export const loopbackShopKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgpuorH5o58+Ttt6ZP
kQb8+aER29pZXrtlra+3MCaqafihRANCAARLyANmNGH/muLMdGKBMfbSPAe/3Vi7
YgW4fdoNAhNhr7BL19cbtfwukCVH2IQ/N0IF1QvpFNOlV5IL7QsZZrMe
-----END PRIVATE KEY-----`;

export const loopbackShopCertificate = `-----BEGIN CERTIFICATE-----
MIICADCCAaagAwIBAgIUQhb/DDhPCUrI/9wyoDPbOeNZhOYwCgYIKoZIzj0EAwIw
GzEZMBcGA1UEAwwQc2hvcC5vbi5sb29wYmFjazAgFw0yNjExMjExMDQ1MDdaGA8y
MTI2MTAyODEwNDUwN1owGzEZMBcGA1UEAwwQc2hvcC5vbi5sb29wYmFjazBZMBMG
ByqGSM49AgEGCCqGSM49AwEHA0IABEvIA2Y0Yf+a4sx0YoEx9tI8B7/dWLtiBbh9
2g0CE2GvsEvX1xu1/C6QJUfYhD83QgXVC+kU06VXkgvtCxlmsx6jgcUwgcIwHQYD
VR0OBBYEFEKqyBv/tqWVXckUwsFr7ZsCxa1KMB8GA1UdIwQYMBaAFEKqyBv/tqWV
XckUwsFr7ZsCxa1KMA8GA1UdEwEB/wQFMAMBAf8wbwYDVR0RBGgwZocEfwAAAYcE
f1FUAYcEf1FUAocEf1FUA4cEf1FUBIcEf1FUBYcEf1FUBocEf1FUB4cEf1FUCIcE
f1FUCYcEf1FUCocEf1FUC4cEf1FUDIcEf1FUDYcEf1FUDocEf1FUD4cEf1FUEDAK
BggqhkjOPQQDAgNIADBFAiAh3kFm4h0dEf/r/J+8Dmxp9T3SULXuK9ykkhfLIynm
2QIhANoCBR1YekAiE+JmE2ca0KNYfPrd04YZneqqgyab0HDc
-----END CERTIFICATE-----`;
