// What the brake of a chain holds, and letting it go: the dashboard and the command `chain release`
// do the same. With the release itself are written who did it and why, and a mail to everybody who
// runs the installation: nobody is talked into it without the others hearing of it.

import { noteAct } from '#audit/act.ts';
import { Refusal } from '#base/refusal.ts';
import { getAsset } from '#catalog/asset.ts';
import { type ChainId, environmentOf, networkOf } from '#catalog/chain.ts';
import type { DashboardLanguageCode } from '#catalog/language.ts';
import { getNetwork } from '#catalog/network.ts';
import { findHeldByBrake, type HeldByBrake, releaseHeld } from '#chain/act-on-chain.ts';
import type { Receipt } from '#chain/receipt.ts';
import type { Db } from '#db/db.ts';
import { releasedBrakeLetter } from '#mail/letters.ts';
import { type MailApp, tellByMail } from '#mail/mail.ts';
import { findMerchantNames } from '#merchant/merchant.ts';
import { amountToText } from '#money/asset-amount.ts';
import { listOperators } from '#staff/person.ts';

type BrakeApp = MailApp & {
  readonly db: Db;
  readonly publicUrl: string;
  readonly networks: { has(chain: ChainId): boolean };
};

export type HeldPayments = {
  readonly chain: ChainId;
  /** For what the brake is on, as sentences. */
  readonly causes: readonly string[];
  /** The longest held first, as many as are let go at once. */
  readonly payments: readonly (Receipt & { readonly merchantName: string | undefined })[];
  /** Of what is shown: a release is of this and of nothing else. */
  readonly code: string;
  /** Why nothing may be let go; undefined: it may. */
  readonly refusal: HeldByBrake['refusal'];
};

const REASON_MOST = 500;

/** Undefined where no such network is connected. */
export async function findHeldPayments(
  app: Pick<BrakeApp, 'db' | 'clock' | 'networks'>,
  chain: ChainId,
): Promise<HeldPayments | undefined> {
  if (!app.networks.has(chain)) return undefined;
  const found = await findHeldByBrake(app.db, chain, app.clock.now());
  const ids = found.payments.flatMap(({ merchantId }) => merchantId ?? []);
  const names = await findMerchantNames(app.db, [...new Set(ids)]);
  return {
    chain,
    causes: found.causes.map(({ reason }) => reason),
    code: found.code,
    refusal: found.refusal,
    payments: found.payments.map((receipt) => ({
      ...receipt,
      merchantName: receipt.merchantId && names.get(receipt.merchantId),
    })),
  };
}

type Release = {
  readonly actor: string;
  readonly chain: ChainId;
  /** Of what was shown. */
  readonly code: string;
  readonly reason: string;
  /** Of the mails. */
  readonly language: DashboardLanguageCode;
};

/**
 * Answers how many payments were let go.
 * @throws Refusal invalid `brake_reason`; missing `network_missing`; conflict `brake_changed`,
 * `brake_off`, `brake_unheard`, `brake_stays`, `brake_holds_nothing`
 */
export async function releaseBrake(
  app: BrakeApp,
  { actor, chain, code, reason, language }: Release,
): Promise<number> {
  const said = readReason(reason);
  if (!app.networks.has(chain)) {
    throw new Refusal('missing', 'network_missing', `${chain} is not connected here`);
  }
  return app.db.transact(async (tx) => {
    const at = app.clock.now();
    const released = await releaseHeld(app, tx, { chain, code, now: at });
    const { releaseId, payments, causes } = released;
    noteAct(tx, {
      actedAt: at,
      actor,
      verb: 'chain-release',
      subject: `chain:${chain}`,
      environment: environmentOf(chain),
      details: {
        release: releaseId,
        reason: said,
        brake: causes.map((cause) => cause.reason).join('; '),
        amounts: sumsOf(payments),
        payments: payments.map(({ id }) => `${id}`).join(' '),
      },
    });
    const network = getNetwork(networkOf(chain)).name;
    const told = { publicUrl: app.publicUrl, at, network, payments: payments.length };
    const letter = releasedBrakeLetter(language, told);
    for (const { id, email } of await listOperators(tx)) {
      const causeKey = `chain-release:${releaseId}:${id}`;
      tellByMail(app, tx, { causeKey, kind: 'BRAKE_RELEASED', receiver: email, letter });
    }
    return payments.length;
  });
}

/** By asset, as `2.5 BTC:NATIVE, 100.00 EUR:FIAT`. */
function sumsOf(payments: HeldByBrake['payments']): string {
  const sums = new Map<string, bigint>();
  for (const { assetId, units } of payments) sums.set(assetId, (sums.get(assetId) ?? 0n) + units);
  return [...sums]
    .map(([id, units]) => `${amountToText(units, getAsset(id).decimals)} ${id}`)
    .join(', ');
}

function readReason(given: string): string {
  const reason = given.trim().replaceAll(/\s+/gu, ' ');
  if (reason !== '' && reason.length <= REASON_MOST && !/\p{Cc}/u.test(reason)) return reason;
  throw new Refusal('invalid', 'brake_reason', `reason: 1 to ${REASON_MOST} characters are wanted`);
}
