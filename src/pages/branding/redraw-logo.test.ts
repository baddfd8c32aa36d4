// Files as somebody may send them: honest ones of every kind, and bombs, wrecks and chimeras.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { before, test } from 'node:test';
import { promisify } from 'node:util';
import { crc32, deflateSync } from 'node:zlib';
import fc from 'fast-check';
import sharp, { type Sharp } from 'sharp';
import { Refusal } from '#base/refusal.ts';
import type { LogoDrawing } from '#merchant/seller.ts';
import { flattenLogo, redrawLogo } from './redraw-logo.ts';

type Make = { readonly width?: number; readonly height?: number; readonly background?: string };

function picture({ width = 600, height = 120, background = '#c0392b' }: Make = {}): Sharp {
  return sharp({ create: { width, height, channels: 4, background } });
}

/** A mark with nothing around it. */
async function markOn(color: string): Promise<Uint8Array> {
  const mark = await picture({ width: 200, height: 60, background: color }).png().toBuffer();
  return picture({ background: '#00000000' })
    .composite([{ input: mark }])
    .png()
    .toBuffer();
}

async function faultOf(file: Uint8Array): Promise<string> {
  try {
    await redrawLogo(file);
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error));
    assert.equal(error.code, 'logo');
    return error.details.join();
  }
  throw new Error('it was accepted');
}

const isWebp = (content: Uint8Array) =>
  Buffer.from(content.subarray(0, 4)).toString('latin1') === 'RIFF' &&
  Buffer.from(content.subarray(8, 12)).toString('latin1') === 'WEBP';

let png: Uint8Array;
before(async () => {
  png = await picture().png().toBuffer();
});

test('PNG, JPEG and WebP become two WebP pictures that fit at the top of a page', async () => {
  const files = [png, await picture().jpeg().toBuffer(), await picture().webp().toBuffer()];
  for (const file of files) {
    const drawings = await redrawLogo(file);
    assert.deepEqual(
      drawings.map(({ scale, width, height }) => [scale, width, height]),
      [
        [1, 200, 40],
        [2, 400, 80],
      ],
    );
    for (const { content, hash } of drawings) {
      assert.ok(isWebp(content));
      assert.match(hash, /^[0-9a-f]{32}$/);
      assert.ok(content.length <= 12_000);
    }
  }
});

test('a small logo is not blown up, a tall one is as high as there is room', async () => {
  const sizes = async (make: Make) =>
    (await redrawLogo(await picture(make).png().toBuffer())).map(({ width, height }) => [
      width,
      height,
    ]);
  assert.deepEqual(await sizes({ width: 20, height: 10 }), [
    [20, 10],
    [20, 10],
  ]);
  assert.deepEqual(await sizes({ width: 100, height: 1000 }), [
    [4, 40],
    [8, 80],
  ]);
  assert.deepEqual(await sizes({ width: 8000, height: 1 }), [
    [200, 1],
    [400, 1],
  ]);
  assert.deepEqual(await sizes({ width: 1, height: 1 }), [
    [1, 1],
    [1, 1],
  ]);
});

test('grey, few colours, many bits, in steps, in motion: all are drawn in their colour', async () => {
  const flat = () => picture({ background: '#147840' });
  const frame = await flat().raw().toBuffer();
  const raw = { width: 600, height: 240, channels: 4, pageHeight: 120 } as const;
  const files = [
    await flat().png({ palette: true }).toBuffer(),
    await flat().png({ progressive: true }).toBuffer(),
    await flat().toColourspace('rgb16').png().toBuffer(),
    await flat().withIccProfile('p3').png().toBuffer(),
    await flat().jpeg({ progressive: true }).toBuffer(),
    await flat().removeAlpha().toColourspace('cmyk').jpeg().toBuffer(),
    await sharp(Buffer.concat([frame, frame]), { raw })
      .webp({ delay: [99, 99] })
      .toBuffer(),
    await flat().greyscale().png().toBuffer(),
  ];
  const colors = await Promise.all(
    files.map(async (file) => {
      const [drawing] = await redrawLogo(file);
      assert.deepEqual([drawing?.width, drawing?.height], [200, 40]);
      const pixels = await sharp(drawing?.content).raw().toBuffer();
      return [...pixels.subarray(0, 3)];
    }),
  );
  const grey = colors.pop() ?? [];
  assert.equal(new Set(grey).size, 1);
  // Inks of a printer reach less far than a screen.
  for (const color of colors) {
    const distance = Math.max(
      ...color.map((part, index) => Math.abs(part - [20, 120, 64][index]!)),
    );
    assert.ok(distance <= 20, color.join());
  }
});

