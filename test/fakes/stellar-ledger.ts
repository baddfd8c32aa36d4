// A Stellar network in memory: transactions are built, signed and hashed by the official library,
// applied to accounts, and closed into ledgers whose headers hash into each other. Only as much of
// the protocol as payments need; results and effects are written as the real ones are.

import { createHash } from 'node:crypto';
import {
  Account,
  Asset,
  BASE_FEE,
  type Claimant,
  FeeBumpTransaction,
  type Keypair,
  type Memo,
  type Operation,
  StrKey,
  type Transaction,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-base';
import { accountIdOf, outcomeOf } from './stellar-outcomes.ts';

export type FakeRecord = { [key: string]: unknown };
export type FakeLine = {
  units: bigint;
  limit: bigint;
  isAuthorised: boolean;
  canBeClawedBack: boolean;
  changedAt: number;
};
export type FakeAccount = {
  readonly key: Keypair;
  sequence: bigint;
  /** By asset id; lumens under XLM:NATIVE. */
  readonly lines: Map<string, FakeLine>;
  readonly data: Map<string, string>;
  readonly signers: string[];
  changedAt: number;
};
export type FakeEffect = { account: string; type: string; fields: FakeRecord };
export type FakeOperation = {
  id: bigint;
  type: string;
  accounts: Set<string>;
  fields: FakeRecord;
  effects: FakeEffect[];
  isPayment: boolean;
};
export type FakeTransaction = {
  id: bigint;
  record: FakeRecord;
  accounts: Set<string>;
  operations: FakeOperation[];
  isSuccessful: boolean;
};
export type FakeLedger = {
  sequence: number;
  hash: string;
  record: FakeRecord;
  transactions: FakeTransaction[];
};

export type SendOptions = {
  /** Whose key signs, and who pays the fee unless somebody bumps it. */
  from: Keypair;
  memo?: Memo;
  /** Pays the fee in an outer transaction. */
  bumpedBy?: Keypair;
  /** The transaction is in the ledger and did nothing. */
  fails?: boolean;
  /** What a path payment delivers, where the operation does not say. */
  arrives?: bigint;
  /** What a contract moves (Horizon: asset_balance_changes). */
  contractMoves?: readonly ContractMove[];
  /** What a claimed balance holds, of one that nobody left here. */
  claims?: { assetId: string; units: bigint };
  /** The id of what the operation leaves to be claimed. */
  balanceId?: string;
};
export type ContractMove = {
  from: string;
  to: string;
  assetId: string;
  units: bigint;
  /** A number of 64 bits, or bytes or a text, which a contract may emit as well (CAP-67). */
  muxedId?: bigint | string;
  /** As Horizon calls it; a transfer unless said. */
  kind?: string;
};

export const NATIVE = 'XLM:NATIVE';
const PLENTY = 10n ** 17n;

export function unitsText(units: bigint): string {
  const digits = units.toString().padStart(8, '0');
  return `${digits.slice(0, -7)}.${digits.slice(-7)}`;
}

export function unitsOf(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole) * 10_000_000n + BigInt(fraction.padEnd(7, '0'));
}

export function assetOf(assetId: string): Asset {
  const [code = '', issuer] = assetId.split(':');
  return assetId === NATIVE ? Asset.native() : new Asset(code, issuer);
}

export function assetFields(assetId: string, prefix = ''): FakeRecord {
  if (assetId === NATIVE) return { [`${prefix}asset_type`]: 'native' };
  const [code = '', issuer] = assetId.split(':');
  return {
    [`${prefix}asset_type`]: code.length > 4 ? 'credit_alphanum12' : 'credit_alphanum4',
    [`${prefix}asset_code`]: code,
    [`${prefix}asset_issuer`]: issuer,
  };
}

export type FakePath = { readonly units: bigint; readonly path: readonly string[] };

/** A balance that waits to be claimed (CAP-23). */
export type FakeClaimable = {
  readonly assetId: string;
  readonly units: bigint;
  readonly sponsor: string;
  readonly claimants: readonly Claimant[];
};

