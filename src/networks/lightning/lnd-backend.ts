// LND over its REST API (v0.16 and later). Guarantees: an invoice counts as settled only when LND
// says SETTLED, the HTLCs it holds as settled add up to the amount it says was paid, and the
// preimage is the one of the payment hash; accepted HTLCs (state ACCEPTED) are open. The same
// instruction gives the same payment hash, because its preimage is made from the macaroon and the
// instruction: who has the macaroon can read the preimages of open invoices from LND anyway, so
// nothing new becomes known by it.
//
// Sources: lightning.proto of LND v0.20 (Invoice, InvoiceHTLC, ListInvoiceRequest, Channel); JSON
// as its REST proxy writes it: int64 as text, bytes as base64.

import { createHash, createHmac } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import {
  type Fields,
  isFields,
  NodeLie,
  requireFields,
  requireList,
} from '#networks/answer-fields.ts';
import {
  type HttpAnswer,
  type HttpClient,
  parseAnswer,
  type Query,
} from '#networks/http-client.ts';
import { nodeListener } from '#networks/node-listener.ts';
import {
  type InvoiceFact,
  type InvoiceRequest,
  instructionIn,
  type LightningBackend,
  type NodeDescription,
} from './lightning-backend.ts';
import {
  fromBase64,
  inOrder,
  readResult,
  requireFilled,
  requireNodeId,
  requireNumber,
  requirePreimage,
  requireReceived,
  requireUnixTime,
  type SettledState,
  STREAM_RETRY_MS,
} from './read-answer.ts';

const CHAIN_NAMES: ReadonlyMap<unknown, string> = new Map([
  ['mainnet', 'main'],
  ['testnet', 'test'],
  ['signet', 'signet'],
  ['regtest', 'regtest'],
  ['simnet', 'simnet'],
]);
const PAGE_SIZE = 1000;
const DENIED = { denied: 'the node refuses the macaroon' };

type LndOptions = {
  readonly http: HttpClient;
  readonly macaroon: Uint8Array;
  readonly clock: Clock;
  /** Invoices in one answer. */
  readonly pageSize?: number;
};

type Node = LndOptions & {
  readonly pageSize: number;
  readonly spell: ReturnType<typeof hashSpeller>;
};

export function lndBackend(options: LndOptions): LightningBackend {
  const node: Node = { pageSize: PAGE_SIZE, ...options, spell: hashSpeller() };
  const { http, clock, macaroon } = node;
  const listener = nodeListener({
    clock,
    listen: (wake, signal) =>
      http.listen({ path: '/v1/invoices/subscribe', signal }, (text) => {
        if (text.includes('SETTLED')) wake();
      }),
    retryMs: STREAM_RETRY_MS,
  });
  return {
    name: 'LND',
    hashesDescriptions: true,
    describe: () => describe(node),
    makeInvoice: (request) => makeInvoice(node, request),
    listInvoices(from, wanted) {
      const spelled = node.spell(wanted);
      return listFacts(node, from, ({ r_hash: hash }) => {
        return spelled.get(requireFilled(hash, 'a payment hash'));
      });
    },
    listOwn: (from) =>
      listFacts(node, from, (invoice) => {
        const isWanted = isOwn(macaroon, invoice) && invoice.state !== 'CANCELED';
        return isWanted ? readHash(invoice.r_hash) : undefined;
      }),
    findInvoice: (paymentHash) => findInvoice(node, paymentHash),
    listReceivableUnits: () => listReceivableUnits(node),
    waitForPayment: listener.wait,
    close() {
      listener.close();
      http.close();
    },
  };
}

async function get({ http }: Node, path: string, query?: Query): Promise<Fields> {
  return readResult(http, await http.ask({ path, ...(query && { query }) }), DENIED);
}

async function describe(node: Node): Promise<NodeDescription> {
  const info = await get(node, '/v1/getinfo');
  const [chain] = requireList(info.chains, 'the chains of the node');
  const { network } = requireFields(chain, 'the chain of the node');
  const isSynced = info.synced_to_chain === true;
  const at = typeof info.block_height === 'number' ? `, it is at block ${info.block_height}` : '';
  return {
    chainName: CHAIN_NAMES.get(network),
    nodeId: requireNodeId(info.identity_pubkey),
    version: requireFilled(info.version, 'the version of the node'),
    notReady: isSynced ? undefined : `it has not caught up with the chain${at}`,
    isCatchingUp: !isSynced,
  };
}

async function makeInvoice(node: Node, request: InvoiceRequest): Promise<string> {
  const { http } = node;
  const preimage = preimageOf(node.macaroon, request);
  const body = JSON.stringify({
    r_preimage: preimage.toBase64(),
    value_msat: String(request.millisatoshis),
    expiry: String(request.expirySeconds),
    // Channels that nobody else knows of are told to the payer; without them none would pay.
    private: true,
    // With a hash beside it only the node reads it (Invoice.description_hash).
    memo: request.description,
    ...hashOf(request),
  });
  const answer = await http.ask({ path: '/v1/invoices', body });
  // The invoice was made by an earlier attempt whose answer did not reach us.
  if (isRefusedWith(http, answer, 'payment hash already exists')) {
    const hash = createHash('sha256').update(preimage).digest('hex');
    const known = await get(node, `/v1/invoice/${hash}`);
    return requireFilled(known.payment_request, 'the invoice');
  }
  return requireFilled(readResult(http, answer, DENIED).payment_request, 'the invoice');
}

