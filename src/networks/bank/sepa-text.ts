// The letters that every bank of SEPA takes (European Payments Council, EPC217-08, and the rulebook
// of SEPA credit transfers, "character set"): a to z, A to Z, digits, / - ? : ( ) . , ' + and the
// space. What can be told with these letters is written with them; what cannot is refused, since a
// bank that replaced it by itself would send money to a name that nobody gave.

import { Refusal } from '#base/refusal.ts';

const PLAIN = /^[A-Za-z0-9/\-?:().,'+ ]*$/;

/** Signs that have another form there (EPC217-08, 6.2), and letters that have no marks to lose. */
const SIGNS: ReadonlyMap<string, string> = new Map([
  ...pairs('& + € E @ (at) _ - ~ - ! . " \' # . $ . % . * . ; , < ( > ) [ ( ] ) { ( } ) \\ /'),
  ...pairs("^ . ` ' | / = - ´ ' ’ ' ‘ ' ‚ ' “ ' ” ' „ ' « ' » ' ‹ ' › ' – - — - ‐ - ‑ - − -"),
  ...pairs('… ... • - · . ¡ ? ¿ ? § . ° . ª a º o © (c) ® (r) £ GBP ¥ JPY № No'),
  ...pairs('ß ss æ ae Æ AE œ oe Œ OE ø o Ø O đ d Đ D ð d Ð D þ th Þ Th ł l Ł L ħ h Ħ H ı i'),
  ...pairs('ŋ ng Ŋ Ng ŧ t Ŧ T ſ s ĸ q'),
]);

/** Of member countries with letters of their own: ISO 843 (Greek), the law of Bulgaria of 2009. */
const LETTERS: ReadonlyMap<string, string> = new Map([
  ...pairs('α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t'),
  ...pairs('ου ou υ y φ f χ ch ψ ps ω o'),
  ...pairs('а a б b в v г g д d е e ж zh з z и i к k л l м m н n о o п p р r с s т t у u ф f'),
  ...pairs('х h ц ts ч ch ш sh щ sht ъ a ь y ю yu я ya ы y э e і i ђ dj ј j љ lj њ nj ћ c џ dz'),
]);

/** `field`: what the refusal calls it. @throws Refusal (invalid, `bank_text`) */
export function sepaText(text: string, field: string): string {
  // Letters that are one with their mark in Cyrillic, before marks are taken off.
  const spelled = text.normalize('NFC').replaceAll(/й/g, 'и').replaceAll(/Й/g, 'И');
  const plain = (
    spelled
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .match(/ου|Ου|ΟΥ|./gsu) ?? []
  )
    .map(plainSign)
    .join('');
  const told = plain.replaceAll(/\s+/g, ' ').trim();
  if (PLAIN.test(told)) return told;
  const strange = [...new Set(told.replaceAll(/[A-Za-z0-9/\-?:().,'+ ]/g, ''))].slice(0, 5);
  throw new Refusal('invalid', 'bank_text', [
    `${field}: banks have no letter for ${strange.join(' ')}; write it in Latin letters`,
  ]);
}

function plainSign(sign: string): string {
  const own = SIGNS.get(sign) ?? LETTERS.get(sign);
  if (own !== undefined) return own;
  const small = LETTERS.get(sign.toLowerCase());
  if (small !== undefined) return small.slice(0, 1).toUpperCase() + small.slice(1);
  return sign;
}

/** `a b c d`: a is written b, c is written d. */
function pairs(list: string): [string, string][] {
  const words = list.split(' ');
  return words.flatMap((word, index): [string, string][] =>
    index % 2 === 0 ? [[word, words[index + 1] ?? '']] : [],
  );
}
