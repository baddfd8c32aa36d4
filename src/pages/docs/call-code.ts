// A step of the manual as code: by name of the library where there is one (Node, Python, PHP),
// else by the function `quittance` of the setup, which signs and sends. A test runs what is made
// here.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert } from '#base/assert.ts';
import { literal, NOTATIONS, snakeCase } from './code-literal.ts';
import type { CodeTab } from './code-tabs.ts';
import type { ManualStep } from './read-manual.ts';

type LibraryMethod = {
  /** Resource and method: `checkout.createHosted`. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** The field that is given on its own, before the others. */
  readonly argument: string | null;
  /** The field that all others are inside of; the library adds it. */
  readonly wrap: string | null;
  /** The field of the answer that is returned instead of all of it. */
  readonly returns: string | null;
  /** The field of the answer that holds the rows of a page; what is returned is gone through. */
  readonly pages: string | null;
};

/** As it is said for all libraries. */
const FILE = join(import.meta.dirname, '..', '..', '..', 'clients', 'vectors', 'methods.json');
const { methods: LIBRARY_METHODS } = JSON.parse(readFileSync(FILE, 'utf8')) as {
  readonly methods: readonly LibraryMethod[];
};

/** How a language keeps, shows or drops what a call answers; a path leads into the answer. */
type Speech = {
  readonly keep: (name: string, call: string, path: readonly string[]) => string;
  readonly show: (call: string, path: readonly string[]) => string;
  readonly drop: (call: string) => string;
};

const dotted = (path: readonly string[]) =>
  path.map((one) => (/^\d+$/.test(one) ? `[${one}]` : `.${one}`)).join('');
const quoted = (path: readonly string[]) => path.map((one) => `"${one}"`).join(', ');
const arrows = (path: readonly string[]) =>
  path.map((one) => (/^\d+$/.test(one) ? `[${one}]` : `->${one}`)).join('');

const SPEECH = {
  curl: {
    keep: (name, call, path) => `${name}=$(${call} | jq -r .${path.join('.')})`,
    show: (call, path) => `${call} | jq -r '${dotted(path)}'`,
    drop: (call) => call,
  },
  node: {
    keep: (name, call, path) => `const ${name} = (await ${call})${dotted(path)};`,
    show: (call, path) => `console.log((await ${call})${dotted(path)});`,
    drop: (call) => `await ${call};`,
  },
  python: {
    keep: (name, call, path) => `${snakeCase(name)} = ${call}${dotted(path)}`,
    show: (call, path) => `print(${call}${dotted(path)})`,
    drop: (call) => call,
  },
  php: {
    keep: (name, call, path) => `$${name} = ${call}${arrows(path)};`,
    show: (call, path) => `echo ${call}${arrows(path)}, "\\n";`,
    drop: (call) => `${call};`,
  },
  ruby: {
    keep: (name, call, path) => `${snakeCase(name)} = ${call}.dig(${rubyPath(path)})`,
    show: (call, path) => `puts ${call}.dig(${rubyPath(path)})`,
    drop: (call) => call,
  },
  go: {
    keep: (name, call, path) => `${name} := textAt(${call}, ${quoted(path)})`,
    show: (call, path) => `fmt.Println(textAt(${call}, ${quoted(path)}))`,
    drop: (call) => call,
  },
  csharp: {
    keep: (name, call, path) => `var ${name} = TextAt(await ${call}, ${quoted(path)});`,
    show: (call, path) => `Console.WriteLine(TextAt(await ${call}, ${quoted(path)}));`,
    drop: (call) => `await ${call};`,
  },
} satisfies Readonly<Record<string, Speech>>;

function rubyPath(path: readonly string[]): string {
  return path.map((one) => (/^\d+$/.test(one) ? one : `"${one}"`)).join(', ');
}

export function stepTabs(step: ManualStep): readonly CodeTab[] {
  return [
    { language: 'curl', code: spoken(SPEECH.curl, step, curlCall(step)) },
    { language: 'node', code: libraryCode('node', step) },
    { language: 'python', code: libraryCode('python', step) },
    { language: 'php', code: libraryCode('php', step) },
    { language: 'ruby', code: spoken(SPEECH.ruby, step, rubyCall(step)) },
    { language: 'go', code: spoken(SPEECH.go, step, goCall(step)) },
    { language: 'csharp', code: spoken(SPEECH.csharp, step, csharpCall(step)) },
  ];
}

