// The Lightning Network, received through one's own node. Guarantees: a payment is reported when
// the node says it is settled, with what arrived, once, in a block of its own
// (settlement-block.ts); HTLCs that are only accepted are not reported at all. No invoice leaves
// here that is not whole, of the right chain, exactly the amount asked for, signed by the node, and
// valid as long as the lock. Nothing is taken from a node of another chain, from one that is
// behind, or from an answer that is damaged: such a step is an Outage and moves nothing.
// Streams are hints; each step asks for the state of every open invoice.
// Not guaranteed: that a payer finds a route, and anything about invoices that are not ours.

import { createECDH, createHash, createHmac } from 'node:crypto';
import { assert } from '#base/assert.ts';
import type { Clock } from '#base/clock.ts';
import { Outage } from '#base/refusal.ts';
import type { ChainId } from '#catalog/chain.ts';
import { listUnpaid } from '#chain/receipt.ts';
import type { Reader } from '#db/db.ts';
import type { NetworkFee } from '#deposit/money-out.ts';
import type {
  Destination,
  DestinationRequest,
  Network,
  Observation,
  Position,
} from '#deposit/network.ts';
import { NodeLie } from '#networks/answer-fields.ts';
import { askForPerson, type Turns, takeTurns } from '#networks/ask-nodes.ts';
import { addressAlone } from '#networks/destination.ts';
import type { PurePayee } from '#networks/network-settings.ts';
import { anotherChain, catchingUp, nodeOutage } from '#networks/node-outage.ts';
import { lightningUri } from '#networks/payment-uri.ts';
import { type ReadInvoice, readInvoice } from '#networks/read-invoice.ts';
import { encodeInvoice } from '#networks/sandbox/bolt11.ts';
import {
  descriptionOf,
  type LightningBackend,
  MILLISATOSHIS,
  type NodeDescription,
} from './lightning-backend.ts';
import type { LightningChain } from './lightning-chain.ts';
import { lightningPayer, type PayerOptions } from './lightning-payer.ts';
import { receivableMost } from './receivable-most.ts';
import { blocksOf, emptyBlock, firstBlock, searchedSince } from './settlement-block.ts';
import {
  type InvoiceWatch,
  lookAtInvoices,
  watchForgotten,
  watchInvoices,
} from './watch-invoices.ts';

type LightningNetworkOptions = {
  readonly chain: ChainId;
  readonly parameters: LightningChain;
  readonly backend: LightningBackend;
  /** Where the node is, without secrets; shown to the operator. */
  readonly address: string;
  readonly db: Reader;
  readonly clock: Clock;
  /** Absent where nothing is to be paid. */
  readonly paying?: Pick<PayerOptions, 'payments' | 'limits' | 'via'>;
};

const ASSET = 'BTC:NATIVE';
const NO_DESCRIPTION_HASH =
  'the node cannot make invoices with the hash of a description (LUD-06); LND and Core Lightning can';
/** An invoice is asked for before it is recorded: so long it may be on its way. */
const MINUTES_UNDER_WAY = 10;
/** So many invoices that nobody can pay any more may be read again at each look. */
const PAST_MOST = 100;
/** The node's clock and ours: an invoice must not end before the lock. */
const SECONDS_APART_MOST = 120;

type Watch = LightningNetworkOptions & {
  readonly invoices: InvoiceWatch;
  readonly forgotten: ReturnType<typeof watchForgotten>;
  nodeVersion: string | undefined;
};

export function lightningNetwork(options: LightningNetworkOptions): Network {
  const { chain, parameters, backend, db, clock } = options;
  const { ask, health } = takeTurns({ nodes: [backend], chain, clock });
  const watch: Watch = {
    ...options,
    invoices: watchInvoices(backend, clock),
    forgotten: watchForgotten({ backend, db, chain }),
    nodeVersion: undefined,
  };
  const list = () => ask(() => backend.listReceivableUnits());
  const receivable = receivableMost({ what: chain, clock, list });
  const addressFault = backend.hashesDescriptions ? undefined : NO_DESCRIPTION_HASH;

  return {
    chain,
    identity: parameters.genesisHash,
    addressSource: `${backend.name} at ${options.address}`,
    receivableAssets: () => [ASSET],
    async receivableUnitsMost(assetId) {
      assert(assetId === ASSET, `${chain} does not carry ${assetId}`);
      return receivable();
    },
    asksNode: true,
    invoicePrefix: parameters.prefix,
    addressInvoices: { fault: addressFault },
    openDestination: (request) => ask(() => openDestination(watch, request)),
    // An invoice is good for one payment: there is no lasting address to be typed.
    canonicalAddress: () => undefined,
    paymentUri: (destination) => lightningUri(destination),
    sendingFees: { read: async () => undefined, most: routingFee },
    checkIdentity: () => ask(async () => void (await readNode(watch))),
    observe: (position) => ask(() => observe(watch, position)),
    waitForHint: (ms, signal) => backend.waitForPayment(ms, signal),
    health: () => ({
      chain,
      description: `${backend.name} node`,
      nodeVersion: watch.nodeVersion,
      ...health(),
      advice: addressFault === undefined ? [] : [`no Lightning addresses: ${addressFault}`],
    }),
    ...payerOf(watch, ask),
    async close() {
      backend.close();
      options.paying?.payments.close();
    },
  };
}