test('even noise stays small enough for a first load', async () => {
  const noise = await sharp({
    create: {
      width: 480,
      height: 96,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', sigma: 60 },
    },
  })
    .png()
    .toBuffer();
  for (const { content } of await redrawLogo(noise))
    assert.ok(content.length <= 12_000, String(content.length));
});

test('what can be seen of it is dark, light, or visible everywhere', async () => {
  const inkOf = async (file: Uint8Array) => (await redrawLogo(file))[0]?.ink;
  assert.equal(await inkOf(await markOn('#102030')), 'dark');
  assert.equal(await inkOf(await markOn('#ffffff')), 'light');
  assert.equal(await inkOf(await markOn('#d35400')), 'mixed');
  assert.equal(await inkOf(await picture({ background: '#000000' }).png().toBuffer()), 'mixed');
});

test('metadata and profiles are gone; the orientation of a photograph is applied', async () => {
  const file = await picture({ width: 40, height: 20 })
    .withExif({
      IFD0: { Copyright: 'SECRET-IN-EXIF', ImageDescription: '<script>alert(1)</script>' },
    })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const drawings = await redrawLogo(file);
  assert.deepEqual(
    drawings.map(({ width, height }) => [width, height]),
    [
      [20, 40],
      [20, 40],
    ],
  );
  for (const { content } of drawings) {
    assert.doesNotMatch(Buffer.from(content).toString('latin1'), /SECRET|script|EXIF|ICCP|XMP /);
  }
});

test('what hides in a picture does not come out: a page, a script, an archive, at its end or inside', async () => {
  const hidden = '<html><script>alert(document.domain)</script></html>PK\u0003\u0004SECRET';
  const clean = await redrawLogo(png);
  const chimeras = [
    Buffer.concat([png, Buffer.from(hidden)]),
    withChunk(png, 'tEXt', Buffer.from(`Comment\u0000${hidden}`)),
    Buffer.concat([await picture().jpeg().toBuffer(), Buffer.from(hidden)]),
  ];
  for (const file of chimeras) {
    for (const { content } of await redrawLogo(file)) {
      assert.ok(isWebp(content));
      assert.doesNotMatch(Buffer.from(content).toString('latin1'), /SECRET|script|PK\W/);
    }
  }
  const hashes = (drawings: readonly LogoDrawing[]) => drawings.map(({ hash }) => hash);
  const again = await redrawLogo(chimeras[0] ?? png);
  assert.deepEqual(hashes(again), hashes(clean));
});

test('SVG is refused with a reason, whatever it begins with', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>';
  for (const text of [
    svg,
    `<?xml version="1.0"?>${svg}`,
    ` \n\ufeff${svg}`,
    `<!DOCTYPE svg>${svg}`,
    `<!-- x -->${svg}`,
  ]) {
    assert.match(await faultOf(Buffer.from(text)), /SVG is not accepted/);
  }
});

test('other files are refused by what they begin with: GIF, TIFF, PDF, HEIF, text, nothing', async () => {
  const gif = await picture().gif().toBuffer();
  const tiff = await picture().tiff().toBuffer();
  const avif = Buffer.from('\u0000\u0000\u0000\u0020ftypavif', 'latin1');
  for (const file of [
    gif,
    tiff,
    avif,
    Buffer.from('%PDF-1.7'),
    Buffer.from('hello'),
    new Uint8Array(),
  ]) {
    assert.match(await faultOf(file), /must be a PNG, JPEG or WebP picture/);
  }
});

test('a picture inside the head of another kind is not drawn', async () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>';
  for (const head of ['\x89PNG\r\n\x1a\n', '\xff\xd8\xff', 'RIFF    WEBP', 'RIFF    WEBPVP8 ']) {
    assert.match(await faultOf(Buffer.from(head + svg, 'latin1')), /damaged|not what it begins as/);
  }
});

