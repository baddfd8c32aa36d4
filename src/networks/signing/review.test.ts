// What each family refuses of a transaction that is not the order, one by one, and what it signs,
// read by other programs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RawPSBTV0 } from '@scure/btc-signer/psbt.js';
import { Transaction as PsbtTransaction } from '@scure/btc-signer/transaction.js';
import {
  Account,
  Asset,
  Claimant,
  Keypair,
  Memo,
  Operation,
  Transaction,
  TransactionBuilder,
} from '@stellar/stellar-base';
import { decode, encodeForSigning } from 'ripple-binary-codec';
import { verify } from 'ripple-keypairs';
import { parseTransaction, recoverTransactionAddress } from 'viem';
import { Refusal } from '#base/refusal.ts';
import { decodeRlp, encodeRlp, type RlpItem } from '#networks/evm/rlp.ts';
import { STELLAR_CHAINS } from '#networks/stellar/stellar-chain.ts';
import { outputScript } from '#networks/utxo/output-script.ts';
import { BITCOIN_REGTEST } from '#networks/utxo/utxo-chain.ts';
import type { OpenKey } from '#signer/open-key.ts';
import type { SignOrder } from '#signer/sign-order.ts';
import {
  BITCOIN_RECEIVER,
  EVM_ADDRESS,
  evmOrder,
  KEYS,
  START,
  STELLAR_PAIR,
  STELLAR_RECEIVER,
  stellarOrder,
  USDC,
  UTXO,
  utxoOrder,
  XRPL_ADDRESS,
  xrplOrder,
} from '#test/support/signer-world.ts';

const NOW = Temporal.Instant.from(START);
const OTHER_EVM = '0x00000000219ab540356cBB839Cbe05303d7705Fa';

function keyNamed(name: string): OpenKey {
  const key = KEYS.find(({ shown }) => shown.name === name);
  assert(key !== undefined);
  return key;
}

const keyFor = (order: SignOrder) =>
  KEYS.find(({ shown, isFor }) => shown.network === order.network && isFor(order));

function review(order: SignOrder) {
  const key = keyFor(order);
  assert(key !== undefined, 'there is a key for it');
  return key.review(order, NOW, { safes: [], relays: [] });
}

function refuses(cases: Readonly<Record<string, readonly [SignOrder, RegExp]>>): void {
  for (const [what, [order, pattern]] of Object.entries(cases)) {
    assert.throws(
      () => review(order).sign(),
      (error) => error instanceof Refusal && pattern.test(error.message),
      what,
    );
  }
}

const sign = (order: SignOrder) => review(order).sign();

/** The unsigned EVM transaction with one of its nine fields changed. */
function withField(order: SignOrder, at: number, value: RlpItem): SignOrder {
  const items = decodeRlp(Buffer.from(order.unsigned.slice(4), 'hex'));
  assert(Array.isArray(items));
  const changed = items.map((item, index) => (index === at ? value : item));
  return { ...order, unsigned: `0x02${encodeRlp(changed).toString('hex')}` };
}

const bytes = (hex: string) => Buffer.from(hex.replace('0x', ''), 'hex');

