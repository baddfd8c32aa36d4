import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideEvmDelivery, type TokenFacts } from './decide-delivery.ts';

const USDT = 'USDT:0xdAC17F958D2ee523a2206206994597C13D831ec7';
const UNITS = 25_000_000n;
const MOVES = { outcome: 'moves', arrivingUnits: UNITS } as const;
const SILENT: TokenFacts = {
  isPaused: undefined,
  isSenderBlocked: undefined,
  isReceiverBlocked: undefined,
  trial: undefined,
};

function decide(token: Partial<TokenFacts> | undefined, more = {}) {
  return decideEvmDelivery({
    payment: { network: 'ETHEREUM', assetId: USDT, units: UNITS },
    sender: '0xsender',
    isContract: false,
    isAllowed: false,
    token: token && { ...SILENT, ...token },
    ...more,
  });
}

for (const [name, token, more, refusal] of [
  ['the coin, to somebody with a key', undefined, {}, undefined],
  ['a token that says nothing of itself', {}, {}, undefined],
  [
    'a token that moves all of it',
    { isPaused: false, isReceiverBlocked: false, trial: MOVES },
    {},
    undefined,
  ],
  ['a contract that the operator knows', {}, { isContract: true, isAllowed: true }, undefined],
  ['a contract', undefined, { isContract: true }, /is a contract.*ETHEREUM_CONTRACT_RECEIVERS/],
  ['a paused token', { isPaused: true, trial: { outcome: 'reverts' } }, {}, /USDT is paused.*wait/],
  [
    'a receiver on the blocklist',
    { isReceiverBlocked: true },
    {},
    /receiver on its blocklist: cancel/,
  ],
  [
    'our address on the blocklist',
    { isSenderBlocked: true },
    {},
    /0xsender on its blocklist.*--from/,
  ],
  ['what would fail', { trial: { outcome: 'reverts' } }, {}, /it would fail/],
  ['a token that says no', { trial: { outcome: 'denied' } }, {}, /moves nothing/],
  [
    'a token that keeps a part',
    { trial: { outcome: 'moves', arrivingUnits: UNITS - 1n } },
    {},
    /of 25 USDT 24\.999999 would arrive/,
  ],
  [
    'a token that lies',
    { trial: { outcome: 'moves', arrivingUnits: 0n } },
    {},
    /of 25 USDT 0 would/,
  ],
] as const) {
  test(`${refusal === undefined ? 'sent' : 'refused before it is signed'}: ${name}`, () => {
    const said = decide(token, more);
    if (refusal === undefined) assert.equal(said, undefined);
    else assert.match(said ?? '', refusal);
  });
}