export type FakeStellar = {
  readonly passphrase: string;
  /** By id: type and hash in hexadecimal. */
  readonly claimables: Map<string, FakeClaimable>;
  readonly ledgers: FakeLedger[];
  readonly accounts: Map<string, FakeAccount>;
  /**
   * What offers and pools give for so much now, and over which assets; undefined where nobody
   * trades the two: a path payment then brings what it asks for at least.
   */
  market: (give: string, units: bigint, get: string) => FakePath | undefined;
  /** An account that exists and holds lumens; not by a transaction. */
  addAccount(key: Keypair, units?: bigint): FakeAccount;
  /** A trust line, not by a transaction. */
  addLine(address: string, assetId: string, line?: Partial<FakeLine>): FakeLine;
  /** Builds, signs and applies a transaction; it is in the next ledger that closes. */
  send(operations: readonly xdr.Operation[], options: SendOptions): string;
  /**
   * What somebody signed, into the next ledger. Gives its hash, or the result codes with which it is
   * refused; one that is known already is not applied again.
   */
  submit(envelope: string): { readonly hash: string } | { readonly refused: string };
  /** With the hash of what everybody holds, where a test gives it out as an archive. */
  close(bucketListHash?: Buffer): FakeLedger;
};

export function fakeStellar(passphrase: string, now: () => Temporal.Instant): FakeStellar {
  const accounts = new Map<string, FakeAccount>();
  const ledgers: FakeLedger[] = [];
  let waiting: FakeTransaction[] = [];
  const firstSequence = 50_000_000;
  const stellar: FakeStellar = {
    passphrase,
    claimables: new Map(),
    ledgers,
    accounts,
    market: () => undefined,
    addAccount(key, units = PLENTY) {
      const account: FakeAccount = {
        key,
        sequence: 1n << 32n,
        lines: new Map(),
        data: new Map(),
        signers: [key.publicKey()],
        changedAt: nextSequence(),
      };
      accounts.set(key.publicKey(), account);
      stellar.addLine(key.publicKey(), NATIVE, { units });
      return account;
    },
    addLine(address, assetId, line = {}) {
      const made: FakeLine = {
        units: 0n,
        limit: 9_223_372_036_854_775_807n,
        isAuthorised: true,
        canBeClawedBack: false,
        changedAt: nextSequence(),
        ...line,
      };
      accounts.get(address)?.lines.set(assetId, made);
      return made;
    },
    send(operations, options) {
      const id = (BigInt(nextSequence()) << 32n) | (BigInt(waiting.length + 1) << 12n);
      const applied = applyTransaction(stellar, operations, options, id, nextSequence());
      waiting.push(applied);
      return String(applied.record.hash);
    },
    submit(envelope) {
      const inner = TransactionBuilder.fromXDR(envelope, passphrase) as Transaction;
      const hash = inner.hash().toString('hex');
      const known = [...ledgers.flatMap(({ transactions }) => transactions), ...waiting];
      if (known.some(({ record }) => record.hash === hash)) return { hash };
      const sender = accounts.get(inner.source);
      if (sender === undefined) return { refused: 'tx_no_source_account' };
      const isNext = BigInt(inner.sequence) === sender.sequence + 1n;
      if (!isNext) return { refused: 'tx_bad_seq' };
      const id = (BigInt(nextSequence()) << 32n) | (BigInt(waiting.length + 1) << 12n);
      const fails = inner.operations.some(
        (operation) =>
          isUnderLeast(stellar, operation) ||
          isNotClaimable(stellar, operation, inner.source, now()),
      );
      waiting.push(applySigned(stellar, inner, { from: sender.key, fails }, id, nextSequence()));
      return { hash };
    },
    close(bucketListHash = Buffer.alloc(32)) {
      const closedAt = now();
      const previous = ledgers.at(-1)?.hash;
      const ledger = closeLedger(nextSequence(), previous, waiting, closedAt, bucketListHash);
      waiting = [];
      ledgers.push(ledger);
      return ledger;
    },
  };
  function nextSequence(): number {
    return firstSequence + ledgers.length;
  }
  stellar.close();
  return stellar;
}

/** PATH_PAYMENT_STRICT_SEND_UNDER_DESTMIN of the protocol. */
function isUnderLeast(stellar: FakeStellar, operation: Operation): boolean {
  if (operation.type !== 'pathPaymentStrictSend') return false;
  const { sendAsset, sendAmount, destAsset, destMin } = operation;
  const [give, get] = [sendAsset, destAsset].map((asset) =>
    asset.isNative() ? NATIVE : `${asset.getCode()}:${asset.getIssuer()}`,
  ) as [string, string];
  const found = stellar.market(give, unitsOf(sendAmount), get);
  return found !== undefined && found.units < unitsOf(destMin);
}

