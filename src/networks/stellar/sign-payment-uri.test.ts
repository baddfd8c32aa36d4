import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Keypair } from '@stellar/stellar-base';
import { uriSigner } from './sign-payment-uri.ts';

// The example of SEP-7, Request Signing.
const secret = 'SBPOVRVKTTV7W3IOX2FJPSMPCJ5L2WU2YKTP3HCLYPXNI5MDIGREVNYC';
const request =
  'web+stellar:pay?destination=GCALNQQBXAPZ2WIRSDDBMSTAKCUH5SG6U76YBFLQLIXJTF7FE5AX7AOO' +
  '&amount=120.1234567&memo=skdjfasf&msg=pay%20me%20with%20lumens';
const signature =
  'JTlGMGzxUv90P2SWxUY9xo%2BLlbXaDloend6gkpyylY8X4bUNf6%2F9mFTMJs7JKqSDPRtejlK1kQvrsJfRZSJeAQ%3D%3D';

test('a request is signed as the example of SEP-7', () => {
  const signer = uriSigner(secret, 'someDomain.com');
  const signed = signer.sign(request);
  assert.equal(signed, `${request}&origin_domain=someDomain.com&signature=${signature}`);
  assert.equal(signer.publicKey, Keypair.fromSecret(secret).publicKey());
});

test('the signature is the last parameter, and a changed request does not fit it', () => {
  const signer = uriSigner(secret, 'shop.example');
  const [asked = '', other = ''] = [signer.sign(request), signer.sign(`${request}1`)];
  const part = (uri: string) => /&signature=([^&]+)$/.exec(uri)?.[1];
  assert.notEqual(part(asked), undefined);
  assert.notEqual(part(asked), part(other));
});
