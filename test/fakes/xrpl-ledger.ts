// An XRP Ledger in memory: accounts whose entries are threaded as the protocol threads them,
// transactions built, signed and hashed by the official libraries (ripple-binary-codec,
// ripple-keypairs), ledgers with real header hashes and real transaction trees. What a transaction
// did is for the test to say; the metadata is made from that.

import { createHash } from 'node:crypto';
import { decode, encode, encodeForSigning } from 'ripple-binary-codec';
import { ledgerHash, transactionTreeHash } from 'ripple-binary-codec/dist/ledger-hashes.js';
import { deriveAddress, deriveKeypair, generateSeed, sign } from 'ripple-keypairs';

export type Json = Record<string, unknown>;

export type XrplKey = {
  readonly address: string;
  readonly publicKey: string;
  readonly privateKey: string;
};

/** Entry of an account as the ledger holds it. */
export type FakeRoot = {
  balance: bigint;
  sequence: number;
  flags: number;
  ownerCount: number;
  last: { hash: string; ledger: number } | undefined;
};

export type FakeTransaction = {
  readonly hash: string;
  readonly ledger: number;
  /** As signed. */
  readonly json: Json;
  readonly blob: string;
  /** As the ledger keeps it, without `delivered_amount`. */
  readonly meta: Json;
  readonly metaBlob: string;
  /** What servers add to it. */
  readonly delivered: unknown;
  /** Every account that it touched: whose listings show it. */
  readonly accounts: readonly string[];
};

export type FakeLedger = {
  readonly index: number;
  readonly hash: string;
  /** As the API shows it. */
  readonly header: Json;
  readonly transactions: readonly FakeTransaction[];
  readonly roots: ReadonlyMap<string, FakeRoot>;
};

export type SendOptions = {
  readonly from: XrplKey;
  readonly fields: Json;
  /** Drops that somebody got (or lost, below zero), the fee apart. */
  readonly moves?: Readonly<Record<string, bigint>>;
  readonly result?: string;
  /** `delivered_amount` of the answers; by default what the field Amount says. */
  readonly delivered?: unknown;
  /** DeliveredAmount of the metadata, for partial payments. */
  readonly stated?: unknown;
  /** Whose entry is only threaded on. */
  readonly threads?: readonly string[];
  /** Whose entry goes away. */
  readonly deletes?: string;
  readonly fee?: bigint;
  /** Behind the fields of what is signed, in hex: what no library can write yet. */
  readonly newFields?: string;
  /** The same behind those of the metadata. */
  readonly newMeta?: string;
};

export type PayOptions = Omit<SendOptions, 'fields' | 'from'> & {
  readonly from: XrplKey;
  readonly to: string;
  readonly drops: bigint;
  readonly tag?: bigint | number | undefined;
  readonly fields?: Json;
};

export type FakeXrpl = {
  readonly ledgers: FakeLedger[];
  readonly roots: Map<string, FakeRoot>;
  addAccount(key: XrplKey, drops?: bigint): FakeRoot;
  /** Into the open ledger. Gives the hash. */
  send(options: SendOptions): string;
  /** A payment from XRP to XRP. */
  pay(options: PayOptions): string;
  /** A payment of XRP that somebody signed, into the open ledger. Gives the result of the engine. */
  submit(blob: string): string;
  close(): FakeLedger;
};

const RIPPLE_EPOCH_SECONDS = 946_684_800;
const FIRST_LEDGER = 100_000_000;
const TOTAL_COINS = 99_985_738_468_528_946n;
export const PARTIAL_PAYMENT = 0x0002_0000;

/** The same in every run. */
export function seededXrplKey(number: number): XrplKey {
  const entropy = new Uint8Array(16).fill(number);
  const pair = deriveKeypair(generateSeed({ entropy, algorithm: 'ed25519' }));
  return { ...pair, address: deriveAddress(pair.publicKey) };
}