/** CLAIM_CLAIMABLE_BALANCE_DOES_NOT_EXIST and _CANNOT_CLAIM of the protocol. */
function isNotClaimable(
  { claimables }: FakeStellar,
  operation: Operation,
  source: string,
  now: Temporal.Instant,
): boolean {
  if (operation.type !== 'claimClaimableBalance') return false;
  const claimant = claimables
    .get(operation.balanceId)
    ?.claimants.find(({ destination }) => destination === source);
  if (claimant === undefined) return true;
  const { predicate } = claimant;
  if (predicate.switch().name === 'claimPredicateUnconditional') return false;
  const before = predicate.notPredicate()?.absBefore().toBigInt() ?? 0n;
  return now.epochNanoseconds / 10n ** 9n < before;
}

function closeLedger(
  sequence: number,
  previous: string | undefined,
  transactions: FakeTransaction[],
  closedAt: Temporal.Instant,
  bucketListHash: Buffer,
): FakeLedger {
  const seconds = Math.floor(closedAt.epochMilliseconds / 1000);
  const previousHash = previous ?? '00'.repeat(32);
  const zero = Buffer.alloc(32);
  const content = transactions.map(({ record }) => String(record.result_xdr)).join();
  const header = new xdr.LedgerHeader({
    ledgerVersion: 22,
    previousLedgerHash: Buffer.from(previousHash, 'hex'),
    scpValue: new xdr.StellarValue({
      txSetHash: createHash('sha256').update(`${sequence}`).digest(),
      closeTime: new xdr.Uint64(BigInt(seconds)),
      upgrades: [],
      ext: xdr.StellarValueExt.stellarValueBasic(),
    }),
    txSetResultHash: createHash('sha256').update(content).digest(),
    bucketListHash,
    ledgerSeq: sequence,
    totalCoins: new xdr.Int64(10n ** 18n),
    feePool: new xdr.Int64(0n),
    inflationSeq: 0,
    idPool: new xdr.Uint64(0n),
    baseFee: 100,
    baseReserve: 5_000_000,
    maxTxSetSize: 1000,
    skipList: [zero, zero, zero, zero],
    ext: new (xdr.LedgerHeaderExt as unknown as new (arm: number) => xdr.LedgerHeaderExt)(0),
  });
  const bytes = header.toXDR();
  const hash = createHash('sha256').update(bytes).digest('hex');
  const successful = transactions.filter(({ isSuccessful }) => isSuccessful);
  for (const { record } of transactions) record.created_at = timeText(seconds);
  const record: FakeRecord = {
    id: hash,
    paging_token: (BigInt(sequence) << 32n).toString(),
    hash,
    prev_hash: previousHash,
    sequence,
    successful_transaction_count: successful.length,
    failed_transaction_count: transactions.length - successful.length,
    operation_count: successful.reduce((sum, { operations }) => sum + operations.length, 0),
    tx_set_operation_count: transactions.reduce((sum, one) => sum + one.operations.length, 0),
    closed_at: timeText(seconds),
    total_coins: unitsText(10n ** 18n),
    fee_pool: '0.0000000',
    base_fee_in_stroops: 100,
    base_reserve_in_stroops: 5_000_000,
    max_tx_set_size: 1000,
    protocol_version: 22,
    header_xdr: bytes.toString('base64'),
  };
  return { sequence, hash, record, transactions };
}

function timeText(seconds: number): string {
  return Temporal.Instant.fromEpochMilliseconds(seconds * 1000).toString();
}

function applyTransaction(
  stellar: FakeStellar,
  operations: readonly xdr.Operation[],
  options: SendOptions,
  id: bigint,
  sequence: number,
): FakeTransaction {
  const { from, memo } = options;
  const sender = accountOf(stellar, from.publicKey());
  const builder = new TransactionBuilder(new Account(from.publicKey(), `${sender.sequence}`), {
    fee: BASE_FEE,
    networkPassphrase: stellar.passphrase,
    ...(memo === undefined ? {} : { memo }),
  }).setTimeout(0);
  for (const operation of operations) builder.addOperation(operation);
  const inner = builder.build();
  inner.sign(from);
  return applySigned(stellar, inner, options, id, sequence);
}

