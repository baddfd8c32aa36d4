// The part of a form that says what payers are asked: fields of the merchant's own, terms, a tip.
// Plain fields in rows; what is wrong with one is said below it.

import { ANSWER_MAX, ASK_KINDS, ASKS_MOST, TERMS_TEXT_MAX } from '#ask/ask.ts';
import { type Html, html } from '#pages/html.ts';
import { pageLanguage } from '#pages/languages/texts.ts';
import { areaField, checkField, selectField, textField } from './controls.ts';
import type { ShopVisit } from './guard.ts';
import {
  askName,
  listAskingFaults,
  listAskRows,
  MORE_FIELDS,
  wantsMoreFields,
} from './read-asking-form.ts';

const LINES_MAX = 4_000;
const URL_MAX = 2_048;
const TIPS_MAX = 100;

/**
 * First in a form with a button for one more field: the key Enter presses the first button that
 * there is, and means this one.
 */
export const ENTER_BUTTON = html`<button hidden></button>`;

type Shown = {
  /** Where the form is sent: more fields are asked for there as well. */
  readonly path: string;
  /** What was typed, or what is stored. */
  readonly values: URLSearchParams;
  /** Whether to say what is wrong with it. */
  readonly isRefused: boolean;
};

export function askingForm(visit: ShopVisit, { path, values, isRefused }: Shown): Html {
  const { asking } = visit.language.texts.settings;
  const { ask } = pageLanguage(visit.language.code).texts.paying;
  const faults = isRefused ? listAskingFaults(values) : new Set<string>();
  const says = (name: keyof typeof asking.faults) =>
    faults.has(name) ? asking.faults[name] : undefined;
  const value = (name: string) => values.get(name) ?? '';
  const known = listAskRows(values);
  const count = Math.min(ASKS_MOST, Math.max(1, known.length + (wantsMoreFields(values) ? 1 : 0)));
  const rows = Array.from({ length: count }, (_, index) => known[index] ?? nextRow(known));
  return html`${rows.map((row, index) => askRow(visit, values, faults, row, index + 1))}
${
  count < ASKS_MOST &&
  html`<p><button class="quiet" name="${MORE_FIELDS.name}" value="${MORE_FIELDS.value}" formnovalidate
 formaction="${path}#${askName(nextRow(rows), 'label')}">${asking.add}</button></p>`
}
<fieldset class="ask"><legend class="label">${asking.terms}</legend>
${textField({
  ...{ name: 'termsUrl', label: asking.termsUrl, hint: asking.termsHint },
  ...{ value: value('termsUrl'), fault: says('termsUrl') },
  ...{ isRequired: false, maxLength: URL_MAX },
})}${textField({
  ...{ name: 'termsText', label: asking.termsText, value: value('termsText') },
  ...{ fault: says('termsText'), isRequired: false, maxLength: TERMS_TEXT_MAX },
})}
</fieldset>
<fieldset class="ask"><legend class="label">${ask.tipLine}</legend>
${textField({
  ...{ name: 'tipPercents', label: asking.tipPercents, hint: asking.tipPercentsHint },
  ...{ value: value('tipPercents'), fault: says('tipPercents') },
  ...{ isRequired: false, maxLength: TIPS_MAX },
})}${textField({
  ...{ name: 'tipAmounts', label: asking.tipAmounts, hint: asking.tipAmountsHint },
  ...{ value: value('tipAmounts'), fault: says('tipAmounts') },
  ...{ isRequired: false, maxLength: TIPS_MAX },
})}${checkField({ name: 'tipOwn', label: asking.tipOwn, isOn: value('tipOwn') === 'yes' })}</fieldset>`;
}

function nextRow(rows: readonly number[]): number {
  return Math.max(-1, ...rows) + 1;
}

function askRow(
  visit: ShopVisit,
  values: URLSearchParams,
  faults: ReadonlySet<string>,
  row: number,
  place: number,
): Html {
  const { asking } = visit.language.texts.settings;
  type Leaf = Parameters<typeof askName>[1];
  const value = (leaf: Leaf) => values.get(askName(row, leaf)) ?? '';
  const says = (leaf: Leaf & keyof typeof asking.faults) =>
    faults.has(askName(row, leaf)) ? asking.faults[leaf] : undefined;
  const line = (leaf: Leaf & keyof typeof asking.faults, label: string, hint?: string) =>
    textField({
      ...{ name: askName(row, leaf), label, hint, value: value(leaf), fault: says(leaf) },
      ...{ isRequired: false, maxLength: leaf === 'label' ? 200 : 40 },
    });
  const area = (leaf: 'labels' | 'choices', label: string, hint: string) =>
    areaField({
      ...{ name: askName(row, leaf), label, hint, value: value(leaf), fault: says(leaf) },
      maxLength: LINES_MAX,
    });
  const bounds = (['least', 'most'] as const).map((leaf) => line(leaf, asking[leaf]));
  const more = (['labels', 'key', 'least', 'most'] as const).some(
    (leaf) => says(leaf) !== undefined,
  );
  return html`<fieldset class="ask"><legend class="label">${asking.field(`${place}`)}</legend>
${line('label', asking.label, asking.labelHint)}
${selectField({
  name: askName(row, 'kind'),
  label: asking.kind,
  value: value('kind') || ASK_KINDS[0],
  options: ASK_KINDS.map((kind) => [kind, asking.kinds[kind]]),
})}
${checkField({
  name: askName(row, 'required'),
  label: asking.required,
  isOn: value('required') === 'yes',
})}
<div class="choices">${area('choices', asking.choices, asking.choicesHint)}</div>
<details${more && html` open`}><summary>${asking.more}</summary>
<div class="bounds">${bounds}<p class="hint">${asking.rangeHint(`${ANSWER_MAX}`)}</p></div>
${area('labels', asking.labels, asking.labelsHint)}
${line('key', asking.key, asking.keyHint)}</details></fieldset>`;
}

const WHOSE = ['account', 'own'] as const;
type Whose = (typeof WHOSE)[number];

/** Whose of two: what the account asks, or what this form says. */
export function readWhose(form: URLSearchParams): Whose {
  return WHOSE.find((one) => one === form.get('asking')) ?? 'account';
}

export function askingWhose({ language }: ShopVisit, values: URLSearchParams): Html {
  const { asking } = language.texts.settings;
  return selectField({
    name: 'asking',
    label: asking.whose,
    value: readWhose(values),
    options: WHOSE.map((one) => [one, asking.who[one]]),
  });
}

/** Beside the other wishes of a form, folded away until it is wanted. */
export function askingChoice(visit: ShopVisit, shown: Shown): Html {
  const { asking } = visit.language.texts.settings;
  const { values, isRefused } = shown;
  const isOpen = readWhose(values) === 'own' || isRefused || wantsMoreFields(values);
  return html`<details id="asking-fold"${isOpen && html` open`}><summary>${asking.title}</summary>
<div class="stack">${askingWhose(visit, values)}
<div class="own-asking">${askingForm(visit, shown)}</div></div></details>`;
}