/** What it finds wrong with a payment is no fault of the node. */
function payerOf(watch: Watch, ask: Turns<LightningBackend>['ask']): Pick<Network, 'payer'> {
  const { paying } = watch;
  if (paying === undefined) return {};
  const nodeId = async () => (await readNode(watch)).nodeId;
  const payer = lightningPayer({ ...watch, ...paying, nodeId });
  const askThis = <Result>(act: () => Promise<Result>) => askForPerson({ ask }, act);
  return {
    payer: {
      limits: payer.limits,
      openInvoice: (account, units) => askThis(() => payer.openInvoice(account, units)),
      pay: (order) => askThis(() => payer.pay(order)),
      findPayment: (wanted) => askThis(() => payer.findPayment(wanted)),
    },
  };
}

/** No estimate: whoever pays tells the node that this is the most for the way. Rounds down. */
function routingFee(assetId: string, units: bigint): NetworkFee {
  return { assetId, units: 10n + (units + 99n) / 100n };
}

/** @throws Refusal when the node is of another chain, Outage when it is not ready. */
async function readNode(watch: Watch): Promise<NodeDescription> {
  const { chain, parameters, backend } = watch;
  const node = await backend.describe();
  if (node.chainName !== parameters.name) {
    throw anotherChain(
      `${chain} needs a node on the Bitcoin chain ${parameters.name} (LIGHTNING_CHAIN); ` +
        `the node is on ${node.chainName ?? 'one that is not known'}`,
    );
  }
  // The blocks of a test chain come as somebody makes them.
  if (node.notReady !== undefined && parameters.followsPeers) {
    const fail = node.isCatchingUp ? catchingUp : nodeOutage;
    throw fail(chain, `the node is not ready: ${node.notReady}`);
  }
  watch.nodeVersion = `${backend.name} ${node.version}`;
  return node;
}

async function observe(watch: Watch, { cursor }: Position): Promise<Observation> {
  const { chain, parameters, clock, db } = watch;
  await readNode(watch);
  const still = { rollbackTo: undefined, unconfirmed: [], gone: [], spends: [] };
  const identity = parameters.genesisHash;
  const now = clock.now();
  if (cursor === undefined) {
    const block = firstBlock(identity, now);
    const { height, hash } = block;
    return { ...still, identity, tip: { height, hash }, blocks: [block], complete: false };
  }
  const since = searchedSince(cursor);
  assert(since !== undefined, `${chain}: the cursor is not one of Lightning`);
  const unpaid = await listUnpaid(db, chain, since);
  const { settled, open, complete } = await lookAtInvoices(watch.invoices, unpaid);
  const underWay = now.subtract({ minutes: MINUTES_UNDER_WAY });
  // Oldest first, both of them: a thousand comparisons of times would cost as much as the list.
  const [oldestOpen = { createdAt: underWay }] = open;
  const oldest = earlier(oldestOpen.createdAt, underWay);
  const lost = await watch.forgotten.look();
  const lostHashes = new Set(lost.map(({ paymentHash }) => paymentHash));
  const facts = { chain, assetId: ASSET, now, since: oldest, forgotten: lostHashes };
  const others = settled.filter(({ paymentHash }) => !lostHashes.has(paymentHash));
  const blocks = blocksOf(cursor, [...others, ...lost], facts);
  const tooManyPast = isEarlier(unpaid[PAST_MOST]?.createdAt ?? oldest, oldest);
  if (blocks.length === 0 && tooManyPast) blocks.push(emptyBlock(cursor, facts));
  const { height, hash } = blocks.at(-1) ?? cursor;
  return { ...still, identity, tip: { height, hash }, blocks, complete };
}

