import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeOutage } from './node-outage.ts';

const withCode = (code: string) => Object.assign(new Error(`raw ${code}`), { code });

for (const [code, expected] of [
  ['DEPTH_ZERO_SELF_SIGNED_CERT', /NODE_EXTRA_CA_CERTS/],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /NODE_EXTRA_CA_CERTS/],
  ['CERT_HAS_EXPIRED', /renew it/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', /another host name/],
  ['EPROTO', /http:\/\/ instead of https:\/\//],
  ['ERR_SSL_WRONG_VERSION_NUMBER', /http:\/\/ instead of https:\/\//],
  ['ECONNREFUSED', /is the port right/],
  ['ENOTFOUND', /host name is not known/],
] as const) {
  test(`a connection that fails with ${code} is told as a sentence, the raw words behind it`, () => {
    const { message } = nodeOutage('live:BITCOIN', 'the node does not answer', withCode(code));
    assert.match(message, expected);
    assert.match(message, new RegExp(`\\(raw ${code}\\)`));
  });
}

test('what has no sentence is told as it is', () => {
  const { message } = nodeOutage('live:BITCOIN', 'the node does not answer', withCode('EODD'));
  assert.match(message, /the node does not answer: raw EODD/);
});
