// The ledgers of a fake network (test/fakes/stellar-ledger.ts) as stellar-core would hand them to
// Horizon: what everybody holds at a checkpoint, as a bucket of a history archive, and after it every
// ledger with its transactions, their results and what each changed. Payments, creations, merges and
// calls of token contracts; no offers, no pools.
import { createHash } from 'node:crypto';
import { Address, Asset, Keypair, nativeToScVal, StrKey, xdr } from '@stellar/stellar-base';
import type {
  FakeAccount,
  FakeHoldings,
  FakeLedger,
  FakeLine,
} from '#test/fakes/stellar-ledger.ts';
import { type FakeTransaction, move, NATIVE, settle } from '#test/fakes/stellar-ledger.ts';

type Holdings = FakeHoldings['accounts'];
type Entries = ReadonlyMap<string, xdr.LedgerEntry>;

/** Everything that the network knows of accounts, without what happens to them later. */
export function copyHoldings(accounts: Holdings): FakeHoldings {
  const copied: Holdings = new Map();
  for (const [address, account] of accounts) {
    const lines = new Map([...account.lines].map(([id, line]) => [id, { ...line }]));
    copied.set(address, { ...account, lines });
  }
  return {
    accounts: copied,
    addAccount(key, units = 0n) {
      const lines = new Map<string, FakeLine>();
      lines.set(NATIVE, line(units));
      const account = { key, sequence: 1n << 32n, lines, data: new Map<string, string>() };
      const made: FakeAccount = { ...account, signers: [], changedAt: 0 };
      copied.set(key.publicKey(), made);
      return made;
    },
  };
}

function line(units: bigint): FakeLine {
  return { units, limit: 0n, isAuthorised: true, canBeClawedBack: false, changedAt: 0 };
}

/** Frames as XDR files have them: the length, marked as the last part, and the bytes. */
export function framed(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE((0x80000000 | bytes.length) >>> 0);
  return Buffer.concat([length, bytes]);
}

/** The archive's only bucket that holds something. */
export function bucketOf({ accounts }: FakeHoldings, sequence: number): Buffer {
  const extension = arm<xdr.BucketMetadataExt>(xdr.BucketMetadataExt, 0);
  const metadata = new xdr.BucketMetadata({ ledgerVersion: 22, ext: extension });
  const entries = [...entriesOf(accounts, sequence).values()];
  const all = [
    xdr.BucketEntry.metaentry(metadata),
    ...entries.map((entry) => xdr.BucketEntry.liveentry(entry)),
  ];
  return Buffer.concat(all.map((entry) => framed(entry.toXDR())));
}

const levels = 11;
const empty = '00'.repeat(32);

/** history.json of an archive whose first level has the bucket, and the hash of the whole list. */
export function archiveState(bucket: Buffer, sequence: number, passphrase: string) {
  const first = sha256(bucket);
  const next = { state: 0 };
  const currentBuckets = Array.from({ length: levels }, (_, level) => ({
    curr: level === 0 ? first.toString('hex') : empty,
    next,
    snap: empty,
  }));
  const hashes = currentBuckets.map(({ curr, snap }) => sha256(Buffer.from(curr + snap, 'hex')));
  const state = {
    version: 1,
    server: 'test',
    currentLedger: sequence,
    networkPassphrase: passphrase,
    currentBuckets,
  };
  return { state, bucketHash: first.toString('hex'), listHash: sha256(Buffer.concat(hashes)) };
}

/** One ledger as it closed; the holdings are those before it, and afterwards those after it. */
export function ledgerMeta(ledger: FakeLedger, held: FakeHoldings, passphrase: string): Buffer {
  const { transactions, record } = ledger;
  const header = xdr.LedgerHeader.fromXDR(String(record.header_xdr), 'base64');
  const envelopes = transactions.map((one) => {
    return xdr.TransactionEnvelope.fromXDR(String(one.record.envelope_xdr), 'base64');
  });
  const component = xdr.TxSetComponent.txsetCompTxsMaybeDiscountedFee(
    new xdr.TxSetComponentTxsMaybeDiscountedFee({ baseFee: null, txes: envelopes }),
  );
  const phase = arm<xdr.TransactionPhase>(xdr.TransactionPhase, 0, [component]);
  const set = new xdr.TransactionSetV1({
    previousLedgerHash: header.previousLedgerHash(),
    phases: [phase],
  });
  const entry = new xdr.LedgerHeaderHistoryEntry({
    hash: Buffer.from(ledger.hash, 'hex'),
    header,
    ext: arm<xdr.LedgerHeaderHistoryEntryExt>(xdr.LedgerHeaderHistoryEntryExt, 0),
  });
  const meta = new xdr.LedgerCloseMetaV1({
    ext: arm<xdr.LedgerCloseMetaExt>(xdr.LedgerCloseMetaExt, 0),
    ledgerHeader: entry,
    txSet: arm<xdr.GeneralizedTransactionSet>(xdr.GeneralizedTransactionSet, 1, set),
    txProcessing: transactions.map((one) => resultMeta(one, held, ledger.sequence, passphrase)),
    upgradesProcessing: [],
    scpInfo: [],
    totalByteSizeOfLiveSorobanState: new xdr.Uint64(0n),
    evictedKeys: [],
    unused: [],
  });
  return framed(arm<xdr.LedgerCloseMeta>(xdr.LedgerCloseMeta, 1, meta).toXDR());
}

