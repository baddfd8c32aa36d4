import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askingView, decideAsking, mustAnswer, type PayerAsking, readAsking } from './ask.ts';

function faultOf(wishes: object): string {
  const read = readAsking(JSON.stringify(wishes));
  return 'fault' in read ? read.fault.replace('must be what a page can ask: ', '') : 'nothing';
}

const ASK = { key: 'size', label: 'Size' };

const REFUSED: readonly (readonly [wishes: object, fault: RegExp])[] = [
  [{ asks: [{ label: 'No key' }] }, /^asks\[0\]\.key: is required$/],
  [{ asks: [{ ...ASK, key: '__proto__' }] }, /^asks\[0\]\.key: must be a letter/],
  [{ asks: [{ ...ASK, key: 'a b' }] }, /^asks\[0\]\.key: must be a letter/],
  [{ asks: [ASK, ASK] }, /^asks\[1\]\.key: is there already$/],
  [{ asks: [{ ...ASK, label: '  ' }] }, /^asks\[0\]\.label: must not be empty$/],
  [{ asks: [{ ...ASK, label: 'x'.repeat(201) }] }, /at most 200 characters$/],
  [{ asks: [{ ...ASK, labels: { xx: 'Size' } }] }, /^asks\[0\]\.labels/],
  [{ asks: [{ ...ASK, kind: 'FILE' }] }, /^asks\[0\]\.kind: must be one of TEXT/],
  [{ asks: [{ ...ASK, kind: 'CHOICE' }] }, /^asks\[0\]\.choices: is required of a CHOICE$/],
  [{ asks: [{ ...ASK, choices: ['S'] }] }, /^asks\[0\]\.choices: is of a CHOICE alone$/],
  [{ asks: [{ ...ASK, kind: 'CHOICE', choices: ['S', 'S'] }] }, /must have each once$/],
  [
    { asks: [{ ...ASK, kind: 'CHOICE', choices: ['S', 'M'], choiceLabels: { de: ['K'] } }] },
    /^asks\[0\]\.choiceLabels: must have one for each of choices$/,
  ],
  [{ asks: [{ ...ASK, choiceLabels: { de: ['K'] } }] }, /must have one for each of choices$/],
  [{ asks: [{ ...ASK, kind: 'NUMBER', least: 3, most: 2 }] }, /most: must not be below least$/],
  [{ asks: [{ ...ASK, most: 2.5 }] }, /^asks\[0\]\.most: must be a whole number of characters/],
  [{ asks: [{ ...ASK, most: 2001 }] }, /^asks\[0\]\.most: must be a whole number of characters/],
  [{ asks: [{ ...ASK, kind: 'EMAIL', least: 1 }] }, /least: is of a TEXT or a NUMBER alone$/],
  [{ asks: Array(21).fill(ASK) }, /must have at most 20 entries/],
  [{ termsUrl: 'javascript:alert(1)' }, /^termsUrl: must be an http or https URL$/],
  [{ termsUrl: 'https://a:b@shop.example/' }, /must not contain credentials$/],
  [{ termsText: 'x'.repeat(501) }, /^termsText: must have at most 500 characters$/],
  [{ tipPercents: ['0'] }, /^tipPercents\[0\]: must be above 0 and up to 1/],
  [{ tipPercents: ['10'] }, /ten percent is written as 0\.1$/],
  [{ tipAmounts: [-1] }, /^tipAmounts\[0\]: must be greater than 0$/],
  [{ tipAmounts: Array(7).fill(1) }, /must have at most 6 entries/],
];

test('what cannot be asked is refused where it stands', () => {
  for (const [wishes, fault] of REFUSED) assert.match(faultOf(wishes), fault);
});

test('what is asked is kept, and told again in the words of the request', () => {
  const wishes = {
    asks: [
      {
        ...{ key: 'size', kind: 'CHOICE', label: 'Size', required: true },
        ...{ choices: ['S', 'M'], choiceLabels: { de: ['K', 'M'] } },
      },
      {
        key: 'age',
        kind: 'NUMBER',
        label: 'Age',
        labels: { de: 'Alter' },
        least: '18',
        most: 99.5,
      },
    ],
    termsUrl: 'https://shop.example/terms',
    tipPercents: [0.05, '0.10'],
    tipOwn: true,
  };
  const read = readAsking(JSON.stringify(wishes));
  assert.ok('value' in read && read.value !== null);
  const kept = JSON.parse(JSON.stringify(read.value)) as PayerAsking;
  assert.deepEqual(askingView(kept), {
    asks: [
      {
        ...{ key: 'size', kind: 'CHOICE', label: 'Size', required: true },
        ...{ choices: ['S', 'M'], choiceLabels: { de: ['K', 'M'] } },
      },
      {
        key: 'age',
        kind: 'NUMBER',
        label: 'Age',
        labels: { de: 'Alter' },
        required: false,
        least: '18',
        most: '99.5',
      },
    ],
    termsUrl: 'https://shop.example/terms',
    termsText: null,
    tipPercents: ['0.05', '0.1'],
    tipAmounts: [],
    tipOwn: true,
  });
});

const ACCOUNT = {
  asks: [{ key: 'a', kind: 'TEXT', label: 'A', labels: {}, isRequired: false, choices: [] }],
  termsUrl: 'https://shop.example/terms',
  tipPercents: ['0.1'],
  tipAmounts: [],
  isTipOwn: false,
} as const;

test('fields, terms and tips are each as the request says, else as the account does', () => {
  assert.deepEqual(decideAsking({}, ACCOUNT), ACCOUNT);
  assert.deepEqual(decideAsking({ asks: [] }, ACCOUNT)?.asks, []);
  assert.deepEqual(decideAsking({ tipPercents: [] }, ACCOUNT)?.tipPercents, []);
  assert.equal(decideAsking({ termsText: 'Yes' }, ACCOUNT)?.termsUrl, undefined);
  assert.equal(
    decideAsking({ asks: [], tipOwn: false }, { ...ACCOUNT, termsUrl: undefined }),
    undefined,
  );
  assert.equal(decideAsking({}, undefined), undefined);
});

test('nobody has to answer what is optional', () => {
  assert.equal(mustAnswer({ ...ACCOUNT, termsUrl: undefined }), false);
  assert.equal(mustAnswer(ACCOUNT), true);
  const [ask] = ACCOUNT.asks;
  const asks = [{ ...ask, isRequired: true }];
  assert.equal(mustAnswer({ ...ACCOUNT, termsUrl: undefined, asks }), true);
});
