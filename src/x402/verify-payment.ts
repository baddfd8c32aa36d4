// The facilitator of x402: which chains and tokens it serves, what a checkout asks for in its
// words, and whether a signed payment would be carried out. Guarantees: only addresses that we gave
// out for a checkout are paid through it; what it says credits nothing. A payment counts when the
// chain has been seen to carry it out, as any other.

import type { Clock } from '#base/clock.ts';
import { type ChainId, chainOf, environmentOf } from '#catalog/chain.ts';
import { type FindCheckoutApp, findAnyCheckout } from '#checkout/find-checkout.ts';
import type {
  AuthorizationFault,
  Authorizations,
  TokenDomain,
} from '#deposit/authorized-transfer.ts';
import { matchInstructions } from '#deposit/deposit-instruction.ts';
import type { Network } from '#deposit/network.ts';
import { type AskedPayment, decidePayment } from './decide-payment.ts';
import { findGasFault, type JudgeGasApp } from './judge-gas.ts';
import { type Payment, X402_VERSION } from './read-payment.ts';

export type X402App = Omit<FindCheckoutApp, 'networks'> &
  JudgeGasApp & {
    readonly networks: ReadonlyMap<ChainId, Network>;
    readonly clock: Clock;
  };

type SupportedKind = {
  readonly x402Version: number;
  readonly scheme: 'exact';
  readonly network: string;
};

type Verified = {
  readonly isValid: boolean;
  readonly invalidReason?: string;
  readonly payer: string;
};

const REASONS: Readonly<Record<AuthorizationFault, string>> = {
  signature: 'invalid_exact_evm_payload_signature',
  nonce: 'invalid_exact_evm_nonce_already_used',
  funds: 'insufficient_funds',
  simulation: 'invalid_exact_evm_transaction_simulation_failed',
};

/** What takes signed transfers now: chains of one's own among them, the simulated ones never. */
export async function listSupported(app: Pick<X402App, 'networks'>): Promise<SupportedKind[]> {
  const kinds = await Promise.all(
    [...app.networks.values()].map(async ({ authorizations }) => {
      if (authorizations === undefined) return [];
      if ((await authorizations.listTokens()).length === 0) return [];
      const network = caip2Of(authorizations);
      return [{ x402Version: X402_VERSION, scheme: 'exact', network } as const];
    }),
  );
  return kinds.flat();
}

/** By pattern of CAIP-2: who pays the gas. */
export function listSigners({ networks }: Pick<X402App, 'networks'>): Record<string, string[]> {
  const accounts = [...networks.values()].flatMap(({ authorizations }) => {
    return authorizations?.account ?? [];
  });
  return accounts.length === 0 ? {} : { 'eip155:*': [...new Set(accounts)] };
}

function caip2Of({ chainNumber }: Authorizations): string {
  return `eip155:${chainNumber}`;
}

/** One entry of `accepts` for each way in which the checkout can be paid so; none of it: no way. */
export async function listRequirements(app: X402App, checkoutId: string) {
  const record = await findAnyCheckout(app, checkoutId);
  if (record === undefined) return undefined;
  const accepts = record.commitments.map(
    async ({ network, assetId, instruction, ...commitment }) => {
      const { authorizations } = app.networks.get(chainOf(record.environment, network)) ?? {};
      const token = authorizations && (await findToken(authorizations, assetId));
      const left = app.clock.now().until(commitment.expiresAt).total('seconds');
      if (authorizations === undefined || token === undefined || left < 1) return [];
      const { contract: asset, name, version } = token;
      return [
        {
          ...{ scheme: 'exact', network: caip2Of(authorizations), asset },
          amount: `${commitment.askedUnits}`,
          payTo: instruction.address,
          maxTimeoutSeconds: Math.floor(left),
          extra: { name, version, checkoutId },
        },
      ];
    },
  );
  return (await Promise.all(accepts)).flat();
}

async function findToken(
  authorizations: Authorizations,
  assetId: string,
): Promise<TokenDomain | undefined> {
  return (await authorizations.listTokens()).find((one) => one.assetId === assetId);
}

/** Whether it would be carried out, and pay what was asked. @throws Outage */
export async function verifyPayment(app: X402App, payment: Payment): Promise<Verified> {
  const payer = payment.transfer.from;
  const reason = await findReason(app, payment);
  if (reason === undefined) return { isValid: true, payer };
  return { isValid: false, invalidReason: reason, payer };
}

async function findReason(app: X402App, payment: Payment): Promise<string | undefined> {
  const { required, transfer } = payment;
  const known = [...app.networks.values()].find(
    ({ authorizations }) =>
      authorizations !== undefined && caip2Of(authorizations) === required.network,
  );
  const authorizations = known?.authorizations;
  const asked = known && (await findAsked(app, known, required.payTo, required.asset));
  const network = authorizations && caip2Of(authorizations);
  const reason = decidePayment(payment, { network, asked, now: app.clock.now() });
  if (reason !== undefined || known === undefined || authorizations === undefined) return reason;
  const { assetId = '' } = asked?.token ?? {};
  const fault = await authorizations.findFault({ ...transfer, assetId });
  if (fault !== undefined) return REASONS[fault];
  return findGasFault(app, known.chain, authorizations, { ...transfer, assetId });
}

/** What a payment is for, and where it is carried out. */
export type X402Target = {
  readonly chain: ChainId;
  readonly network: Network;
  readonly authorizations: Authorizations;
  readonly assetId: string;
  readonly checkoutId: string;
};

/** Undefined where nothing of ours was asked for there. */
export async function findTarget(
  app: X402App,
  { required }: Payment,
): Promise<X402Target | undefined> {
  const { network, payTo, asset } = required;
  for (const known of app.networks.values()) {
    const { chain, authorizations } = known;
    if (authorizations === undefined || caip2Of(authorizations) !== network) continue;
    const match = (await matchInstructions(app.db, chain, [payTo])).get(payTo);
    const tokens = await authorizations.listTokens();
    const token = tokens.find(({ contract }) => contract.toLowerCase() === asset);
    if (match?.purpose !== 'checkout' || token === undefined) return undefined;
    const { assetId } = token;
    return { chain, network: known, authorizations, assetId, checkoutId: match.purposeId };
  }
  return undefined;
}

/** What was asked for at this address in this token, if anything. */
async function findAsked(
  app: X402App,
  { chain, authorizations }: Network,
  payTo: string,
  asset: string,
): Promise<AskedPayment | undefined> {
  const match = (await matchInstructions(app.db, chain, [payTo])).get(payTo);
  if (match?.purpose !== 'checkout' || authorizations === undefined) return undefined;
  const record = await findAnyCheckout(app, match.purposeId);
  const tokens = await authorizations.listTokens();
  const token = tokens.find(({ contract }) => contract.toLowerCase() === asset);
  const commitment = record?.commitments.find(
    ({ instruction, assetId, network }) =>
      instruction.destination === payTo &&
      assetId === token?.assetId &&
      chainOf(environmentOf(chain), network) === chain,
  );
  if (record === undefined || commitment === undefined) return undefined;
  const { askedUnits: units, expiresAt } = commitment;
  return { token, units, expiresAt, isOpen: record.state === 'AWAITING_PAYMENT' };
}
