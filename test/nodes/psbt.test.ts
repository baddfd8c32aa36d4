// What we put together is signed by a real wallet (Litecoin Core, holding the private keys of the
// descriptor), read back, and taken by a real node: its fee and size are those that were computed, a
// replacement takes its place, and what our rules call dust or too cheap the node refuses as well.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Transaction } from '@scure/btc-signer/transaction.js';
import { buildPsbt, type OwnCoin } from '#networks/utxo/build-psbt.ts';
import { type CoreRpc, openCoreRpc } from '#networks/utxo/json-rpc.ts';
import { addressOfScript, outputScript } from '#networks/utxo/output-script.ts';
import { ownScripts } from '#networks/utxo/own-scripts.ts';
import { descriptorChecksum } from '#networks/utxo/parse-address-source.ts';
import { readSignedPsbt, type SignedPsbt } from '#networks/utxo/read-signed-psbt.ts';
import { relayPolicy } from '#networks/utxo/relay-policy.ts';
import { type CoinOrder, type CoinSelection, selectCoins } from '#networks/utxo/select-coins.ts';
import { LITECOIN_REGTEST } from '#networks/utxo/utxo-chain.ts';
import { psbtSigner } from '#test/support/psbt-signer.ts';
import { type LitecoinNode, startLitecoinNode } from './litecoin-node.ts';

const CHAIN = LITECOIN_REGTEST;
const POLICY = relayPolicy(CHAIN.assetId);
const FEE_RATE = 20_000n;
/** Litecoins at the receiving addresses 0 to 9, in one transaction. */
const FUNDED = ['0.01', '0.02', '0.03', '0.05', '0.1', '0.1', '0.2', '0.3', '0.5', '1'];
const signer = psbtSigner(CHAIN);
const scriptAt = ownScripts(signer.source, CHAIN);
let node: LitecoinNode;
let wallet: CoreRpc;
let coins: OwnCoin[] = [];
let payees: string[] = [];
let changeIndex = 0n;

before(async () => {
  node = await startLitecoinNode();
  payees = [
    await node.newAddress(),
    String(await node.rpc('getnewaddress', '', 'legacy')),
    String(await node.rpc('getnewaddress', '', 'p2sh-segwit')),
  ];
  const outputs = FUNDED.map((amount, at) => ({ address: ownAddress(BigInt(at)), amount }));
  const funding = await node.sendOutputs(outputs);
  await node.mine(1);
  coins = await coinsOf(funding);
  wallet = await openSignersWallet();
});
after(async () => {
  wallet?.close();
  await node?.stop();
});

function ownAddress(index: bigint): string {
  return addressOfScript(scriptAt('receiving', index).script, CHAIN) ?? '';
}

async function coinsOf(transaction: string): Promise<OwnCoin[]> {
  const raw = Buffer.from(String(await node.rpc('getrawtransaction', transaction)), 'hex');
  const { outputs } = decoded(raw);
  return FUNDED.map((_, at) => {
    const script = Buffer.from(scriptAt('receiving', BigInt(at)).script);
    const vout = outputs.findIndex((output) => script.equals(output.script));
    const output = outputs[vout];
    assert(output !== undefined, 'the wallet has paid us');
    const key = { branch: 'receiving', index: BigInt(at) } as const;
    const spent = { transaction, vout, units: output.amount, kind: 'p2wpkh' } as const;
    return { ...spent, ...key, confirmations: 1, previousTransaction: raw };
  });
}

function decoded(raw: Uint8Array) {
  const transaction = Transaction.fromRaw(raw, { allowUnknownOutputs: true });
  const outputs = Array.from({ length: transaction.outputsLength }, (_, at) => {
    const { script, amount } = transaction.getOutput(at);
    assert(script !== undefined && amount !== undefined);
    return { script, amount };
  });
  return { transaction, outputs };
}

/**
 * A second wallet, with nothing but the private keys of the descriptor, both branches. Of the old
 * kind: the packaged node has no other.
 */