test('EVM: a transaction that is not the order is refused, field by field', () => {
  const order = evmOrder();
  const token = evmOrder({ assetId: USDC, units: 5_000_000n });
  const [payment] = order.payments;
  assert(payment !== undefined);
  refuses({
    'another chain': [withField(order, 0, bytes('89')), /the chain id is 137; ordered is 1/],
    'another nonce': [withField(order, 1, bytes('06')), /the nonce is 6; ordered is 5/],
    'a tip above the fee': [withField(order, 2, bytes('ffffffffff')), /the tip cannot be more/],
    'a higher fee': [withField(order, 3, bytes('0277359400')), /ordered are at most/],
    'more gas': [withField(order, 4, bytes('5209')), /its gas costs up to/],
    'another receiver': [withField(order, 5, bytes(OTHER_EVM)), /what is called/],
    'no receiver': [withField(order, 5, bytes('')), /what is called/],
    'another amount': [withField(order, 6, bytes('05')), /the amount in wei is 5/],
    'data beside a transfer': [withField(order, 7, bytes('01')), /the data of the call is 0x01/],
    'an access list': [
      withField(order, 8, [[bytes(OTHER_EVM), []]]),
      /more in it than was ordered/,
    ],
    'a number with a leading zero': [withField(order, 1, bytes('0005')), /more in it/],
    'a list for a number': [withField(order, 1, [bytes('05')]), /one of its numbers is none/],
    'another token': [withField(token, 5, bytes(OTHER_EVM)), /what is called/],
    'ether beside a token': [withField(token, 6, bytes('01')), /the amount in wei is 1/],
    'approve and not transfer': [
      withField(token, 7, bytes(`095ea7b3${'00'.repeat(64)}`)),
      /the data of the call/,
    ],
    'more at the end': [{ ...order, unsigned: `${order.unsigned}00` }, /no unsigned transaction/],
    'the old kind': [{ ...order, unsigned: '0xc0' }, /no unsigned transaction of EIP-1559/],
    'signed already': [
      { ...order, unsigned: sign(order).signedTransaction },
      /no unsigned transaction/,
    ],
    capitals: [{ ...order, unsigned: order.unsigned.toUpperCase() }, /must be an unsigned/],
    'two payments': [{ ...order, payments: [payment, payment] }, /pays one receiver/],
    'no payment': [{ ...order, payments: [] }, /pays one receiver/],
    'a cancel that pays': [{ ...order, kind: 'CANCEL', payments: [] }, /what is called/],
    'an asset of another network': [
      { ...order, payments: [{ ...payment, assetId: 'BTC:NATIVE' }] },
      /does not carry/,
    ],
    'another nonce in the order': [
      { ...order, facts: { ...order.facts, sequence: 6n } },
      /the nonce is 5; ordered is 6/,
    ],
    'no nonce in the order': [
      { ...order, facts: { source: EVM_ADDRESS } },
      /facts.sequence: is required/,
    ],
  });
  const stranger = { ...order, facts: { ...order.facts, source: OTHER_EVM } };
  assert.equal(keyFor(stranger), undefined);
});

test('EVM: what is signed is what viem reads, and the same every time', async () => {
  const account = EVM_ADDRESS as `0x${string}`;
  for (const order of [evmOrder(), evmOrder({ assetId: USDC, units: 5_000_000n })]) {
    const { signedTransaction } = sign(order);
    assert.equal(sign(order).signedTransaction, signedTransaction);
    const serializedTransaction = signedTransaction as `0x02${string}`;
    assert.equal(await recoverTransactionAddress({ serializedTransaction }), account);
    const { nonce, chainId, maxFeePerGas } = parseTransaction(serializedTransaction);
    assert.deepEqual([nonce, chainId, maxFeePerGas], [5, 1, 10n ** 10n]);
  }
});

test('EVM: what takes the place of an order pays nothing to oneself', () => {
  const cancel: SignOrder = { ...withField(evmOrder(), 5, bytes(EVM_ADDRESS)), kind: 'CANCEL' };
  const order = { ...withField(cancel, 6, bytes('')), payments: [] };
  const { value, to } = parseTransaction(sign(order).signedTransaction as `0x02${string}`);
  assert.equal(value ?? 0n, 0n);
  assert.equal(to?.toLowerCase(), EVM_ADDRESS.toLowerCase());
  refuses({ 'with an amount': [{ ...cancel, payments: [] }, /the amount in wei/] });
});

/** As another program makes it. */
function stellarWith(change: {
  readonly operations?: readonly unknown[];
  readonly options?: object;
  readonly source?: string;
  readonly sequence?: string;
}): SignOrder {
  const { source = STELLAR_PAIR.publicKey(), sequence = '76', options, operations } = change;
  const paid = { destination: STELLAR_RECEIVER, asset: Asset.native(), amount: '1.5' };
  const builder = new TransactionBuilder(new Account(source, sequence), {
    fee: '1000',
    networkPassphrase: STELLAR_CHAINS.test.passphrase,
    timebounds: { minTime: 0, maxTime: Number(NOW.epochNanoseconds / 10n ** 9n) + 300 },
    memo: Memo.text('12345'),
    ...options,
  });
  for (const operation of operations ?? [Operation.payment(paid)]) {
    builder.addOperation(operation as ReturnType<typeof Operation.payment>);
  }
  return { ...stellarOrder(), unsigned: builder.build().toEnvelope().toXDR('base64') };
}

