import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { createBase58check } from '@scure/base';
import fc from 'fast-check';
import { ENVIRONMENTS } from '#catalog/chain.ts';
import { LANGUAGES } from '#catalog/language.ts';
import { getNetwork, networkIds } from '#catalog/network.ts';
import { UTXO_CHAINS } from '#networks/utxo/utxo-chain.ts';
import { pageLanguage } from '#pages/languages/texts.ts';
import { addressForms, addressHints } from './address-hints.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
const base58 = createBase58check(sha256);

test('whatever address of Bitcoin or Litecoin is taken begins as the page says, and each form is one', () => {
  const seen = new Set<string>();
  const hash = fc.uint8Array({ minLength: 20, maxLength: 20 });
  for (const { assetId, nodeChain, bech32Prefix, ...versions } of UTXO_CHAINS) {
    const network = assetId === 'BTC:NATIVE' ? 'BITCOIN' : 'LITECOIN';
    const environment = nodeChain === 'main' ? 'live' : 'test';
    const forms = addressForms(network, environment);
    const note = (form: string) => seen.add(`${network} ${environment} ${form}`);
    assert(forms.includes(`${bech32Prefix}1`), bech32Prefix);
    note(`${bech32Prefix}1`);
    for (const version of [versions.publicKeyHashVersion, ...versions.scriptHashVersions]) {
      fc.assert(
        fc.property(hash, (bytes) => {
          const address = base58.encode(new Uint8Array([version, ...bytes]));
          const form = forms.find((one) => address.startsWith(one));
          assert(form !== undefined, address);
          note(form);
        }),
      );
    }
  }
  const told = ['BITCOIN', 'LITECOIN'].flatMap((network) =>
    ENVIRONMENTS.flatMap((environment) =>
      addressForms(network, environment).map((form) => `${network} ${environment} ${form}`),
    ),
  );
  assert.deepEqual([...seen].sort(), told.sort());
});

for (const id of networkIds()) {
  const { type, knownBy } = getNetwork(id);
  test(`${id}: whoever claims is told what is asked for, in every language`, () => {
    for (const environment of ENVIRONMENTS) {
      for (const { languageCode } of LANGUAGES) {
        const hints = addressHints(id, environment, pageLanguage(languageCode));
        assert.equal(hints.length, knownBy === 'invoice' ? 0 : type === 'BANK' ? 1 : 2);
        const [first = ''] = hints;
        for (const form of addressForms(id, environment)) assert(first.includes(form), first);
        assert.equal(addressForms(id, environment).length > 0, type !== 'BANK' && hints.length > 0);
      }
    }
  });
}
