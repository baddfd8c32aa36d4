// Builds the one App value from the checked configuration and an open database. Acts take the
// narrow part of it that they need; nothing here decides anything.

import { dirname, join } from 'node:path';
import type { KeyCache } from '#access/caller.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import type { Random } from '#base/random.ts';
import { type ChainId, environmentOf, networkOf } from '#catalog/chain.ts';
import { type ConfirmationTiers, confirmationsRequired, getNetwork } from '#catalog/network.ts';
import { type HeardChains, offerWhenReady, openHeardChains } from '#chain/heard-chains.ts';
import type { RecordObservationApp } from '#chain/record-observation.ts';
import type { SandboxPort } from '#checkout-settlement/sandbox-port.ts';
import type { Db, Reader } from '#db/db.ts';
import { type GivenOut, openGivenOut } from '#deposit/given-out.ts';
import type { Network } from '#deposit/network.ts';
import { openInstallation } from '#installation/installation.ts';
import { type Keyring, openKeyring } from '#installation/keyring.ts';
import type { DomainCache } from '#merchant/domain.ts';
import { listAskedConfirmations } from '#merchant/merchant.ts';
import { type FindTextRecords, textRecordsBy } from '#merchant/verify-domain.ts';
import { compare, type Decimal } from '#money/decimal.ts';
import { accountValidator, openNetworks } from '#networks/families.ts';
import { openExecutors } from '#networks/open-executors.ts';
import { controlSandbox } from '#networks/sandbox/control-sandbox.ts';
import { openSandboxNetworks } from '#networks/sandbox/sandbox-network.ts';
import { redrawLogo } from '#pages/branding/redraw-logo.ts';
import type { AccountValidator } from '#people/account-fields.ts';
import { sealOldBeneficiaries } from '#people/beneficiary.ts';
import { createRateBook, type PriceMove, type StoredRateBook, usdValue } from '#rates/rate-book.ts';
import { createRequestLog, type RequestLog } from '#request-log/keep-requests.ts';
import type { Tracer } from '#tracing/trace.ts';
import type { Executors } from '#transfer/executor.ts';
import { sealOldTransfers } from '#transfer/transfer.ts';
import { createTargetAdmission, type TargetAdmission } from '#webhook/admit-target.ts';
import { createResolver } from '#webhook/target-guard.ts';
import {
  type Changes,
  createChanges,
  createWakes,
  onObserved,
  onSettled,
  type Wakes,
} from './changes.ts';
import type { Config } from './config.ts';
import { createMeters, type Meters } from './meters.ts';
import { targetRules } from './webhook-targets.ts';

export type App = {
  readonly config: Config;
  readonly publicUrl: string;
  /** Whether anybody is asked for prices of live checkouts. */
  readonly hasPriceSources: boolean;
  /** Whether anybody takes our mails. */
  readonly hasMail: boolean;
  readonly drawLogo: typeof redrawLogo;
  /** How long the amounts of a new checkout hold. */
  readonly quoteMinutes: number;
  /** Worth of live conversions that may be open at once. */
  readonly exposureLimitUsd: Decimal | undefined;
  /** Of that, for one merchant. */
  readonly merchantExposureLimitUsd: Decimal | undefined;
  /** A price that moves by more than this is converted at for nobody. */
  readonly priceMove: PriceMove | undefined;
  /** Of a file for a bank, in its currency: above it two people are needed. */
  readonly twoPeopleAbove: Decimal | undefined;
  readonly db: Db;
  /** For reports, which may be some seconds old; the database itself when absent. */
  readonly reads?: Reader | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly keyring: Keyring;
  readonly installationId: string;
  readonly keyCache?: KeyCache;
  readonly domainCache?: DomainCache;
  readonly rates: StoredRateBook;
  readonly networks: ReadonlyMap<ChainId, Network>;
  /** Chains that have a cursor; the others are not offered. */
  readonly heard: HeardChains;
  /** No index is given out twice, whatever was done to the database. */
  readonly givenOut: GivenOut;
  /** What sends money, where something can. */
  readonly executors: Executors;
  /** Checks where money is to be sent. */
  readonly accounts: AccountValidator;
  readonly policy: RecordObservationApp['policy'];
  /** Which URLs may be named as receivers. */
  readonly webhookTargets: TargetAdmission;
  /** What name servers say of a host that a merchant claims. */
  readonly findTextRecords: FindTextRecords;
  /** What programs asked of the API, until it is written. */
  readonly requestLog: RequestLog;
  /** Absent when the sandbox is switched off. */
  readonly sandbox: SandboxPort | undefined;
  /** Told after each commit that changed a checkout, in this process. */
  readonly changes: Changes;
  readonly wakes: Wakes;
  /** What this process counts of itself. */
  readonly meters: Meters;
  /** Undefined where no traces are collected. */
  readonly tracer?: Tracer | undefined;
};

