// One account of Stellar, its customers told apart by a number in the memo. No Horizon is asked.

import { createHmac, createPrivateKey, createPublicKey } from 'node:crypto';
import { stellar } from '#anchor/stellar-base.ts';
import { getAsset, NATIVE_ISSUER } from '#catalog/asset.ts';
import type { ChainId } from '#catalog/chain.ts';
import { derivedWhenAsked } from '#networks/derived-payee.ts';
import type { PurePayee } from '#networks/network-settings.ts';
import { stellarUri } from '#networks/payment-uri.ts';
import { MEMOS_BEGIN, memoAt, memoWith } from './memo-number.ts';
import { orderedDestination } from './receiver-destination.ts';
import type { UriSigner } from './sign-payment-uri.ts';
import { STELLAR_CHAINS, type StellarChain } from './stellar-chain.ts';

type StellarPayeeOptions = {
  readonly chain: ChainId;
  readonly parameters: StellarChain;
  /** G...: the account that everybody pays to. */
  readonly account: string;
  readonly uriSigner?: UriSigner | undefined;
  /** The memo of an index; that of the account unless given. */
  readonly memoOf?: (index: bigint) => string;
};

export function stellarPayee(options: StellarPayeeOptions): PurePayee {
  const { chain, parameters, account, uriSigner } = options;
  const { memoOf = (index) => memoAt(account, index) } = options;
  return {
    chain,
    addressSource: account,
    firstIndexes: MEMOS_BEGIN,
    openDestination({ index }) {
      const memo = memoOf(index);
      const destination = `${account}:${memo}`;
      return { destination, address: account, memo, memoType: 'text', destinationTag: undefined };
    },
    canonicalAddress: (address) => stellarAddress(chain, address),
    destinationOf: orderedDestination,
    paymentUri({ address, memo }, assetId, units) {
      const { assetCode, assetIssuer, decimals } = getAsset(assetId);
      const isNative = assetIssuer === NATIVE_ISSUER;
      const uri = stellarUri({
        destination: address,
        units,
        decimals,
        memo,
        asset: isNative ? undefined : { code: assetCode, issuer: assetIssuer },
        networkPassphrase: parameters.uriPassphrase,
      });
      return uriSigner === undefined ? uri : uriSigner.sign(uri);
    },
  };
}

/** Memos that depend on the seed, as they were always given out in the sandbox. */
export function simulatedStellarPayee(chain: ChainId, seed: Uint8Array): PurePayee {
  return derivedWhenAsked(chain, () =>
    stellarPayee({
      chain,
      parameters: STELLAR_CHAINS.test,
      account: accountOf(seed),
      memoOf: (index) =>
        memoWith(createHmac('sha256', seed).update(`memo/${index}`).digest(), index),
    }),
  );
}

/** PKCS #8 before the seed of an Ed25519 key (RFC 8410). */
const PKCS8_HEAD = '302e020100300506032b657004220420';

/** By node:crypto: the library would take every start of the sandbox a tenth of a second. */
function accountOf(seed: Uint8Array): string {
  const der = Buffer.concat([Buffer.from(PKCS8_HEAD, 'hex'), seed]);
  const key = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }));
  const { x = '' } = key.export({ format: 'jwk' });
  return stellar.base.StrKey.encodeEd25519PublicKey(Buffer.from(x, 'base64url'));
}

export function stellarAddress(_chain: ChainId, text: string): string | undefined {
  return stellar.base.StrKey.isValidEd25519PublicKey(text) ? text : undefined;
}
