import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { outputScript } from '#networks/utxo/output-script.ts';
import { BITCOIN_REGTEST } from '#networks/utxo/utxo-chain.ts';
import {
  APPROVER,
  BITCOIN_RECEIVER,
  EVM_RECEIVER,
  EVM_SECRET,
  evmOrder,
  LOG_KEY,
  openSignerWorld,
  type SignerWorld,
  stellarOrder,
  USDC,
  utxoOrder,
  WIDE_RULES,
  xrplOrder,
} from '#test/support/signer-world.ts';
import { approve } from './approval.ts';
import type { SignerAnswer } from './protocol.ts';
import { purposeDigest, type SignOrder } from './sign-order.ts';
import { verifySignerLog } from './signer-log.ts';

const worlds: SignerWorld[] = [];
after(() => {
  for (const world of worlds) world.close();
});

function world(rules?: string): SignerWorld {
  const made = openSignerWorld(rules);
  worlds.push(made);
  return made;
}

const codeOf = (answer: SignerAnswer) =>
  answer.answer === 'refused' ? answer.code : answer.answer;
const EVERY_NETWORK: readonly SignOrder[] = [
  evmOrder(),
  evmOrder({ id: 'usdc', assetId: USDC, units: 7n }, { nonce: 6n }),
  stellarOrder(),
  xrplOrder(),
  utxoOrder(),
];

test('the same question has the same answer, also after a restart, and costs a cap once', () => {
  const one = world();
  for (const order of EVERY_NETWORK) {
    const first = one.sign(order);
    assert.equal(first.answer, 'signed');
    const { counted } = one.signer.signerLog.history;
    const count = counted.length;
    assert.deepEqual(one.sign(order), first);
    one.restart();
    assert.deepEqual(one.sign(order), first);
    assert.equal(one.signer.signerLog.history.counted.length, count);
  }
});

test('what was signed is given again although the rules of today would refuse it', () => {
  const one = world();
  const first = one.sign(evmOrder());
  one.restart('');
  assert.deepEqual(one.sign(evmOrder()), first);
  assert.equal(codeOf(one.sign(evmOrder({ id: 'two' }, { nonce: 6n }))), 'above_cap');
});

test('a higher fee with the same nonce takes the place, and so does nothing to oneself', () => {
  const one = world();
  assert.equal(one.sign(evmOrder()).answer, 'signed');
  const dearer = evmOrder({}, { maxFeePerGas: 2n * 10n ** 10n });
  assert.equal(one.sign(dearer).answer, 'signed');
  assert.equal(codeOf(one.sign(evmOrder({}, { nonce: 6n }))), 'one_order_one_payment');
  assert.equal(codeOf(one.sign(evmOrder({ units: 5n }))), 'one_order_one_payment');
  assert.equal(codeOf(one.sign(evmOrder({ id: 'two' }))), 'one_order_one_payment');
});

test('what counts toward a cap is still counted after a restart, and no longer after a day', () => {
  const rules = WIDE_RULES.replace(
    /asset = "XRP:NATIVE"\nper_transaction = "1000000"\nper_day = "1000000"/,
    'asset = "XRP:NATIVE"\nper_transaction = "30"\nper_day = "30"',
  );
  const one = world(rules);
  const order = (id: string, sequence: bigint) =>
    xrplOrder({ id }, { turn: { sequence }, lastLedger: 80_000_000n });
  assert.equal(one.sign(order('1', 1n)).answer, 'signed');
  assert.equal(codeOf(one.sign(order('2', 2n))), 'above_cap');
  one.restart();
  assert.equal(codeOf(one.sign(order('2', 2n))), 'above_cap');
});

test('the daily cap is free again when 24 hours have passed, to the second', async () => {
  const rules = WIDE_RULES.replaceAll('1000000"', '30"');
  const one = world(rules);
  assert.equal(one.sign(xrplOrder({ id: '1' })).answer, 'signed');
  const next = xrplOrder({ id: '2' }, { turn: { sequence: 10n } });
  await one.clock.advance(24 * 3_600_000 - 1);
  assert.equal(codeOf(one.sign(next)), 'above_cap');
  await one.clock.advance(1);
  assert.equal(one.sign(next).answer, 'signed');
});

