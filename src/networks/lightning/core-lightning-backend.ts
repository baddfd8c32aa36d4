// Core Lightning over its REST plugin `clnrest` (v23.08 and later), with a rune. Guarantees: an
// invoice counts as settled only when its status is `paid`, with the amount received and the
// preimage of its payment hash; held HTLCs leave it `unpaid`. The label of an invoice is made of
// the instruction: the node refuses a second one with it, and the first is given again.
//
// Sources: lightning-invoice(7), lightning-listinvoices(7), lightning-listpeerchannels(7),
// lightning-getinfo(7), lightning-wait(7), lightning-clnrest(7).

import type { Clock } from '#base/clock.ts';
import {
  isFields,
  NodeLie,
  requireFields,
  requireHash,
  requireList,
} from '#networks/answer-fields.ts';
import { nodeOutage } from '#networks/node-outage.ts';
import type { InvoiceFact, LightningBackend } from './lightning-backend.ts';
import { type NodeAnswer, type NodeHttp, parseJson } from './node-http.ts';
import { paymentListener } from './payment-listener.ts';
import { requireFilled, requireNodeId, requireNumber } from './read-answer.ts';
import { readSettled } from './read-settled.ts';

const CHAIN_NAMES: ReadonlyMap<unknown, string> = new Map([
  ['bitcoin', 'main'],
  ['testnet', 'test'],
  ['signet', 'signet'],
  ['regtest', 'regtest'],
]);
/** lightning-invoice(7): an invoice with the given label exists already. */
const LABEL_TAKEN = 900;
const WAIT_MS = 60_000;

type CoreLightningOptions = {
  readonly what: string;
  readonly http: NodeHttp;
  readonly clock: Clock;
  /** Invoices in one answer. */
  readonly pageSize?: number;
};

/** Of the labels of invoices made here. */
const LABEL_BEGIN = 'quittance/';

type Parameters = Readonly<Record<string, string | number | boolean>>;