test('Stellar: a transaction that is not the order is refused', () => {
  const order = stellarOrder();
  const paid = { destination: STELLAR_RECEIVER, asset: Asset.native(), amount: '1.5' };
  const other = Keypair.random().publicKey();
  const seconds = Number(NOW.epochNanoseconds / 10n ** 9n);
  const until = (maxTime: number) => ({ timebounds: { minTime: 0, maxTime } });
  const differs = /is not the transaction that the order makes/;
  const operation = (made: unknown) => stellarWith({ operations: [made] });
  assert.equal(stellarWith({}).unsigned, order.unsigned, 'both make the same transaction');
  refuses({
    'another receiver': [operation(Operation.payment({ ...paid, destination: other })), differs],
    'another amount': [operation(Operation.payment({ ...paid, amount: '1.6' })), differs],
    'another asset': [
      operation(Operation.payment({ ...paid, asset: new Asset('USDC', other) })),
      differs,
    ],
    'paid by another account': [operation(Operation.payment({ ...paid, source: other })), differs],
    'another source': [stellarWith({ source: other }), differs],
    'another memo': [stellarWith({ options: { memo: Memo.text('54321') } }), differs],
    'no memo': [stellarWith({ options: { memo: Memo.none() } }), differs],
    'another sequence': [stellarWith({ sequence: '77' }), /sequence number is 78; ordered is 77/],
    'a higher fee': [stellarWith({ options: { fee: '1001' } }), /its fee is 1001 stroops/],
    'two operations': [
      stellarWith({ operations: [Operation.payment(paid), Operation.payment(paid)] }),
      /one operation that pays/,
    ],
    'the account given away': [
      operation(Operation.setOptions({ signer: { ed25519PublicKey: other, weight: 1 } })),
      /is setOptions, which is no payment/,
    ],
    'the account merged': [
      operation(Operation.accountMerge({ destination: other })),
      /is accountMerge, which is no payment/,
    ],
    'an end that has passed': [stellarWith({ options: until(seconds) }), /must be within a day/],
    'an end that is far': [
      stellarWith({ options: until(seconds + 86_401) }),
      /must be within a day/,
    ],
    'no end': [stellarWith({ options: until(0) }), /one of its times is none/],
    'a beginning': [
      stellarWith({ options: { timebounds: { minTime: 5, maxTime: seconds + 300 } } }),
      differs,
    ],
    conditions: [stellarWith({ options: { minAccountSequence: '5' } }), /other conditions/],
    'signed already': [{ ...order, unsigned: sign(order).signedTransaction }, /is signed already/],
    'a cancel': [{ ...order, kind: 'CANCEL', payments: [] }, /pays one receiver/],
    'no envelope': [{ ...order, unsigned: 'AAAA' }, /no envelope/],
  });
  const claimable = operation(
    Operation.createClaimableBalance({ ...paid, claimants: [new Claimant(other)] }),
  );
  refuses({ 'a claimable balance for another': [claimable, /must come back to us/] });
  const account = { account: STELLAR_RECEIVER };
  const leftFor = (days: number) => {
    const reclaimableAt = NOW.add({ hours: 24 * days });
    return stellarOrder({ account }, { delivery: { by: 'claimable-balance', reclaimableAt } });
  };
  refuses({
    'one that is ours in some days': [leftFor(5), /we may take it back from .* a week/],
    'one that is ours in many years': [leftFor(4_000), /two years from now/],
    'one of more': [{ ...leftFor(90), payments: stellarOrder().payments }, /order makes/],
  });
});

test('Stellar: a payment, a claimable balance and a new account are signed over their hash', () => {
  const memoless = { account: STELLAR_RECEIVER };
  const reclaimableAt = NOW.add({ hours: 720 });
  for (const order of [
    stellarOrder(),
    stellarOrder({ account: memoless }, { delivery: { by: 'create-account' } }),
    stellarOrder({ account: memoless }, { delivery: { by: 'claimable-balance', reclaimableAt } }),
  ]) {
    const { signedTransaction, transaction } = sign(order);
    assert.equal(sign(order).signedTransaction, signedTransaction);
    const read = new Transaction(signedTransaction, STELLAR_CHAINS.test.passphrase);
    const signature = read.signatures[0]?.signature() ?? Buffer.alloc(64);
    assert.equal(STELLAR_PAIR.verify(read.hash(), signature), true);
    assert.equal(read.hash().toString('hex'), transaction);
  }
});

