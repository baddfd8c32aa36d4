// Fills what somebody had typed into a form that is shown anew. Pure. The form shown has to be the
// one that was sent: its hidden fields say the same, and one of its buttons was pressed. Hidden
// fields stay as they are shown now, and a password is never filled in.

import { escapeText, type Html, trustedMarkup } from '#pages/html.ts';

type Fields = readonly (readonly [name: string, value: string])[];

/** Of the form itself, and secrets: neither is kept, nor does it say which form it is. */
const NOT_KEPT: ReadonlySet<string> = new Set([
  ...['form', 'at', 'once'],
  ...['password', 'code', 'secret', 'step', 'answer'],
]);

/** What may be kept of a form that was sent. */
export function keptFields(form: URLSearchParams): Fields {
  return [...form].filter(([name]) => !NOT_KEPT.has(name));
}

const CONTROL =
  /<(textarea)\b([^>]*)>[^<]*<\/textarea>|<(input|select|option|button)\b([^>]*)>|<\/(select)>/g;

type Attributes = ReadonlyMap<string, string>;

/**
 * `body`: of a form, as our own code made it. Undefined: it is another form, or holds nothing that
 * was typed.
 */
export function fillForm(body: Html, fields: Fields): Html | undefined {
  // Compared as they stand in markup.
  const given = new Map<string, string[]>();
  for (const [name, value] of fields) {
    given.set(name, [...(given.get(name) ?? []), escapeText(value)]);
  }
  if (!isSame(body, given)) return undefined;
  let [select, filled] = ['', 0];
  const next = (name: string) => given.get(name)?.shift();
  const markup = body.markup.replaceAll(CONTROL, (whole, area, ofArea, tag, ofTag, end) => {
    const kind = area ?? tag;
    const attributes = attributesOf(ofArea ?? ofTag ?? '');
    const name = kind === 'option' ? select : (attributes.get('name') ?? '');
    if (kind === 'select') select = name;
    if (end === 'select') select = '';
    if (kind === undefined || !isFilled(kind, attributes)) return whole;
    const isChoice = kind === 'option' || isTicked(attributes);
    if (isChoice) {
      const isOn = given.get(name)?.includes(attributes.get('value') ?? 'on') === true;
      if (kind === 'option' && !given.has(name)) return whole;
      filled += 1;
      return withFlag(whole, kind === 'option' ? 'selected' : 'checked', isOn);
    }
    const value = next(name);
    if (value === undefined) return whole;
    filled += 1;
    if (kind === 'textarea') return `<textarea${ofArea}>\n${value}</textarea>`;
    return `<input${String(ofTag).replace(/ value="[^"]*"/, '')} value="${value}">`;
  });
  return filled === 0 ? undefined : trustedMarkup(markup);
}

/** By hidden fields and buttons. */
function isSame(body: Html, given: ReadonlyMap<string, readonly string[]>): boolean {
  const buttons = new Map<string, string[]>();
  for (const [, , , tag, ofTag = ''] of body.markup.matchAll(CONTROL)) {
    const attributes = attributesOf(ofTag);
    const [name = '', value = ''] = [attributes.get('name'), attributes.get('value')];
    if (name === '' || NOT_KEPT.has(name)) continue;
    if (tag === 'button') buttons.set(name, [...(buttons.get(name) ?? []), value]);
    const isHidden = tag === 'input' && attributes.get('type') === 'hidden';
    if (isHidden && given.get(name)?.includes(value) !== true) return false;
  }
  return [...buttons].every(
    ([name, values]) => given.get(name)?.some((one) => values.includes(one)) ?? true,
  );
}

function attributesOf(text: string): Attributes {
  const found = text.matchAll(/\s([\w-]+)(?:="([^"]*)")?/g);
  return new Map(Array.from(found, ([, name = '', value = '']) => [name, value]));
}

const NEVER_FILLED: ReadonlySet<string> = new Set(['hidden', 'password', 'file', 'submit']);

function isFilled(kind: string, attributes: Attributes): boolean {
  if (kind === 'textarea' || kind === 'option') return true;
  return kind === 'input' && !NEVER_FILLED.has(attributes.get('type') ?? 'text');
}

function isTicked(attributes: Attributes): boolean {
  return attributes.get('type') === 'checkbox' || attributes.get('type') === 'radio';
}

function withFlag(tag: string, flag: string, isOn: boolean): string {
  const plain = tag.replace(new RegExp(`\\s${flag}(?=[\\s>])`), '');
  return isOn ? plain.replace(/>$/, ` ${flag}>`) : plain;
}