/** The ones of one page of invoices for which `wantedHash` gives a payment hash. */
async function listFacts(
  node: Node,
  from: bigint,
  wantedHash: (invoice: Fields) => string | undefined,
) {
  // The offset itself is left out of the answer.
  const offset = from > 0n ? from - 1n : 0n;
  const page = { index_offset: offset, num_max_invoices: node.pageSize, reversed: false };
  const { invoices } = await get(node, '/v1/invoices', page);
  const listed = requireList(invoices, 'the list of invoices');
  const { list, next } = inOrder(
    listed.map((value) => requireFields(value, 'an invoice')),
    'add_index',
    offset,
  );
  const facts = list.flatMap(({ invoice, index }) => {
    const paymentHash = wantedHash(invoice);
    return paymentHash === undefined ? [] : [readInvoice(invoice, paymentHash, index)];
  });
  return { facts, next, isLast: list.length < node.pageSize };
}

async function findInvoice({ http }: Node, paymentHash: string): Promise<InvoiceFact | undefined> {
  const answer = await http.ask({ path: `/v1/invoice/${paymentHash}` });
  if (isRefusedWith(http, answer, 'unable to locate invoice')) return undefined;
  const invoice = readResult(http, answer, DENIED);
  if (readHash(invoice.r_hash) !== paymentHash) {
    throw new NodeLie('the node found another invoice');
  }
  const index = requireNumber(invoice.add_index, 'the index of an invoice');
  return readInvoice(invoice, paymentHash, index);
}

async function listReceivableUnits(node: Node): Promise<bigint[]> {
  const { channels } = await get(node, '/v1/channels', { active_only: true });
  return requireList(channels, 'the list of channels').map((value) => {
    const channel = requireFields(value, 'a channel');
    const limits = requireFields(channel.remote_constraints, 'the limits of a channel');
    const balance = requireNumber(channel.remote_balance, 'the balance of a channel');
    const reserve = requireNumber(limits.chan_reserve_sat, 'the reserve of a channel');
    return balance > reserve ? balance - reserve : 0n;
  });
}

function preimageOf(
  macaroon: Uint8Array,
  { instructionId }: Pick<InvoiceRequest, 'instructionId'>,
): Uint8Array {
  const hmac = createHmac('sha256', macaroon).update(`quittance/preimage/${instructionId}`);
  return new Uint8Array(hmac.digest());
}

/** Nobody else can have made this preimage of the number in the text. */
function isOwn(macaroon: Uint8Array, { memo, r_preimage: preimage }: Fields) {
  const instructionId = instructionIn(memo);
  if (instructionId === undefined) return false;
  return Buffer.from(preimageOf(macaroon, { instructionId })).toString('base64') === preimage;
}

function hashOf({ hashedDescription }: InvoiceRequest): { description_hash?: string } {
  if (hashedDescription === undefined) return {};
  const hash = createHash('sha256').update(hashedDescription).digest('base64');
  return { description_hash: hash };
}

/**
 * Spells the wanted payment hashes in base64, as LND does, so that a page of a thousand invoices is
 * compared without decoding. Spellings are remembered, because the same hashes are looked for
 * again and again.
 */
function hashSpeller(): (wanted: ReadonlySet<string>) => ReadonlyMap<string, string> {
  let spellings = new Map<string, string>();
  let last: { wanted: ReadonlySet<string>; bySpelling: ReadonlyMap<string, string> } | undefined;
  return (wanted) => {
    if (last?.wanted === wanted) return last.bySpelling;
    spellings = new Map(
      [...wanted].map((hash) => {
        return [hash, spellings.get(hash) ?? Buffer.from(hash, 'hex').toString('base64')];
      }),
    );
    const bySpelling = new Map([...spellings].map(([hash, spelling]) => [spelling, hash]));
    last = { wanted, bySpelling };
    return bySpelling;
  };
}

function readHash(value: unknown): string {
  return fromBase64(value, 'a payment hash').toString('hex');
}

function readInvoice(invoice: Fields, paymentHash: string, index: bigint): InvoiceFact {
  switch (invoice.state) {
    case 'OPEN':
    case 'ACCEPTED':
      return { paymentHash, index, state: { kind: 'open' } };
    case 'CANCELED':
      return { paymentHash, index, state: { kind: 'closed' } };
    case 'SETTLED':
      return { paymentHash, index, state: readSettled(invoice, paymentHash) };
    default:
      throw new NodeLie(`the state of ${paymentHash} is none`);
  }
}

function readSettled(invoice: Fields, paymentHash: string): SettledState {
  const paid = `what was paid for ${paymentHash}`;
  const receivedMillisatoshis = requireReceived(invoice.amt_paid_msat, paid);
  requirePreimage(fromBase64(invoice.r_preimage, 'a preimage'), paymentHash);
  const sum = requireList(invoice.htlcs, `the HTLCs of ${paymentHash}`)
    .map((htlc) => requireFields(htlc, 'an HTLC'))
    .filter(({ state }) => state === 'SETTLED')
    .map(({ amt_msat: amount }) => requireNumber(amount, 'the amount of an HTLC'))
    .reduce((total, amount) => total + amount, 0n);
  if (sum !== receivedMillisatoshis) {
    throw new NodeLie(`${paid} is ${receivedMillisatoshis} msat, settled HTLCs hold ${sum}`);
  }
  // LND takes any amount above the one that was asked for.
  if (sum < requireNumber(invoice.value_msat, 'the amount of an invoice')) {
    throw new NodeLie(`${paid} is less than was asked for`);
  }
  const settledAt = requireUnixTime(invoice.settle_date, `the time of payment of ${paymentHash}`);
  return { kind: 'settled', receivedMillisatoshis, settledAt };
}

function isRefusedWith(http: HttpClient, answer: HttpAnswer, words: string): boolean {
  if (answer.status === 200) return false;
  const error = parseAnswer(http, answer);
  return isFields(error) && String(error.message).includes(words);
}