test('a coin cannot be said to be worth something else later', () => {
  const one = world();
  const order = utxoOrder({}, { inputs: [...lyingCoins(100_000n)] });
  assert.equal(one.sign(order).answer, 'signed');
  const lie = utxoOrder({}, { inputs: [...lyingCoins(99_000n)], change: undefined });
  assert.equal(codeOf(one.sign({ ...lie, feeUnits: 10n ** 6n })), 'coin_differs');
  one.restart();
  assert.equal(codeOf(one.sign({ ...lie, feeUnits: 10n ** 6n })), 'coin_differs');
});

const PAYEE = outputScript(BITCOIN_RECEIVER, BITCOIN_REGTEST) ?? new Uint8Array();

function* lyingCoins(units: bigint) {
  for (const index of [0n, 1n]) {
    const transaction = `${index}1`.repeat(32);
    const coin = { transaction, vout: 0, units, kind: 'p2wpkh', confirmations: 9 } as const;
    yield { ...coin, branch: 'receiving', index } as const;
  }
}

test('several orders in one transaction are signed once each, also after a restart', () => {
  const one = world();
  const pay = (...units: bigint[]) =>
    utxoOrder({}, { payments: units.map((each) => ({ script: PAYEE, units: each })) });
  const both = { ...pay(70_000n, 50_000n), beside: ['btc-2'] };
  const first = one.sign(both);
  assert.equal(first.answer, 'signed');
  one.restart();
  assert.deepEqual(one.sign(both), first);
  const alone = { ...pay(50_000n), id: 'btc-2' };
  const elsewhere = utxoOrder({ id: 'btc-2' }, { inputs: [...lyingCoins(100_000n)] });
  assert.equal(codeOf(one.sign({ ...alone, payments: elsewhere.payments })), 'order_differs');
  assert.equal(codeOf(one.sign(elsewhere)), 'one_order_one_payment');
  assert.equal(one.sign(alone).answer, 'signed', 'in the place of both, out of the same coins');
  const counted = one.signer.signerLog.history.counted.filter(({ receiver }) => receiver);
  assert.deepEqual(
    counted.map(({ units }) => units),
    [70_000n, 50_000n],
  );
  const unsaid = { ...pay(70_000n, 50_000n), id: 'btc-3', beside: ['btc-4', 'btc-5'] };
  assert.equal(codeOf(one.sign(unsaid)), 'order_incomplete');
  const onEvm = { ...evmOrder(), beside: ['evm-2'] };
  assert.equal(codeOf(one.sign(onEvm)), 'order_incomplete');
  const payments = [...onEvm.payments, ...onEvm.payments];
  assert.equal(codeOf(one.sign({ ...onEvm, payments })), 'order_differs');
});

test('a key that is not there is said so', () => {
  const one = world();
  assert.equal(codeOf(one.sign({ ...evmOrder(), environment: 'test' })), 'key_missing');
  assert.equal(codeOf(one.sign({ ...evmOrder(), network: 'POLYGON' })), 'key_missing');
  const facts = { source: EVM_RECEIVER, sequence: 5n };
  assert.equal(codeOf(one.sign({ ...evmOrder(), facts })), 'key_missing');
});

const TWO_PEOPLE = WIDE_RULES.replace(
  'asset = "XRP:NATIVE"',
  'asset = "XRP:NATIVE"\nsecond_person_above = "20"',
);

test('above a limit a second person is asked, and the service asks again', () => {
  const one = world(TWO_PEOPLE);
  const order = xrplOrder();
  const asked = one.sign(order);
  assert(asked.answer === 'needs-approval');
  const { code } = asked;
  assert.deepEqual(one.sign(order), asked, 'the code stays');
  one.restart();
  const pending = one.ask({ ask: 'pending', code });
  assert(pending.answer === 'pending');
  assert.equal(pending.digest, purposeDigest(pending.purpose));
  const [payment] = pending.purpose.payments;
  assert.deepEqual(payment, order.payments[0]);
  const { digest } = pending;
  const wrong = approve(digest, '77'.repeat(32));
  const approved = (approver: string, signature: string) =>
    codeOf(one.ask({ ask: 'approve', digest, approver, signature }));
  assert.equal(approved('second', wrong), 'approval_wrong');
  assert.equal(approved('nobody', approve(digest, APPROVER.secret)), 'approval_wrong');
  assert.equal(one.sign(order).answer, 'needs-approval');
  assert.equal(approved('second', approve(digest, APPROVER.secret)), 'approved');
  one.restart();
  // Made anew meanwhile, with another fee and a later end.
  const later = xrplOrder({}, { feeUnits: 12n, lastLedger: 80_000_500n });
  assert.equal(one.sign(later).answer, 'signed');
  assert.equal(approved('second', approve(digest, APPROVER.secret)), 'approval_unknown');
  assert.equal(codeOf(one.ask({ ask: 'pending', code })), 'approval_unknown');
});

