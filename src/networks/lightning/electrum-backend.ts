// An Electrum daemon (4.3 and later) over its JSON-RPC: Lightning without a full node, for small
// shops. Guarantees: only the Lightning history counts, which holds settled HTLCs; the status of a
// request does not, because a request is `Paid` as well when its on-chain address was paid. Amounts
// are sent as text: Electrum reads JSON numbers as floats and 0.0007 became 69,999 satoshi.
// Not guaranteed: that two processes asking at the same moment for the same instruction make one
// request; both give the elder, and a second one is shown to nobody.
//
// Electrum has no index and no stream: all of its history is read each time.
// Sources: commands.py, wallet.py (export_request), lnworker.py (get_lightning_history) of 4.3.4.

import { assert } from '#base/assert.ts';
import type { Clock } from '#base/clock.ts';
import type { InvoicePayment, PaymentOrder } from '#deposit/money-out.ts';
import { amountToText } from '#money/asset-amount.ts';
import {
  type Fields,
  NodeLie,
  RpcFailure,
  requireFields,
  requireHash,
  requireList,
} from '#networks/answer-fields.ts';
import { type HttpClient, type HttpLimits, parseAnswer } from '#networks/http-client.ts';
import { nodeOutage } from '#networks/node-outage.ts';
import {
  feeUnits,
  type InvoiceFact,
  type InvoiceRequest,
  instructionIn,
  type LightningBackend,
  type LightningPayments,
  MILLISATOSHIS,
  type NodeDescription,
  paymentRefused,
  type WantedPayment,
} from './lightning-backend.ts';
import {
  fromHex,
  readSettled,
  requireFilled,
  requireNodeId,
  requireNumber,
  requirePreimage,
  requireUnixTime,
} from './read-answer.ts';

const CHAIN_NAMES: ReadonlyMap<unknown, string> = new Map([
  ['mainnet', 'main'],
  ['testnet', 'test'],
  ['signet', 'signet'],
  ['regtest', 'regtest'],
]);
const BITCOIN_DECIMALS = 8;
/** `PaymentDirection.RECEIVED` of lnutil.py. */
const RECEIVED = 1;
/** `PR_EXPIRED` of invoices.py. */
const EXPIRED = 1n;
const HOURS_UNDER_WAY = 24;
const POLL_MS = 1000;
/** Looking takes at most a twentieth of the time. */
const REST_FACTOR = 20;

type ElectrumOptions = {
  readonly http: HttpClient;
  readonly clock: Clock;
};

type Node = ElectrumOptions & {
  /** How long the last look took. */
  listingMs: number;
};

type Wanted = (request: Fields) => boolean;