test('a bomb is refused by its header, before anything is unpacked', async () => {
  const before = process.memoryUsage().rss;
  for (const [width, height] of [
    [50_000, 50_000],
    [8193, 10],
    [10, 8193],
    [4001, 4000],
    [2 ** 31 - 1, 2 ** 31 - 1],
  ]) {
    const fault = await faultOf(headerOnly(width ?? 0, height ?? 0));
    assert.match(fault, /at most 8192 pixels|damaged/);
  }
  const packed = await picture({ width: 8000, height: 8000 })
    .png({ compressionLevel: 9 })
    .toBuffer();
  assert.ok(packed.length < 300_000);
  assert.match(await faultOf(packed), /at most 8192 pixels/);
  assert.ok(process.memoryUsage().rss - before < 300_000_000);
  assert.match(await faultOf(new Uint8Array(2 * 1024 * 1024 + 1)), /at most 2 MiB/);
});

test('a picture cut off or changed anywhere is drawn or refused, and never a fault of ours', async () => {
  const files = [png, await picture().jpeg().toBuffer(), await picture().webp().toBuffer()];
  const file = fc.constantFrom(...files);
  const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(file, changes, fc.option(fc.nat()), async (whole, edits, cut) => {
      const bytes = Uint8Array.from(whole);
      for (const [place, value] of edits) bytes[place % bytes.length] = value;
      const sent = cut === null ? bytes : bytes.subarray(0, cut % bytes.length);
      try {
        for (const { content } of await redrawLogo(sent)) assert.ok(isWebp(content));
      } catch (error) {
        assert.ok(error instanceof Refusal, String(error));
      }
    }),
    { numRuns: 150 },
  );
  assert.match(await faultOf(png.subarray(0, png.length - 40)), /damaged/);
});

/** A PNG that says it is huge and holds next to nothing. */
function headerOnly(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const data = deflateSync(Buffer.alloc(1000));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function withChunk(file: Uint8Array, type: string, data: Buffer): Buffer {
  const endOfHeader = 8 + 25;
  return Buffer.concat([
    file.subarray(0, endOfHeader),
    chunk(type, data),
    file.subarray(endOfHeader),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** As it is laid on paper, with the colour of its first pixel. */
async function flatOf(file: Uint8Array) {
  const [plain, fine] = await redrawLogo(file);
  assert.ok(plain !== undefined && fine !== undefined);
  const { content, ...size } = await flattenLogo(fine.content, plain);
  const { data, info } = await sharp(content).raw().toBuffer({ resolveWithObject: true });
  return { content, size, corner: [...data.subarray(0, 3)], info };
}

test('for paper a logo is laid on white, and a light one on dark with an edge around it', async () => {
  const dark = await flatOf(await markOn('#102030'));
  assert.deepEqual(dark.corner, [255, 255, 255]);
  assert.deepEqual(dark.size, { width: 200, height: 40 });
  assert.deepEqual([dark.info.width, dark.info.height], [400, 80]);
  const light = await flatOf(await markOn('#ffffff'));
  assert.deepEqual(light.corner, [0x1c, 0x22, 0x26]);
  assert.deepEqual(light.size, { width: 208, height: 48 });
  assert.deepEqual([light.info.width, light.info.height], [416, 96]);
  const small = await flatOf(await picture({ width: 20, height: 10 }).png().toBuffer());
  assert.deepEqual(small.size, { width: 20, height: 10 });
});

test('for paper it is an opaque picture of three colours, and nothing but pixels', async () => {
  for (const file of [
    png,
    await markOn('#ffffff'),
    await picture().greyscale().png().toBuffer(),
    await picture({ width: 8000, height: 1 }).png().toBuffer(),
  ]) {
    const { content, info } = await flatOf(file);
    assert.equal(info.channels, 3);
    const names: string[] = [];
    const whole = Buffer.from(content);
    for (let at = 8; at < whole.length; at += 12 + whole.readUInt32BE(at)) {
      names.push(whole.toString('latin1', at + 4, at + 8));
    }
    // How dense the pixels are, which is ours too.
    assert.deepEqual([...new Set(names)], ['IHDR', 'pHYs', 'IDAT', 'IEND']);
    assert.deepEqual([...whole.subarray(24, 29)], [8, 2, 0, 0, 0], 'eight bits, RGB, no lacing');
    assert.ok(content.length <= 262_144, 'as much as is kept with an invoice');
  }
});

test('whoever brings no logo does not load the library that draws them', async () => {
  const script = `
    await import('#pages/create-pages.ts');
    await import('#pages/branding/redraw-logo.ts');
    process.stdout.write(process.report.getReport().sharedObjects.join('\\n'));`;
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
  assert.ok(stdout.length > 0);
  assert.doesNotMatch(stdout, /vips|sharp/);
});
