// How the hosted pages of the account look, and what they say in its own words: of test and live
// together, read with any key and set with a live one. What cannot be read on what it stands on is
// refused, with a near colour that can.

import { z } from 'zod';
import { type ApiApp, callerOf, protectedEndpoint } from '#api/endpoint.ts';
import { doNoted } from '#audit/act.ts';
import { LANGUAGES } from '#catalog/language.ts';
import type { Reader } from '#db/db.ts';
import { FONT_NAMES } from '#look/page-font.ts';
import { readFont } from '#look/read-font.ts';
import {
  listPageWords,
  PAGE_WORDS_PLACES,
  pageWordsDetails,
  setPageWords,
} from '#merchant/customer-mails.ts';
import {
  CORNER_RADIUS_MAX,
  type OwnPageSettings,
  PAGE_BLOCKS,
  parsePageSettings,
} from '#merchant/page-settings.ts';
import {
  changeDarkLogo,
  changeFont,
  changeLogo,
  changePageSettings,
  type FontWeight,
  fontPath,
  getSeller,
  logoPath,
} from '#merchant/seller.ts';
import { fields, textUpTo } from '#money/exact-schema.ts';
import { faulty, inWords, languageField, wholeNumber } from './shared-fields.ts';

const COLORS_MOST = 20;
const COLOR_MOST = 40;
const WORDS_MOST = 500;
/** Less than a request may have. */
const PICTURE_MOST = 240_000;

const font = z.enum(FONT_NAMES);
const blocks = z.array(z.enum(PAGE_BLOCKS));
const words = {
  place: z.enum(PAGE_WORDS_PLACES),
  language: languageField,
};
const color = textUpTo(COLOR_MOST).nullable();
const picture = textUpTo(PICTURE_MOST).nullable();

const request = fields({
  font: font.optional(),
  cornerRadius: wholeNumber(CORNER_RADIUS_MAX, 0).optional(),
  primaryColor: color.optional(),
  backgroundColor: color.optional(),
  colors: z.array(textUpTo(COLOR_MOST)).max(COLORS_MOST).optional(),
  blocks: blocks.max(PAGE_BLOCKS.length).optional(),
  words: z
    .array(fields({ ...words, words: textUpTo(WORDS_MOST) }).meta({ id: 'PageWords' }))
    .max(PAGE_WORDS_PLACES.length * LANGUAGES.length)
    .optional(),
  logo: picture.optional(),
  darkLogo: picture.optional(),
  fontFile: picture.optional(),
  boldFontFile: picture.optional(),
}).meta({ id: 'UpdatePageLookRequest' });
const response = z
  .object({
    pageLook: z
      .object({
        font,
        cornerRadius: z.int(),
        primaryColor: z.string().nullable(),
        backgroundColor: z.string().nullable(),
        colors: z.array(z.string()),
        blocks,
        words: z.array(z.object({ ...words, words: z.string() }).meta({ id: 'PageWords' })),
        logo: z.string().nullable(),
        darkLogo: z.string().nullable(),
        fontFile: z.string().nullable(),
        boldFontFile: z.string().nullable(),
      })
      .meta({ id: 'PageLook' }),
  })
  .meta({ id: 'PageLookAnswer' });

export const getPageLook = protectedEndpoint({
  method: 'GET',
  path: '/page-look',
  operationId: 'getPageLook',
  auth: 'read',
  scope: 'settings',
  summary: 'How the hosted pages of the account look',
  response,
  handle: (app, { caller }) => shown(app.db, caller.merchantId),
});