/** Beside the key file. */
export const GIVEN_OUT_FILE = 'given-out.log';

type AppParts = {
  /** A command only works with what a server made. */
  readonly createsKeyFile?: boolean;
  readonly db: Db;
  readonly reads?: Reader | undefined;
  /** Both absent where changes of keys are not listened to. */
  readonly keyCache?: KeyCache;
  readonly domainCache?: DomainCache;
  readonly tracer?: Tracer | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
};

/**
 * `open`: what opens the real networks; a test brings its own.
 * @throws Refusal when the key file or a network setting is wrong: one line that says what to do.
 */
export async function openApp(
  config: Config,
  parts: AppParts,
  open: typeof openNetworks = openNetworks,
): Promise<App> {
  const { createsKeyFile = true, ...handed } = parts;
  const { db, clock, random, log } = handed;
  const keyring = openKeyring(config.keyFile, random, { create: createsKeyFile });
  const installation = await openInstallation(db, keyring, clock, random);
  if (createsKeyFile) {
    await sealOldBeneficiaries({ db, clock, keyring });
    await sealOldTransfers({ db, clock, keyring });
  }
  const rates = await createRateBook({ db, clock });
  const heard = await openHeardChains(parts);
  const networks = new Map<ChainId, Network>();
  if (config.sandbox) {
    for (const network of openSandboxNetworks({ db, clock, keyring, log })) {
      networks.set(network.chain, network);
    }
  }
  const opened = open(config.networks, parts);
  const givenOut = await openGivenOut({
    ...parts,
    path: join(dirname(config.keyFile), GIVEN_OUT_FILE),
    networks: opened.map(({ network }) => network),
  });
  for (const { network } of opened) {
    networks.set(network.chain, offerWhenReady(network, heard, givenOut));
  }
  const executors = openExecutors({ db, clock, networks }, config.sandbox);
  const core = {
    ...handed,
    config,
    publicUrl: config.publicUrl,
    hasPriceSources: config.priceSources.length > 0,
    hasMail: config.mail !== undefined,
    drawLogo: redrawLogo,
    quoteMinutes: config.quoteMinutes,
    exposureLimitUsd: config.exposureLimitUsd,
    merchantExposureLimitUsd: config.merchantExposureLimitUsd,
    priceMove: config.priceMove,
    twoPeopleAbove: config.twoPeopleAbove,
    keyring,
    installationId: installation.id,
    rates,
    networks,
    heard,
    givenOut,
    executors,
    accounts: accountValidator(networks),
    policy: chainPolicy(config, opened, rates, clock),
    webhookTargets: createTargetAdmission({
      clock,
      rules: targetRules(config),
      resolve: createResolver(),
    }),
    findTextRecords: textRecordsBy({ servers: config.dnsServers }),
    requestLog: createRequestLog({ db, clock, log }),
    changes: createChanges(),
    wakes: createWakes(),
    meters: createMeters(),
  };
  const sandbox = config.sandbox
    ? controlSandbox({ ...core, ...onObserved(core), ...onSettled(core) })
    : undefined;
  return Object.freeze({ ...core, sandbox });
}

/**
 * Depth by value, in dollars of the moment; without a price the deepest tier, and held by the brake
 * (fail closed).
 */
function chainPolicy(
  { brakeHoldUsd }: Config,
  opened: ReturnType<typeof openNetworks>,
  rates: StoredRateBook,
  clock: Clock,
): RecordObservationApp['policy'] {
  const overrides = new Map<ChainId, ConfirmationTiers>(
    opened.flatMap(({ network, confirmations }) =>
      confirmations === undefined ? [] : [[network.chain, confirmations] as const],
    ),
  );
  const isTestChain = new Set(
    opened.filter((one) => one.isTestChain).map(({ network }) => network.chain),
  );
  return {
    requiredConfirmations(chain, amounts, _merchantId, asked) {
      const value = usdValue(rates, environmentOf(chain), amounts, clock.now());
      const least = confirmationsRequired(chain, value, overrides);
      if (asked === undefined) return least;
      return Math.max(least, confirmationsRequired(chain, value, new Map([[chain, asked]])));
    },
    listAsked: listAskedConfirmations,
    isHeldByBrake(chain, amounts) {
      if (brakeHoldUsd === undefined) return false;
      const value = usdValue(rates, environmentOf(chain), amounts, clock.now());
      return value === undefined || compare(value, brakeHoldUsd) >= 0;
    },
    // Blocks of the sandbox and of test chains come as somebody makes them: no rhythm, no brake.
    targetBlockSeconds(chain) {
      if (environmentOf(chain) === 'test' || isTestChain.has(chain)) return undefined;
      return getNetwork(networkOf(chain)).targetBlockSeconds || undefined;
    },
  };
}
