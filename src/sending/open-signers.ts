// Who signs for each network, as the settings say. Chains that are not named are sent by hand.

import type { Clock } from '#base/clock.ts';
import { getAsset } from '#catalog/asset.ts';
import { type ChainId, chainOf, networkOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import type { Db } from '#db/db.ts';
import type { NodeWallet } from '#deposit/money-out.ts';
import type { Watcher } from '#deposit/network.ts';
import { amountToText } from '#money/asset-amount.ts';
import { openSignerClient, type SignerClient, type SignerPlace } from '#signer/client.ts';
import { readAskedOrder } from './asked-order.ts';
import { listSignedQuestions } from './attempt.ts';
import { decideCaps } from './decide-caps.ts';
import type { SigningPort } from './signing-port.ts';

type SignersApp = Parameters<typeof walletOfNode>[0] & {
  readonly clock: Clock;
  readonly config: {
    readonly signer:
      | { readonly place: SignerPlace; readonly networks: readonly string[] }
      | undefined;
  };
  readonly networks: ReadonlyMap<ChainId, Pick<Watcher, 'wallet'>>;
};

/** The settings name one for each (config.ts). */
export function openSigners(app: SignersApp): ReadonlyMap<ChainId, SigningPort> {
  const { place, networks } = app.config.signer ?? { place: '', networks: [] };
  const now = () => app.clock.now();
  const process = signerProcess(openSignerClient(place, { now }));
  const wallets = [...app.networks].flatMap(([chain, { wallet }]) =>
    wallet === undefined ? [] : ([[chain, walletOfNode(app, chain, wallet)]] as const),
  );
  return new Map([
    ...networks.map((network) => [chainOf('live', network), process] as const),
    ...wallets,
  ]);
}

// The signer process as somebody who signs: its answers, as what is to be told and done.
export function signerProcess(client: Pick<SignerClient, 'sign' | 'info'>): SigningPort {
  return {
    async sign(order) {
      const answer = await client.sign(order);
      switch (answer.outcome) {
        case 'SIGNED':
        case 'AWAY':
          return answer;
        case 'REFUSED':
          return {
            outcome: 'NOT_NOW',
            reason: `the signer refuses it: ${answer.reasons.join('; ')}`,
          };
        case 'NEEDS_APPROVAL':
          return {
            outcome: 'NOT_NOW',
            reason: `the signer wants a second person: quittance sign approve ${answer.code}`,
          };
      }
    },
    async check() {
      const { keys } = await client.info();
      const names = keys.map(({ name, network }) => `${name} (${network})`);
      return names.length === 0
        ? 'the signer answers, and has no keys'
        : `the signer has ${names.join(', ')}`;
    },
  };
}

// A node's wallet as somebody who signs. It signs whatever it has the keys of, so the service holds
// it to caps that the operator set, by what it has stored as signed. Whoever owns the service gets
// around them: the signer process is the stronger way (docs/operate/who-signs.md).
type WalletApp = { readonly db: Db; readonly clock: Clock };

function walletOfNode(
  { db, clock }: WalletApp,
  chain: ChainId,
  { sign, check, caps, setting }: NodeWallet,
): SigningPort {
  const { decimals, assetCode } = getAsset(getNetwork(networkOf(chain)).defaultAssetId);
  const amount = (units: bigint) => `${amountToText(units, decimals)} ${assetCode}`;
  return {
    async sign(order) {
      const since = clock.now().subtract({ hours: 24 });
      const signed = (await listSignedQuestions(db, chain, since)).map(readAskedOrder);
      const exceeded = decideCaps(order, signed, caps);
      if (exceeded !== undefined) {
        const inDay = exceeded.cap === 'day';
        const most = amount(inDay ? caps.perDayUnits : caps.perTransactionUnits);
        const name = `${setting}_PER_${inDay ? 'DAY' : 'TRANSACTION'}`;
        const leaves = `${amount(exceeded.units)} would leave ${inDay ? 'in 24 hours' : 'at once'}`;
        const reason = `above the cap of the wallet: ${leaves}, and ${name} is ${most}`;
        return { outcome: 'NOT_NOW', reason };
      }
      const answer = await sign(order.unsigned);
      return 'signed' in answer
        ? { outcome: 'SIGNED', signedTransaction: answer.signed }
        : { outcome: 'NOT_NOW', reason: answer.refused };
    },
    async check() {
      const atOnce = amount(caps.perTransactionUnits);
      return `${await check()}: at most ${atOnce} at once, ${amount(caps.perDayUnits)} a day`;
    },
  };
}