export function electrumBackend(options: ElectrumOptions): LightningBackend {
  const node: Node = { ...options, listingMs: 0 };
  return {
    name: 'Electrum',
    hashesDescriptions: false,
    describe: () => describe(node),
    makeInvoice: (request) => makeInvoice(node, request),
    async listInvoices(_from, wanted) {
      const isWanted: Wanted = ({ rhash }) => wanted.has(String(rhash));
      return { facts: await listFacts(node, isWanted), next: 0n, isLast: true };
    },
    async listOwn() {
      const own = await listFacts(node, ({ message }) => instructionIn(message) !== undefined);
      const facts = own.filter(({ state }) => state.kind !== 'closed');
      return { facts, next: 0n, isLast: true };
    },
    async findInvoice(paymentHash) {
      const [fact] = await listFacts(node, ({ rhash }) => rhash === paymentHash);
      return fact;
    },
    listReceivableUnits: () => listReceivableUnits(node),
    async waitForPayment(ms, signal) {
      const restMs = Math.max(POLL_MS, node.listingMs * REST_FACTOR);
      try {
        await options.clock.sleep(Math.min(ms, restMs), signal);
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    },
    close: () => options.http.close(),
  };
}

async function call(node: Node, method: string, params?: ElectrumParams): Promise<unknown> {
  return callElectrum(node.http, method, params);
}

/** The eldest request of the instruction. */
async function findRequest(node: Node, request: InvoiceRequest): Promise<string | undefined> {
  const [eldest] = (await listOf(node.http, 'list_requests'))
    .filter(({ message }) => message === request.description)
    .filter(({ amount_msat: amount }) => amount === Number(request.millisatoshis))
    .map(({ timestamp, lightning_invoice: invoice }) => ({
      timestamp: requireNumber(timestamp, 'the time of a request'),
      invoice: requireFilled(invoice, 'the invoice'),
    }))
    .sort(
      (one, other) =>
        Number(one.timestamp - other.timestamp) || (one.invoice < other.invoice ? -1 : 1),
    );
  return eldest?.invoice;
}

async function listFacts(node: Node, isWanted: Wanted): Promise<InvoiceFact[]> {
  const { clock } = node;
  const beganMs = clock.monotonicMs();
  // Requests first: what is paid in between is still open here and settled at the next look.
  const requests = await listOf(node.http, 'list_requests');
  const history = await listOf(node.http, 'lightning_history');
  node.listingMs = clock.monotonicMs() - beganMs;
  const facts = new Map<string, InvoiceFact>();
  const asked = new Map<string, bigint>();
  for (const request of requests) {
    if (request.is_lightning !== true) continue;
    const paymentHash = requireHash(request.rhash, 'a payment hash');
    if (!isWanted(request)) continue;
    asked.set(paymentHash, requireNumber(request.amount_msat, 'the amount of a request'));
    const state = { kind: isOver(request, clock.now()) ? 'closed' : 'open' } as const;
    facts.set(paymentHash, { paymentHash, index: undefined, state });
  }
  const settled = new Set<string>();
  for (const item of history) {
    // Swaps, on-chain lines and payments without a request of ours are others.
    const askedMillisatoshis = asked.get(String(item.payment_hash));
    if (item.type !== 'payment' || askedMillisatoshis === undefined) continue;
    const fact = readPayment(item, askedMillisatoshis);
    if (settled.has(fact.paymentHash)) throw new NodeLie('a payment is there twice');
    settled.add(fact.paymentHash);
    facts.set(fact.paymentHash, fact);
  }
  return [...facts.values()];
}

async function describe(node: Node): Promise<NodeDescription> {
  const info = requireFields(await call(node, 'getinfo'), 'the description of the node');
  // The answer ends with the address that the node listens on, if it does.
  const peer = requireFilled(await call(node, 'nodeid'), 'the id of the node');
  const nodeId = requireNodeId(peer.split('@')[0]);
  const isSynced = info.connected === true && info.blockchain_height === info.server_height;
  const isBehind = info.connected === true && !isSynced;
  return {
    chainName: CHAIN_NAMES.get(info.network),
    nodeId,
    version: requireFilled(info.version, 'the version of the node'),
    notReady: isSynced
      ? undefined
      : isBehind
        ? `it is behind its server, at block ${info.blockchain_height} of ${info.server_height}`
        : 'it is not connected to a server',
    isCatchingUp: isBehind,
  };
}

async function makeInvoice(node: Node, request: InvoiceRequest): Promise<string> {
  assert(request.hashedDescription === undefined, 'Electrum hashes no descriptions');
  const known = await findRequest(node, request);
  if (known !== undefined) return known;
  await call(node, 'add_request', {
    amount: amountToText(request.millisatoshis / MILLISATOSHIS, BITCOIN_DECIMALS),
    memo: request.description,
    expiration: Number(request.expirySeconds),
    // Beyond the gap limit as well: nobody is told the on-chain address.
    force: true,
  });
  return requireFilled(await findRequest(node, request), 'the invoice');
}

async function listReceivableUnits(node: Node): Promise<bigint[]> {
  return (await listOf(node.http, 'list_channels'))
    .filter(({ state, peer_state: peer }) => state === 'OPEN' && peer === 'GOOD')
    .map((channel) => {
      const balance = requireNumber(channel.remote_balance, 'the balance of a channel');
      const reserve = requireNumber(channel.remote_reserve, 'the reserve of a channel');
      return balance > reserve ? balance - reserve : 0n;
    });
}

/** Expired so long ago that no payment under way can still arrive. */
function isOver(request: Fields, now: Temporal.Instant): boolean {
  const status = requireNumber(request.status, 'the status of a request');
  if (status !== EXPIRED) return false;
  const end = requireUnixTime(request.expiration, 'the end of a request');
  return Temporal.Instant.compare(end.add({ hours: HOURS_UNDER_WAY }), now) < 0;
}

function readPayment(item: Fields, askedMillisatoshis: bigint): InvoiceFact {
  const paymentHash = requireHash(item.payment_hash, 'a payment hash');
  if (item.direction !== RECEIVED) {
    throw new NodeLie(`what was paid for ${paymentHash} was not received`);
  }
  const state = readSettled(paymentHash, {
    received: item.amount_msat,
    askedMillisatoshis,
    preimage: item.preimage,
    paidAt: item.timestamp,
  });
  return { paymentHash, index: undefined, state };
}

type ElectrumParams = Readonly<Record<string, string | number | boolean>>;

/** One command of an Electrum daemon. @throws RpcFailure when it says no. @throws Outage */
async function askElectrum(
  http: HttpClient,
  method: string,
  params: ElectrumParams,
  limits: HttpLimits = {},
): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: method, method, params });
  const { what } = http;
  const answer = await http.ask({ body, ...limits });
  if (answer.status === 401 || answer.status === 403) {
    throw nodeOutage(what, 'the node refuses the user and password');
  }
  const { id, result, error } = requireFields(parseAnswer(http, answer), 'the answer');
  if (error !== undefined && error !== null) {
    const { code, message } = requireFields(error, 'the error');
    throw new RpcFailure(method, typeof code === 'number' ? code : 0, String(message));
  }
  if (answer.status !== 200 || id !== method || result === undefined) {
    throw nodeOutage(what, `the node left ${method} unanswered (HTTP ${answer.status})`);
  }
  return result;
}