const MARKET_USDC = 'USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
const OURS = { account: STELLAR_PAIR.publicKey() };
const BUYS = { assetId: MARKET_USDC, leastUnits: 1_400_000n };

function conversion(change: Partial<SignOrder> = {}, minutes = 30): SignOrder {
  const delivery = { by: 'exchange', ...BUYS, path: [`EURC:${STELLAR_RECEIVER}`] } as const;
  const expiresAt = NOW.add({ minutes });
  const made = stellarOrder({ account: OURS }, { delivery, expiresAt });
  return { ...made, kind: 'CONVERT', buys: BUYS, ...change };
}

function pathPayment(change: object): SignOrder {
  const [code = '', issuer = ''] = MARKET_USDC.split(':');
  const path = {
    ...{ sendAsset: Asset.native(), sendAmount: '1.5', destination: OURS.account },
    ...{ destAsset: new Asset(code, issuer), destMin: '0.14' },
    path: [new Asset('EURC', STELLAR_RECEIVER)],
    ...change,
  };
  const options = { memo: Memo.none() };
  const { unsigned } = stellarWith({
    operations: [Operation.pathPaymentStrictSend(path)],
    options,
  });
  return conversion({ unsigned });
}

test('Stellar: a conversion to ourselves says what it buys, and is signed', () => {
  const order = conversion();
  assert.deepEqual(review(order).buys, BUYS);
  assert.deepEqual(review(pathPayment({})).buys, BUYS);
  const { signedTransaction } = sign(order);
  const read = new Transaction(signedTransaction, STELLAR_CHAINS.test.passphrase);
  const signature = read.signatures[0]?.signature() ?? Buffer.alloc(64);
  assert.equal(STELLAR_PAIR.verify(read.hash(), signature), true);
});

test('Stellar: what converts other than ordered is refused with a sentence', () => {
  const other = Keypair.random().publicKey();
  const receive = Operation.pathPaymentStrictReceive({
    ...{ sendAsset: Asset.native(), sendMax: '1.5', destination: OURS.account },
    ...{ destAsset: new Asset('USDC', other), destAmount: '0.14', path: [] },
  });
  const [paid] = conversion().payments;
  assert(paid !== undefined);
  const withMemo = { ...OURS, memo: '12345', memoType: 'id' } as const;
  refuses({
    'to another account': [pathPayment({ destination: other }), /the destination is G\w+; it must/],
    'another asset given': [
      pathPayment({ sendAsset: new Asset('USDC', other) }),
      /what is given is USDC:G\w+; it must be XLM:NATIVE/,
    ],
    'more given': [
      pathPayment({ sendAmount: '1.6' }),
      /units are given is 16000000; it must be 15/,
    ],
    'another asset bought': [
      pathPayment({ destAsset: new Asset('USDC', other) }),
      /what is bought is USDC:G\w+; it must be USDC:GA5Z/,
    ],
    'a lower least': [pathPayment({ destMin: '0.13' }), /is 1300000; it must be 1400000/],
    'of another account': [pathPayment({ source: other }), /not the transaction that the order/],
    'ordered for another': [
      conversion({ payments: [{ ...paid, account: { account: other } }] }),
      /converted for is G\w+; it must be G/,
    ],
    'ordered with a memo': [
      conversion({ payments: [{ ...paid, account: withMemo }] }),
      /beside the account is memo memoType; it must be nothing/,
    ],
    'without what it buys': [conversion({ buys: undefined }), /does not say what it buys/],
    'an exact amount bought': [
      { ...stellarWith({ operations: [receive] }), kind: 'CONVERT', buys: BUYS },
      /is pathPaymentStrictReceive, which gives no exact amount/,
    ],
    'a payment as conversion': [{ ...stellarOrder(), kind: 'CONVERT', buys: BUYS }, /is payment,/],
    'a conversion as payment': [
      conversion({ kind: 'PAY' }),
      /is pathPaymentStrictSend, which is no payment/,
    ],
    'an end that is far': [conversion({}, 61), /must be within an hour/],
    'a higher fee': [conversion({ feeUnits: 999n }), /its fee is 1000 stroops/],
    'another sequence': [
      conversion({ facts: { ...conversion().facts, sequence: 78n } }),
      /sequence number is 77; ordered is 78/,
    ],
  });
});