async function openSignersWallet(): Promise<CoreRpc> {
  await node.rpc('createwallet', 'signer', false, true, '', false, false, true);
  const rpc = openCoreRpc({ ...node.rpcOptions, url: `${node.rpcOptions.url}wallet/signer` });
  const requests = [0, 1].map((branch) => {
    const descriptor = `wpkh(${signer.root.privateExtendedKey}/84h/1h/0h/${branch}/*)`;
    const desc = `${descriptor}#${descriptorChecksum(descriptor)}`;
    return { desc, range: [0, 30], timestamp: 'now', internal: branch === 1 };
  });
  const results = await rpc.call('importmulti', [requests, { rescan: false }]);
  for (const result of results as { success: boolean }[]) {
    assert.equal(result.success, true, JSON.stringify(result));
  }
  return rpc;
}

type Order = CoinOrder<OwnCoin>;
type Sent = SignedPsbt & { readonly selection: CoinSelection<OwnCoin> };

function orderOf(payments: readonly (readonly [address: string, units: bigint])[]): Order {
  changeIndex += 1n;
  return {
    coins,
    payments: payments.map(([address, units]) => {
      const script = outputScript(address, CHAIN);
      assert(script !== undefined);
      return { script, units };
    }),
    changeScript: scriptAt('change', changeIndex).script,
    feeRate: FEE_RATE,
    policy: POLICY,
  };
}

function selected(order: Order): CoinSelection<OwnCoin> {
  const selection = selectCoins(order);
  assert(
    !('refused' in selection),
    JSON.stringify(selection, (_, value) => String(value)),
  );
  return selection;
}

/** Handed out, signed by the wallet, read back. */
async function signed(order: Order, selection = selected(order)): Promise<Sent> {
  const { inputs, changeUnits } = selection;
  const change =
    changeUnits === 0n
      ? undefined
      : ({ branch: 'change', index: changeIndex, units: changeUnits } as const);
  const lockTime = await node.height();
  const handedOut = buildPsbt(
    { inputs, payments: order.payments, change, lockTime },
    signer.source,
    CHAIN,
  );
  const text = Buffer.from(handedOut).toString('base64');
  const answer = await wallet.call('walletprocesspsbt', [text, true, 'ALL', true]);
  const { psbt, complete } = answer as { psbt: string; complete: boolean };
  assert.equal(complete, true, 'the wallet found all its keys');
  const result = readSignedPsbt(psbt, handedOut, CHAIN);
  assert(!('refused' in result), 'refused' in result ? result.refused.join() : '');
  assert.equal(result.feeUnits, selection.feeUnits);
  // A shorter signature makes it smaller, by a quarter of a virtual byte for each byte.
  assert(result.virtualSize <= selection.virtualSize);
  assert(result.virtualSize >= selection.virtualSize - inputs.length);
  return { ...result, selection };
}

const hexOf = ({ raw }: SignedPsbt) => Buffer.from(raw).toString('hex');
const send = (sent: SignedPsbt) => node.rpc('sendrawtransaction', hexOf(sent));

async function isWaiting({ transaction }: SignedPsbt): Promise<boolean> {
  return ((await node.rpc('getrawmempool')) as string[]).includes(transaction);
}

/** What the node says of it. */
async function mempoolEntry({ transaction }: SignedPsbt) {
  const entry = (await node.rpc('getmempoolentry', transaction)) as {
    readonly vsize: number;
    readonly 'bip125-replaceable': boolean;
    readonly fees: { readonly base: number };
  };
  return { size: entry.vsize, fee: entry.fees.base, mayReplace: entry['bip125-replaceable'] };
}

test('three payments in one transaction: fee, size and change are as computed', async () => {
  const [witness = '', legacy = '', nested = ''] = payees;
  const order = orderOf([
    [witness, 4_000_000n],
    [legacy, 3_000_000n],
    [nested, 60_000_000n],
  ]);
  const sent = await signed(order);
  assert.equal(await send(sent), sent.transaction);
  const { size, fee, mayReplace } = await mempoolEntry(sent);
  assert.equal(size, sent.virtualSize);
  assert.equal(fee, Number(sent.feeUnits) / 1e8);
  assert.equal(mayReplace, true);
  const { outputs } = decoded(sent.raw);
  assert.deepEqual(
    outputs.map(({ amount }) => amount),
    [4_000_000n, 3_000_000n, 60_000_000n, sent.selection.changeUnits],
  );
  assert.deepEqual(
    outputs.slice(0, 3).map(({ script }) => addressOfScript(script, CHAIN)),
    payees,
  );
  const change = addressOfScript(outputs[3]?.script ?? new Uint8Array(), CHAIN);
  const known = await wallet.call('getaddressinfo', [change]);
  assert.deepEqual(
    [Reflect.get(Object(known), 'ismine'), Reflect.get(Object(known), 'hdkeypath')],
    [true, `m/84'/1'/0'/1/${changeIndex}`],
  );
  await node.mine(1);
  assert.equal(await isWaiting(sent), false);
  coins = coins.filter((coin) => !sent.selection.inputs.includes(coin));
});