function resultMeta(
  transaction: FakeTransaction,
  held: FakeHoldings,
  sequence: number,
  passphrase: string,
): xdr.TransactionResultMeta {
  const { record, operations } = transaction;
  const change = (act: () => void): xdr.LedgerEntryChange[] => {
    const before = entriesOf(held.accounts, sequence);
    act();
    return changesBetween(before, entriesOf(held.accounts, sequence));
  };
  const feeProcessing = change(() => {
    move(held, String(record.fee_account), NATIVE, -BigInt(String(record.fee_charged)), sequence);
  });
  const txChangesBefore = change(() => {
    const source = held.accounts.get(String(record.source_account));
    if (source !== undefined) source.sequence += 1n;
  });
  const done = operations.map((operation) =>
    change(() => settle(held, operation.effects, sequence)),
  );
  const isContract = operations.some(({ type }) => type === 'invoke_host_function');
  const meta = new xdr.TransactionMetaV3({
    ext: extensionPoint(),
    txChangesBefore,
    operations: transaction.isSuccessful
      ? done.map((changes) => new xdr.OperationMeta({ changes }))
      : [],
    txChangesAfter: [],
    sorobanMeta: isContract ? sorobanMeta(transaction, passphrase) : null,
  });
  return new xdr.TransactionResultMeta({
    result: new xdr.TransactionResultPair({
      transactionHash: Buffer.from(String(record.hash), 'hex'),
      result: xdr.TransactionResult.fromXDR(String(record.result_xdr), 'base64'),
    }),
    feeProcessing,
    txApplyProcessing: arm<xdr.TransactionMeta>(xdr.TransactionMeta, 3, meta),
  });
}

function changesBetween(before: Entries, after: Entries): xdr.LedgerEntryChange[] {
  const changes: xdr.LedgerEntryChange[] = [];
  for (const [key, entry] of before) {
    const now = after.get(key);
    if (now?.toXDR().equals(entry.toXDR())) continue;
    changes.push(xdr.LedgerEntryChange.ledgerEntryState(entry));
    changes.push(
      now === undefined
        ? xdr.LedgerEntryChange.ledgerEntryRemoved(keyOf(entry))
        : xdr.LedgerEntryChange.ledgerEntryUpdated(now),
    );
  }
  for (const [key, entry] of after) {
    if (!before.has(key)) changes.push(xdr.LedgerEntryChange.ledgerEntryCreated(entry));
  }
  return changes;
}

function keyOf(entry: xdr.LedgerEntry): xdr.LedgerKey {
  const data = entry.data();
  if (data.switch().name === 'account') {
    return xdr.LedgerKey.account(
      new xdr.LedgerKeyAccount({ accountId: data.account().accountId() }),
    );
  }
  if (data.switch().name === 'trustline') {
    const line = data.trustLine();
    return xdr.LedgerKey.trustline(
      new xdr.LedgerKeyTrustLine({ accountId: line.accountId(), asset: line.asset() }),
    );
  }
  const named = data.data();
  return xdr.LedgerKey.data(
    new xdr.LedgerKeyData({ accountId: named.accountId(), dataName: named.dataName() }),
  );
}

