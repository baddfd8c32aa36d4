// Signed payment requests (SEP-7, Request Signing): a wallet shows the domain that asks once the
// signature fits the key in that domain's stellar.toml. The key signs requests and nothing else; it
// must never be a signer of an account.
import { stellar } from '#anchor/stellar-base.ts';

export type UriSigner = {
  readonly originDomain: string;
  /** URI_REQUEST_SIGNING_KEY of the domain's stellar.toml. */
  readonly publicKey: string;
  sign(uri: string): string;
};

/** 35 zero bytes, a four and the name of the scheme go before what is signed. */
const PREFIX = Buffer.concat([
  Buffer.alloc(35),
  Buffer.of(4),
  Buffer.from('stellar.sep.7 - URI Scheme'),
]);

/** @throws Error when the secret is none. */
export function uriSigner(secret: string, originDomain: string): UriSigner {
  const key = stellar.base.Keypair.fromSecret(secret);
  return {
    originDomain,
    publicKey: key.publicKey(),
    sign(uri) {
      const request = `${uri}&origin_domain=${encodeURIComponent(originDomain)}`;
      const signature = key.sign(Buffer.concat([PREFIX, Buffer.from(request)]));
      return `${request}&signature=${encodeURIComponent(signature.toString('base64'))}`;
    },
  };
}