/** `within`: the field of the answer that the call returns instead of all of it. */
function spoken(
  { keep, show, drop }: Speech,
  { remember, expect }: ManualStep,
  call: string,
  within?: string | null,
): string {
  const inside = (place: string) => {
    const path = place.split('.');
    return path[0] === within ? path.slice(1) : path;
  };
  const [kept] = Object.entries(remember);
  if (kept !== undefined) return keep(kept[0], call, inside(kept[1]));
  const [shown] = Object.keys(expect);
  return shown === undefined ? drop(call) : show(call, inside(shown));
}

type LibraryLanguage = 'node' | 'python' | 'php';

function libraryCode(language: LibraryLanguage, step: ManualStep): string {
  const found = LIBRARY_METHODS.find(
    ({ method, path }) => method === step.method && path === step.path,
  );
  assert(found !== undefined, `no library has ${step.method} ${step.path}`);
  const { [found.argument ?? '']: argument, ...beside } = givenTo(step);
  const inside = found.wrap === null ? beside : (beside[found.wrap] as object);
  const given = [
    ...(argument === undefined ? [] : [literal(NOTATIONS[language], argument)]),
    ...(Object.keys(inside).length === 0 ? [] : [literal(NOTATIONS[language], inside)]),
  ].join(', ');
  const call = libraryCall(language, found.name, given);
  return found.pages === null
    ? spoken(SPEECH[language], step, call, found.returns)
    : goThrough(language, call, found.pages);
}

/** Query and body together, numbers as numbers. */
function givenTo({ query, body }: ManualStep): Record<string, unknown> {
  const parameters = [...new URLSearchParams(query)].map(([name, value]) => [
    name,
    /^\d+$/.test(value) ? Number(value) : value,
  ]);
  return { ...Object.fromEntries(parameters), ...body };
}

function libraryCall(language: LibraryLanguage, name: string, given: string): string {
  switch (language) {
    case 'node':
      return `quittance.${name}(${given})`;
    case 'python':
      return `quittance.${snakeCase(name)}(${given})`;
    case 'php':
      return `$quittance->${name.replace('.', '->')}(${given})`;
  }
}

function goThrough(language: LibraryLanguage, call: string, pages: string): string {
  const row = singular(pages.split('.').at(-1) ?? 'row');
  switch (language) {
    case 'node':
      return `for await (const ${row} of ${call}) {\n  console.log(${row});\n}`;
    case 'python':
      return `for ${snakeCase(row)} in ${call}:\n    print(${snakeCase(row)})`;
    case 'php':
      return `foreach (${call} as $${row}) {\n    var_dump($${row});\n}`;
  }
}

function singular(name: string): string {
  return name === 'suspense' ? 'held' : name.replace(/s$/, '');
}

/** As it stands in the page, in as few lines as fit. */
function jsonOf(body: object): string {
  const short = JSON.stringify(body);
  return short.length <= 60 ? short : JSON.stringify(body, undefined, 2);
}

function filledIn(text: string, variable: (name: string) => string): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => variable(name));
}

function curlCall({ method, path, query, body }: ManualStep): string {
  const place = filledIn(`${path}${query}`, (name) => `$${name}`);
  const given = body === undefined ? '' : ` ${shellText(jsonOf(body))}`;
  return `quittance ${method} "${place}"${given}`;
}

/** In single quotes; `{name}` is a variable of the shell, for which they end and begin anew. */
function shellText(text: string): string {
  return `'${filledIn(text.replaceAll("'", `'\\''`), (name) => `'"$${name}"'`)}'`;
}

function rubyCall({ method, path, query, body }: ManualStep): string {
  const place = filledIn(`${path}${query}`, (name) => `#{${snakeCase(name)}}`);
  const given = body === undefined ? '' : `, ${literal(NOTATIONS.ruby, body)}`;
  return `quittance("${method}", "${place}"${given})`;
}

function goCall({ method, path, query, body }: ManualStep): string {
  const given = body === undefined ? '""' : goText(jsonOf(body));
  return `quittance("${method}", ${goText(`${path}${query}`)}, ${given})`;
}

/** A raw string; a variable ends it and begins it anew. */
function goText(text: string): string {
  return `\`${filledIn(text, (name) => `\` + ${name} + \``)}\``.replace(/ \+ ``$/, '');
}

function csharpCall({ method, path, query, body }: ManualStep): string {
  const place = `${path}${query}`;
  const given = body === undefined ? '' : `, ${csharpText(jsonOf(body))}`;
  return `Quittance("${method}", ${/\{\w+\}/.test(place) ? '$' : ''}"${place}"${given})`;
}

/** A raw string of C# 11; with two dollars, two braces stand around a variable. */
function csharpText(text: string): string {
  const hasVariable = /\{\w+\}/.test(text);
  const inner = hasVariable ? filledIn(text, (name) => `{{${name}}}`) : text;
  return `${hasVariable ? '$$' : ''}"""\n${inner}\n"""`;
}