test('XRP Ledger: a transaction that is not the order is refused', () => {
  const order = xrplOrder();
  const differs = /is not the Payment that the order makes/;
  const changed = (more: Parameters<typeof xrplOrder>[1], wanted = {}) => ({
    ...order,
    unsigned: xrplOrder(wanted, more).unsigned,
  });
  const hex = (from: string, to: string) => ({
    ...order,
    unsigned: order.unsigned.replace(from, to),
  });
  refuses({
    'another amount': [changed({}, { units: 25_000_001n }), differs],
    'another receiver': [
      changed({}, { account: { account: 'r48QyLLbot7VCfw325LrXAUtP6CRfU3tb4' } }),
      differs,
    ],
    'another tag': [
      changed({}, { account: { ...order.payments[0]?.account, destinationTag: '8' } }),
      differs,
    ],
    'another sequence': [changed({ turn: { sequence: 10n } }), differs],
    'a ticket': [changed({ turn: { ticket: 9n } }), differs],
    'a higher fee': [changed({ feeUnits: 21n }), /its fee is 21 drops; ordered are at most 20/],
    'another source': [changed({ source: 'r48QyLLbot7VCfw325LrXAUtP6CRfU3tb4' }), differs],
    'a partial payment': [hex('2200000000', '2200020000'), differs],
    'another type': [hex('120000', '120003'), differs],
    'no last ledger': [hex('201B04C4B400', ''), /it has no last ledger/],
    cut: [{ ...order, unsigned: order.unsigned.slice(0, -2) }, /no whole transaction/],
    'no hexadecimal': [{ ...order, unsigned: 'ab' }, /must be an unsigned transaction/],
    'signed already': [{ ...order, unsigned: sign(order).signedTransaction }, differs],
    'a cancel': [{ ...order, kind: 'CANCEL', payments: [] }, /ends by itself/],
  });
  assert.match(order.unsigned, /201B04C4B400/);
});

test('XRP Ledger: what is signed is what ripple-keypairs proves', () => {
  for (const order of [xrplOrder(), xrplOrder({}, { turn: { ticket: 12n } })]) {
    const { signedTransaction } = sign(order);
    assert.equal(sign(order).signedTransaction, signedTransaction);
    const { TxnSignature, ...json } = decode(signedTransaction) as Record<string, string>;
    assert.equal(json.Account, XRPL_ADDRESS);
    const isRight = verify(encodeForSigning(json), TxnSignature ?? '', json.SigningPubKey ?? '');
    assert.equal(isRight, true);
  }
});

type Psbt = ReturnType<typeof RawPSBTV0.decode>;

/** The PSBT with something changed in it. */
function withPsbt(order: SignOrder, change: (psbt: Psbt) => void): SignOrder {
  const psbt = RawPSBTV0.decode(Buffer.from(order.unsigned, 'base64'));
  change(psbt);
  const made = RawPSBTV0.encode(psbt as Parameters<typeof RawPSBTV0.encode>[0]);
  return { ...order, unsigned: Buffer.from(made).toString('base64') };
}

function changedOutput(order: SignOrder, at: number, change: object): SignOrder {
  return withPsbt(order, ({ global }) => {
    Object.assign(global.unsignedTx?.outputs[at] ?? {}, change);
  });
}

const FOREIGN = outputScript(
  'bcrt1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qzf4jry',
  BITCOIN_REGTEST,
);

