// Core Lightning over its REST plugin `clnrest` (v23.08 and later), with a rune. Guarantees: an
// invoice counts as settled only when its status is `paid`, with the amount received and the
// preimage of its payment hash; held HTLCs leave it `unpaid`. The label of an invoice is made of
// the instruction: the node refuses a second one with it, and the first is given again.
//
// Sources: lightning-invoice(7), lightning-listinvoices(7), lightning-listpeerchannels(7),
// lightning-getinfo(7), lightning-wait(7), lightning-clnrest(7).

import type { Clock } from '#base/clock.ts';
import { type InvoicePayment, PAYING_SECONDS, type PaymentOrder } from '#deposit/money-out.ts';
import {
  type Fields,
  isFields,
  NodeLie,
  requireFields,
  requireHash,
  requireList,
} from '#networks/answer-fields.ts';
import {
  type HttpAnswer,
  type HttpClient,
  type HttpQuestion,
  parseAnswer,
} from '#networks/http-client.ts';
import { nodeListener } from '#networks/node-listener.ts';
import { nodeOutage } from '#networks/node-outage.ts';
import {
  feeUnits,
  type InvoiceFact,
  type InvoiceRequest,
  type LightningBackend,
  type LightningPayments,
  MILLISATOSHIS,
  type NodeDescription,
  paymentRefused,
  type WantedPayment,
} from './lightning-backend.ts';
import {
  fromHex,
  inOrder,
  readResult,
  readSettled,
  requireFilled,
  requireNodeId,
  requireNumber,
  requirePreimage,
  STREAM_RETRY_MS,
  withoutUnit,
} from './read-answer.ts';

const CHAIN_NAMES: ReadonlyMap<unknown, string> = new Map([
  ['bitcoin', 'main'],
  ['testnet', 'test'],
  ['signet', 'signet'],
  ['regtest', 'regtest'],
]);
/** lightning-invoice(7): an invoice with the given label exists already. */
const LABEL_TAKEN = 900;
const WAIT_MS = 60_000;
const PAGE_SIZE = 1000;
/** Labels of invoices made here begin with it. */
const LABEL_BEGIN = 'quittance/';

type CoreLightningOptions = {
  readonly http: HttpClient;
  readonly clock: Clock;
  /** Invoices in one answer. */
  readonly pageSize?: number;
};

type Node = CoreLightningOptions & { readonly pageSize: number };

type Parameters = Readonly<Record<string, string | number | boolean>>;
type Waiting = Pick<HttpQuestion, 'timeoutMs' | 'signal'>;

