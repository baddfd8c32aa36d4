// A Lightning node on loopback that keeps invoices and nothing else, and speaks the API of LND, of
// Core Lightning or of an Electrum daemon. A test pays, holds and cancels by hand, and can have every
// answer changed on its way. Shapes as published: lightning.proto of LND v0.20, the schemas of Core
// Lightning (doc/schemas), export_request and get_lightning_history of Electrum 4.3.4.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import type { Clock } from '#base/clock.ts';
import { amountFromText } from '#money/asset-amount.ts';
import type { LightningNodeSettings } from '#networks/lightning/lightning-settings.ts';
import { encodeInvoice } from '#networks/sandbox/bolt11.ts';
import {
  electrumHistory,
  electrumUnsettled,
  type Outgoing,
  openOutgoing,
} from './lightning-outgoing.ts';

export type NodeKind = LightningNodeSettings['backend'];
export const NODE_KINDS: readonly NodeKind[] = ['lnd', 'core-lightning', 'electrum'];

export type FakeInvoice = {
  readonly index: number;
  readonly paymentHash: string;
  readonly preimage: string;
  /** Label (Core Lightning) and description. */
  readonly label: string;
  readonly memo: string;
  /** Core Lightning keeps the text of which only the hash stands in the invoice. */
  readonly descriptionHash: string | undefined;
  readonly millisatoshis: bigint;
  readonly text: string;
  readonly createdAt: Temporal.Instant;
  readonly expiresAt: Temporal.Instant;
  state: 'open' | 'held' | 'settled' | 'cancelled';
  received: bigint;
  settledAt: Temporal.Instant | undefined;
  settleIndex: number;
};

export type FakeLightningNode = {
  readonly kind: NodeKind;
  readonly settings: LightningNodeSettings;
  readonly invoices: FakeInvoice[];
  /** What it pays. */
  readonly outgoing: Outgoing;
  /** Paths of LND, methods of the others, as they were asked. */
  readonly asked: string[];
  /** Satoshi that each channel can receive. */
  channels: bigint[];
  chainName: string;
  isSynced: boolean;
  /** Changes an answer on its way: what it gives back is sent as JSON. */
  change: ((method: string, answer: unknown) => unknown) | undefined;
  /** The same for the text: what it gives back is sent. */
  changeText: ((method: string, text: string) => string) | undefined;
  /** Answers nothing and closes the connection. */
  isDown: boolean;
  /** Somebody pays; without an amount what was asked. */
  pay(paymentHash: string, millisatoshis?: bigint): void;
  /** HTLCs are accepted and not settled. */
  hold(paymentHash: string, millisatoshis?: bigint): void;
  cancel(paymentHash: string): void;
  /** An invoice of another program on the same node. */
  addForeign(units?: bigint): FakeInvoice;
  find(paymentHash: string): FakeInvoice;
  close(): Promise<void>;
};

const nodeKey = new Uint8Array(createHash('sha256').update('fake lightning node').digest());
const nodeId = secp256k1.getPublicKey(nodeKey).toHex();
const MACAROON = 'a macaroon of nobody';
const RUNE = 'a-rune-of-nobody';
const PASSWORD = 'secret of electrum';

type Call = { readonly method: string; readonly params: Record<string, unknown> };
type Reply = { readonly status: number; readonly body: unknown };
const ok = (body: unknown): Reply => ({ status: 200, body });

