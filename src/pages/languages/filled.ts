// A language that only customers read may lag behind a text that is new in English: until somebody
// has written it, that one text is English. `quittance language check` and the tests name it.
import { LANGUAGES, type LanguageCode } from '#catalog/language.ts';

/** What a language says of `Text` so far. */
export type SomeOf<Text> = Text extends string | ((...given: never[]) => string)
  ? Text
  : { readonly [Key in keyof Text]?: SomeOf<Text[Key]> };

export function filledAll<Text extends object>(
  english: Text,
  own: Readonly<Record<LanguageCode, SomeOf<NoInfer<Text>>>>,
): Readonly<Record<LanguageCode, Text>> {
  const whole = LANGUAGES.map(({ languageCode: code }) => [code, filled(english, own[code])]);
  return Object.fromEntries(whole) as Record<LanguageCode, Text>;
}

function filled<Text extends object>(english: Text, own: object): Text {
  const given: Readonly<Record<string, unknown>> = { ...own };
  const whole = Object.entries(english).map(([key, value]) => {
    const said = given[key];
    const isGroup = typeof value === 'object';
    return [key, isGroup ? filled(value as object, (said ?? {}) as object) : (said ?? value)];
  });
  return Object.fromEntries(whole) as Text;
}