function applySigned(
  stellar: FakeStellar,
  inner: Transaction,
  options: SendOptions,
  id: bigint,
  sequence: number,
): FakeTransaction {
  const { from, bumpedBy, fails = false } = options;
  accountOf(stellar, from.publicKey()).sequence += 1n;
  const { operations } = inner;
  const bump =
    bumpedBy &&
    TransactionBuilder.buildFeeBumpTransaction(bumpedBy, '200', inner, stellar.passphrase);
  if (bump !== undefined) bump.sign(bumpedBy ?? from);
  const feeAccount = bumpedBy?.publicKey() ?? from.publicKey();
  const fee = BigInt(operations.length + (bump === undefined ? 0 : 1)) * 100n;
  move(stellar, feeAccount, NATIVE, -fee, sequence);
  const applied = inner.operations.map((operation, index) =>
    applyOperation(stellar, operation, inner, options, id | BigInt(index + 1), sequence),
  );
  const outer: Transaction | FeeBumpTransaction = bump ?? inner;
  const results = applied.map(({ result }) => result);
  const record: FakeRecord = {
    ...transactionRecord(outer, inner, id, sequence),
    successful: !fails,
    fee_account: feeAccount,
    fee_charged: fee.toString(),
    result_xdr: resultOf(outer, inner, results, fee, fails).toXDR('base64'),
  };
  const done = applied.map(({ operation }) => operation);
  const touched = new Set([
    from.publicKey(),
    feeAccount,
    ...done.flatMap((one) => [...one.accounts]),
  ]);
  return { id, record, accounts: touched, operations: done, isSuccessful: !fails };
}

function transactionRecord(
  outer: Transaction | FeeBumpTransaction,
  inner: Transaction,
  id: bigint,
  sequence: number,
): FakeRecord {
  const hash = outer.hash().toString('hex');
  const signatures = outer.signatures.map((signature) => signature.signature().toString('base64'));
  const { memo } = inner;
  const text = memo.type === 'text' ? Buffer.from(memo.value as string | Buffer) : undefined;
  const base = {
    id: hash,
    paging_token: id.toString(),
    hash,
    ledger: sequence,
    source_account: accountIdOf(inner.source),
    source_account_sequence: inner.sequence,
    max_fee: outer.fee,
    operation_count: inner.operations.length,
    envelope_xdr: outer.toEnvelope().toXDR('base64'),
    fee_meta_xdr: 'AAAAAA==',
    memo_type: memo.type,
    ...(text === undefined ? {} : { memo: text.toString(), memo_bytes: text.toString('base64') }),
    ...(memo.type === 'id' ? { memo: String(memo.value) } : {}),
    ...(memo.type === 'hash' || memo.type === 'return'
      ? { memo: Buffer.from(memo.value as Buffer).toString('base64') }
      : {}),
    signatures,
  };
  if (!(outer instanceof FeeBumpTransaction)) return base;
  const innerSignatures = inner.signatures.map((one) => one.signature().toString('base64'));
  return {
    ...base,
    fee_bump_transaction: { hash, signatures },
    inner_transaction: {
      hash: inner.hash().toString('hex'),
      signatures: innerSignatures,
      max_fee: inner.fee,
    },
  };
}

function resultOf(
  outer: Transaction | FeeBumpTransaction,
  inner: Transaction,
  results: xdr.OperationResult[],
  fee: bigint,
  fails: boolean,
): xdr.TransactionResult {
  const done = fails ? results.map(() => xdr.OperationResult.opBadAuth()) : results;
  const feeCharged = new xdr.Int64(fee);
  const none = 0 as unknown as xdr.TransactionResultExt;
  const ext = () =>
    new (xdr.TransactionResultExt as unknown as new (arm: number) => typeof none)(0);
  if (!(outer instanceof FeeBumpTransaction)) {
    const { txFailed, txSuccess } = xdr.TransactionResultResult;
    return new xdr.TransactionResult({
      feeCharged,
      result: fails ? txFailed(done) : txSuccess(done),
      ext: ext(),
    });
  }
  const pair = new xdr.InnerTransactionResultPair({
    transactionHash: inner.hash(),
    result: new xdr.InnerTransactionResult({
      feeCharged: new xdr.Int64(0n),
      result: fails
        ? xdr.InnerTransactionResultResult.txFailed(done)
        : xdr.InnerTransactionResultResult.txSuccess(done),
      ext: new (
        xdr.InnerTransactionResultExt as unknown as new (
          arm: number,
        ) => xdr.InnerTransactionResultExt
      )(0),
    }),
  });
  return new xdr.TransactionResult({
    feeCharged,
    result: fails
      ? xdr.TransactionResultResult.txFeeBumpInnerFailed(pair)
      : xdr.TransactionResultResult.txFeeBumpInnerSuccess(pair),
    ext: ext(),
  });
}