export async function openFakeLightningNode(
  kind: NodeKind,
  clock: Pick<Clock, 'now'>,
): Promise<FakeLightningNode> {
  const directory = mkdtempSync(join(tmpdir(), 'quittance-lightning-'));
  const macaroonFile = join(directory, 'invoice.macaroon');
  const runeFile = join(directory, 'rune');
  writeFileSync(macaroonFile, MACAROON);
  writeFileSync(runeFile, `${RUNE}\n`);
  const invoices: FakeInvoice[] = [];
  const asked: string[] = [];
  let lastIndex = 0;

  function add(given: {
    preimage?: string | undefined;
    label?: string;
    memo?: string;
    descriptionHash?: string | undefined;
    millisatoshis: bigint;
    expirySeconds: number;
  }): FakeInvoice {
    lastIndex += 1;
    const index = lastIndex;
    const seed = createHash('sha256').update(`preimage ${index}`).digest('hex');
    const preimage = given.preimage ?? seed;
    const hash = createHash('sha256').update(Buffer.from(preimage, 'hex')).digest();
    const createdAt = clock.now();
    const memo = given.memo ?? '';
    const text = encodeInvoice(
      {
        prefix: node.chainName === 'main' ? 'bc' : 'bcrt',
        units: given.millisatoshis / 1000n,
        createdAt,
        expirySeconds: given.expirySeconds,
        paymentHash: new Uint8Array(hash),
        paymentSecret: new Uint8Array(32).fill(7),
        description: memo,
        descriptionHash: given.descriptionHash,
      },
      nodeKey,
    );
    const invoice: FakeInvoice = {
      index,
      paymentHash: hash.toString('hex'),
      preimage,
      label: given.label ?? `label ${index}`,
      memo,
      descriptionHash: given.descriptionHash,
      millisatoshis: given.millisatoshis,
      text,
      createdAt,
      expiresAt: createdAt.add({ seconds: given.expirySeconds }),
      state: 'open',
      received: 0n,
      settledAt: undefined,
      settleIndex: 0,
    };
    invoices.push(invoice);
    return invoice;
  }

  function isExpired(invoice: FakeInvoice): boolean {
    return Temporal.Instant.compare(clock.now(), invoice.expiresAt) >= 0;
  }

  function receive(paymentHash: string, given: bigint | undefined, state: 'settled' | 'held') {
    const invoice = node.find(paymentHash);
    assert(invoice.state === 'open' || invoice.state === 'held', 'an invoice is paid once');
    invoice.state = state;
    invoice.received = given ?? invoice.millisatoshis;
    if (state === 'held') return;
    invoice.settledAt = clock.now();
    invoice.settleIndex = Math.max(0, ...invoices.map(({ settleIndex }) => settleIndex)) + 1;
  }

  const paying = openOutgoing(clock);
  const parts = { node: () => node, add, isExpired };
  const speak = { lnd: speakLnd, 'core-lightning': speakCoreLightning, electrum: speakElectrum };
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (node.isDown) return void request.socket.destroy();
      const url = new URL(request.url ?? '/', 'http://node');
      const body = Buffer.concat(chunks).toString('utf8');
      const call = readCall(kind, request.method ?? '', url, body);
      asked.push(call.method);
      if (!isLetIn(kind, request.headers)) return void response.writeHead(401).end('{}');
      // A stream of nothing: the test looks by itself.
      if (call.method === 'GET /v1/invoices/subscribe') {
        return void response.writeHead(200).flushHeaders();
      }
      const sending = paying.answer(kind, call);
      if (sending === 'cut') return void request.socket.destroy();
      const reply = sending ?? speak[kind](call, parts);
      const changed = node.change?.(call.method, reply.body) ?? reply.body;
      const text = JSON.stringify(changed);
      const sent = node.changeText?.(call.method, text) ?? text;
      response.writeHead(reply.status, { 'content-type': 'application/json' });
      if (sending?.isOpen === true) return void response.write(`${sent}\n`);
      response.end(sent);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const credentials = kind === 'electrum' ? `user:${encodeURIComponent(PASSWORD)}@` : '';

  const node: FakeLightningNode = {
    kind,
    settings: {
      backend: kind,
      chainName: 'regtest',
      url: `http://${credentials}127.0.0.1:${port}`,
      macaroonFile,
      runeFile,
      certificateFile: undefined,
      pays: undefined,
      allowedTargets: [],
    },
    invoices,
    outgoing: paying.outgoing,
    asked,
    channels: [100_000_000n],
    chainName: 'regtest',
    isSynced: true,
    change: undefined,
    changeText: undefined,
    isDown: false,
    pay: (paymentHash, millisatoshis) => receive(paymentHash, millisatoshis, 'settled'),
    hold: (paymentHash, millisatoshis) => receive(paymentHash, millisatoshis, 'held'),
    cancel(paymentHash) {
      const invoice = node.find(paymentHash);
      assert(invoice.state !== 'settled', 'what is settled stays settled');
      invoice.state = 'cancelled';
      invoice.received = 0n;
    },
    addForeign: (units = 1000n) =>
      add({ millisatoshis: units * 1000n, expirySeconds: 86_400, memo: 'of another program' }),
    find(paymentHash) {
      const found = invoices.find((invoice) => invoice.paymentHash === paymentHash);
      assert(found !== undefined, `no invoice ${paymentHash}`);
      return found;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(directory, { recursive: true, force: true });
    },
  };
  return node;
}

