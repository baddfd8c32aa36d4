// International bank account numbers (ISO 13616): the structure of the country, check digits
// modulo 97.

/**
 * What follows country and check digits, by the IBAN registry (SWIFT): n are digits, a capitals, c
 * either.
 */
export const IBAN_STRUCTURES: ReadonlyMap<string, string> = new Map(
  `
  AD8n12c AE19n AL8n16c AT16n AZ4a20c BA16n BE12n BG4a6n8c BH4a14c BI23n BR23n1a1c BY4c4n16c
  CH5n12c CR18n CY8n16c CZ20n DE18n DJ23n DK14n DO4c20n EE16n EG25n ES20n FI14n FK2a12n FO14n
  FR10n11c2n GB4a14n GE2a16n GI4a15c GL14n GR7n16c GT24c HN4a20n HR17n HU24n IE4a14n IL19n
  IQ4a15n IS22n IT1a10n12c JO4a4n18c KW4a22c KZ3n13c LB4n20c LC4a24c LI5n12c LT16n LU3n13c
  LV4a13c LY21n MC10n11c2n MD20c ME18n MK3n10c2n MN16n MR23n MT4a5n18c MU4a19n3a NI4a20n NL4a10n
  NO11n OM3n16c PK4a16c PL24n PS4a21c PT21n QA4a21c RO4a16c RS18n RU14n15c SA2n18c SC4a20n3a
  SD14n SE20n SI15n SK20n SM1a10n12c SO19n ST21n SV4a20n TL19n TN20n TR6n16c UA6n19c VA18n
  VG4a16n XK16n YE4a4n18c`
    .trim()
    .split(/\s+/)
    .map((entry) => [entry.slice(0, 2), entry.slice(2)]),
);

const CLASSES: { readonly [kind: string]: string } = { n: '[0-9]', a: '[A-Z]', c: '[A-Z0-9]' };

const patterns = new Map(
  IBAN_STRUCTURES.entries().map(([country, structure]) => {
    const account = structure.replace(
      /(\d+)([nac])/g,
      (_, length, kind) => `${CLASSES[kind]}{${length}}`,
    );
    // 00, 01 and 99 are the same modulo 97 as digits that the standard gives.
    return [country, new RegExp(`^${country}(?!00|01|99)[0-9]{2}${account}$`)];
  }),
);

/** Countries of the Single Euro Payments Area (European Payments Council). */
const SEPA_COUNTRIES = new Set(
  `
  AD AL AT BE BG CH CY CZ DE DK EE ES FI FR GB GI GR HR HU IE IS IT LI LT LU LV MC MD ME MK MT NL
  NO PL PT RO RS SE SI SK SM VA`
    .trim()
    .split(/\s+/),
);

/** Without spaces, in capitals; undefined when it is none. */
export function canonicalIban(text: string): string | undefined {
  const iban = text.replaceAll(' ', '').toUpperCase();
  const isShaped = patterns.get(iban.slice(0, 2))?.test(iban) === true;
  return isShaped && ibanRemainder(iban) === 1n ? iban : undefined;
}

export function isSepaIban(iban: string): boolean {
  return SEPA_COUNTRIES.has(iban.slice(0, 2));
}

/** The first four characters last, A as 10 to Z as 35, modulo 97: 1 when the digits are right. */
export function ibanRemainder(iban: string): bigint {
  const turned = iban.slice(4) + iban.slice(0, 4);
  const digits = turned.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return BigInt(digits) % 97n;
}

/** Business identifier code (ISO 9362) in capitals; undefined when it is none. */
export function canonicalBic(text: string): string | undefined {
  const bic = text.toUpperCase();
  if (!/^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/.test(bic)) return undefined;
  const country = bic.slice(4, 6);
  // Kosovo has banks, and no code of ISO 3166-1.
  return country === 'XK' || isCountry(country) ? bic : undefined;
}

// Countries by their two-letter codes (ISO 3166-1 alpha-2, officially assigned).

const CODES = new Set(
  `
  AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR
  BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ
  EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW
  GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY
  KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV
  MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY
  QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG
  TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM
  ZW`
    .trim()
    .split(/\s+/),
);

/** Upper case only. */
export function isCountry(code: string): boolean {
  return CODES.has(code);
}