export function coreLightningBackend(options: CoreLightningOptions): LightningBackend {
  const node: Node = { pageSize: PAGE_SIZE, ...options };
  const { http, clock } = node;
  const listener = nodeListener({
    clock,
    listen: (wake, signal) => listen(node, wake, signal),
    retryMs: STREAM_RETRY_MS,
  });
  return {
    name: 'Core Lightning',
    hashesDescriptions: true,
    describe: () => describe(node),
    makeInvoice: (request) => makeInvoice(node, request),
    listInvoices: (from, wanted) => {
      return listFacts(node, from, (_, paymentHash) => wanted.has(paymentHash));
    },
    listOwn: (from) =>
      listFacts(node, from, ({ label, status }) => {
        return String(label).startsWith(LABEL_BEGIN) && status !== 'expired';
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

function ask({ http }: Node, method: string, parameters: Parameters, waiting: Waiting = {}) {
  return http.ask({ path: `/v1/${method}`, body: JSON.stringify(parameters), ...waiting });
}

function resultOf({ http }: Node, method: string, answer: HttpAnswer): Fields {
  return readResult(http, answer, { denied: `the rune does not allow ${method}`, asked: method });
}

async function call(
  node: Node,
  method: string,
  parameters: Parameters = {},
  waiting?: Waiting,
): Promise<Fields> {
  return resultOf(node, method, await ask(node, method, parameters, waiting));
}

async function invoicesOf(node: Node, parameters: Parameters): Promise<Fields[]> {
  const { invoices } = await call(node, 'listinvoices', parameters);
  const list = requireList(invoices, 'the list of invoices');
  return list.map((invoice) => requireFields(invoice, 'an invoice'));
}

/** Ends when it is aborted. */
async function listen(node: Node, wake: () => void, signal: AbortSignal): Promise<void> {
  const changes = { subsystem: 'invoices', indexname: 'updated' };
  const waiting = { timeoutMs: WAIT_MS, signal };
  let { updated } = await call(node, 'wait', { ...changes, nextvalue: 0 });
  while (!signal.aborted) {
    const nextvalue = Number(requireNumber(updated, 'the index of changes') + 1n);
    ({ updated } = await call(node, 'wait', { ...changes, nextvalue }, waiting));
    wake();
  }
}

async function describe(node: Node): Promise<NodeDescription> {
  const info = await call(node, 'getinfo');
  const warning = info.warning_bitcoind_sync ?? info.warning_lightningd_sync;
  return {
    chainName: CHAIN_NAMES.get(info.network),
    nodeId: requireNodeId(info.id),
    version: requireFilled(info.version, 'the version of the node'),
    notReady: warning === undefined ? undefined : `${warning} (at block ${info.blockheight})`,
    isCatchingUp: warning !== undefined,
  };
}

async function makeInvoice(node: Node, request: InvoiceRequest): Promise<string> {
  const { instructionId, millisatoshis, expirySeconds, hashedDescription } = request;
  const label = `${LABEL_BEGIN}${instructionId}`;
  const answer = await ask(node, 'invoice', {
    amount_msat: Number(millisatoshis),
    label,
    description: hashedDescription ?? request.description,
    expiry: Number(expirySeconds),
    ...(hashedDescription === undefined ? {} : { deschashonly: true }),
  });
  if (errorCode(answer) === LABEL_TAKEN) {
    const [known, other] = await invoicesOf(node, { label });
    if (known === undefined || other !== undefined || known.label !== label) {
      throw new NodeLie('a label is taken and has not one invoice');
    }
    return requireFilled(known.bolt11, 'the invoice');
  }
  return requireFilled(resultOf(node, 'invoice', answer).bolt11, 'the invoice');
}

/** The wanted ones of one page of invoices. */
async function listFacts(
  node: Node,
  from: bigint,
  isWanted: (invoice: Fields, paymentHash: string) => boolean,
) {
  const start = from > 1n ? from : 1n;
  const range = { index: 'created', start: Number(start), limit: node.pageSize };
  const { list, next } = inOrder(await invoicesOf(node, range), 'created_index', start - 1n);
  const facts = list.flatMap(({ invoice, index }) => {
    const paymentHash = requireHash(invoice.payment_hash, 'a payment hash');
    return isWanted(invoice, paymentHash) ? [readInvoice(invoice, paymentHash, index)] : [];
  });
  return { facts, next, isLast: list.length < node.pageSize };
}

async function findInvoice(node: Node, paymentHash: string): Promise<InvoiceFact | undefined> {
  const [invoice, other] = await invoicesOf(node, { payment_hash: paymentHash });
  if (invoice === undefined) return undefined;
  if (other !== undefined || invoice.payment_hash !== paymentHash) {
    throw new NodeLie('the node found another invoice');
  }
  const index = requireNumber(invoice.created_index, 'the index of an invoice');
  return readInvoice(invoice, paymentHash, index);
}

async function listReceivableUnits(node: Node): Promise<bigint[]> {
  const { channels } = await call(node, 'listpeerchannels');
  return requireList(channels, 'the list of channels')
    .map((value) => requireFields(value, 'a channel'))
    .filter(({ state, peer_connected: isConnected }) => {
      return state === 'CHANNELD_NORMAL' && isConnected === true;
    })
    .map(({ receivable_msat: receivable }) => {
      return requireNumber(withoutUnit(receivable), 'what a channel can receive') / 1000n;
    });
}

function readInvoice(invoice: Fields, paymentHash: string, index: bigint): InvoiceFact {
  switch (invoice.status) {
    case 'unpaid':
      return { paymentHash, index, state: { kind: 'open' } };
    case 'expired':
      return { paymentHash, index, state: { kind: 'closed' } };
    case 'paid': {
      const asked = withoutUnit(invoice.amount_msat);
      const state = readSettled(paymentHash, {
        received: withoutUnit(invoice.amount_received_msat),
        askedMillisatoshis: requireNumber(asked, 'the amount of an invoice'),
        preimage: invoice.payment_preimage,
        paidAt: invoice.paid_at,
      });
      return { paymentHash, index, state };
    }
    default:
      throw new NodeLie(`the status of ${paymentHash} is none`);
  }
}

function errorCode({ status, body }: HttpAnswer): unknown {
  if (status === 200 || status === 201) return undefined;
  try {
    const error: unknown = JSON.parse(body.toString('utf8'));
    return isFields(error) ? error.code : undefined;
  } catch {
    return undefined;
  }
}

// Payments of Core Lightning over `clnrest`, with a rune for `pay` and `listpays`. `pay` answers
// when it has ended, and goes on when nobody listens any more; paid once it answers the same again.
// While it looks for another way nothing may be in flight, so `failed` is certain only when its
// time (`retry_for`) has passed too, which decide-invoice.ts waits for.
//
// Sources: lightning-pay(7), lightning-listpays(7), lightning-clnrest(7).
const DENIED = 'the rune for payments does not allow';

export function coreLightningPayments({ http }: { readonly http: HttpClient }): LightningPayments {
  return {
    pay: (order) => pay(http, order),
    findPayment: (wanted) => findPayment(http, wanted),
    close: () => http.close(),
  };
}

async function pay(
  http: HttpClient,
  { invoice, feeUnitsMost, description }: PaymentOrder,
): Promise<void> {
  const body = JSON.stringify({
    bolt11: invoice,
    maxfee: Number(feeUnitsMost * MILLISATOSHIS),
    retry_for: PAYING_SECONDS,
    // Checked against its hash in the invoice, where there is one.
    ...(description === undefined ? {} : { description }),
  });
  const answer = await http.ask({ path: '/v1/pay', body });
  if (answer.status === 200 || answer.status === 201) return;
  if (answer.status === 401 || answer.status === 403) {
    throw nodeOutage(http.what, `${DENIED} pay`);
  }
  const error = parseAnswer(http, answer);
  throw paymentRefused(isFields(error) ? String(error.message) : `HTTP status ${answer.status}`);
}

async function findPayment(http: HttpClient, wanted: WantedPayment): Promise<InvoicePayment> {
  const { paymentHash } = wanted;
  const body = JSON.stringify({ payment_hash: paymentHash });
  const answer = await http.ask({ path: '/v1/listpays', body });
  const denied = { denied: `${DENIED} listpays`, asked: 'listpays' };
  const { pays } = readResult(http, answer, denied);
  const list = requireList(pays, 'the list of payments').map((one) => {
    const payment = requireFields(one, 'a payment');
    if (payment.payment_hash !== paymentHash) throw new NodeLie('the node found another payment');
    return payment;
  });
  const paid = list.find(({ status }) => status === 'complete');
  if (paid !== undefined) return readPaid(paid, wanted);
  const strange = list.find(({ status }) => status !== 'failed' && status !== 'pending');
  if (strange !== undefined) throw new NodeLie(`the status of payment ${paymentHash} is none`);
  if (list.some(({ status }) => status === 'pending')) return { kind: 'under-way' };
  return { kind: 'none', reason: list.length === 0 ? undefined : 'no way was found' };
}

function readPaid(payment: Fields, { paymentHash, units }: WantedPayment): InvoicePayment {
  const sent = requireNumber(withoutUnit(payment.amount_sent_msat), 'what was sent');
  const preimage = fromHex(payment.preimage, 'a preimage');
  requirePreimage(preimage, paymentHash);
  return { kind: 'paid', preimage: preimage.toHex(), feeUnits: feeUnits(sent, units) };
}