type Parts = {
  readonly node: () => FakeLightningNode;
  add(given: {
    preimage?: string | undefined;
    label?: string;
    memo?: string;
    descriptionHash?: string | undefined;
    millisatoshis: bigint;
    expirySeconds: number;
  }): FakeInvoice;
  isExpired(invoice: FakeInvoice): boolean;
};

function readCall(kind: NodeKind, verb: string, url: URL, body: string): Call {
  const given = body === '' ? {} : (JSON.parse(body) as Record<string, unknown>);
  if (kind === 'electrum') {
    return { method: String(given.method), params: given.params as Record<string, unknown> };
  }
  if (kind === 'core-lightning') {
    return { method: url.pathname.replace('/v1/', ''), params: given };
  }
  const params = { ...Object.fromEntries(url.searchParams), ...given };
  return { method: `${verb} ${url.pathname}`, params };
}

function isLetIn(kind: NodeKind, headers: http.IncomingHttpHeaders): boolean {
  const basic = Buffer.from(`user:${PASSWORD}`).toString('base64');
  if (kind === 'electrum') return headers.authorization === `Basic ${basic}`;
  if (kind === 'core-lightning') return headers.rune === RUNE;
  return headers['grpc-metadata-macaroon'] === Buffer.from(MACAROON).toString('hex');
}

const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64');
const secondsOf = (time: Temporal.Instant | undefined) =>
  Math.floor((time?.epochMilliseconds ?? 0) / 1000);

function speakLnd({ method, params }: Call, parts: Parts): Reply {
  const { invoices, channels, chainName, isSynced } = parts.node();
  const names: Record<string, string> = { main: 'mainnet', test: 'testnet' };
  if (method === 'GET /v1/getinfo') {
    return ok({
      version: '0.20.0-beta commit=v0.20.0-beta',
      identity_pubkey: nodeId,
      num_active_channels: channels.length,
      block_height: 850_000,
      synced_to_chain: isSynced,
      synced_to_graph: true,
      chains: [{ chain: 'bitcoin', network: names[chainName] ?? chainName }],
    });
  }
  if (method === 'GET /v1/channels') {
    return ok({
      channels: channels.map((units) => ({
        active: true,
        capacity: String(units + 2000n),
        local_balance: '0',
        remote_balance: String(units + 1000n),
        remote_constraints: { chan_reserve_sat: '1000' },
      })),
    });
  }
  if (method === 'POST /v1/invoices') {
    const preimage = Buffer.from(String(params.r_preimage), 'base64').toString('hex');
    if (invoices.some((invoice) => invoice.preimage === preimage)) {
      const message = 'invoice with payment hash already exists';
      return { status: 500, body: { code: 2, message, details: [] } };
    }
    const made = parts.add({
      preimage,
      memo: String(params.memo ?? ''),
      descriptionHash:
        params.description_hash === undefined
          ? undefined
          : Buffer.from(String(params.description_hash), 'base64').toString('hex'),
      millisatoshis: BigInt(String(params.value_msat)),
      expirySeconds: Number(params.expiry),
    });
    const add_index = String(made.index);
    return ok({ r_hash: base64(made.paymentHash), payment_request: made.text, add_index });
  }
  if (method === 'GET /v1/invoices') {
    const after = Number(params.index_offset);
    const list = invoices.filter(({ index }) => index > after);
    const page = list
      .slice(0, Number(params.num_max_invoices))
      .map((one) => lndInvoice(one, parts));
    return ok({
      invoices: page,
      last_index_offset: page.at(-1)?.add_index ?? '0',
      first_index_offset: page[0]?.add_index ?? '0',
    });
  }
  const hash = method.replace('GET /v1/invoice/', '');
  const found = invoices.find(({ paymentHash }) => paymentHash === hash);
  if (found !== undefined) return ok(lndInvoice(found, parts));
  const message = 'unable to locate invoice';
  return { status: 404, body: { code: 5, message, details: [] } };
}

