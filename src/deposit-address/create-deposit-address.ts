// Hands out a destination that the merchant may give to one payer and keep for ever. Nothing about
// it expires, and it is never given to anybody else (AD1, R7).

import type { Caller } from '#access/caller.ts';
import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { getAsset, requireTolerated } from '#catalog/asset.ts';
import { chainOf, type Environment } from '#catalog/chain.ts';
import { findNetwork, type NetworkInfo, networkIds } from '#catalog/network.ts';
import type { Db } from '#db/db.ts';
import type { InstructionKeys } from '#deposit/deposit-instruction.ts';
import type { Network } from '#deposit/network.ts';
import { openDeposit } from '#deposit/open-deposit.ts';
import { DEPOSIT_ADDRESS, type DepositAddressRecord } from './deposit-address.ts';
import { lightningAddress, publicUrlFault } from './lightning-address.ts';

type CreateDepositAddressApp = {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly networks: ReadonlyMap<string, Network>;
  readonly keyring: InstructionKeys;
  readonly publicUrl: string;
};

type DepositAddressRequest = {
  readonly network: string;
  /** The network's default when absent. */
  readonly assetId: string | undefined;
  readonly label: string | undefined;
  readonly webhook: string | undefined;
  readonly metaText: string | undefined;
};

type DepositCaller = Pick<
  Caller,
  'merchantId' | 'environment' | 'apiKey' | 'feePartsPerMillion' | 'riskTolerance'
>;

/**
 * Refuses: invalid when the network is unknown, gives no lasting addresses (Lightning on a node or
 * under a PUBLIC_URL that wallets cannot use), or does not carry the asset; unavailable when the
 * network is not connected in the environment of the caller.
 */
export async function createDepositAddress(
  app: CreateDepositAddressApp,
  caller: DepositCaller,
  request: DepositAddressRequest,
): Promise<DepositAddressRecord> {
  const info = getKnownNetwork(request.network);
  if (info.hasInvoices) refuseAddress(info.id, publicUrlFault(app.publicUrl, caller.environment));
  const network = app.networks.get(chainOf(caller.environment, info.id));
  if (network === undefined) {
    throw notConnected(info.id, caller.environment);
  }
  refuseAddress(info.id, network.addressInvoices?.fault);
  const assetId = request.assetId ?? info.defaultAssetId;
  const closed = network.closedWays?.().find((way) => way.assetId === assetId);
  if (closed !== undefined) {
    const message = `asset: not received on ${info.id} now: ${closed.reason}`;
    throw new Refusal('unavailable', 'network_missing', message);
  }
  // An anchor says anew for each payment where to pay.
  const lasting = network.receivableAssets().filter((id) => !getAsset(id).bridge);
  if (!lasting.includes(assetId)) {
    const known = lasting.join(', ');
    throw new Refusal('invalid', 'asset_not_receivable', [
      `asset: not received on ${info.id}; these are: ${known}`,
    ]);
  }
  requireTolerated('asset', getAsset(assetId), caller.riskTolerance);
  const now = app.clock.now();
  return app.db.transact(async (tx) => {
    const id = newId(app.random);
    const instruction = await openDeposit(app, tx, network, {
      id: newId(app.random),
      merchantId: caller.merchantId,
      purpose: 'deposit-address',
      purposeId: id,
      assetId,
      // No amount is asked for: only invoices state an amount and an end.
      units: 0n,
      createdAt: now,
      expiresAt: now,
      destination: info.hasInvoices ? lightningAddress(app.publicUrl, id) : undefined,
    });
    const made = {
      id,
      merchantId: caller.merchantId,
      environment: caller.environment,
      network: info.id,
      assetId,
      instructionId: instruction.id,
      label: request.label,
      webhookUrl: request.webhook,
      meta: request.metaText,
      apiKey: caller.apiKey,
      feePartsPerMillion: caller.feePartsPerMillion,
      eventSequence: 0,
      createdAt: now,
    };
    tx.send(DEPOSIT_ADDRESS.insert([made]));
    const paymentUri = network.paymentUri(instruction, assetId, undefined);
    return { ...made, instruction, paymentUri };
  });
}

function getKnownNetwork(id: string): NetworkInfo {
  const info = findNetwork(id);
  if (info === undefined) {
    throw new Refusal('invalid', 'network_unknown', [
      `network: is not a network id of GET /networks; accepted are: ${networkIds().join(', ')}`,
    ]);
  }
  return info;
}

function refuseAddress(networkId: string, fault: string | undefined): void {
  if (fault === undefined) return;
  const sentence = `network: ${networkId} has no lasting addresses here: ${fault}`;
  throw new Refusal('invalid', 'network_without_addresses', [sentence]);
}

function notConnected(network: string, environment: Environment): Refusal {
  const settings =
    environment === 'test'
      ? 'can set SANDBOX=on'
      : `sets what begins with ${network}_ (npx quittance settings)`;
  return new Refusal('unavailable', 'network_missing', [
    `${network} is not connected here in the ${environment} environment: its operator ${settings}`,
  ]);
}
