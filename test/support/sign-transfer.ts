// What a client of x402 signs, made with viem and not with our own code: a payer's transfer of a token
// as typed data (EIP-3009, EIP-712), and the request that a resource server asks a facilitator.
import type { PrivateKeyAccount } from 'viem/accounts';

export type Accepts = {
  readonly scheme: string;
  readonly network: string;
  readonly asset: string;
  readonly amount: string;
  readonly payTo: string;
  readonly maxTimeoutSeconds: number;
  readonly extra: { readonly name: string; readonly version: string; readonly checkoutId?: string };
};

export type Wishes = {
  readonly to?: string;
  readonly value?: string;
  readonly validAfter?: string;
  readonly validBefore?: string;
  readonly nonce?: string;
  /** Of the domain. */
  readonly chainId?: number;
  readonly name?: string;
};

const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

/** The request for /verify and /settle; `wishes`: what is signed in another way than asked. */
export async function signedRequest(
  payer: PrivateKeyAccount,
  accepts: Accepts,
  nowSeconds: number,
  wishes: Wishes = {},
) {
  const authorization = {
    from: payer.address,
    to: wishes.to ?? accepts.payTo,
    value: wishes.value ?? accepts.amount,
    validAfter: wishes.validAfter ?? `${nowSeconds - 600}`,
    validBefore: wishes.validBefore ?? `${nowSeconds + accepts.maxTimeoutSeconds}`,
    nonce: wishes.nonce ?? `0x${'5a'.repeat(32)}`,
  };
  const signature = await payer.signTypedData({
    domain: {
      name: wishes.name ?? accepts.extra.name,
      version: accepts.extra.version,
      chainId: wishes.chainId ?? Number(accepts.network.replace('eip155:', '')),
      verifyingContract: accepts.asset as `0x${string}`,
    },
    types: TYPES,
    primaryType: 'TransferWithAuthorization',
    message: {
      from: payer.address,
      to: authorization.to as `0x${string}`,
      value: BigInt(authorization.value),
      validAfter: BigInt(authorization.validAfter),
      validBefore: BigInt(authorization.validBefore),
      nonce: authorization.nonce as `0x${string}`,
    },
  });
  return {
    x402Version: 2,
    paymentPayload: {
      x402Version: 2,
      accepted: accepts,
      payload: { signature, authorization },
    },
    paymentRequirements: accepts,
  };
}
