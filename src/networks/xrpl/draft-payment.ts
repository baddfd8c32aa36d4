// One payment from the account on the XRP Ledger, put together for somebody else to sign: what a
// server says of our account, of the receiver's and of the fees. It ends, so nothing takes its
// place before.
import { getNetwork } from '#catalog/network.ts';
import type { DraftedPayment, DraftOrder } from '#deposit/money-out.ts';
import { requireFields, requireThat } from '#networks/answer-fields.ts';
import {
  onlyPayment,
  readDraftTerms,
  refusedDraft,
  writeDraftTerms,
} from '#networks/draft-terms.ts';
import { notSendable } from '#networks/outgoing-payment.ts';
import { againstReserve, decideXrplDelivery } from './decide-delivery.ts';
import { NO_ACCOUNT_ROOT, readAccountRoot } from './read-account-root.ts';
import { unsignedXrplTransaction, type XrplOrder } from './unsigned-transaction.ts';
import { askLedger } from './walk-ledgers.ts';
import { accountRootIndex, classicAccountId } from './xrpl-address.ts';
import { requireDrops, requireUint32 } from './xrpl-fields.ts';
import type { XrplServer } from './xrpl-server.ts';

/** Two hours and a little, at four seconds each: long enough for keys that are kept elsewhere. */
const LANDS_WITHIN_LEDGERS = 2_000n;
/** In drops: 0.01 XRP. */
const FEE_MOST = 10_000n;
const TERMS = ['sequence', 'feeUnits', 'lastLedger'] as const;

type XrplTerms = Pick<XrplOrder, 'turn' | 'feeUnits' | 'lastLedger'>;

/** Of what was drafted here. */
export function readXrplTerms(text: string): XrplTerms {
  const { sequence, feeUnits, lastLedger } = readDraftTerms(text, TERMS);
  const turn = { sequence: BigInt(sequence) };
  return { turn, feeUnits: BigInt(feeUnits), lastLedger: BigInt(lastLedger) };
}

/** @throws Refusal conflict that says what is missing; invalid when it can never be sent so. */
export async function draftXrplPayment(
  source: string,
  server: XrplServer,
  { payments, feeRate, replaces }: DraftOrder,
): Promise<DraftedPayment> {
  if (feeRate !== undefined) throw refusedDraft('the fee is that of the ledger on this network');
  if (replaces !== undefined) {
    const until = untilText(readXrplTerms(replaces));
    throw refusedDraft(`what was signed for it can land until ${until}: draft it again then`);
  }
  const payment = { ...onlyPayment(payments), network: 'XRP_LEDGER' };
  const sender = await server.ask('account_info', askedFor(source), ['actNotFound']);
  if (sender === undefined) throw refusedDraft('the account that pays does not exist yet');
  const reserves = await readReserves(server);
  const delivery = decideXrplDelivery({
    payment,
    receiver: await readReceiver(server, payment.account.account ?? ''),
    reserveUnits: reserves.base,
  });
  if (delivery !== 'payment') throw notSendable(delivery.refused);
  const { height } = await askLedger(server, 'validated');
  const root = requireFields(sender.account_data, 'the account');
  const sequence = BigInt(requireUint32(root, 'Sequence'));
  const feeUnits = await readXrplFee(server);
  const heldUnits = requireDrops(root, 'Balance');
  const owned = BigInt(requireUint32(root, 'OwnerCount'));
  const reserveUnits = reserves.base + owned * reserves.increment;
  const against = againstReserve({ payment, feeUnits, heldUnits, reserveUnits });
  if (against !== undefined) throw refusedDraft(against);
  const lastLedger = height + LANDS_WITHIN_LEDGERS;
  const order = { payment, source, turn: { sequence }, feeUnits, lastLedger };
  const { unsignedTransaction, json, paymentUri } = unsignedXrplTransaction(order);
  return {
    format: 'transaction',
    text: unsignedTransaction,
    json,
    links: paymentUri === undefined ? [] : [paymentUri],
    from: source,
    sequence,
    feeUnits,
    feeAssetId: getNetwork('XRP_LEDGER').defaultAssetId,
    until: untilText(order),
    terms: writeDraftTerms({ sequence, feeUnits, lastLedger }),
    spends: [`${source}/${sequence}`],
  };
}

function untilText({ lastLedger }: Pick<XrplTerms, 'lastLedger'>): string {
  return `ledger ${lastLedger}`;
}

function askedFor(account: string) {
  return { account, ledger_index: 'validated' };
}

async function readReceiver(server: XrplServer, account: string) {
  const id = classicAccountId(account);
  if (id === undefined) throw notSendable('the receiver is no account with a right checksum');
  const answer = await server.ask('account_info', askedFor(account), ['actNotFound']);
  if (answer === undefined) return NO_ACCOUNT_ROOT;
  return readAccountRoot(answer, { account, rootIndex: accountRootIndex(id) }, undefined);
}

/** What a new account must have, and each object of an account beside that. */
async function readReserves(server: XrplServer) {
  const answer = await server.ask('server_state');
  const state = requireFields(requireFields(answer, 'the state').state, 'the state');
  const ledger = requireFields(state.validated_ledger, 'the newest ledger');
  return {
    base: BigInt(requireUint32(ledger, 'reserve_base')),
    increment: BigInt(requireUint32(ledger, 'reserve_inc')),
  };
}

/** What gets into the next ledger. */
export async function readXrplFee(server: XrplServer): Promise<bigint> {
  const answer = requireFields(await server.ask('fee'), 'the fees');
  const fee = requireDrops(requireFields(answer.drops, 'the fees'), 'open_ledger_fee');
  requireThat(fee > 0n, 'the ledger takes no fee');
  if (fee <= FEE_MOST) return fee;
  throw refusedDraft(`the ledger takes ${fee} drops now; at most ${FEE_MOST} are paid: wait`);
}