/** The same, where a no is as bad as no answer. @throws Outage */
async function callElectrum(
  http: HttpClient,
  method: string,
  params: ElectrumParams = {},
): Promise<unknown> {
  try {
    return await askElectrum(http, method, params);
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    throw nodeOutage(http.what, `the node refuses ${method}: ${error.said}`);
  }
}

// Payments of an Electrum daemon (4.3 and later). `lnpay` answers when it has ended. It bounds
// the fee itself, by at most ten satoshi or one percent, and takes no lower bound with an order.
// It forgets which payments are on their way when it is killed, but not what hangs in its channels:
// while anything does, nothing counts as given up.
//
// Sources: commands.py (lnpay), lnworker.py (pay_invoice, get_lightning_history), wallet.py
// (export_invoice) and lnrouter.py (is_fee_sane) of 4.3.4.

/** `PaymentDirection.SENT` of lnworker.py. */
const SENT = 0;
/** `PR_INFLIGHT` of invoices.py. */
const IN_FLIGHT = 4;
/** An answer comes with the end; what takes longer is asked about by its payment hash. */
const TIMEOUT_MS = 30_000;

export function electrumPayments({ http }: { readonly http: HttpClient }): LightningPayments {
  return {
    pay: (order) => pay(http, order),
    findPayment: (wanted) => findPayment(http, wanted),
    close: () => http.close(),
  };
}

async function pay(http: HttpClient, { invoice }: PaymentOrder): Promise<void> {
  try {
    const limits = { timeoutMs: TIMEOUT_MS };
    const ended = requireFields(await askElectrum(http, 'lnpay', { invoice }, limits), 'the end');
    if (ended.success !== true) throw paymentRefused('no way was found');
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    throw paymentRefused(error.said);
  }
}

async function findPayment(http: HttpClient, wanted: WantedPayment): Promise<InvoicePayment> {
  const { paymentHash } = wanted;
  // Before the history: what ends in between is in neither, and is looked at again.
  const invoices = await listOf(http, 'list_invoices');
  const channels = await listOf(http, 'list_channels');
  const known = invoices.find(({ invoice_id: id }) => id === paymentHash);
  const history = await listOf(http, 'lightning_history');
  const [payment, other] = history.filter(({ payment_hash: hash }) => hash === paymentHash);
  if (other !== undefined) throw new NodeLie('a payment is there twice');
  if (payment !== undefined) return readOutgoing(payment, wanted);
  const isTied = channels.some(({ local_unsettled_sent: sent }) => (sent ?? 0) !== 0);
  if (isTied || known?.status === IN_FLIGHT) return { kind: 'under-way' };
  return { kind: 'none', reason: known === undefined ? undefined : 'no way was found' };
}

async function listOf(http: HttpClient, method: string): Promise<Fields[]> {
  const list = requireList(await callElectrum(http, method), `the answer to ${method}`);
  return list.map((item) => requireFields(item, `an item of ${method}`));
}

function readOutgoing(payment: Fields, { paymentHash, units }: WantedPayment): InvoicePayment {
  const { amount_msat: amount, direction } = payment;
  if (direction !== SENT || typeof amount !== 'number') {
    throw new NodeLie(`what is known of ${paymentHash} was not sent`);
  }
  // The fee is in it.
  const sent = requireNumber(-amount, 'what was sent');
  const preimage = fromHex(payment.preimage, 'a preimage');
  requirePreimage(preimage, paymentHash);
  return { kind: 'paid', preimage: preimage.toHex(), feeUnits: feeUnits(sent, units) };
}