test('a replacement is taken, and one that pays less than the least is not', async () => {
  const [payee = ''] = payees;
  const order = orderOf([[payee, 2_500_000n]]);
  const first = await signed(order);
  await send(first);
  const { inputs } = first.selection;
  const replaces = { coins: inputs, feeUnits: first.feeUnits, virtualSize: first.virtualSize };
  const again = { ...order, replaces };
  const least = selected(again);
  assert(least.feeUnits > first.feeUnits);
  // The wallet's signatures are a byte shorter at most: with so much less it is too little anyhow.
  const less = 1n + BigInt(inputs.length);
  const { feeUnits, changeUnits } = least;
  const cheap = { ...least, feeUnits: feeUnits - less, changeUnits: changeUnits + less };
  await assert.rejects(send(await signed(again, cheap)), /insufficient fee/);
  const second = await signed(again, least);
  await send(second);
  assert.deepEqual([await isWaiting(first), await isWaiting(second)], [false, true]);
  await assert.rejects(send(first), /txn-mempool-conflict|insufficient fee/);
  // At a higher rate, with more coins where they are needed.
  const dear = await signed({
    ...again,
    feeRate: 30n * FEE_RATE,
    replaces: { coins: second.selection.inputs, ...second },
  });
  await send(dear);
  assert.deepEqual([await isWaiting(second), await isWaiting(dear)], [false, true]);
  await node.mine(1);
  coins = coins.filter((coin) => !dear.selection.inputs.includes(coin));
});

test('a payment is called off: all of it comes back', async () => {
  const [payee = ''] = payees;
  const order = orderOf([[payee, 9_000_000n]]);
  const first = await signed(order);
  await send(first);
  const replaces = { coins: first.selection.inputs, ...first };
  const back = await signed({ ...order, payments: [], replaces });
  await send(back);
  assert.equal(await isWaiting(first), false);
  const { outputs } = decoded(back.raw);
  assert.deepEqual(
    outputs.map(({ script }) => script),
    [scriptAt('change', changeIndex).script],
  );
  await node.mine(1);
  coins = coins.filter((coin) => !back.selection.inputs.includes(coin));
});

test('the node calls dust what we call dust, for each kind of address', async () => {
  for (const payee of payees) {
    const few = orderOf([[payee, 1n]]);
    const refused = selectCoins(few);
    assert('refused' in refused && refused.refused === 'dust');
    const order = orderOf([[payee, refused.leastUnits]]);
    const least = await signed(order);
    assert.deepEqual(await testAccept(least), [true, undefined]);
    const script = order.payments[0]?.script ?? new Uint8Array();
    const payments = [{ script, units: refused.leastUnits - 1n }];
    const { selection } = least;
    const changeUnits = selection.changeUnits + 1n;
    const below = await signed({ ...order, payments }, { ...selection, changeUnits });
    assert.deepEqual(await testAccept(below), [false, 'dust']);
  }
});

async function testAccept(sent: SignedPsbt): Promise<readonly [boolean, string | undefined]> {
  const answer = await node.rpc('testmempoolaccept', [hexOf(sent)]);
  const [result] = answer as { allowed: boolean; 'reject-reason'?: string }[];
  assert(result !== undefined);
  return [result.allowed, result['reject-reason']];
}

test('the least rate that we know of is the one that the node relays by', async () => {
  const info = await node.rpc('getnetworkinfo');
  const { relayfee, incrementalfee } = info as { relayfee: number; incrementalfee: number };
  assert.equal(incrementalfee, Number(POLICY.incrementalRate) / 1e8);
  const [payee = ''] = payees;
  const feeRate = BigInt(Math.round(relayfee * 1e8));
  const sent = await signed({ ...orderOf([[payee, 1_000_000n]]), feeRate });
  assert.deepEqual(await testAccept(sent), [true, undefined]);
});
