// Deposits through an anchor (SEP-6): the customer pays the anchor on another network, the anchor
// pays us on Stellar. What it answers is checked: an address must be one of that network, and
// nothing of it may be taken as a fee, because what is asked for must arrive whole.

import type { Keypair } from '@stellar/stellar-base';
import type { Clock } from '#base/clock.ts';
import { type AnchorIdentity, type AnchorServices, discoverAnchor } from './discover-anchor.ts';
import type { GuardedHttp } from './guarded-http.ts';
import { outage } from './horizon.ts';
import { isFields } from './horizon-fields.ts';
import { logIntoAnchor, readJson } from './log-into-anchor.ts';
import type { StellarChain } from './stellar-chain.ts';

export type Anchor = {
  /** True when the anchor takes deposits of the asset now, for nothing. */
  isTakingDeposits(): Promise<boolean>;
  /** Where to pay, and the id of the transfer there. */
  startDeposit(deposit: { account: string; memo: string }): Promise<StartedDeposit>;
  findTransfer(id: string): Promise<AnchorTransfer>;
};

export type StartedDeposit = { readonly id: string; readonly address: string };

export type AnchorTransfer = {
  readonly status: string;
  readonly amountIn: string | undefined;
  readonly externalTransaction: string | undefined;
  readonly stellarTransaction: string | undefined;
  readonly isOver: boolean;
};

export type AnchorOptions = {
  readonly identity: AnchorIdentity;
  readonly http: GuardedHttp;
  readonly key: Keypair;
  readonly chain: StellarChain;
  readonly clock: Clock;
  /** The address in its one spelling; undefined when it is none of the network. */
  readonly addressOf: (text: string) => string | undefined;
};

const DISCOVERED_MS = 10 * 60_000;
/** Tokens last a day at most anchors; ours are used for less. */
const TOKEN_MS = 15 * 60_000;
/** Statuses after which nothing changes any more. */
const OVER = new Set([
  'completed',
  'refunded',
  'expired',
  'error',
  'no_market',
  'too_small',
  'too_large',
]);

export function openAnchor({
  identity,
  http,
  key,
  chain,
  clock,
  addressOf,
}: AnchorOptions): Anchor {
  const { domain, assetCode } = identity;
  let discovered: { readonly services: AnchorServices; readonly atMs: number } | undefined;
  let session: { readonly token: string; readonly atMs: number } | undefined;

  async function services(): Promise<AnchorServices> {
    const nowMs = clock.monotonicMs();
    if (discovered === undefined || nowMs - discovered.atMs >= DISCOVERED_MS) {
      discovered = { services: await discoverAnchor(http, identity, chain), atMs: nowMs };
    }
    return discovered.services;
  }

  async function token(): Promise<string> {
    const nowMs = clock.monotonicMs();
    if (session === undefined || nowMs - session.atMs >= TOKEN_MS) {
      const login = { http, domain, services: await services(), key, chain, now: clock.now() };
      session = { token: await logIntoAnchor(login), atMs: nowMs };
    }
    return session.token;
  }

  async function ask(path: string, query: Readonly<Record<string, string>>) {
    const { transferServer } = await services();
    const url = new URL(`${transferServer}${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    let answer = await http({ url: url.href, token: await token() });
    if (answer.status === 401 || answer.status === 403) {
      // The session ended, or the anchor wants to know more about us: once more, then it is said.
      session = undefined;
      answer = await http({ url: url.href, token: await token() });
    }
    return readJson(answer, domain, `answer to ${path}`);
  }

  return {
    async isTakingDeposits() {
      const { transferServer } = await services();
      const info = readJson(await http({ url: `${transferServer}/info` }), domain, 'information');
      const deposit = isFields(info.deposit) ? info.deposit[assetCode] : undefined;
      if (!isFields(deposit) || deposit.enabled !== true) return false;
      return isNothing(deposit.fee_fixed) && isNothing(deposit.fee_percent);
    },
    async startDeposit({ account, memo }) {
      const query = { asset_code: assetCode, account, memo_type: 'text', memo };
      const answer = await ask('/deposit', query);
      if (!isNothing(answer.fee_fixed) || !isNothing(answer.fee_percent)) {
        throw outage(domain, 'the anchor takes a fee of this deposit');
      }
      const { id } = answer;
      if (typeof id !== 'string' || !/^[\w.-]{1,128}$/.test(id)) {
        throw outage(domain, 'the anchor names no transfer');
      }
      const given = instruction(answer, 'organization.crypto_address') ?? answer.how;
      const address = typeof given === 'string' ? addressOf(given.trim()) : undefined;
      if (address === undefined) throw outage(domain, 'the anchor gave no address of the network');
      if (instruction(answer, 'organization.crypto_memo') !== undefined) {
        throw outage(domain, 'the anchor asks for a memo, which this network has not');
      }
      return { id, address };
    },
    async findTransfer(id) {
      const { transaction } = await ask('/transaction', { id });
      if (!isFields(transaction) || transaction.id !== id) {
        throw outage(domain, 'the anchor answers about another transfer');
      }
      const { status } = transaction;
      if (typeof status !== 'string' || !/^[a-z_]{1,64}$/.test(status)) {
        throw outage(domain, 'the anchor names no status');
      }
      return {
        status,
        amountIn: textOf(transaction.amount_in, /^\d{1,20}(?:\.\d{1,18})?$/),
        externalTransaction: textOf(transaction.external_transaction_id, /^[\w:-]{1,128}$/),
        stellarTransaction: textOf(transaction.stellar_transaction_id, /^[0-9a-f]{64}$/),
        isOver: OVER.has(status),
      };
    },
  };
}

function instruction(answer: Readonly<Record<string, unknown>>, name: string): unknown {
  const one = isFields(answer.instructions) ? answer.instructions[name] : undefined;
  return isFields(one) ? one.value : undefined;
}

function isNothing(fee: unknown): boolean {
  return fee === undefined || fee === null || Number(fee) === 0;
}

/** Somebody else's text: only what has the form is kept, and shown. */
function textOf(value: unknown, form: RegExp): string | undefined {
  return typeof value === 'string' && form.test(value) ? value : undefined;
}
