// Which pictures somebody wants.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { LANGUAGES, type LanguageCode } from '#catalog/language.ts';

export type Picture = {
  readonly state: string;
  readonly language: LanguageCode;
  readonly width: number;
  readonly theme: 'light' | 'dark';
  readonly file: string;
};

export type Wishes = {
  readonly directory: string;
  readonly isJson: boolean;
  /** Everything: what is there already is thrown away. */
  readonly isAll: boolean;
  readonly pictures: readonly Picture[];
};

const WIDTHS = ['320', '1280'];
const THEMES = ['light', 'dark'];

export const HELP = `npm run screens -- [options]
  --state pay,paid        some states, receipts, invoices or refunds (default: all)
  --language de,fr        some languages (default: all)
  --width 320             320 or 1280 (default: both)
  --theme dark            light or dark (default: both)
  --out artifacts/screens where to; index.html there shows them all
  --json                  what was made, as JSON
Progress goes to stderr.`;

/** Undefined: help is wanted. @throws Error that says what is known. */
export function readWishes(
  parameters: readonly string[],
  states: readonly string[],
): Wishes | undefined {
  const { values } = parseArgs({
    args: [...parameters],
    options: {
      state: { type: 'string' },
      language: { type: 'string' },
      width: { type: 'string' },
      theme: { type: 'string' },
      out: { type: 'string', default: join('artifacts', 'screens') },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return undefined;
  const codes = LANGUAGES.map(({ languageCode }): string => languageCode);
  const wished = {
    state: pick('state', values.state, states),
    language: pick('language', values.language, codes) as LanguageCode[],
    width: pick('width', values.width, WIDTHS),
    theme: pick('theme', values.theme, THEMES) as Picture['theme'][],
  };
  const pictures = wished.state.flatMap((state) =>
    wished.language.flatMap((language) =>
      wished.width.flatMap((width) =>
        wished.theme.map((theme) => {
          const file = `${state}-${language}-${width}-${theme}.jpeg`;
          return { state, language, width: Number(width), theme, file };
        }),
      ),
    ),
  );
  const { state, language, width, theme } = values;
  const isAll = [state, language, width, theme].every((value) => value === undefined);
  return { directory: values.out, isJson: values.json, isAll, pictures };
}

function pick(name: string, wish: string | undefined, known: readonly string[]): string[] {
  if (wish === undefined) return [...known];
  const wanted = wish.split(',').map((one) => one.trim());
  const unknown = wanted.filter((one) => !known.includes(one));
  if (unknown.length === 0) return wanted;
  throw new Error(`--${name}: unknown ${unknown.join(', ')}; known are ${known.join(', ')}`);
}