export function fakeXrpl(now: () => Temporal.Instant): FakeXrpl {
  const roots = new Map<string, FakeRoot>();
  const ledgers: FakeLedger[] = [];
  let open: FakeTransaction[] = [];

  function openIndex(): number {
    return (ledgers.at(-1)?.index ?? FIRST_LEDGER - 1) + 1;
  }

  function close(): FakeLedger {
    const parent = ledgers.at(-1);
    const seconds = Math.floor(now().epochMilliseconds / 1000) - RIPPLE_EPOCH_SECONDS;
    const before = (parent?.header.close_time as number | undefined) ?? seconds - 4;
    const header = {
      account_hash: hashOfRoots(roots),
      close_flags: 0,
      close_time: Math.max(seconds, before + 1),
      close_time_resolution: 10,
      ledger_index: openIndex(),
      parent_close_time: before,
      parent_hash: parent?.hash ?? 'AB'.repeat(32),
      total_coins: `${TOTAL_COINS}`,
      transaction_hash: transactionTreeHash(
        open.map(({ json, hash, meta }) => ({ ...json, hash, metaData: meta }) as never),
      ).toHex(),
    };
    const hash = ledgerHash(header).toHex();
    const closed = {
      index: header.ledger_index,
      hash,
      header: { ...header, ledger_hash: hash, closed: true },
      transactions: open,
      roots: new Map([...roots].map(([address, root]) => [address, { ...root }])),
    };
    ledgers.push(closed);
    open = [];
    return closed;
  }

  function send(options: SendOptions): string {
    const { from, fee = 12n } = options;
    const sender = rootOf(from.address);
    const json = signed(from, {
      Account: from.address,
      Fee: `${fee}`,
      Flags: 0,
      LastLedgerSequence: openIndex() + 20,
      Sequence: sender.sequence,
      ...options.fields,
    });
    return apply(json, options);
  }

  function apply(
    json: Json,
    options: Omit<SendOptions, 'fields' | 'from'> & { from: { address: string } },
  ): string {
    const { from, fee = 12n, result = 'tesSUCCESS', threads = [], deletes } = options;
    const blob = `${encode(json)}${options.newFields ?? ''}`;
    const hash = half(Buffer.from(`54584E00${blob}`, 'hex'));
    const moves = new Map(Object.entries(options.moves ?? {}));
    moves.set(from.address, (moves.get(from.address) ?? 0n) - fee);
    const nodes: Json[] = [];
    const link = { hash, ledger: openIndex() };
    for (const [address, drops] of moves) {
      const isSender = address === from.address;
      const isDeleted = deletes === address;
      nodes.push(changeRoot(roots, { address, drops, isSender, isDeleted, link }));
    }
    for (const address of threads) nodes.push(threadRoot(address, rootOf(address), link));
    const meta: Json = {
      AffectedNodes: nodes,
      ...(options.stated === undefined ? {} : { DeliveredAmount: options.stated }),
      TransactionIndex: open.length,
      TransactionResult: result,
    };
    const isPayment = json.TransactionType === 'Payment' && result === 'tesSUCCESS';
    const delivered =
      'delivered' in options ? options.delivered : isPayment ? json.Amount : undefined;
    const named = [json.Destination, ...threads].filter((one) => typeof one === 'string');
    const accounts = [...new Set([...moves.keys(), ...named])];
    const metaBlob = `${encode(meta as never)}${options.newMeta ?? ''}`;
    open.push({ hash, ledger: openIndex(), json, blob, meta, metaBlob, delivered, accounts });
    return hash;
  }

  function submit(blob: string): string {
    const json = decode(blob) as Json;
    const [address, to] = [String(json.Account), String(json.Destination)];
    const hash = half(Buffer.from(`54584E00${blob}`, 'hex'));
    const known = [...ledgers.flatMap(({ transactions }) => transactions), ...open];
    if (known.some((one) => one.hash === hash)) return 'tefALREADY';
    const { sequence } = rootOf(address);
    if (Number(json.Sequence) < sequence) return 'tefPAST_SEQ';
    if (Number(json.Sequence) > sequence) return 'terPRE_SEQ';
    const drops = BigInt(String(json.Amount));
    const moves = { [address]: -drops, [to]: drops };
    apply(json, { from: { address }, moves, fee: BigInt(String(json.Fee)) });
    return 'tesSUCCESS';
  }

  function rootOf(address: string): FakeRoot {
    const root = roots.get(address);
    if (root === undefined) throw new Error(`${address} does not exist`);
    return root;
  }

  const fake: FakeXrpl = {
    ledgers,
    roots,
    addAccount(key, drops = 10n ** 15n) {
      const made = { hash: half(Buffer.from(key.address)), ledger: openIndex() };
      const root = { balance: drops, sequence: 7, flags: 0, ownerCount: 0, last: made };
      roots.set(key.address, root);
      return root;
    },
    send,
    pay({ from, to, drops, tag, fields, ...rest }) {
      const tagged = tag === undefined ? {} : { DestinationTag: Number(tag) };
      const isDone = rest.result === undefined;
      return send({
        from,
        fields: {
          TransactionType: 'Payment',
          Amount: `${drops}`,
          Destination: to,
          ...tagged,
          ...fields,
        },
        moves: isDone ? { [from.address]: -drops, [to]: drops } : {},
        ...rest,
      });
    },
    submit,
    close,
  };
  close();
  return fake;
}

