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
import { isFields, NodeLie, requireFields, requireList } from '#networks/answer-fields.ts';
import { nodeOutage } from '#networks/node-outage.ts';
import {
  type InvoiceFact,
  type InvoiceRequest,
  instructionIn,
  type LightningBackend,
  type NodeDescription,
} from './lightning-backend.ts';
import { type NodeAnswer, type NodeHttp, parseJson } from './node-http.ts';
import { paymentListener } from './payment-listener.ts';
import {
  fromBase64,
  requireFilled,
  requireNodeId,
  requireNumber,
  requirePreimage,
  requireReceived,
  requireTime,
} from './read-answer.ts';
import type { SettledState } from './read-settled.ts';

const CHAIN_NAMES: ReadonlyMap<unknown, string> = new Map([
  ['mainnet', 'main'],
  ['testnet', 'test'],
  ['signet', 'signet'],
  ['regtest', 'regtest'],
  ['simnet', 'simnet'],
]);

type LndOptions = {
  readonly what: string;
  readonly http: NodeHttp;
  readonly macaroon: Uint8Array;
  readonly clock: Clock;
  /** Invoices in one answer. */
  readonly pageSize?: number;
};

export function lndBackend({ what, http, macaroon, clock, pageSize = 1000 }: LndOptions) {
  async function get(path: string): Promise<Record<string, unknown>> {
    return resultOf(what, await http.ask({ method: 'GET', path }));
  }

  async function listFrom(from: bigint) {
    // The offset itself is left out of the answer.
    const offset = from > 0n ? from - 1n : 0n;
    const query = `index_offset=${offset}&num_max_invoices=${pageSize}&reversed=false`;
    const { invoices } = await get(`/v1/invoices?${query}`);
    let last = offset;
    const list = requireList(invoices, 'the list of invoices').map((value) => {
      const invoice = requireFields(value, 'an invoice');
      const index = requireNumber(invoice.add_index, 'the index of an invoice');
      if (index <= last) throw new NodeLie('the list of invoices is out of order');
      last = index;
      return { invoice, index };
    });
    return { list, next: last + 1n, isLast: list.length < pageSize };
  }

  const listener = paymentListener(clock, (onPayment, signal) =>
    http.listen(
      '/v1/invoices/subscribe',
      (text) => {
        if (text.includes('SETTLED')) onPayment();
      },
      signal,
    ),
  );

  const spell = hashSpeller();
  const backend: LightningBackend = {
    name: 'LND',
    hashesDescriptions: true,
    async describe(): Promise<NodeDescription> {
      const info = await get('/v1/getinfo');
      const [chain] = requireList(info.chains, 'the chains of the node');
      const { network } = requireFields(chain, 'the chain of the node');
      return {
        chainName: CHAIN_NAMES.get(network),
        nodeId: requireNodeId(info.identity_pubkey),
        version: requireFilled(info.version, 'the version of the node'),
        notReady: info.synced_to_chain === true ? undefined : 'it has not caught up with the chain',
      };
    },
    async makeInvoice(request) {
      const preimage = preimageOf(macaroon, request);
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
      const answer = await http.ask({ method: 'POST', path: '/v1/invoices', body });
      if (isKnown(what, answer)) {
        const hash = createHash('sha256').update(preimage).digest('hex');
        const known = await get(`/v1/invoice/${hash}`);
        return requireFilled(known.payment_request, 'the invoice');
      }
      return requireFilled(resultOf(what, answer).payment_request, 'the invoice');
    },
    async listInvoices(from, wanted) {
      const spelled = spell(wanted);
      const { list, ...page } = await listFrom(from);
      const facts = list.flatMap(({ invoice, index }) => {
        const hash = requireFilled(invoice.r_hash, 'a payment hash');
        const paymentHash = spelled.get(hash);
        return paymentHash === undefined ? [] : [readInvoice(invoice, paymentHash, index)];
      });
      return { facts, ...page };
    },
    async listOwn(from) {
      const { list, ...page } = await listFrom(from);
      const facts = list.flatMap(({ invoice, index }) => {
        if (!isOwn(macaroon, invoice) || invoice.state === 'CANCELED') return [];
        return [readInvoice(invoice, readHash(invoice.r_hash), index)];
      });
      return { facts, ...page };
    },
    async findInvoice(paymentHash) {
      const answer = await http.ask({ method: 'GET', path: `/v1/invoice/${paymentHash}` });
      if (isUnknown(what, answer)) return undefined;
      const invoice = resultOf(what, answer);
      if (readHash(invoice.r_hash) !== paymentHash) {
        throw new NodeLie('the node found another invoice');
      }
      const index = requireNumber(invoice.add_index, 'the index of an invoice');
      return readInvoice(invoice, paymentHash, index);
    },
    async listReceivableUnits() {
      const { channels } = await get('/v1/channels?active_only=true');
      return requireList(channels, 'the list of channels').map((value) => {
        const channel = requireFields(value, 'a channel');
        const limits = requireFields(channel.remote_constraints, 'the limits of a channel');
        const balance = requireNumber(channel.remote_balance, 'the balance of a channel');
        const reserve = requireNumber(limits.chan_reserve_sat, 'the reserve of a channel');
        return balance > reserve ? balance - reserve : 0n;
      });
    },
    waitForPayment: listener.wait,
    close() {
      listener.close();
      http.close();
    },
  };
  return backend;
}

function preimageOf(
  macaroon: Uint8Array,
  { instructionId }: Pick<InvoiceRequest, 'instructionId'>,
): Uint8Array {
  const hmac = createHmac('sha256', macaroon).update(`quittance/preimage/${instructionId}`);
  return new Uint8Array(hmac.digest());
}

/** Nobody else can have made this preimage of the number in the text. */
function isOwn(macaroon: Uint8Array, { memo, r_preimage: preimage }: Record<string, unknown>) {
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
 * Wanted payment hashes as LND spells them: what is in base64 in a page of a thousand is compared
 * as it is, and of those that are looked for again and again the spelling is remembered.
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

function readInvoice(
  invoice: Record<string, unknown>,
  paymentHash: string,
  index: bigint,
): InvoiceFact {
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

function readSettled(invoice: Record<string, unknown>, paymentHash: string): SettledState {
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
  const settledAt = requireTime(invoice.settle_date, `the time of payment of ${paymentHash}`);
  return { kind: 'settled', receivedMillisatoshis, settledAt };
}

/** The invoice was made by an earlier attempt whose answer did not reach us. */
function isKnown(what: string, answer: NodeAnswer): boolean {
  if (answer.status === 200) return false;
  const error = parseJson(what, answer);
  return isFields(error) && String(error.message).includes('payment hash already exists');
}

function isUnknown(what: string, answer: NodeAnswer): boolean {
  if (answer.status === 200) return false;
  const error = parseJson(what, answer);
  return isFields(error) && String(error.message).includes('unable to locate invoice');
}

function resultOf(what: string, answer: NodeAnswer): Record<string, unknown> {
  if (answer.status === 401 || answer.status === 403) {
    throw nodeOutage(what, 'the node refuses the macaroon');
  }
  const parsed = parseJson(what, answer);
  if (answer.status !== 200) {
    const message = isFields(parsed) ? String(parsed.message) : '';
    throw nodeOutage(what, `the node refuses (HTTP status ${answer.status}): ${message}`);
  }
  return requireFields(parsed, 'the answer');
}