function lndInvoice(invoice: FakeInvoice, { isExpired }: Parts) {
  const { state, received } = invoice;
  const isCancelled = state === 'cancelled' || (state === 'open' && isExpired(invoice));
  const names = { open: 'OPEN', held: 'ACCEPTED', settled: 'SETTLED', cancelled: 'CANCELED' };
  const isPaid = state === 'settled';
  const htlc = { chan_id: '1', htlc_index: '0', amt_msat: String(received) };
  return {
    memo: invoice.memo,
    r_preimage: base64(invoice.preimage),
    r_hash: base64(invoice.paymentHash),
    value: String(invoice.millisatoshis / 1000n),
    value_msat: String(invoice.millisatoshis),
    settled: isPaid,
    creation_date: String(secondsOf(invoice.createdAt)),
    settle_date: String(secondsOf(invoice.settledAt)),
    payment_request: invoice.text,
    expiry: String(secondsOf(invoice.expiresAt) - secondsOf(invoice.createdAt)),
    add_index: String(invoice.index),
    settle_index: String(invoice.settleIndex),
    amt_paid_sat: isPaid ? String(received / 1000n) : '0',
    amt_paid_msat: isPaid ? String(received) : '0',
    state: isCancelled ? 'CANCELED' : names[state],
    htlcs: received > 0n ? [{ ...htlc, state: isPaid ? 'SETTLED' : 'ACCEPTED' }] : [],
    is_keysend: false,
    is_amp: false,
  };
}

function speakCoreLightning({ method, params }: Call, parts: Parts): Reply {
  const { invoices, channels, chainName, isSynced } = parts.node();
  const made = (body: unknown): Reply => ({ status: 201, body });
  switch (method) {
    case 'getinfo': {
      const warning = isSynced ? {} : { warning_lightningd_sync: 'Still loading latest blocks' };
      const network = { main: 'bitcoin', test: 'testnet' }[chainName] ?? chainName;
      return made({ id: nodeId, alias: 'FAKE', version: 'v24.11', network, ...warning });
    }
    case 'listpeerchannels':
      return made({
        channels: channels.map((units) => ({
          state: 'CHANNELD_NORMAL',
          peer_connected: true,
          receivable_msat: Number(units * 1000n),
        })),
      });
    case 'invoice': {
      const label = String(params.label);
      if (invoices.some((invoice) => invoice.label === label)) {
        return { status: 500, body: { code: 900, message: `Duplicate label '${label}'` } };
      }
      const invoice = parts.add({
        label,
        memo: String(params.description),
        descriptionHash:
          params.deschashonly === true
            ? createHash('sha256').update(String(params.description)).digest('hex')
            : undefined,
        millisatoshis: BigInt(Number(params.amount_msat)),
        expirySeconds: Number(params.expiry),
      });
      const { paymentHash: payment_hash, text: bolt11, index: created_index } = invoice;
      const expires_at = secondsOf(invoice.expiresAt);
      return made({
        payment_hash,
        expires_at,
        bolt11,
        created_index,
        payment_secret: '07'.repeat(32),
      });
    }
    case 'listinvoices': {
      const { label, payment_hash: hash, start = 0, limit = invoices.length } = params;
      const list = invoices.filter(
        (one) =>
          one.index >= Number(start) &&
          (label === undefined || one.label === label) &&
          (hash === undefined || one.paymentHash === hash),
      );
      const page = list.slice(0, Number(limit));
      return made({ invoices: page.map((one) => coreLightningInvoice(one, parts)) });
    }
    default:
      return { status: 500, body: { code: -32601, message: `Unknown command '${method}'` } };
  }
}

