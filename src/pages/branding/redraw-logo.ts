// A logo as somebody sent it becomes pictures of our own (H5). Guarantees: nothing but pixels
// survives: the file is decoded and drawn again, so that scripts, metadata, and a second file
// hidden in the first are gone; only PNG, JPEG and WebP are decoded at all, and none whose
// dimensions were not bounded before. Not guaranteed: that the picture is a nice one.
import { createHash } from 'node:crypto';
import type { Sharp, SharpOptions } from 'sharp';
import { Refusal } from '#base/refusal.ts';
import { luminance } from '#look/color.ts';
import type { Logo, LogoDrawing, LogoInk, LogoScale } from '#merchant/seller.ts';

export const LOGO_BYTES_MAX = 2 * 1024 * 1024;
const SIDE_MAX = 8192;
const PIXELS_MAX = 16_000_000;
/** Room for it at the top of a page, in CSS pixels. */
const WIDTH = 200;
const HEIGHT = 40;
/** The first load of a page has 50 kB for everything. */
const DRAWING_BYTES = 12_000;
/** Without loss when it is small enough, as drawn logos are; photographs lose something. */
const QUALITIES = ['lossless', 90, 75, 50, 25, 1] as const;
const SECONDS_MAX = 15;

type LogoFormat = 'png' | 'jpeg' | 'webp';

/** @throws Refusal `invalid` (`logo`) that says what is wrong with the file. */
export async function redrawLogo(file: Uint8Array): Promise<LogoDrawing[]> {
  const format = requireFormat(file);
  const open = await openPictures();
  const picture = () => open(file).timeout({ seconds: SECONDS_MAX });
  try {
    const { format: found, width, height } = await picture().metadata();
    if (found !== format) throw refused('the file is not what it begins as');
    if (width > SIDE_MAX || height > SIDE_MAX || width * height > PIXELS_MAX) throw tooLarge();
    const small = await draw(picture(), { width: WIDTH, height: HEIGHT }, 1);
    const room = { width: 2 * small.width, height: 2 * small.height };
    return [small, await draw(picture(), room, 2)];
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const message = error instanceof Error ? error.message : String(error);
    if (/pixel limit/i.test(message)) throw tooLarge();
    throw refused(`the file is damaged: ${message.split('\n')[0]?.slice(0, 200)}`);
  }
}

/** By what the file begins with, whatever its name says. */
function requireFormat(file: Uint8Array): LogoFormat {
  if (file.length > LOGO_BYTES_MAX)
    throw refused(`must be at most ${LOGO_BYTES_MAX / 1024 / 1024} MiB`);
  const head = String.fromCharCode(...file.subarray(0, 12));
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return 'webp';
  const start = new TextDecoder().decode(file.subarray(0, 1000)).trimStart();
  if (/^<(?:\?xml|!doctype|!--|svg)/i.test(start)) {
    throw refused('SVG is not accepted, because it can hold scripts; export it as PNG');
  }
  throw refused('must be a PNG, JPEG or WebP picture');
}

function refused(fault: string): Refusal {
  return new Refusal('invalid', 'logo', [`logo: ${fault}`]);
}

function tooLarge(): Refusal {
  return refused(
    `must be at most ${SIDE_MAX} pixels wide and high, and ${PIXELS_MAX / 1_000_000} million in all`,
  );
}

const OPTIONS: SharpOptions = { limitInputPixels: PIXELS_MAX, failOn: 'warning', pages: 1 };

/** Loaded only when somebody brings a logo; then every other decoder is locked. */
async function openPictures(): Promise<(file: Uint8Array) => Sharp> {
  const { default: sharp } = await import('sharp');
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp'],
  });
  sharp.cache(false);
  return (file) => sharp(file, OPTIONS);
}

async function draw(
  picture: Sharp,
  room: { readonly width: number; readonly height: number },
  scale: LogoScale,
): Promise<LogoDrawing> {
  const { data, info } = await picture
    .autoOrient()
    .resize({ ...room, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const content = await encode(data, { width, height });
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 32);
  return { scale, hash, ink: inkOf(data), width, height, content };
}

async function encode(
  pixels: Uint8Array,
  size: { readonly width: number; readonly height: number },
): Promise<Uint8Array> {
  const { default: sharp } = await import('sharp');
  let content: Uint8Array = new Uint8Array();
  for (const quality of QUALITIES) {
    const options =
      quality === 'lossless' ? { lossless: true } : { quality, alphaQuality: quality };
    content = await sharp(pixels, { raw: { ...size, channels: 4 } })
      .webp(options)
      .toBuffer();
    if (content.length <= DRAWING_BYTES) break;
  }
  return new Uint8Array(content);
}

// Pictures for paper: what a page lays over its own ground is laid on one here, once and for all.
const PAPER = '#ffffff';
/** As under a light logo on pages. */
const UNDER_LIGHT = '#1c2226';
/** Around a light logo, as on pages. */
const EDGE_PIXELS = 4;

/**
 * The fine drawing of a logo as an opaque PNG: on white, or on dark with an edge around it where it
 * could not be seen on white. `content` is a drawing of ours. Sizes are those on a page.
 */
export async function flattenLogo(
  content: Uint8Array,
  { ink, width, height }: Pick<Logo, 'ink' | 'width' | 'height'>,
): Promise<Pick<LogoDrawing, 'content' | 'width' | 'height'>> {
  const open = await openPictures();
  const picture = () => open(content).timeout({ seconds: SECONDS_MAX });
  const background = ink === 'light' ? UNDER_LIGHT : PAPER;
  const edge = ink === 'light' ? EDGE_PIXELS : 0;
  const fine = Math.round((edge * (await picture().metadata()).width) / width);
  const flat = await picture()
    .flatten({ background })
    .extend({ top: fine, bottom: fine, left: fine, right: fine, background })
    .toColourspace('srgb')
    .png({ compressionLevel: 9 })
    .toBuffer();
  return { content: new Uint8Array(flat), width: width + 2 * edge, height: height + 2 * edge };
}

const VISIBLE_ALPHA = 128;
const OPAQUE_SHARE = 0.98;
const DARK_LUMINANCE = 0.18;
const LIGHT_LUMINANCE = 0.5;

/** A picture without transparent parts has its own background, so its ink does not matter. */
function inkOf(pixels: Uint8Array): LogoInk {
  let visible = 0;
  let dark = 0;
  let light = 0;
  for (let index = 0; index < pixels.length; index += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = pixels.subarray(index, index + 4);
    if (alpha < VISIBLE_ALPHA) continue;
    visible += 1;
    const value = luminance([red, green, blue]);
    if (value < DARK_LUMINANCE) dark += 1;
    if (value > LIGHT_LUMINANCE) light += 1;
  }
  if (visible >= (pixels.length / 4) * OPAQUE_SHARE) return 'mixed';
  if (dark > visible / 2) return 'dark';
  return light > visible / 2 ? 'light' : 'mixed';
}
