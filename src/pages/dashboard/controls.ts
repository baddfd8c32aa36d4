// What every form of the dashboard is made of.

import { Refusal } from '#base/refusal.ts';
import { decodeCursor } from '#db/page-cursor.ts';
import { type Html, html } from '#pages/html.ts';
import { fillForm } from './fill-form.ts';
import type { Visit } from './visit.ts';

/**
 * `action`: one of our own paths. `attributes`: of the form itself. It says on which page it
 * stands, so that whoever is asked for a proof comes back to it, and finds in it what he had typed.
 */
export function formOf(
  { formToken, path, who, kept, language }: Visit,
  action: string,
  body: Html | readonly Html[],
  attributes?: Html,
): Html {
  const shown = html`${body}`;
  const filled = kept?.path === action ? fillForm(shown, kept.fields) : undefined;
  return html`<form method="post" action="${action}" class="stack"${attributes}>
<input type="hidden" name="form" value="${formToken}">
${who !== undefined && html`<input type="hidden" name="at" value="${path}">`}
${filled !== undefined && html`<p class="notice" role="status" id="kept">${language.texts.proof.kept}</p>`}
${filled ?? shown}</form>`;
}

type TextField = {
  readonly name: string;
  /** Where the name is an id of something else on the page. */
  readonly id?: string;
  readonly label: string;
  readonly value?: string | undefined;
  readonly hint?: string | undefined;
  readonly type?: 'text' | 'email' | 'password' | 'search';
  /** What browsers fill in (HTML, autofill). */
  readonly autocomplete?: string;
  readonly inputmode?: 'numeric' | 'decimal';
  readonly isRequired?: boolean;
  readonly maxLength?: number;
  /** Why it was not taken. */
  readonly fault?: string | undefined;
};

export function textField(field: TextField): Html {
  const { name, label, value = '', type = 'text', isRequired = true } = field;
  const { autocomplete = 'off', inputmode, maxLength = 254, id = name } = field;
  const { attributes, lines } = described(id, field);
  return html`<p class="field"><label class="label" for="${id}">${label}</label>
<input id="${id}" name="${name}" type="${type}" value="${value}" maxlength="${maxLength}"
 autocomplete="${autocomplete}" autocapitalize="none" spellcheck="false"${
   inputmode !== undefined && html` inputmode="${inputmode}"`
 }${isRequired && html` required`}${attributes}>
${lines}</p>`;
}

/** What is said below a field, and that it is said of this one. */
function described(id: string, { hint, fault }: Pick<TextField, 'hint' | 'fault'>) {
  const line = (name: string, text: string) =>
    html`<span class="${name}" id="${id}-${name}">${text}</span>`;
  const ids = [hint !== undefined && `${id}-hint`, fault !== undefined && `${id}-fault`];
  const by = ids.filter((one) => one !== false).join(' ');
  return {
    attributes: html`${fault !== undefined && html` aria-invalid="true"`}${by !== '' && html` aria-describedby="${by}"`}`,
    lines: html`${hint !== undefined && line('hint', hint)}${fault !== undefined && line('fault', fault)}`,
  };
}

/** Several lines. */
export function areaField(
  field: Pick<TextField, 'name' | 'label' | 'value' | 'hint' | 'fault'> & {
    readonly maxLength: number;
  },
): Html {
  const { name, label, value = '', maxLength } = field;
  const { attributes, lines } = described(name, field);
  return html`<p class="field"><label class="label" for="${name}">${label}</label>
<textarea id="${name}" name="${name}" rows="4" maxlength="${maxLength}"${attributes}>${`\n${value}`}</textarea>${lines}</p>`;
}

/** Says `yes`, or nothing. */
export function checkField(field: {
  readonly name: string;
  readonly label: string;
  readonly isOn: boolean;
}): Html {
  const { name, label, isOn } = field;
  return html`<p class="check"><input type="checkbox" id="${name}" name="${name}" value="yes"${
    isOn && html` checked`
  }><label for="${name}">${label}</label></p>`;
}

/** `options`: each value with what it is called. */
export function selectField(field: {
  readonly name: string;
  /** Where the name is an id of something else on the page. */
  readonly id?: string;
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
}): Html {
  const { name, label, value, options, id = name } = field;
  return html`<p class="field"><label class="label" for="${id}">${label}</label>
<select id="${id}" name="${name}">${options.map(
    ([one, said]) =>
      html`<option value="${one}"${one === value && html` selected`}>${said}</option>`,
  )}</select></p>`;
}

export function button(label: string, id: string, more?: Html): Html {
  return html`<button class="button" id="${id}"${more}>${label}</button>`;
}

/** In a row of a list. */
export function quietButton(label: string, name: string, value: string): Html {
  return html`<button class="quiet" name="${name}" value="${value}">${label}</button>`;
}

/** A list of things, each with what can be done to it. */
export function rows(
  items: readonly { readonly what: Html; readonly acts?: Html | undefined }[],
): Html {
  return html`<ul class="rows">${items.map(
    ({ what, acts }) => html`<li><div>${what}</div>${acts}</li>`,
  )}</ul>`;
}

/** Why a form was not taken: read out at once. */
export function faultNote(fault: string | undefined): Html | undefined {
  return fault === undefined
    ? undefined
    : html`<p class="warning" role="alert" id="fault">${fault}</p>`;
}

export function doneNote(text: string | undefined): Html | undefined {
  return text === undefined
    ? undefined
    : html`<p class="notice" role="status" id="done">${text}</p>`;
}

/** A cursor that is none of ours begins at the newest. */
export function readCursor(text: string | undefined) {
  try {
    return text ? decodeCursor(text) : undefined;
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