function coreLightningInvoice(invoice: FakeInvoice, { isExpired }: Parts) {
  const isPaid = invoice.state === 'settled';
  const isOver = invoice.state === 'cancelled' || isExpired(invoice);
  const paid = {
    pay_index: invoice.settleIndex,
    amount_received_msat: Number(invoice.received),
    paid_at: secondsOf(invoice.settledAt),
    payment_preimage: invoice.preimage,
  };
  return {
    label: invoice.label,
    bolt11: invoice.text,
    payment_hash: invoice.paymentHash,
    amount_msat: Number(invoice.millisatoshis),
    status: isPaid ? 'paid' : isOver ? 'expired' : 'unpaid',
    ...(isPaid ? paid : {}),
    description: invoice.memo,
    expires_at: secondsOf(invoice.expiresAt),
    created_index: invoice.index,
  };
}

function speakElectrum({ method, params }: Call, parts: Parts): Reply {
  const { invoices, channels, chainName, isSynced } = parts.node();
  const result = (value: unknown) => ok({ id: method, jsonrpc: '2.0', result: value });
  switch (method) {
    case 'getinfo':
      return result({
        network: { main: 'mainnet', test: 'testnet' }[chainName] ?? chainName,
        blockchain_height: 100,
        server_height: isSynced ? 100 : 101,
        connected: true,
        version: '4.3.4',
      });
    case 'nodeid':
      return result(`${nodeId}@127.0.0.1:9735`);
    case 'list_channels':
      return result(
        channels.map((units) => ({
          type: 'CHANNEL',
          state: 'OPEN',
          peer_state: 'GOOD',
          remote_balance: Number(units + 1000n),
          remote_reserve: 1000,
          local_unsettled_sent: electrumUnsettled(parts.node().outgoing),
        })),
      );
    case 'add_request': {
      assert(typeof params.amount === 'string', 'Electrum reads JSON numbers as floats');
      const invoice = parts.add({
        memo: String(params.memo),
        millisatoshis: (amountFromText(params.amount, 8) ?? 0n) * 1000n,
        expirySeconds: Number(params.expiration),
      });
      return result(electrumRequest(invoice, parts));
    }
    case 'list_requests':
      return result(invoices.map((invoice) => electrumRequest(invoice, parts)));
    case 'lightning_history':
      return result([
        ...electrumHistory(parts.node().outgoing),
        ...invoices
          .filter(({ state }) => state === 'settled')
          .map((invoice) => ({
            type: 'payment',
            label: invoice.memo,
            timestamp: secondsOf(invoice.settledAt),
            direction: 1,
            amount_msat: Number(invoice.received),
            fee_msat: null,
            payment_hash: invoice.paymentHash,
            preimage: invoice.preimage,
          })),
      ]);
    default:
      return ok({ id: method, jsonrpc: '2.0', error: { code: 1, message: 'unregistered method' } });
  }
}

function electrumRequest(invoice: FakeInvoice, { isExpired }: Parts) {
  const isPaid = invoice.state === 'settled';
  const isOver = isExpired(invoice) || invoice.state === 'cancelled';
  return {
    is_lightning: true,
    message: invoice.memo,
    timestamp: secondsOf(invoice.createdAt),
    expiration: secondsOf(invoice.expiresAt),
    status: isPaid ? 3 : isOver ? 1 : 0,
    status_str: isPaid ? 'Paid' : isOver ? 'Expired' : 'Expires later',
    rhash: invoice.paymentHash,
    lightning_invoice: invoice.text,
    amount_msat: Number(invoice.millisatoshis),
  };
}