export function coreLightningBackend(options: CoreLightningOptions): LightningBackend {
  const { what, http, clock, pageSize = 1000 } = options;

  function ask(method: string, parameters: Parameters): Promise<NodeAnswer> {
    return http.ask({ method: 'POST', path: `/v1/${method}`, body: JSON.stringify(parameters) });
  }

  async function call(method: string, parameters: Parameters = {}) {
    return resultOf(what, method, await ask(method, parameters));
  }

  async function invoicesOf(parameters: Parameters): Promise<Record<string, unknown>[]> {
    const { invoices } = await call('listinvoices', parameters);
    const list = requireList(invoices, 'the list of invoices');
    return list.map((invoice) => requireFields(invoice, 'an invoice'));
  }

  async function listFrom(from: bigint) {
    const start = from > 1n ? from : 1n;
    const range = { index: 'created', start: Number(start), limit: pageSize };
    let last = start - 1n;
    const list = (await invoicesOf(range)).map((invoice) => {
      const index = requireNumber(invoice.created_index, 'the index of an invoice');
      if (index <= last) throw new NodeLie('the list of invoices is out of order');
      last = index;
      return { invoice, index, paymentHash: requireHash(invoice.payment_hash, 'a payment hash') };
    });
    return { list, next: last + 1n, isLast: list.length < pageSize };
  }

  const listener = paymentListener(clock, async (onPayment, signal) => {
    const next = { subsystem: 'invoices', indexname: 'updated' };
    const { updated } = await call('wait', { ...next, nextvalue: 0 });
    for (let index = requireNumber(updated, 'the index of changes'); !signal.aborted; ) {
      const body = JSON.stringify({ ...next, nextvalue: Number(index + 1n) });
      const long = { timeoutMs: WAIT_MS, signal };
      const answer = await http.ask({ method: 'POST', path: '/v1/wait', body, ...long });
      index = requireNumber(resultOf(what, 'wait', answer).updated, 'the index of changes');
      onPayment();
    }
  });

  return {
    name: 'Core Lightning',
    hashesDescriptions: true,
    async describe() {
      const info = await call('getinfo');
      const warning = info.warning_bitcoind_sync ?? info.warning_lightningd_sync;
      return {
        chainName: CHAIN_NAMES.get(info.network),
        nodeId: requireNodeId(info.id),
        version: requireFilled(info.version, 'the version of the node'),
        notReady: warning === undefined ? undefined : String(warning),
      };
    },
    async makeInvoice(request) {
      const { instructionId, millisatoshis, expirySeconds, hashedDescription } = request;
      const label = `${LABEL_BEGIN}${instructionId}`;
      const answer = await ask('invoice', {
        amount_msat: Number(millisatoshis),
        label,
        description: hashedDescription ?? request.description,
        expiry: Number(expirySeconds),
        ...(hashedDescription === undefined ? {} : { deschashonly: true }),
      });
      if (errorCode(answer) === LABEL_TAKEN) {
        const [known, other] = await invoicesOf({ label });
        if (known === undefined || other !== undefined || known.label !== label) {
          throw new NodeLie('a label is taken and has not one invoice');
        }
        return requireFilled(known.bolt11, 'the invoice');
      }
      return requireFilled(resultOf(what, 'invoice', answer).bolt11, 'the invoice');
    },
    async listInvoices(from, wanted) {
      const { list, ...page } = await listFrom(from);
      const facts = list.flatMap(({ invoice, index, paymentHash }) =>
        wanted.has(paymentHash) ? [readInvoice(invoice, paymentHash, index)] : [],
      );
      return { facts, ...page };
    },
    async listOwn(from) {
      const { list, ...page } = await listFrom(from);
      const facts = list.flatMap(({ invoice, index, paymentHash }) => {
        const isOwn = String(invoice.label).startsWith(LABEL_BEGIN);
        if (!isOwn || invoice.status === 'expired') return [];
        return [readInvoice(invoice, paymentHash, index)];
      });
      return { facts, ...page };
    },
    async findInvoice(paymentHash) {
      const [invoice, other] = await invoicesOf({ payment_hash: paymentHash });
      if (invoice === undefined) return undefined;
      if (other !== undefined || invoice.payment_hash !== paymentHash) {
        throw new NodeLie('the node found another invoice');
      }
      const index = requireNumber(invoice.created_index, 'the index of an invoice');
      return readInvoice(invoice, paymentHash, index);
    },
    async listReceivableUnits() {
      const { channels } = await call('listpeerchannels');
      return requireList(channels, 'the list of channels')
        .map((value) => requireFields(value, 'a channel'))
        .filter(({ state, peer_connected: isConnected }) => {
          return state === 'CHANNELD_NORMAL' && isConnected === true;
        })
        .map(({ receivable_msat: receivable }) => {
          return requireNumber(withoutUnit(receivable), 'what a channel can receive') / 1000n;
        });
    },
    waitForPayment: listener.wait,
    close() {
      listener.close();
      http.close();
    },
  };
}

function readInvoice(
  invoice: Record<string, unknown>,
  paymentHash: string,
  index: bigint,
): InvoiceFact {
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

/** Until v23.08 amounts were texts such as `1000msat`. */
function withoutUnit(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/msat$/, '') : value;
}

function errorCode({ status, text }: NodeAnswer): unknown {
  if (status === 200 || status === 201) return undefined;
  try {
    const error: unknown = JSON.parse(text);
    return isFields(error) ? error.code : undefined;
  } catch {
    return undefined;
  }
}

function resultOf(what: string, method: string, answer: NodeAnswer): Record<string, unknown> {
  if (answer.status === 401 || answer.status === 403) {
    throw nodeOutage(what, `the rune does not allow ${method}`);
  }
  const parsed = parseJson(what, answer);
  if (answer.status !== 200 && answer.status !== 201) {
    const message = isFields(parsed) ? String(parsed.message) : '';
    throw nodeOutage(what, `the node refuses ${method} (HTTP ${answer.status}): ${message}`);
  }
  return requireFields(parsed, 'the answer');
}