type Applied = { readonly operation: FakeOperation; readonly result: xdr.OperationResult };

function applyOperation(
  stellar: FakeStellar,
  operation: Operation,
  inner: Transaction,
  options: SendOptions,
  id: bigint,
  sequence: number,
): Applied {
  const source = accountIdOf(operation.source ?? inner.source);
  const balanceId =
    operation.type === 'createClaimableBalance'
      ? inner.getClaimableBalanceId(Number(id & 0xfffn) - 1)
      : undefined;
  const known = balanceId === undefined ? options : { ...options, balanceId };
  const outcome = outcomeOf(stellar, operation, source, known);
  if (options.fails !== true) {
    settle(stellar, outcome.effects, sequence);
    settleClaimable(stellar, operation, source, balanceId);
  }
  const effects = options.fails === true ? [] : outcome.effects;
  const accounts = new Set([source, ...outcome.effects.map(({ account }) => account)]);
  for (const value of Object.values(outcome.fields)) {
    if (typeof value === 'string' && StrKey.isValidEd25519PublicKey(value)) accounts.add(value);
  }
  return {
    operation: {
      id,
      type: outcome.type,
      accounts,
      fields: { source_account: source, ...outcome.fields },
      effects,
      isPayment: outcome.isPayment ?? true,
    },
    result: xdr.OperationResult.opInner(outcome.result),
  };
}

function settleClaimable(
  { claimables }: FakeStellar,
  operation: Operation,
  sponsor: string,
  balanceId: string | undefined,
): void {
  if (operation.type === 'claimClaimableBalance') claimables.delete(operation.balanceId);
  if (operation.type !== 'createClaimableBalance' || balanceId === undefined) return;
  const { asset, amount, claimants } = operation;
  const assetId = asset.isNative() ? NATIVE : `${asset.getCode()}:${asset.getIssuer()}`;
  claimables.set(balanceId, { assetId, units: unitsOf(amount), sponsor, claimants });
}

export type FakeHoldings = Pick<FakeStellar, 'accounts' | 'addAccount'>;

/** Balances move as the effects say: the real network does it the other way round. */
export function settle(
  stellar: FakeHoldings,
  effects: readonly FakeEffect[],
  sequence: number,
): void {
  const traded = effects.some(
    ({ type }) => type === 'account_credited' || type === 'account_debited',
  );
  for (const { account, type, fields } of effects) {
    if (type === 'account_created') {
      const units = unitsOf(String(fields.starting_balance));
      stellar.addAccount({ publicKey: () => account } as Keypair, 0n);
      move(stellar, account, NATIVE, units, sequence);
    } else if (type === 'account_credited' || type === 'account_debited') {
      const units = unitsOf(String(fields.amount));
      const signed = type === 'account_credited' ? units : -units;
      move(stellar, account, assetIdIn(fields), signed, sequence);
    } else if (type === 'trade' && !traded) {
      move(
        stellar,
        account,
        assetIdIn(fields, 'sold_'),
        -unitsOf(String(fields.sold_amount)),
        sequence,
      );
      const bought = unitsOf(String(fields.bought_amount));
      move(stellar, account, assetIdIn(fields, 'bought_'), bought, sequence);
    } else if (type === 'account_removed') stellar.accounts.delete(account);
  }
}

function assetIdIn(fields: FakeRecord, prefix = ''): string {
  if (fields[`${prefix}asset_type`] === 'native') return NATIVE;
  return `${fields[`${prefix}asset_code`]}:${fields[`${prefix}asset_issuer`]}`;
}

/** Issuers hold none of what they issue. */
export function move(
  { accounts }: Pick<FakeStellar, 'accounts'>,
  address: string,
  assetId: string,
  units: bigint,
  sequence: number,
): void {
  const line = accounts.get(address)?.lines.get(assetId);
  if (line === undefined) return;
  line.units += units;
  line.changedAt = sequence;
  const account = accounts.get(address);
  if (account !== undefined && assetId === NATIVE) account.changedAt = sequence;
}

function accountOf({ accounts }: FakeStellar, address: string): FakeAccount {
  const account = accounts.get(address);
  if (account === undefined) throw new Error(`no account ${address}`);
  return account;
}