test('what was signed and can land no more is signed anew when a second person agrees', () => {
  const one = world();
  const dead = one.sign(evmOrder());
  assert(dead.answer === 'signed');
  const at = (nonce: bigint, isAnew: boolean, maxFeePerGas = 10n ** 10n): SignOrder => {
    const order = evmOrder({}, { nonce, maxFeePerGas });
    return isAnew ? { ...order, facts: { ...order.facts, isAnew } } : order;
  };
  assert.equal(codeOf(one.sign(at(6n, false))), 'one_order_one_payment');
  const asked = one.sign(at(6n, true));
  assert(asked.answer === 'needs-approval');
  one.restart();
  const pending = one.ask({ ask: 'pending', code: asked.code });
  assert(pending.answer === 'pending');
  const { digest, purpose } = pending;
  assert.equal(digest, purposeDigest(purpose));
  const { before = [] } = purpose;
  assert.equal(before.length, 1);
  assert.equal(before[0]?.startsWith(`${dead.transaction} (1 `), true);
  const signature = approve(digest, APPROVER.secret);
  const approved = one.ask({ ask: 'approve', digest, approver: 'second', signature });
  assert.equal(approved.answer, 'approved');
  assert.equal(one.sign(at(6n, true)).answer, 'signed');
  one.restart();
  assert.equal(one.sign(at(6n, false, 2n * 10n ** 10n)).answer, 'signed', 'a higher fee');
  assert.equal(codeOf(one.sign(at(5n, false, 3n * 10n ** 10n))), 'one_order_one_payment');
  assert.equal(codeOf(one.sign(at(7n, false))), 'one_order_one_payment');
  // That one is another list, to which nobody has agreed.
  assert.equal(one.sign(at(7n, true)).answer, 'needs-approval');
});

test('refusals are written down, but nobody fills the disk with them', async () => {
  const one = world();
  const wrong = { ...evmOrder(), feeUnits: 1n };
  for (let count = 0; count < 500; count += 1) {
    assert.equal(codeOf(one.sign(wrong)), 'order_differs');
  }
  const { lines } = one.signer.signerLog.head();
  assert.equal(lines, 60);
  await one.clock.advance(60_000);
  one.sign(wrong);
  assert.equal(one.signer.signerLog.head().lines, 61);
  assert.equal(verifySignerLog(one.logPath, LOG_KEY, () => undefined).lines, 61);
});

test('what it has keys for is told, and no secret with it', () => {
  const one = world();
  const told = one.ask({ ask: 'info' });
  assert(told.answer === 'info');
  assert.deepEqual(
    told.keys.map(({ name }) => name),
    ['evm', 'xlm', 'xrp', 'btc', 'btc-taproot'],
  );
  assert.equal(JSON.stringify(told.keys).includes(EVM_SECRET), false);
  assert.equal(/prv|sEd|"S[A-Z2-7]{55}/.test(JSON.stringify(told.keys)), false);
});

test('what nobody approves is forgotten after three days, and makes room', async () => {
  const one = world(TWO_PEOPLE.replace('per_day = "1000000"', 'per_day = "1000000000"'));
  const order = (at: number) => xrplOrder({ id: `wait-${at}` }, { turn: { sequence: BigInt(at) } });
  const ask = (at: number) => codeOf(one.sign(order(at)));
  for (let at = 1; at <= 1_000; at += 1) assert.equal(ask(at), 'needs-approval');
  assert.equal(ask(1_001), 'too_many_wait');
  assert.equal(ask(1_000), 'needs-approval');
  await one.clock.advance(72 * 3_600_000 + 1);
  assert.equal(ask(1_001), 'needs-approval');
  one.restart();
  assert.equal(one.signer.signerLog.history.pending.size, 1);
});