function entriesOf(accounts: Holdings, sequence: number): Map<string, xdr.LedgerEntry> {
  const entries = new Map<string, xdr.LedgerEntry>();
  for (const [address, account] of accounts) {
    const add = (key: string, changedAt: number, data: xdr.LedgerEntryData) => {
      const ext = arm<xdr.LedgerEntryExt>(xdr.LedgerEntryExt, 0);
      const lastModifiedLedgerSeq = Math.min(changedAt, sequence);
      const entry = new xdr.LedgerEntry({ lastModifiedLedgerSeq, data, ext });
      entries.set(`${address} ${key}`, entry);
    };
    add('', account.changedAt, xdr.LedgerEntryData.account(accountEntry(address, account)));
    for (const [assetId, held] of account.lines) {
      if (assetId === NATIVE) continue;
      const entry = trustLineEntry(address, assetId, held);
      add(assetId, held.changedAt, xdr.LedgerEntryData.trustline(entry));
    }
    for (const [name, value] of account.data) {
      const entry = new xdr.DataEntry({
        accountId: Keypair.fromPublicKey(address).xdrAccountId(),
        dataName: name,
        dataValue: Buffer.from(value, 'base64'),
        ext: arm<xdr.DataEntryExt>(xdr.DataEntryExt, 0),
      });
      add(`data ${name}`, account.changedAt, xdr.LedgerEntryData.data(entry));
    }
  }
  return entries;
}

function accountEntry(address: string, account: FakeAccount): xdr.AccountEntry {
  return new xdr.AccountEntry({
    accountId: Keypair.fromPublicKey(address).xdrAccountId(),
    balance: new xdr.Int64(account.lines.get(NATIVE)?.units ?? 0n),
    seqNum: new xdr.Int64(account.sequence),
    numSubEntries: account.lines.size - 1 + account.data.size,
    inflationDest: null,
    flags: 0,
    homeDomain: '',
    thresholds: Buffer.of(1, 0, 0, 0),
    signers: [],
    ext: arm<xdr.AccountEntryExt>(xdr.AccountEntryExt, 0),
  });
}

const authorised = 1;
const clawback = 4;

function trustLineEntry(address: string, assetId: string, held: FakeLine): xdr.TrustLineEntry {
  const [code = '', issuer] = assetId.split(':');
  return new xdr.TrustLineEntry({
    accountId: Keypair.fromPublicKey(address).xdrAccountId(),
    asset: new Asset(code, issuer).toTrustLineXDRObject(),
    balance: new xdr.Int64(held.units),
    limit: new xdr.Int64(held.limit),
    flags: (held.isAuthorised ? authorised : 0) | (held.canBeClawedBack ? clawback : 0),
    ext: arm<xdr.TrustLineEntryExt>(xdr.TrustLineEntryExt, 0),
  });
}

type BalanceChange = {
  readonly type: string;
  readonly asset_code?: string;
  readonly asset_issuer?: string;
  readonly from?: string;
  readonly to?: string;
  readonly amount: string;
};

/** What the token contract of an asset says of each of its transfers (CAP-46-6). */
function sorobanMeta(
  { operations }: FakeTransaction,
  passphrase: string,
): xdr.SorobanTransactionMeta {
  const changes = operations.flatMap(
    ({ fields }) => (fields.asset_balance_changes ?? []) as BalanceChange[],
  );
  return new xdr.SorobanTransactionMeta({
    ext: arm<xdr.SorobanTransactionMetaExt>(xdr.SorobanTransactionMetaExt, 0),
    events: changes.map((change) => contractEvent(change, passphrase)),
    returnValue: xdr.ScVal.scvVoid(),
    diagnosticEvents: [],
  });
}

function contractEvent(change: BalanceChange, passphrase: string): xdr.ContractEvent {
  const { asset_code: code, asset_issuer: issuer, from, to, amount } = change;
  const asset = code === undefined ? Asset.native() : new Asset(code, issuer);
  const name = code === undefined ? 'native' : `${code}:${issuer}`;
  const party = (address: string | undefined) => {
    return new Address(address ?? StrKey.encodeContract(Buffer.alloc(32, 5))).toScVal();
  };
  const body = new xdr.ContractEventV0({
    topics: [xdr.ScVal.scvSymbol(change.type), party(from), party(to), xdr.ScVal.scvString(name)],
    data: nativeToScVal(BigInt(amount.replace('.', '')), { type: 'i128' }),
  });
  return new xdr.ContractEvent({
    ext: extensionPoint(),
    contractId: contractIdOf(asset, passphrase),
    type: xdr.ContractEventType.contract(),
    body: arm<xdr.ContractEventBody>(xdr.ContractEventBody, 0, body),
  });
}

function contractIdOf(asset: Asset, passphrase: string): xdr.ContractId {
  // The types say a list of the parts of a hash where the library takes its bytes.
  return StrKey.decodeContract(asset.contractId(passphrase)) as unknown as xdr.ContractId;
}

/** One of a union of XDR whose arms are numbers: its type leaves the constructor out. */
function arm<Union>(union: object, number: number, value?: unknown): Union {
  return new (union as new (number: number, value?: unknown) => Union)(number, value);
}

function extensionPoint(): xdr.ExtensionPoint {
  return arm<xdr.ExtensionPoint>(xdr.ExtensionPoint, 0);
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
