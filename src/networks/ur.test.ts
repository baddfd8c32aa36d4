import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import * as fc from 'fast-check';
import { urParts } from './ur.ts';

const ONE = { fragmentBytes: 1000, mixedForEach: 0 };
const hex = (text: string) => Buffer.from(text, 'hex');

// The messages of the vectors: what the generator of the specification gives for the seed "Wolf".
const MESSAGE_50 =
  '916ec65cf77cadf55cd7f9cda1a1030026ddd42e905b77adc36e4f2d3ccba44f7f04f2de44f42d84c374a0e149136f25b018';
const MESSAGE_256 =
  `${MESSAGE_50}52545961d55f7f7a8cde6d0e2ec43f3b2dcb644a2209e8c9e34af5c4747984a5e873c9cf5f965e25ee29039f` +
  'df8ca74f1c769fc07eb7ebaec46e0695aea6cbd60b3ec4bbff1b9ffe8a9e7240129377b9d3711ed38d412fbb4442256f1e6f5' +
  '95e0fc57fed451fb0a0101fb76b1fb1e1b88cfdfdaa946294a47de8fff173f021c0e6f65b05c0a494e50791270a0050a73ae6' +
  '9b6725505a2ec8a5791457c9876dd34aadd192a53aa0dc66b556c0c215c7ceb8248b717c22951e65305b56a3706e3e86eb01c' +
  '803bbf915d80edcd64d4d';

/** test_ur_encoder in test.cpp of the reference implementation, BlockchainCommons/bc-ur 603c21c. */
const PARTS_256 = [
  'ur:bytes/1-9/lpadascfadaxcywenbpljkhdcahkadaemejtswhhylkepmykhhtsytsnoyoyaxaedsuttydmmhhpktpmsrjtdkgslpgh',
  'ur:bytes/2-9/lpaoascfadaxcywenbpljkhdcagwdpfnsboxgwlbaawzuefywkdplrsrjynbvygabwjldapfcsgmghhkhstlrdcxaefz',
  'ur:bytes/3-9/lpaxascfadaxcywenbpljkhdcahelbknlkuejnbadmssfhfrdpsbiegecpasvssovlgeykssjykklronvsjksopdzmol',
  'ur:bytes/4-9/lpaaascfadaxcywenbpljkhdcasotkhemthydawydtaxneurlkosgwcekonertkbrlwmplssjtammdplolsbrdzcrtas',
  'ur:bytes/5-9/lpahascfadaxcywenbpljkhdcatbbdfmssrkzmcwnezelennjpfzbgmuktrhtejscktelgfpdlrkfyfwdajldejokbwf',
  'ur:bytes/6-9/lpamascfadaxcywenbpljkhdcackjlhkhybssklbwefectpfnbbectrljectpavyrolkzczcpkmwidmwoxkilghdsowp',
  'ur:bytes/7-9/lpatascfadaxcywenbpljkhdcavszmwnjkwtclrtvaynhpahrtoxmwvwatmedibkaegdosftvandiodagdhthtrlnnhy',
  'ur:bytes/8-9/lpayascfadaxcywenbpljkhdcadmsponkkbbhgsoltjntegepmttmoonftnbuoiyrehfrtsabzsttorodklubbuyaetk',
  'ur:bytes/9-9/lpasascfadaxcywenbpljkhdcajskecpmdckihdyhphfotjojtfmlnwmadspaxrkytbztpbauotbgtgtaeaevtgavtny',
  'ur:bytes/10-9/lpbkascfadaxcywenbpljkhdcahkadaemejtswhhylkepmykhhtsytsnoyoyaxaedsuttydmmhhpktpmsrjtwdkiplzs',
  'ur:bytes/11-9/lpbdascfadaxcywenbpljkhdcahelbknlkuejnbadmssfhfrdpsbiegecpasvssovlgeykssjykklronvsjkvetiiapk',
  'ur:bytes/12-9/lpbnascfadaxcywenbpljkhdcarllaluzmdmgstospeyiefmwejlwtpedamktksrvlcygmzemovovllarodtmtbnptrs',
  'ur:bytes/13-9/lpbtascfadaxcywenbpljkhdcamtkgtpknghchchyketwsvwgwfdhpgmgtylctotzopdrpayoschcmhplffziachrfgd',
  'ur:bytes/14-9/lpbaascfadaxcywenbpljkhdcapazewnvonnvdnsbyleynwtnsjkjndeoldydkbkdslgjkbbkortbelomueekgvstegt',
  'ur:bytes/15-9/lpbsascfadaxcywenbpljkhdcaynmhpddpzmversbdqdfyrehnqzlugmjzmnmtwmrouohtstgsbsahpawkditkckynwt',
  'ur:bytes/16-9/lpbeascfadaxcywenbpljkhdcawygekobamwtlihsnpalnsghenskkiynthdzotsimtojetprsttmukirlrsbtamjtpd',
  'ur:bytes/17-9/lpbyascfadaxcywenbpljkhdcamklgftaxykpewyrtqzhydntpnytyisincxmhtbceaykolduortotiaiaiafhiaoyce',
  'ur:bytes/18-9/lpbgascfadaxcywenbpljkhdcahkadaemejtswhhylkepmykhhtsytsnoyoyaxaedsuttydmmhhpktpmsrjtntwkbkwy',
];

