// How a shop looks on paper: its logo as one opaque picture, and its colour as ink on white.
// Guarantees: only drawings of ours are decoded, never the file that somebody sent.

import type { BillLook } from '#billing/bill.ts';
import type { Reader } from '#db/db.ts';
import type { PageSettings } from '#merchant/page-settings.ts';
import { findLogoContent, type Logo } from '#merchant/seller.ts';
import type { PaperBrand } from '#pages/receipt/paper.ts';
import { flattenLogo } from './redraw-logo.ts';
import { paperAccent } from './theme.ts';

type Look = {
  readonly logo?: Logo | undefined;
  readonly settings: Pick<PageSettings, 'primaryColor'>;
};

/** As it is now. */
export async function readPaperLook(reader: Reader, look: Look): Promise<BillLook> {
  const logo = look.logo && (await flatLogo(reader, look.logo));
  return { logo, accent: paperAccent(look.settings) };
}

/** Undefined where nothing of a brand is to be seen. */
export function brandOnPaper({ logo, accent }: BillLook): PaperBrand | undefined {
  if (logo === undefined && accent === undefined) return undefined;
  if (logo === undefined) return { logo, accent };
  const { content, width, height } = logo;
  return { logo: { png: Buffer.from(content).toString('base64'), width, height }, accent };
}

type Flat = NonNullable<BillLook['logo']>;

/** By the hash of what they were drawn from. */
const flats = new Map<string, Flat>();
const FLATS_MOST = 100;

/** Undefined when it was replaced a moment ago. */
async function flatLogo(reader: Reader, logo: Logo): Promise<Flat | undefined> {
  const known = flats.get(logo.fineHash);
  if (known !== undefined) return known;
  const content = await findLogoContent(reader, logo.fineHash);
  if (content === undefined) return undefined;
  const flat = await flattenLogo(content, logo);
  if (flats.size >= FLATS_MOST) flats.clear();
  flats.set(logo.fineHash, flat);
  return flat;
}