export const putPageLook = protectedEndpoint({
  method: 'PUT',
  path: '/page-look',
  operationId: 'updatePageLook',
  auth: 'idempotent',
  scope: 'settings',
  summary:
    'Change how the hosted pages look, with a live key; what is absent stays, null takes back, and ' +
    'lists are all there is afterwards',
  request,
  response,
  async handle(app, { caller }, input) {
    const [first] = Object.entries(input).flatMap(([name, value]) =>
      value === undefined ? [] : [name],
    );
    if (first === undefined) throw faulty(['font'], 'or another setting is required');
    if (caller.environment !== 'live') {
      throw faulty([first], 'is of test and live together: a live key sets it');
    }
    const { merchantId } = caller;
    const settings = settingsOf(input);
    const [logo, darkLogo] = [
      await drawn(app, 'logo', input.logo),
      await drawn(app, 'darkLogo', input.darkLogo),
    ];
    const fonts = [
      { weight: 'regular', file: await readOf('fontFile', input.fontFile) },
      { weight: 'bold', file: await readOf('boldFontFile', input.boldFontFile) },
    ] as const;
    const act = { ...callerOf(caller), verb: 'merchant-page-set' };
    const noted = {
      ...act,
      subject: `merchant:${merchantId}`,
      details: detailsOf(input, settings),
    };
    return doNoted(app, noted, (within) =>
      inWords(async () => {
        await changePageSettings(within, merchantId, settings);
        if (input.words !== undefined) await setPageWords(within, merchantId, input.words, 'all');
        if (logo !== undefined) await changeLogo(within, merchantId, logo);
        if (darkLogo !== undefined) await changeDarkLogo(within, merchantId, darkLogo);
        for (const { weight, file } of fonts) {
          if (file !== undefined) await changeFont(within, merchantId, weight, file ?? undefined);
        }
        return shown(within.db, merchantId);
      }),
    );
  },
});

type Input = z.output<typeof request>;

/** @throws Refusal invalid `page_settings` */
function settingsOf(input: Input): Partial<OwnPageSettings> {
  const { font, cornerRadius, primaryColor, backgroundColor, colors, blocks } = input;
  const isUnset = colors?.length === 0;
  const given = parsePageSettings({
    ...(font !== undefined && { font }),
    ...(cornerRadius !== undefined && { cornerRadius: `${Number(cornerRadius.coefficient)}` }),
    ...(typeof primaryColor === 'string' && { primaryColor }),
    ...(typeof backgroundColor === 'string' && { backgroundColor }),
    ...(colors !== undefined && !isUnset && { colors: colors.join(' ') }),
    ...(blocks !== undefined && { blocks: blocks.join(' ') }),
  });
  return {
    ...given,
    ...(primaryColor === null && { primaryColor }),
    ...(backgroundColor === null && { backgroundColor }),
    ...(isUnset && { colors: null }),
  };
}

/** Undefined: it stays; none: it goes. @throws Refusal invalid */
async function drawn({ drawLogo }: ApiApp, name: 'logo' | 'darkLogo', given: Input['logo']) {
  if (given === undefined) return undefined;
  return given === null ? [] : inWords(() => drawLogo(bytesOf(name, given)));
}

/** Undefined: it stays; null: it goes. @throws Refusal invalid */
async function readOf(name: string, given: Input['logo']) {
  if (typeof given !== 'string') return given;
  return inWords(async () => readFont(bytesOf(name, given)));
}

function bytesOf(name: string, base64: string): Uint8Array {
  try {
    return Uint8Array.fromBase64(base64);
  } catch {
    throw faulty([name], 'must be a file in Base64');
  }
}

function detailsOf({ words, ...input }: Input, settings: Partial<OwnPageSettings>) {
  const said = Object.entries(settings).map(([name, value]) => [name, String(value ?? '')]);
  const stands = (one: Input['logo']) => (one === undefined ? undefined : one ? 'set' : 'unset');
  return {
    ...Object.fromEntries(said),
    ...{ logo: stands(input.logo), darkLogo: stands(input.darkLogo) },
    ...{ fontFile: stands(input.fontFile), boldFontFile: stands(input.boldFontFile) },
    ...(words && pageWordsDetails(words)),
  };
}

async function shown(reader: Reader, merchantId: string) {
  const [{ page, logo }, words] = await Promise.all([
    getSeller(reader, merchantId),
    listPageWords(reader, merchantId),
  ]);
  const { font, cornerRadius, primaryColor, backgroundColor, colors, blocks, ownFonts } = page;
  const pathOf = (weight: FontWeight) => {
    const file = ownFonts?.find((one) => one.weight === weight);
    return file === undefined ? null : fontPath(file.hash);
  };
  return {
    pageLook: {
      ...{ font, cornerRadius, primaryColor, backgroundColor },
      ...{ colors: [...colors], blocks: [...blocks], words: [...words] },
      logo: logo === undefined ? null : logoPath(logo.hash),
      darkLogo: logo?.dark === undefined ? null : logoPath(logo.dark.hash),
      ...{ fontFile: pathOf('regular'), boldFontFile: pathOf('bold') },
    },
  };
}