async function openDestination(watch: Watch, request: DestinationRequest): Promise<Destination> {
  const { chain, parameters, backend, clock } = watch;
  assert(request.assetId === ASSET, `${chain} does not carry ${request.assetId}`);
  const { hashedDescription } = request;
  assert(hashedDescription === undefined || backend.hashesDescriptions, 'no address was offered');
  const { nodeId } = await readNode(watch);
  const millisatoshis = request.units * MILLISATOSHIS;
  const left = request.expiresAt.since(clock.now()).total('milliseconds');
  const text = await backend.makeInvoice({
    instructionId: request.instructionId,
    millisatoshis,
    expirySeconds: BigInt(Math.max(1, Math.ceil(left / 1000))),
    description: descriptionOf(request.instructionId),
    hashedDescription,
  });
  const invoice = readInvoice(text);
  if (invoice === undefined) throw new NodeLie('the invoice is not a whole one');
  refuseOther(invoice, { parameters, nodeId, millisatoshis, hashedDescription });
  const apart = invoice.expiresAt.since(request.expiresAt).abs().total('seconds');
  if (apart > SECONDS_APART_MOST) {
    throw nodeOutage(chain, `the clock of the node is ${Math.round(apart)} seconds off`);
  }
  return addressAlone(invoice.invoice, invoice.paymentHash);
}

function isEarlier(one: Temporal.Instant, other: Temporal.Instant): boolean {
  return Temporal.Instant.compare(one, other) < 0;
}

function earlier(one: Temporal.Instant, other: Temporal.Instant): Temporal.Instant {
  return isEarlier(one, other) ? one : other;
}

/** @throws NodeLie, Outage when the node is set up in a way that loses payments. */
function refuseOther(
  invoice: ReadInvoice,
  asked: {
    readonly parameters: LightningChain;
    readonly nodeId: string;
    readonly millisatoshis: bigint;
    readonly hashedDescription: string | undefined;
  },
): void {
  if (invoice.prefix !== asked.parameters.prefix) {
    throw new NodeLie(`the invoice is of another chain (ln${invoice.prefix})`);
  }
  if (invoice.payee !== asked.nodeId) throw new NodeLie('the invoice pays another node');
  if (invoice.millisatoshis !== asked.millisatoshis) {
    throw new NodeLie(`the invoice asks for ${invoice.millisatoshis ?? 'any'} msat`);
  }
  if (asked.hashedDescription !== undefined) {
    const hash = createHash('sha256').update(asked.hashedDescription).digest('hex');
    if (invoice.descriptionHash !== hash) {
      throw new NodeLie('the invoice does not hold the hash of what the payer was shown');
    }
  }
  if (invoice.hasFallback) {
    const sentence =
      'invoices of the node offer an address on the chain, where a payment would not be noticed; ' +
      'for Electrum: setconfig bolt11_fallback false';
    throw new Outage('LIGHTNING', { cause: new Error(sentence) });
  }
}

/** By node:crypto, whose first key is there at once: every start of the sandbox asks for it. */
function nodeIdOf(seed: Uint8Array): string {
  const keys = createECDH('secp256k1');
  keys.setPrivateKey(seed);
  return keys.getPublicKey('hex', 'compressed');
}

const SIGNET_PREFIX = 'tbs';
const EXPIRY_SECONDS = 3600;

/**
 * An invoice for each instruction, matched by its payment hash, without a node: everything in it
 * follows from the id of the instruction, so that asking twice gives the same invoice.
 */
export function simulatedLightningPayee(chain: ChainId, seed: Uint8Array): PurePayee {
  const secretOf = (purpose: string, id: string) =>
    new Uint8Array(createHmac('sha256', seed).update(`${purpose}/${id}`).digest());
  return {
    chain,
    addressSource: nodeIdOf(seed),
    addressInvoices: { fault: undefined },
    openDestination({ instructionId, units, expiresAt, hashedDescription }) {
      const preimage = secretOf('preimage', instructionId);
      const paymentHash = new Uint8Array(createHash('sha256').update(preimage).digest());
      const invoice = {
        prefix: SIGNET_PREFIX,
        units,
        createdAt: expiresAt.subtract({ seconds: EXPIRY_SECONDS }),
        expirySeconds: EXPIRY_SECONDS,
        paymentHash,
        paymentSecret: secretOf('payment-secret', instructionId),
        description: `Payment ${instructionId}`,
        descriptionHash:
          hashedDescription === undefined
            ? undefined
            : createHash('sha256').update(hashedDescription).digest('hex'),
      };
      return addressAlone(encodeInvoice(invoice, seed), paymentHash.toHex());
    },
    // An invoice is good for one payment: there is no lasting address to be typed.
    canonicalAddress: () => undefined,
    paymentUri: (destination) => lightningUri(destination),
  };
}