test('one part: the vectors of the reference implementation and of BCR-2020-006', () => {
  assert.deepEqual(urParts('bytes', hex(MESSAGE_50), ONE), [
    'ur:bytes/hdeymejtswhhylkepmykhhtsytsnoyoyaxaedsuttydmmhhpktpmsrjtgwdpfnsboxgwlbaawzuefywkdplrsrjynbvygabwjldapfcsdwkbrkch',
  ]);
  const bytes = hex('8c05c4b4f3e88840a4f4b5f155cfd69473ea169f3d0431b7a6787a23777f08aa');
  assert.deepEqual(urParts('crypto-psbt', bytes, ONE), [
    'ur:crypto-psbt/hdcxlkahssqzwfvslofzoxwkrewngotktbmwjkwdcmnefsaaehrlolkskncnktlbaypkvoonhknt',
  ]);
});

test('the words are those of BCR-2020-012, as corrected in October 2020', () => {
  // "list" was 0x85 and "zero" 0xff before; whoever scans takes the new ones.
  const [text] = urParts('x', Uint8Array.of(0x84, 0x85, 0x86, 0x87, 0xfb, 0xff), ONE);
  assert.equal(text?.slice('ur:x/'.length + 2, -8), 'lrlplnltzozm');
});

test('many parts: the vectors of the reference implementation, pure ones and mixed ones', () => {
  const options = { fragmentBytes: 30, mixedForEach: 1 };
  assert.deepEqual(urParts('bytes', hex(MESSAGE_256), options), PARTS_256);
});

/** Pairs of letters that stand for the bytes 0 to 255, as the published words have them. */
const PAIRS = urParts(
  'x',
  Uint8Array.from({ length: 256 }, (_, at) => at),
  ONE,
)[0]
  ?.slice('ur:x/'.length + 2 * 3, -8)
  .match(/../g);

function bytesOf(text: string): Buffer {
  const bytes = Buffer.from((text.match(/../g) ?? []).map((pair) => PAIRS?.indexOf(pair) ?? -1));
  const body = bytes.subarray(0, -4);
  assert.equal(bytes.readUInt32BE(body.length), crc32(body), 'the checksum of a part is wrong');
  return body;
}

/** One number or byte string of CBOR, and what follows. */
function readCbor(bytes: Buffer): { readonly value: number; readonly rest: Buffer } {
  const low = (bytes[0] ?? 0) & 31;
  if (low < 24) return { value: low, rest: bytes.subarray(1) };
  const width = 2 ** (low - 24);
  return { value: bytes.readUIntBE(1, width), rest: bytes.subarray(1 + width) };
}

type Part = {
  readonly number: number;
  readonly count: number;
  readonly length: number;
  readonly checksum: number;
  readonly data: Buffer;
};

function readPart(text: string): Part {
  const [, sequence = '', body = ''] = text.split('/');
  const bytes = bytesOf(body);
  assert.equal(bytes[0], 0x85);
  const values: number[] = [];
  let rest = bytes.subarray(1);
  for (let left = 5; left > 0; left -= 1) {
    const read = readCbor(rest);
    values.push(read.value);
    rest = read.rest;
  }
  const [number = 0, count = 0, length = 0, checksum = 0, dataLength] = values;
  assert.equal(sequence, `${number}-${count}`);
  assert.equal(rest.length, dataLength);
  return { number, count, length, checksum, data: rest };
}

test('the pure parts put together are the bytes, whatever their number and length', () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 3000 });
  fc.assert(
    fc.property(bytes, fc.integer({ min: 10, max: 300 }), (given, fragmentBytes) => {
      const texts = urParts('crypto-psbt', given, { fragmentBytes, mixedForEach: 1 });
      const [first = ''] = texts;
      if (texts.length === 1) {
        const { value, rest } = readCbor(bytesOf(first.split('/')[1] ?? ''));
        assert.deepEqual([value, [...rest]], [given.length, [...given]]);
        return;
      }
      const parts = texts.map(readPart);
      const { count, length, checksum } = parts[0] as Part;
      assert.equal(parts.length, 2 * count);
      assert(parts.every(({ data }) => data.length <= fragmentBytes));
      const pure = parts.slice(0, count).map(({ data }) => data);
      const message = Buffer.concat(pure).subarray(0, length);
      assert.equal(crc32(message), checksum);
      const { value, rest } = readCbor(message);
      assert.equal(value, given.length);
      assert.deepEqual([...rest], [...given]);
    }),
  );
});
