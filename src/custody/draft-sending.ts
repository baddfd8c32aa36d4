// One drafted transaction for transfers that a person has to send. What it may spend is what no
// departure spends yet, so two drafts made at once may spend the same: only one of them can land,
// and the transfers of the other wait to be sent again.
import { Refusal } from '#base/refusal.ts';
import { type ChainId, chainOf } from '#catalog/chain.ts';
import { listUnspent } from '#chain/departure.ts';
import type { DraftedTransaction, Watcher } from '#deposit/network.ts';
import { type SendByHandApp, showSending } from '#transfer/send-by-hand.ts';
import type { Transfer } from '#transfer/transfer.ts';

type DraftApp = SendByHandApp & {
  readonly networks: ReadonlyMap<ChainId, Pick<Watcher, 'draft'>>;
};

type Drafted = {
  readonly transfers: readonly Transfer[];
  readonly drafted: DraftedTransaction;
};

/**
 * `ratePerByte`: units for a virtual byte; what the node estimates when absent.
 * @throws Refusal as showSending, and conflict when one transaction cannot pay them all.
 */
export async function draftSending(
  app: DraftApp,
  ids: readonly string[],
  ratePerByte: bigint | undefined,
): Promise<Drafted> {
  const transfers: Transfer[] = [];
  for (const id of new Set(ids)) transfers.push((await showSending(app, id)).transfer);
  const chains = new Set(
    transfers.map(({ environment, network }) => chainOf(environment, network)),
  );
  const [chain, another] = chains;
  if (chain === undefined || another !== undefined) {
    throw new Refusal('conflict', 'draft_refused', ['name transfers of one network']);
  }
  const network = app.networks.get(chain);
  if (network?.draft === undefined) {
    throw new Refusal('conflict', 'draft_refused', [
      `no transaction is put together here for ${chain}: send each by itself (npx quittance send ` +
        'show), or to a bank as one file (npx quittance send draft --bank)',
    ]);
  }
  const payments = transfers.map(
    ({ id: transferId, account = {}, assetId, targetUnits: units }) => {
      return { transferId, account, assetId, units };
    },
  );
  const unspent = await listUnspent(app.db, chain);
  return { transfers, drafted: await network.draft({ payments, unspent, ratePerByte }) };
}
