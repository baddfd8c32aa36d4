// What a shop may bring as a font: WOFF2 and nothing else, with nothing in it but a font. A browser
// draws with what is taken (test/browser/branding.test.ts).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Refusal } from '#base/refusal.ts';
import { makeFont } from '#test/support/make-font.ts';
import { FONT_BYTES_MAX, readFont } from './read-font.ts';

const refusal = (said: RegExp) => (error: unknown) =>
  error instanceof Refusal && error.code === 'font_file' && said.test(error.details.join());

test('a font is taken as it is, and read again the same', () => {
  const file = makeFont();
  const { content, hash, isVariable } = readFont(file);
  assert.deepEqual(Buffer.from(content), Buffer.from(file));
  assert.match(hash, /^[0-9a-f]{32}$/);
  assert.equal(isVariable, false);
  assert.equal(readFont(content).hash, hash);
  const fvar = { tag: 'fvar', data: new Uint8Array(16) };
  assert.equal(readFont(makeFont({ more: [fvar] })).isVariable, true);
});

test('metadata and private data are cut off: nothing is kept but the tables', () => {
  const said = '<metadata>somebody</metadata>';
  const { content } = readFont(makeFont({ metadata: said }));
  assert.deepEqual(content, readFont(makeFont()).content);
});

test('what is no such font is refused, with the reason', () => {
  const wrong: readonly (readonly [Uint8Array, RegExp])[] = [
    [new Uint8Array(), /must be a font in WOFF2/],
    [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"></svg>'.repeat(3)), /must be a font/],
    [Buffer.from([0, 1, 0, 0, ...makeFont()]), /must be a font in WOFF2/],
    [new Uint8Array(FONT_BYTES_MAX + 1), /at most 100 KiB/],
    [makeFont({ flavor: 0x74746366 }), /no collection/],
    [makeFont({ without: 'cmap' }), /it has no cmap/],
    [makeFont({ without: 'glyf' }), /it has no outlines/],
    [makeFont({ more: [{ tag: 'SVG ', data: new Uint8Array(4) }] }), /that no page needs: SVG/],
    [makeFont({ more: [{ tag: 'cmap', data: new Uint8Array(4) }] }), /cmap twice/],
    [makeFont({ saidBytes: 20 }), /cannot be unpacked/],
    [makeFont({ saidBytes: 200 }), /not as long as they say/],
    [makeFont({ saidBytes: 3_000_000 }), /too large/],
    [Buffer.concat([makeFont(), Buffer.alloc(4)]), /length is not what it says/],
  ];
  for (const [file, said] of wrong) assert.throws(() => readFont(file), refusal(said), `${said}`);
});

test('a small file that unpacks to much is refused before it does', () => {
  const bomb = { tag: 'DATA', data: new Uint8Array(1_900_000) };
  const file = makeFont({ more: [bomb, { ...bomb, tag: 'MORE' }] });
  assert.ok(file.length < 1_000);
  assert.throws(() => readFont(file), refusal(/unpacks to too much/));
});

test('a file that was cut, changed or made up is refused or read, and never anything else', () => {
  const whole = makeFont();
  const isAnswered = (file: Uint8Array) => {
    try {
      readFont(file);
    } catch (error) {
      assert.ok(error instanceof Refusal && error.code === 'font_file', String(error));
    }
  };
  for (let length = 0; length < whole.length; length += 1) {
    const cut = whole.slice(0, length);
    isAnswered(cut);
    // The last bytes only fill up to a multiple of four.
    if (length < 48 || length >= whole.length - 3) continue;
    new DataView(cut.buffer).setUint32(8, length);
    assert.throws(() => readFont(cut), refusal(/is damaged/), `${length}`);
  }
  const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255));
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), (changes) => {
      const file = whole.slice();
      for (const [at, byte] of changes) file[at] = byte;
      isAnswered(file);
    }),
    { numRuns: 2_000 },
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (noise) => {
      const file = Buffer.concat([whole.subarray(0, 48), noise]);
      file.writeUint32BE(file.length, 8);
      isAnswered(file);
    }),
  );
});