test('Bitcoin: a PSBT that is not the order is refused', () => {
  const order = utxoOrder();
  assert(FOREIGN !== undefined);
  const [payment] = order.payments;
  assert(payment !== undefined);
  refuses({
    'another receiver': [
      changedOutput(order, 0, { script: FOREIGN }),
      /output 1 gives 120000 units to bcrt1qrp33.*which is neither ordered nor ours; 1 of the/,
    ],
    'another amount': [changedOutput(order, 0, { amount: 119_999n }), /output 1 gives 119999/],
    'change to somebody else': [
      changedOutput(order, 1, { script: FOREIGN }),
      /output 2 gives 79000 units/,
    ],
    'change into the fee': [
      changedOutput(order, 1, { amount: 78_999n }),
      /its fee is 1001 units; ordered are at most 1000/,
    ],
    'more than is there': [
      changedOutput(order, 1, { amount: 80_001n }),
      /it pays more than it spends/,
    ],
    'change without its path': [
      withPsbt(order, ({ outputs }) => {
        delete outputs[1]?.bip32Derivation;
      }),
      /output 2 gives 79000 units/,
    ],
    'a coin that is not ours': [
      withPsbt(order, ({ inputs: [, second] }) => {
        if (second?.witnessUtxo) second.witnessUtxo.script = FOREIGN as never;
      }),
      /input 2 is at no address of this key/,
    ],
    'a coin that is worth less': [
      withPsbt(order, ({ inputs: [first] }) => {
        if (first?.witnessUtxo) first.witnessUtxo.amount = 100_001n;
      }),
      /input 1 is not worth what the PSBT says/,
    ],
    'a coin without what it is worth': [
      withPsbt(order, ({ inputs: [, second] }) => {
        delete second?.witnessUtxo;
      }),
      /input 2 does not say what it spends/,
    ],
    'a signature that covers less': [
      withPsbt(order, ({ inputs: [first] }) => {
        if (first) first.sighashType = 0x83;
      }),
      /does not cover all/,
    ],
    'a time instead of a height': [
      withPsbt(order, ({ global }) => {
        if (global.unsignedTx) global.unsignedTx.lockTime = 500_000_000;
      }),
      /only from a certain time on/,
    ],
    'coins that were not reserved': [
      { ...order, facts: { spends: [...(order.facts.spends ?? []).slice(1)] } },
      /it spends .*, which the order does not name/,
    ],
    'coins that are missing': [
      { ...order, facts: { spends: [...(order.facts.spends ?? []), `${'ab'.repeat(32)}:0`] } },
      /it does not spend .*, which the order names/,
    ],
    'no coins named': [{ ...order, facts: {} }, /facts.spends: is required/],
    'a payment too many': [{ ...order, payments: [payment, payment] }, /1 of the ordered payments/],
    'a payment in another asset': [
      { ...order, payments: [{ ...payment, assetId: 'LTC:NATIVE' }] },
      /does not carry LTC:NATIVE/,
    ],
    'an address of another chain': [
      {
        ...order,
        payments: [
          { ...payment, account: { address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' } },
        ],
      },
      /is no address of Bitcoin regtest/,
    ],
  });
  const btc = keyNamed('btc');
  assert.throws(
    () => btc.review({ ...order, unsigned: 'cHNidP8=' }, NOW, { safes: [], relays: [] }),
    /no PSBT of version 0/,
  );
  assert.throws(
    () => btc.review({ ...order, unsigned: 'x' }, NOW, { safes: [], relays: [] }),
    /no PSBT/,
  );
});

test('Bitcoin: what is signed is the same that another signer signs, for both kinds of script', () => {
  for (const script of ['wpkh', 'tr'] as const) {
    const order = utxoOrder({}, {}, UTXO[script]);
    assert.equal(keyFor(order)?.shown.name, script === 'wpkh' ? 'btc' : 'btc-taproot');
    const { signedTransaction, transaction } = sign(order);
    assert.equal(sign(order).signedTransaction, signedTransaction);
    const expected = UTXO[script].sign(Buffer.from(order.unsigned, 'base64'));
    const finished = [expected, Buffer.from(signedTransaction, 'base64')].map((psbt) => {
      const read = PsbtTransaction.fromPSBT(psbt);
      read.finalize();
      return read;
    });
    const [theirs, ours] = finished.map((one) => one.id);
    assert.deepEqual([theirs, ours], [transaction, transaction]);
    if (script === 'tr') assert.equal(finished[0]?.hex, finished[1]?.hex);
  }
});

test('Bitcoin: change may go to either branch of the key, and there may be none', () => {
  assert.equal(review(utxoOrder({}, { change: undefined })).feeUnits, 80_000n);
  const far = (index: bigint) =>
    utxoOrder({}, { change: { branch: 'change', index, units: 79_000n } });
  assert.equal(review(far(1_000_000n)).feeUnits, 1_000n);
  assert.throws(() => review(far(1_000_001n)), /output 2 gives 79000 units/);
  const received = { branch: 'receiving', index: 9n, units: 79_000n } as const;
  assert.equal(review(utxoOrder({}, { change: received })).feeUnits, 1_000n);
  assert.deepEqual(review(utxoOrder()).receivers, [BITCOIN_RECEIVER]);
});