/** Index of the AccountRoot entry: the first half of SHA-512 over its space and the account. */
export function rootIndexOf(address: string): string {
  const encoded = encode({ Account: address } as never);
  return half(Buffer.from(`0061${encoded.slice(4)}`, 'hex'));
}

function half(bytes: Uint8Array): string {
  return createHash('sha512').update(bytes).digest('hex').slice(0, 64).toUpperCase();
}

function hashOfRoots(roots: ReadonlyMap<string, FakeRoot>): string {
  const text = [...roots].map(
    ([address, { balance, last }]) => `${address} ${balance} ${last?.hash}`,
  );
  return half(Buffer.from(text.join('\n')));
}

function signed(key: XrplKey, fields: Json): Json {
  const unsigned = { ...fields, SigningPubKey: key.publicKey };
  return { ...unsigned, TxnSignature: sign(encodeForSigning(unsigned), key.privateKey) };
}

type RootChange = {
  readonly address: string;
  readonly drops: bigint;
  readonly isSender: boolean;
  readonly isDeleted: boolean;
  readonly link: { hash: string; ledger: number };
};

/** Makes the change and gives the node of the metadata. */
function changeRoot(roots: Map<string, FakeRoot>, change: RootChange): Json {
  const { address, drops, isSender, isDeleted, link } = change;
  const entry = { LedgerEntryType: 'AccountRoot', LedgerIndex: rootIndexOf(address) };
  const root = roots.get(address);
  if (root === undefined) {
    const made = { balance: drops, sequence: link.ledger, flags: 0, ownerCount: 0, last: link };
    roots.set(address, made);
    const NewFields = { Account: address, Balance: `${drops}`, Sequence: link.ledger };
    return { CreatedNode: { ...entry, NewFields } };
  }
  const { balance, sequence, last } = root;
  const thread = { PreviousTxnID: last?.hash, PreviousTxnLgrSeq: last?.ledger };
  root.balance += drops;
  if (root.balance < 0n) throw new Error(`${address} does not hold that much`);
  if (isSender) root.sequence += 1;
  root.last = link;
  const PreviousFields = {
    ...(drops === 0n ? {} : { Balance: `${balance}` }),
    ...(isSender ? { Sequence: sequence } : {}),
  };
  const FinalFields = {
    Account: address,
    Balance: `${root.balance}`,
    Flags: root.flags,
    OwnerCount: root.ownerCount,
    Sequence: root.sequence,
  };
  if (isDeleted) {
    roots.delete(address);
    return {
      DeletedNode: { ...entry, FinalFields: { ...FinalFields, ...thread }, PreviousFields },
    };
  }
  const changed = Object.keys(PreviousFields).length === 0 ? {} : { PreviousFields };
  return { ModifiedNode: { ...entry, FinalFields, ...changed, ...thread } };
}

/** Another entry that names the account changed: its thread goes on and nothing else. */
function threadRoot(address: string, root: FakeRoot, link: { hash: string; ledger: number }): Json {
  const thread = { PreviousTxnID: root.last?.hash, PreviousTxnLgrSeq: root.last?.ledger };
  root.last = link;
  const entry = { LedgerEntryType: 'AccountRoot', LedgerIndex: rootIndexOf(address) };
  return { ModifiedNode: { ...entry, ...thread } };
}
